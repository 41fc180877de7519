// A field's value that leaves alone what somebody is typing: a picture that arrives late would else put an older number
// back into the field.

import { noChange } from 'lit';
import { Directive, directive, type DirectiveParameters, type ElementPart } from 'lit/directive.js';

class Unfocused extends Directive {
  render(value: string): string {
    return value;
  }

  override update(part: ElementPart, [value]: DirectiveParameters<this>): unknown {
    return part.element.matches(':focus') ? noChange : value;
  }
}

/** For `.value=${unfocused(text)}`: the text, unless the field has the focus. */
export const unfocused = directive(Unfocused);

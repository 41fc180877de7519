// A field's value that leaves alone what somebody is typing: a picture that arrives late would else put an older number
// back into the field.

import { noChange } from 'lit';
import { setCommittedValue } from 'lit/directive-helpers.js';
import { Directive, directive, type DirectiveParameters, type PropertyPart } from 'lit/directive.js';

class Unfocused extends Directive {
  render(value: string): string {
    return value;
  }

  override update(part: PropertyPart, [value]: DirectiveParameters<this>): unknown {
    const field = part.element as HTMLInputElement;
    // Not :focus, which some browsers deny while their window is not in front.
    if ((field.getRootNode() as Document | ShadowRoot).activeElement === field || field.value === value) return noChange;
    setCommittedValue(part); // what the reader typed is not what was drawn before
    return value;
  }
}

/** For `.value=${unfocused(text)}`: the text, unless the field has the focus. */
export const unfocused = directive(Unfocused);

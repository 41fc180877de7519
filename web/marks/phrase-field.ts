// Text to change where it stands: it looks like text with the edge of its meaning, grows with what is in it, and takes
// the focus like any field. A copy of the text behind the field gives it its size, so no script measures anything.

import { html, isServer, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

export interface PhraseFieldOptions {
  id: string;
  meaning: 'query' | 'key' | 'value' | 'plain';
  label: string;
  text: string;
  /** Most characters. */
  most: number;
  set(text: string): void;
  /** Shown when there is no text. */
  placeholder?: string;
}

export function phraseField({ id, meaning, label, text, most, set, placeholder = '' }: PhraseFieldOptions): TemplateResult {
  // In the compiled page there is no one to take a change, so it is plain text in the same place.
  if (isServer) return html`<span class="phrase phrase-${meaning} phrase-still"><span class="phrase-size">${text}&#8203;</span><span class="phrase-text"></span></span>`;
  return html`<span class="phrase phrase-${meaning}" data-control=${id}><span class="phrase-size" aria-hidden="true">${text === '' ? placeholder : text}&#8203;</span><textarea
      class="phrase-text"
      id=${id}
      rows="1"
      aria-label=${label}
      maxlength=${most}
      placeholder=${placeholder}
      spellcheck="false"
      autocomplete="off"
      .value=${live(text)}
      @input=${(event: Event) => set((event.target as HTMLTextAreaElement).value.replace(/[\r\n]+/g, ' '))}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.isComposing) event.preventDefault();
      }}
    ></textarea></span>`;
}

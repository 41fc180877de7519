// What a page says while its engine takes long to start.

import { html, type TemplateResult } from 'lit';
import { lateSentence } from '../engine/late-start.ts';

/** The sentence, and the way to another start. */
export function lateView(again: (() => void) | undefined): TemplateResult {
  return html`<p class="figure-error" role="alert">${lateSentence} <button type="button" class="button button-quiet" @click=${again}>Try again</button></p>`;
}

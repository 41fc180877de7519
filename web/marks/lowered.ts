// Names with an index, written in plain text with a small sign below the line, where titles, tables and saved pictures
// can hold no markup. On the page the index is the capital letter that formulas have, set lower.

import { html, type TemplateResult } from 'lit';

/** The matrix that mixes a head's blends into the row, in plain text. */
export const outputMatrix = 'W\u2092';

/** The same text for the page. */
export function lowered(text: string): TemplateResult | string {
  const [before, ...after] = text.split(outputMatrix);
  return after.length === 0 ? text : html`${before}${after.map((part) => html`W<sub>O</sub>${part}`)}`;
}

/** The same text for a voice. */
export function spelled(text: string): string {
  return text.replaceAll(outputMatrix, 'W\u00A0O');
}

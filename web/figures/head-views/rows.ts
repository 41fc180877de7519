// A row for each token: arcs from the token that looks, a button that makes another token look, its share as bar and number.

import { html, type TemplateResult } from 'lit';
import { arcs } from '../../marks/arcs.ts';
import { barPicture, shareBar } from '../../marks/bars.ts';
import { ordinal, share } from '../../marks/number.ts';
import { tokenHeard, tokenText, type TokenView } from '../../marks/token.ts';

/** As head-views.css has it. Pixels. */
const rowHeight = 36;
/** Longer texts scroll in a frame. */
const mostRows = 20;

export interface RowsOptions {
  id: string;
  tokens: readonly TokenView[];
  from: number;
  /** [from + 1]; null: not recorded, as it is below half a per cent. */
  shares: readonly (number | null)[];
  base: 0 | 1;
  /** Absent where only this token's shares are known. */
  pick?: ((at: number) => void) | undefined;
}

export function rows(options: RowsOptions): TemplateResult {
  const { id, tokens, from, shares } = options;
  return html`<div class="looks ${tokens.length > mostRows ? 'looks-many' : ''}" id="${id}-looks">
    ${arcs({ rows: tokens.length, rowHeight, from, shares })}
    <div class="looks-rows" role="group" aria-label="Tokens; pick the one that looks" @keydown=${upAndDown}>
      ${tokens.map((_, at) => row(options, at))}
    </div>
  </div>`;
}

function row(options: RowsOptions, at: number): TemplateResult {
  const { id, tokens, from, shares, base, pick } = options;
  const token = tokens[at]!;
  const joined = tokens[at - 1]?.word === token.word ? 'looks-joined' : '';
  const heard = tokenHeard(token);
  const words = html`${tokenText(token)}<span class="visually-hidden">${heard}, place ${ordinal(at, base)}</span>`;
  const classes = `token ${at === from ? 'token-asking' : ''}`;
  const chip = pick
    ? html`<button type="button" class=${classes} id="${id}-look-${at}" tabindex=${at === from ? 0 : -1} aria-pressed=${at === from ? 'true' : 'false'} @click=${() => pick(at)}>${words}</button>`
    : html`<span class=${classes}>${words}</span>`;
  return html`<div class="looks-row ${joined} ${at > from ? 'looks-later' : ''}"><span class="looks-token">${chip}</span>${numberOf(at > from ? undefined : shares[at]!)}</div>`;
}

function numberOf(value: number | null | undefined): TemplateResult {
  if (value === undefined) return html`<span class="looks-hidden">later: out of sight</span>`;
  const bar = shareBar({ label: '', share: value ?? 0 });
  return html`<span class="looks-bar">${barPicture(bar)}</span><span class="looks-number">${value === null ? '<\u202f0.5\u202f%' : share(value)}</span>`;
}

/** Arrow keys move among the tokens; Enter picks. */
function upAndDown(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const buttons = Array.from((event.currentTarget as Element).querySelectorAll<HTMLButtonElement>('button'));
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const last = buttons.length - 1;
  const goal = new Map([['ArrowUp', at - 1], ['ArrowLeft', at - 1], ['ArrowDown', at + 1], ['ArrowRight', at + 1], ['Home', 0], ['End', last]]).get(event.key);
  const next = at < 0 || goal === undefined ? undefined : buttons[goal];
  if (!next) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

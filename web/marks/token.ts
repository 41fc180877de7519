// Tokens as chips with their exact text. What the eye would miss (a leading space, a newline, a tab, a character of no
// width, the bytes of half a character) shows as a small mark; a word of several tokens stays visibly together.

import { html, nothing, type TemplateResult } from 'lit';
import { codePoint, unseen } from '../engine/shown-name.ts';
import type { TokenPiece } from '../engine/types.ts';
import { ordinal } from './number.ts';

export interface TokenView {
  /** The exact text in parts, as core/text/display.hpp or `textPieces` cuts it. */
  pieces: readonly TokenPiece[];
  /** Neighbours with the same number are pieces of one word. */
  word: number;
  /** A share or another small thing under the chip. */
  below?: TemplateResult | string;
  /** Classes from marks.css: token-sink, token-target, … */
  extra?: string;
  /** Cannot be picked (a later token, say). */
  disabled?: boolean;
}

export interface TokenStripOptions {
  /** Prefix of the ids. */
  id: string;
  label: string;
  tokens: readonly TokenView[];
  /** The token that asks. */
  asking?: number | null;
  /** Tokens picked or lit. */
  lit?: (index: number) => boolean;
  base: 0 | 1;
  onPick?: (index: number) => void;
  /** Pointer or focus is on a token; null when it leaves. */
  onHover?: (index: number | null) => void;
}

// ---------------------------------------------------------------------------------------------------- text of a token

/**
 * Text in pieces by the rules of core/text/display.hpp, for toy tokens that never pass the tokenizer: a space, a newline
 * and a tab each alone; what nobody would see as its code point; the rest as it is.
 */
export function textPieces(text: string): TokenPiece[] {
  const found: TokenPiece[] = [];
  for (const sign of text) {
    const kind = kinds.get(sign) ?? (unseen.test(sign) ? 'code_point' : 'text');
    const last = found.at(-1);
    if (kind === 'text' && last?.kind === 'text') last.shown += sign;
    else found.push({ kind, shown: kind === 'code_point' ? codePoint(sign) : (shownAs.get(kind) ?? sign) });
  }
  return found;
}

const kinds = new Map<string, TokenPiece['kind']>([[' ', 'space'], ['\n', 'newline'], ['\t', 'tab']]);
const shownAs = new Map<TokenPiece['kind'], string>([['newline', '↵'], ['tab', '⇥']]);

/** A token as a screen reader or a table shall name it: its text without the space before it. */
export function tokenName(token: Pick<TokenView, 'pieces'>): string {
  const name = token.pieces.map(({ kind, shown }) => spoken[kind] ?? shown).join('').trim();
  return name !== '' ? name : token.pieces.length === 0 ? 'empty' : 'space';
}

const spoken: Partial<Record<TokenPiece['kind'], string>> = { newline: ' newline ', tab: ' tab ' };

export function tokenText(token: Pick<TokenView, 'pieces'>): TemplateResult {
  return html`<span class="token-text">${token.pieces.map((piece) => {
    if (piece.kind === 'text') return piece.shown;
    const words = bytesInWords(piece);
    if (words !== undefined) return html`<span class="token-mark" title=${words}>${piece.shown}</span>`;
    return html`<span class=${piece.kind === 'space' ? 'token-space' : 'token-mark'}>${piece.shown}</span>`;
  })}</span>`;
}

/** What a voice adds to the text of a token that is not, or not only, letters: ", newline"; ", the first two bytes of a character of three". */
export function tokenHeard(token: Pick<TokenView, 'pieces'>): string {
  const bytes = token.pieces.map(bytesInWords).filter((words) => words !== undefined);
  if (bytes.length > 0) return `, ${bytes.join(', ')}`;
  return token.pieces.some(({ kind }) => kind === 'text') ? '' : `, ${tokenName(token)}`;
}

const counts = ['no', 'one', 'two', 'three', 'four'];

/** "⟨E2 80⟩" → "the first two bytes of a character of three"; undefined where a piece is no bytes. UTF-8 tells by its first byte how many there are. */
export function bytesInWords({ kind, shown }: TokenPiece): string | undefined {
  if (kind !== 'bytes') return undefined;
  const bytes = (shown.match(/[0-9A-F]{2}/g) ?? []).map((byte) => parseInt(byte, 16));
  const rest = bytes.slice(1).every(isLater);
  const whole = [0xf0, 0xe0, 0xc2].findIndex((least) => bytes[0]! >= least && bytes[0]! <= 0xf4);
  if (rest && whole >= 0 && bytes.length < 4 - whole) {
    return `the first ${bytes.length === 1 ? 'byte' : `${counts[bytes.length]} bytes`} of a character of ${counts[4 - whole]}`;
  }
  if (rest && bytes.length < 4 && isLater(bytes[0]!)) return bytes.length === 1 ? 'a later byte of a character' : `${counts[bytes.length]} later bytes of a character`;
  return 'bytes of characters that are not whole';
}

/** A byte that only goes on with a character. */
function isLater(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Toy tokens: every one a word of its own. */
export function textTokens(texts: readonly string[]): TokenView[] {
  return texts.map((text, word) => ({ pieces: textPieces(text), word }));
}

/** Indices of tokens, word by word. */
export function words(tokens: readonly Pick<TokenView, 'word'>[]): number[][] {
  const groups: number[][] = [];
  tokens.forEach((token, at) => {
    if (tokens[at - 1]?.word === token.word) groups.at(-1)!.push(at);
    else groups.push([at]);
  });
  return groups;
}

// ------------------------------------------------------------------------------------------------------------ strip

/** A line of tokens. One is in the tab order; arrow keys, Home and End move between them, Enter and Space pick. */
export function tokenStrip(options: TokenStripOptions): TemplateResult {
  const { tokens, onPick } = options;
  const reachable = tokens.findIndex((token, at) => at === options.asking && !token.disabled);
  const entry = reachable >= 0 ? reachable : tokens.findIndex((token) => !token.disabled);
  return html`<div class="tokens" role=${onPick ? 'toolbar' : 'list'} aria-label=${options.label} @keydown=${moveFocus}>
    ${words(tokens).map((group) => html`<span class="token-word" role=${onPick ? nothing : 'none'}>${group.map((at) => chip(options, at, at === entry))}</span>`)}
  </div>`;
}

function chip(options: TokenStripOptions, at: number, entry: boolean): TemplateResult {
  const { tokens, asking, lit, onPick, onHover, id, base } = options;
  const token = tokens[at]!;
  const classes = ['token', token.extra, at === asking ? 'token-asking' : '', lit?.(at) ? 'token-lit' : ''].filter(Boolean).join(' ');
  // What is seen comes first, so that people who speak to their machine can name the chip; then what is only heard.
  const heard = tokenHeard(token);
  const content = html`${tokenText(token)}${token.below === undefined ? nothing : html`<span class="token-below">${token.below}</span>`}<span
      class="visually-hidden">${heard}, place ${ordinal(at, base)}</span>`;
  if (!onPick) return html`<span class=${classes} role="listitem" data-token=${at}>${content}</span>`;
  return html`<button
    type="button"
    class=${classes}
    id="${id}-token-${at}"
    data-token=${at}
    tabindex=${entry ? 0 : -1}
    aria-pressed=${at === asking ? 'true' : 'false'}
    ?disabled=${token.disabled ?? false}
    @click=${() => onPick(at)}
    @pointerenter=${onHover && (() => onHover(at))}
    @pointerleave=${onHover && (() => onHover(null))}
    @focus=${onHover && (() => onHover(at))}
    @blur=${onHover && (() => onHover(null))}
  >${content}</button>`;
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** Moves the focus among the enabled buttons of the element that listens. Shared by strips and segmented controls. */
export function moveFocus(event: KeyboardEvent): void {
  const step = steps[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const buttons = Array.from((event.currentTarget as Element).querySelectorAll<HTMLButtonElement>('button:not(:disabled)'));
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const next = at < 0 ? undefined : buttons[step(at, buttons.length - 1)];
  if (!next) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

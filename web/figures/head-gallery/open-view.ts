// The head that is open: its grid with the tokens beside it, its scores, and the way to the figure that steps through it.

import { html, nothing, type TemplateResult } from 'lit';
import { bars, shareBar } from '../../marks/bars.ts';
import type { Place } from '../../marks/grid.ts';
import type { HeatOptions } from '../../marks/heat-canvas.ts';
import { maskedInk, shareInk } from '../../marks/ink.ts';
import { kindOf } from '../../marks/model-label.ts';
import { fixed, ordinal, share } from '../../marks/number.ts';
import { formatLink } from '../../state/link.ts';
import { placeIfNeeded } from '../one-head/reading.ts';
import { longName, namesOf, scoreText, scoreWords } from './words.ts';
import type { WallContext } from './wall.ts';
import type { Head, Score, Seen } from './work.ts';

const compiled = typeof document === 'undefined';

export function openView(context: WallContext, head: Head): TemplateResult {
  const { id, state, seen, set } = context;
  const name = longName(head);
  return html`<section class="gallery-open" id="${id}-open" aria-labelledby="${id}-open-name">
    <div class="opened-head">
      <p class="opened-title" id="${id}-open-name">${name[0]!.toUpperCase()}${name.slice(1)}</p>
      <span class="gallery-ways" data-page-only>
        <a class="sets" href=${stepsThrough(context, head)}>Step through this head</a>
        <button type="button" class="step-button" data-close @click=${(event: Event) => {
          const closed = (event.currentTarget as Element).closest('.gallery')!.querySelector<HTMLElement>(`[data-head="${head.layer}.${head.head}"]`);
          set({ heads: [] });
          closed?.focus();
        }}>Close</button>
      </span>
    </div>
    <div class="gallery-parts">
      ${compiled ? nothing : html`<gallery-grid .context=${{ seen, head }}></gallery-grid>`}
      <div class="gallery-scores">${bars({ label: `Scores of ${name}`, rows: shareScores.map((score) => shareBar({ label: scoreWords[score].name, share: head.scores[score] ?? 0, extra: score === state.sort ? 'gallery-sorting' : '', ...(head.scores[score] === null && { note: `${scoreWords[score].none}.` }) })) })}
        <p class="gallery-spread">${spread(head)}</p></div>
    </div>
  </section>`;
}

const shareScores: readonly Score[] = ['previous', 'first', 'same', 'induction', 'itself'];

function spread({ scores: { entropy } }: Head): string {
  if (entropy === null) return 'One token has nothing to spread its look over.';
  return `Spread: ${scoreText('entropy', entropy)}, as much as an even look at ${fixed(2 ** entropy, 1)} tokens.`;
}

/** A link to this head in one-head: on this page where it holds one, else in the chapter about it. */
function stepsThrough({ state, seen }: WallContext, { layer, head }: Head): string {
  const id = compiled ? undefined : document.querySelector('one-head')?.id;
  const values = new Map<string, string>([
    seen.model.vocabulary === 'none' ? ['ids', state.ids] : ['text', state.text],
    ['layer', String(layer)], ['head', String(head)], ['model', kindOf(seen.model)], ['stage', 'shares'], ['row', '-1'], ['col', '-1'],
  ]);
  const anchor = id ?? 'one-head';
  return `${id === undefined ? '03-one-head.html' : ''}#${formatLink({ anchor, page: new Map(), figures: new Map([[anchor, values]]) })}`;
}

// -------------------------------------------------------------------------------------------------------------- grid

export interface GridContext {
  seen: Seen;
  head: Head;
}

export interface LargeGrid extends GridContext {
  base: 0 | 1;
  active: Place | null;
  picked: Place | null;
  activate(place: Place | null): void;
  pick(place: Place): void;
}

/** Up to here squares hold their numbers. */
const mostNumbers = 20;

export function largeGrid(large: LargeGrid): TemplateResult {
  const { head, base, active, picked, activate, pick } = large;
  const { grid, side } = head.pattern;
  const labels = labelsOf(large);
  const numbers = side <= mostNumbers;
  const size = numbers ? 28 : side <= 32 ? 14 : 7;
  const value = (row: number, column: number) => grid[row * side + column]!;
  const options: HeatOptions = {
    label: `The pattern of ${longName(head)}; rows look, columns are looked at`,
    // Where squares are smaller than letters, some go without a label.
    rows: labels.map((label, at) => (at % Math.ceil(14 / size) === 0 ? label : '')),
    columns: side,
    column: (at) => (numbers || at % Math.ceil(64 / size) === 0 ? labels[at]! : ''),
    cellWidth: size,
    cellHeight: numbers ? 22 : size,
    cell: (row, column) => {
      if (column > row) return { ink: maskedInk, text: '' };
      const percent = fixed(value(row, column) * 100, 0);
      return { ink: shareInk(value(row, column)), text: numbers && percent !== '0' ? percent : '' };
    },
    name: (row, column) => {
      const { from, to, value: shown } = cellOf(large, row, column);
      return `from ${from} to ${to}: ${shown}`;
    },
    rowMeaning: 'query',
    columnMeaning: 'key',
    active,
    picked,
    onActive: activate,
    onPick: pick,
  };
  const { from, to, value: shown } = cellOf(large, ...(active ?? picked ?? ([side - 1, largestIn(head, side - 1)] as const)));
  return html`<p class="gallery-reading">from <b class="mark-query">${from}</b> to <b class="mark-key">${to}</b>: <b class="num">${shown}</b></p>
    <heat-canvas .options=${options}></heat-canvas>
    <p class="hint">${numbers ? 'Numbers are in %; squares below a half are left without.' : `Tokens are counted from ${base}.`}</p>`;
}

/** A token's text, or where a square stands for several, their places. */
function labelsOf({ seen, head, base }: LargeGrid): string[] {
  const names = namesOf(seen);
  if (seen.block === 1) return names;
  return Array.from({ length: head.pattern.side }, (_, at) => {
    const last = Math.min((at + 1) * seen.block, names.length) - 1;
    return `${ordinal(at * seen.block, base)}–${ordinal(last, base)}`;
  });
}

/** A square in words: who looks, who is looked at, the share. */
function cellOf(large: LargeGrid, row: number, column: number): { from: string; to: string; value: string } {
  const { seen, head, base } = large;
  const labels = labelsOf(large);
  const several = seen.block > 1;
  const named = (at: number) => (several ? `tokens ${labels[at]}` : `“${labels[at]}”${placeIfNeeded(labels, at, base)}`);
  const value = share(head.pattern.grid[row * head.pattern.side + column]!);
  return { from: named(row), to: named(column), value: column > row ? 'hidden' : several ? `${value} at most` : value };
}

function largestIn({ pattern: { grid, side } }: Head, row: number): number {
  let best = 0;
  for (let column = 1; column <= row; column++) if (grid[row * side + column]! > grid[row * side + best]!) best = column;
  return best;
}

// A cell opened to its arithmetic: every product of the sum, what the stages make of it, and beside each number of the
// core the same in double precision.

import { html, nothing, type TemplateResult } from 'lit';
import type { SumArithmetic } from '../../engine/types.ts';
import { barPicture, scoreBar } from '../../marks/bars.ts';
import { fixed, ordinal, plain, score, share } from '../../marks/number.ts';
import { segmented } from '../../marks/slider.ts';
import { agrees, type Proved } from '../../proof/head-row.ts';
import type { ChoiceField } from '../../state/schema.ts';
import type { PageState } from '../../state/page.ts';
import { namesOf, placeIfNeeded, ranked, valueAt } from './reading.ts';
import type { OpenedBlend, OpenedOutput, OpenedScore, Seen, State } from './work.ts';

export interface OpenedContext {
  id: string;
  state: State;
  seen: Seen;
  page: PageState;
  order: ChoiceField<'size' | 'place'>;
  set(patch: Partial<State>): void;
}

export function openedView(context: OpenedContext): TemplateResult | typeof nothing {
  const { id, state, seen, set } = context;
  const { opened } = seen;
  if (!opened) return html`<p class="hint">Pick a square to see how its number is made.</p>`;
  const parts = { score: scoreParts, blend: blendParts, output: outputParts };
  const { heading, list, steps } = (parts[opened.kind] as (context: OpenedContext, opened: unknown) => Parts)(context, opened);
  // The focus goes back to the square, or to the grid that is one stop.
  const close = (event: Event) => {
    const figure = (event.target as Element).closest('.figure')!;
    const square = figure.querySelector<HTMLElement>(`[data-cell="${state.row},${state.col}"]`) ?? figure.querySelector<HTMLElement>('.heat-frame');
    set({ row: -1, col: -1 });
    square?.focus();
  };
  return html`<section class="opened" aria-labelledby="${id}-opened">
    <div class="opened-head">
      <p class="opened-title" id="${id}-opened">${heading}</p>
      <button type="button" class="step-button" data-page-only data-close @click=${close}>Close</button>
    </div>
    <div class="opened-parts"><div>${steps}</div><div>${list}</div></div>
  </section>`;
}

interface Parts {
  heading: TemplateResult;
  list: TemplateResult;
  steps: TemplateResult;
}

/** Digits enough to see single and double precision part ways. */
const digits = (value: number) => fixed(value, 6);

// ---------------------------------------------------------------------------------------------------------- a score

function scoreParts(context: OpenedContext, opened: OpenedScore): Parts {
  const { seen, page } = context;
  const names = namesOf(seen);
  const [row, column] = opened.place;
  const { cell, raw, scaled, row: proved } = opened;
  const d_head = cell.query.length;
  const from = html`<span class="mark-query">${names[row]}</span>`;
  const to = html`<span class="mark-key">${names[column]}</span>`;
  const rest: StepRow[] = cell.masked
    ? []
    : [
        { name: html`the row’s largest s, m`, core: cell.maximum, proved: proved.maximum },
        { name: html`e<sup>s − m</sup>`, core: cell.exponential, proved: proved.exponentials[column]! },
        { name: html`the row’s sum of e<sup>s − m</sup>`, core: cell.sum, proved: proved.sum },
        { name: html`its share of the sum`, core: cell.share, proved: proved.shares[column]!, shown: share(cell.share) },
      ];
  return {
    heading: html`“${from}”${placeIfNeeded(names, row, page.base)} asks “${to}”${placeIfNeeded(names, column, page.base)}`,
    steps: html`${checkedSteps([
        { name: html`q · k, the sum`, core: cell.raw, proved: raw, shown: score(cell.raw) },
        { name: html`s, divided by √${d_head} = ${plain(cell.root)}`, core: cell.scaled, proved: scaled, shown: score(cell.scaled) },
        ...rest,
      ])}
      ${cell.masked ? html`<p class="opened-hidden">“${to}” stands after “${from}”. The mask hides it, and its share is exactly 0.</p>` : nothing}`,
    list: productList(context, {
      heads: ['entry', html`<span class="mark-query">q</span>`, html`<span class="mark-key">k</span>`],
      label: `The ${d_head} products of q and k`,
      count: `${fixed(d_head, 0)} products`,
      rows: Array.from(cell.products, (product, i) => ({ name: ordinal(i, page.base), factors: [cell.query[i]!, cell.key[i]!], product })),
      sum: cell.raw,
    }),
  };
}

// ---------------------------------------------------------------------------------------------------------- a blend

function blendParts(context: OpenedContext, opened: OpenedBlend): Parts {
  const { seen, page } = context;
  const names = namesOf(seen);
  const [row, column] = opened.place;
  const { cell, proved } = opened;
  return {
    heading: html`Number ${ordinal(column, page.base)} of the blend of “<span class="mark-query">${names[row]}</span>”`,
    steps: checkedSteps([{ name: html`sum of share × v`, core: cell.sum, proved, shown: fixed(cell.sum, 3) }]),
    list: productList(context, {
      heads: ['token', html`share`, html`<span class="mark-value">v</span>`],
      label: 'Shares and values',
      count: `${fixed(row + 1, 0)} product${row === 0 ? '' : 's'}`,
      rows: sumRows(cell, (at) => names[at]!),
      sum: cell.sum,
    }),
  };
}

// -------------------------------------------------------------------------------------------- what the head writes

const fewNumbers = 5;

function outputParts(context: OpenedContext, { place, cell, proved }: OpenedOutput): Parts {
  const { seen, page } = context;
  const names = namesOf(seen);
  const [row, column] = place;
  const number = ordinal(column, page.base);
  return {
    heading: html`What is added to number ${number} of “<span class="mark-query">${names[row]}</span>”`,
    steps: html`${checkedSteps([{ name: html`sum of z × W<sub>O</sub>`, core: cell.sum, proved, shown: fixed(cell.sum, 3) }])}
      <p class="opened-largest">z is the blend, and W<sub>O</sub> stands for column ${number} of the head’s part of that table. The largest of the ${fixed(seen.sizes.d_model, 0)} numbers that are added here:</p>
      ${largestWritten(context, row)}`,
    list: productList(context, {
      heads: ['entry', html`<span class="mark-value">z</span>`, html`W<sub>O</sub>`],
      label: `The ${seen.sizes.d_head} products of the blend and a column of the output matrix`,
      count: `${fixed(seen.sizes.d_head, 0)} products`,
      rows: sumRows(cell, (i) => ordinal(i, page.base)),
      sum: cell.sum,
    }),
  };
}

function largestWritten({ seen, page }: OpenedContext, row: number): TemplateResult {
  const largest = ranked(seen, 'output', row, Math.abs).slice(0, fewNumbers);
  const extent = Math.abs(valueAt(seen, 'output', row, largest[0]!)!);
  return html`<table class="products"><tbody>${largest.map((at) => {
    const value = valueAt(seen, 'output', row, at)!;
    return html`<tr><th scope="row">${ordinal(at, page.base)}</th><td>${fixed(value, 3)}</td><td class="product-bar">${bar(value, extent)}</td></tr>`;
  })}</tbody></table>`;
}

// ----------------------------------------------------------------------------------------------------------- parts

interface StepRow {
  name: TemplateResult;
  /** From the core, in single precision. */
  core: number;
  proved: Proved;
  /** As the grid shows it. */
  shown?: string;
}

function checkedSteps(rows: readonly StepRow[]): TemplateResult {
  const wrong = rows.filter(({ core, proved }) => !agrees(core, proved));
  return html`<table class="steps">
      <thead><tr><th scope="col">step</th><th scope="col">the engine’s number</th><th scope="col">in double precision</th><th scope="col">apart by</th></tr></thead>
      <tbody>${rows.map(
        ({ name, core, proved, shown }) => html`<tr class=${agrees(core, proved) ? '' : 'step-wrong'}>
          <th scope="row">${name}${shown === undefined ? nothing : html`: <b class="num">${shown}</b>`}</th>
          <td>${digits(core)}</td><td>${digits(proved.value)}</td><td>${plain(Math.abs(core - proved.value))}</td>
        </tr>`,
      )}</tbody>
    </table>
    <p class="hint opened-check">${
      wrong.length === 0
        ? 'Checked: this page worked the row out again in double precision, by other code. Rounding explains what they are apart.'
        : `The check fails: ${wrong.length === 1 ? 'one number is' : `${wrong.length} numbers are`} further apart than rounding explains.`
    }</p>`;
}

interface Products {
  /** Of the row's name and the two factors. */
  heads: readonly [string, TemplateResult, TemplateResult];
  label: string;
  count: string;
  rows: readonly { name: string; factors: readonly [number, number]; product: number }[];
  sum: number;
}

function sumRows({ left, right, products }: SumArithmetic, name: (at: number) => string): Products['rows'] {
  return Array.from(products, (product, at) => ({ name: name(at), factors: [left[at]!, right[at]!], product }));
}

function productList(context: OpenedContext, { heads, label, count, rows, sum }: Products): TemplateResult {
  const { state, set, order } = context;
  const extent = rows.reduce((most, { product }) => Math.max(most, Math.abs(product)), 0);
  const sorted = state.order === 'size' ? [...rows].sort((a, b) => Math.abs(b.product) - Math.abs(a.product)) : rows;
  return html`<div class="products-head"><span class="label">${count}</span>
      ${segmented({ label: 'Order of the products', field: order, value: state.order, names: { size: 'Largest first', place: 'In order' }, set: (next) => set({ order: next }) })}
    </div>
    <div class="products-frame" tabindex="0" role="region" aria-label=${label}>
      <table class="products">
        <thead><tr><th scope="col">${heads[0]}</th><th scope="col">${heads[1]}</th><th scope="col">${heads[2]}</th><th scope="col">product</th><td></td></tr></thead>
        <tbody>${sorted.map(
          ({ name, factors, product }) => html`<tr><th scope="row">${name}</th><td>${fixed(factors[0], 3)}</td><td>${fixed(factors[1], 3)}</td><td>${fixed(product, 3)}</td>
            <td class="product-bar">${bar(product, extent)}</td></tr>`,
        )}</tbody>
        <tfoot><tr><th scope="row">sum</th><td></td><td></td><td>${fixed(sum, 3)}</td><td></td></tr></tfoot>
      </table>
    </div>`;
}

function bar(value: number, extent: number): TemplateResult {
  return barPicture(scoreBar({ label: '', score: value, extent, negative: true }));
}

// What a figure is. One file a figure, `web/figures/<name>.ts`, that exports `figure`:
//
//   import { html } from 'lit';
//   import { defineFigure } from './definition.ts';
//   import { number, text } from '../state/schema.ts';
//   import { slider } from '../marks/slider.ts';
//   import { bars, shareBar } from '../marks/bars.ts';
//   import { share } from '../marks/number.ts';
//
//   const schema = { stretch: number({ min: 0, max: 20, step: 0.1, initial: 9 }) };
//
//   export const figure = defineFigure({
//     name: 'softmax-dial',
//     schema,
//     compute: (engine, state, signal) => engine.lesson('softmax', { scores: [1, 0.4], stretch: state.stretch }, { signal }),
//     title: (state, result) => `A stretch of ${state.stretch} gives the best match ${share(result.shares[0]!)}`,
//     describe: (state, result) => `The shares are ${result.shares.map(share).join(' and ')}.`,
//     table: (state, result) => ({
//       caption: 'Scores and shares',
//       columns: [{ label: 'score', as: 'score' }, { label: 'share', as: 'share' }],
//       rows: result.scores.map((score, at) => [score, result.shares[at]!]),
//     }),
//     view: ({ id, state, result, set }) => html`
//       ${bars({ rows: result.shares.map((value, at) => shareBar({ label: `score ${at}`, share: value })) })}
//       <div class="figure-controls">
//         ${slider({ id: `${id}-stretch`, label: 'Stretch', field: schema.stretch, value: state.stretch,
//                    set: (stretch) => set({ stretch }) })}
//       </div>`,
//   });
//
// The same file runs in the compiler, which renders the first state to a string: `view` touches neither window nor
// document (event handlers may), and writes no style attribute. `compute` asks the engine for every number. `set` may
// be called on every input event: state is clamped, the link follows, a stale computation is dropped. `view` always
// gets a result that belongs to the state it gets. Ids inside a figure start with `${id}-`, as a page may hold it twice.
// An element that changes its place gets data-move="${id}-name"; what a saved picture shall not show, data-page-only. A
// lesson hides a control by the end of its id or by its words; data-control="name" names it where those change.

import type { TemplateResult } from 'lit';
import type { Engine, Input, ModelInfo } from '../engine/types.ts';
import type { PageState } from '../state/page.ts';
import type { Schema, StateOf } from '../state/schema.ts';
import { formatNumber, type NumberKind } from '../marks/number.ts';

export interface FigureDefinition<S, R> {
  /** Name of the custom element and of the file. */
  name: string;
  /**
   * Only where the figure asks the model in use: the model that worked the result out. The frame names it, and a new
   * model means a new computation. Null where what is shown is recorded and comes from no model at hand.
   */
  model?(result: R): ModelInfo | null;
  /** Asks the model, and yet a second copy beside it would show nothing to compare. */
  alone?: boolean;
  /** Keys are single lower-case words, as attributes and links carry them; none of `reservedKeys`. */
  schema: Schema<S>;
  /** Keys that change the picture but not the result, such as which row is open: they cost no computation. */
  viewOnly?: readonly (keyof S & string)[];
  /** A link of the prose that sets the key takes these back to their beginning, lest it show them as somebody left them. */
  together?: { readonly [K in keyof S & string]?: readonly (keyof S & string)[] };
  /**
   * Asks the core; does no model mathematics. May reject with an Error whose message is one sentence. What goes on after
   * the first result, such as a training, tells its later ones through `update`, until the signal ends it.
   */
  compute(engine: Engine, state: S, signal: AbortSignal, update: Update<R>): Promise<R>;
  /** States what the figure shows in this state. */
  title(state: S, result: R): string;
  /** The same in sentences made of the values, for a screen reader. */
  describe(state: S, result: R): string;
  /** The numbers behind the picture. */
  table(state: S, result: R): Table;
  /** Only where a pass of the model lies behind the picture: the text whose trace can be saved. Null where there is none. */
  traced?(state: S, result: R): Input | null;
  /** The picture and its controls. Pure. */
  view(context: ViewContext<S, R>): TemplateResult;
}

/** A later result for the same state. A screen reader hears of it where `announced`. */
export type Update<R> = (result: R, announced?: boolean) => void;

export interface ViewContext<S, R> {
  /** The figure's id in the page: prefix of every id inside, and its name in the link. */
  id: string;
  state: S;
  result: R;
  set(patch: Partial<S>): void;
  /** The newest state that was asked for, which may be ahead of what is drawn; only in a live page. */
  wanted?(): S;
  page: PageState;
}

export type Cell = string | number | null;

export interface Column {
  label: string;
  /** How numbers of this column are shown. CSV holds them in full. */
  as?: NumberKind;
}

/** `columns` name the entries of each row. A null is an empty cell (masked, not there). */
export interface Table {
  caption: string;
  columns: readonly (string | Column)[];
  rows: readonly (readonly Cell[])[];
}

/** The key of a figure's values in a link that says a second copy stands beside it. */
export const besideKey = 'beside';

/** Attributes that mean something else on the element, so no state key may be called so. */
export const reservedKeys: readonly string[] = ['id', 'name', 'number', 'caption', 'hide', besideKey, 'class', 'style', 'title', 'lang', 'dir', 'hidden', 'slot', 'role', 'part'];

/** Types a definition by its schema, and refuses a name or key that could not be an element or attribute. */
export function defineFigure<F extends Record<string, import('../state/schema.ts').Field<any>>, R>(
  definition: Omit<FigureDefinition<StateOf<F>, R>, 'schema'> & { schema: F },
): FigureDefinition<StateOf<F>, R> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(definition.name)) {
    throw new Error(`Figure "${definition.name}": a name is lower-case words joined by hyphens, at least two.`);
  }
  for (const key of Object.keys(definition.schema)) {
    if (!/^[a-z][a-z0-9]*$/.test(key) || reservedKeys.includes(key)) {
      throw new Error(`Figure "${definition.name}": key "${key}" must be one lower-case word and none of ${reservedKeys.join(', ')}.`);
    }
  }
  return definition as unknown as FigureDefinition<StateOf<F>, R>;
}

/** Whether a second copy may stand beside the figure. */
export function canBeside({ model, alone }: Pick<FigureDefinition<any, any>, 'model' | 'alone'>): boolean {
  return model !== undefined && !alone;
}

/** The labels and cells of a table as they are displayed. */
export function displayTable(table: Table): { labels: string[]; rows: string[][] } {
  const columns = table.columns.map((column) => (typeof column === 'string' ? { label: column } : column)) as Column[];
  return {
    labels: columns.map((column) => column.label),
    rows: table.rows.map((row) => row.map((cell, at) => displayCell(cell, columns[at]?.as))),
  };
}

function displayCell(cell: Cell, as: NumberKind = 'number'): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? cell : formatNumber(cell, as);
}

/**
 * The table as CSV by RFC 4180, numbers in full. Text that a spreadsheet would run as a formula gets an apostrophe
 * before it, the usual guard.
 */
export function csv(table: Table): string {
  const labels = table.columns.map((column) => (typeof column === 'string' ? column : column.label));
  return [labels, ...table.rows].map((row) => row.map(csvCell).join(',') + '\r\n').join('');
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const guarded = /^[=+\-@\t\r]/.test(cell) ? "'" + cell : cell;
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

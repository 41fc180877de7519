// What stands around every figure's picture: number and title, the model that is asked, caption, one line of actions. Rendered by the
// compiler for the first state and by the element afterwards, so nothing moves when the page comes alive.

import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { lateView } from '../marks/late.ts';
import { lowered } from '../marks/lowered.ts';
import { modelLabel } from '../marks/model-label.ts';
import { besideKey, canBeside, displayTable, type FigureDefinition, type ViewContext } from './definition.ts';
import type { Lesson } from './lesson-maker.ts';

export interface FrameOptions<S, R> {
  definition: FigureDefinition<S, R>;
  context: ViewContext<S, R>;
  /** "2.1"; empty for a figure without a number. */
  number: string;
  caption: string;
  /** Which of two copies beside each other it is; absent where it stands alone. */
  side?: Side | undefined;
  /** One sentence about what went wrong with the newest state, while the last good picture stays. */
  error?: string;
  /** Given while the engine takes long to start: has it started anew. */
  startAgain?: (() => void) | undefined;
  /** What the last action did, in words. */
  notice?: string;
  /** What a screen reader hears after a change. */
  announcement?: string;
  /** Absent in the compiled page, where the actions only take their room. */
  actions?: {
    reset(): void;
    copyLink(): void;
    save(kind: SavedKind): void;
    openTable(open: boolean): void;
    openMaker(open: boolean): void;
    showAll(): void;
    beside(on: boolean): void;
  };
  /** In a page of somebody else, which has no link to copy. */
  away?: boolean;
  /** The words of the controls that a lesson hides. */
  concealed?: readonly string[];
  /** Where the tool that makes lessons is open. */
  lesson?: Lesson | undefined;
  /** A closed table need not be kept up to date. The compiled page always holds it. */
  tableOpen?: boolean;
}

export type Side = 'first' | 'second';

/** What can be saved of a figure: its picture, its numbers, the trace of the model behind it. */
export type SavedKind = 'svg' | 'png' | 'csv' | 'safetensors';

const letters: Record<Side, string> = { first: 'A', second: 'B' };

/** Words about one of two copies, for a screen reader: "Second: …". */
export function saidOf(side: Side | undefined, words: string): string {
  return side ? `${side === 'first' ? 'First' : 'Second'}: ${words}` : words;
}

export function frame<S, R>(options: FrameOptions<S, R>): TemplateResult {
  const { definition, context } = options;
  const { id, state, result } = context;
  const { side } = options;
  const model = definition.model?.(result);
  return html`<figure class="figure" aria-labelledby="${id}-title" aria-describedby="${id}-description">
    <p class="figure-title" id="${id}-title">${
      options.number === '' ? nothing : html`<span class="figure-number">Figure ${options.number}</span> `
    }${side ? html`<span class="figure-side">${letters[side]}</span> ` : nothing}${lowered(definition.title(state, result))}</p>
    ${model ? html`<p class="figure-model">${modelLabel(model)}</p>` : nothing}
    <p class="visually-hidden" id="${id}-description">${saidOf(side, definition.describe(state, result))}</p>
    <div class="figure-picture">${
      // A notice or an error must not touch what the reader is typing, so the view is drawn for a new result only.
      guard([state, result, context.page], () => definition.view(context))
    }</div>
    ${options.error ? html`<p class="figure-error" role="alert">${options.error}</p>` : nothing}
    ${options.startAgain ? lateView(options.startAgain) : nothing}
    ${options.caption === '' ? nothing : html`<figcaption class="figure-caption">${options.caption}</figcaption>`}
    ${concealedLine(options)} ${actionsLine(options)}
    <p class="visually-hidden" aria-live="polite">${options.announcement ?? ''}</p>
  </figure>`;
}

/** What is hidden, and the way to all of it. */
function concealedLine<S, R>({ concealed = [], actions }: FrameOptions<S, R>): TemplateResult | typeof nothing {
  if (concealed.length === 0) return nothing;
  return html`<p class="figure-concealed">This lesson hides ${concealed.length === 1 ? 'a control' : `${concealed.length} controls`}: ${concealed.join(', ')}.
    <button type="button" class="button button-quiet" @click=${actions?.showAll}>Show everything</button></p>`;
}

function actionsLine<S, R>(options: FrameOptions<S, R>): TemplateResult {
  const { definition, context, actions, away, side, notice, tableOpen = true, lesson } = options;
  const button = (label: string, act: (() => void) | undefined) =>
    html`<button type="button" class="figure-action needs-script" @click=${act}>${label}</button>`;
  const save = (kind: SavedKind) => () => actions?.save(kind);
  const opens = (act: ((open: boolean) => void) | undefined) => (event: Event) => act?.((event.target as HTMLDetailsElement).open);
  return html`<div class="figure-actions">
    ${button('Reset', actions?.reset)} ${besideButton(options)} ${button(away ? 'Copy HTML' : 'Copy link', actions?.copyLink)}
    ${button('Save as SVG', save('svg'))} ${button('Save as PNG', save('png'))}
    <details class="figure-data" data-control="numbers" ?open=${actions !== undefined && tableOpen} @toggle=${opens(actions?.openTable)}>
      <summary class="figure-action">Numbers</summary>
      ${tableOpen ? dataTable(definition, context) : nothing} ${button('Download as CSV', save('csv'))} ${definition.traced?.(context.state, context.result) ? button('Download the trace as safetensors', save('safetensors')) : nothing}
    </details>
    ${side === 'second' ? nothing : html`<details class="figure-maker needs-script" data-control="lesson" @toggle=${opens(actions?.openMaker)}>
      <summary class="figure-action">Send as a lesson</summary>
      ${lesson ? html`<lesson-maker .lesson=${lesson}></lesson-maker>` : nothing}
    </details>`}
    <span class="figure-notice" role="status">${notice ?? ''}</span>
  </div>`;
}

/** A page of somebody else sets two elements beside each other by itself. */
function besideButton<S, R>({ definition, actions, away, side }: FrameOptions<S, R>): TemplateResult | typeof nothing {
  if (away || !canBeside(definition)) return nothing;
  return html`<button type="button" class="figure-action needs-script" data-control=${besideKey} @click=${() => actions?.beside(!side)}>${side ? 'Remove B' : 'Compare'}</button>`;
}

function dataTable<S, R>(definition: FigureDefinition<S, R>, { state, result }: ViewContext<S, R>): TemplateResult {
  const table = definition.table(state, result);
  const { labels, rows } = displayTable(table);
  return html`<div class="figure-table" tabindex="0" role="region" aria-label=${table.caption}>
    <table>
      <caption>${table.caption}</caption>
      <thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`;
}

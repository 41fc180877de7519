// What stands around every figure's picture: number and title, the model that is asked, caption, one line of actions. Rendered by the
// compiler for the first state and by the element afterwards, so nothing moves when the page comes alive.

import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { lowered } from '../marks/lowered.ts';
import { modelLabel } from '../marks/model-label.ts';
import { displayTable, type FigureDefinition, type ViewContext } from './definition.ts';

export interface FrameOptions<S, R> {
  definition: FigureDefinition<S, R>;
  context: ViewContext<S, R>;
  /** "2.1"; empty for a figure without a number. */
  number: string;
  caption: string;
  /** One sentence about what went wrong with the newest state, while the last good picture stays. */
  error?: string;
  /** What the last action did, in words. */
  notice?: string;
  /** What a screen reader hears after a change. */
  announcement?: string;
  /** Absent in the compiled page, where the actions only take their room. */
  actions?: { reset(): void; copyLink(): void; saveTable(): void; savePicture(): void; openTable(open: boolean): void };
  /** A closed table need not be kept up to date. The compiled page always holds it. */
  tableOpen?: boolean;
}

export function frame<S, R>(options: FrameOptions<S, R>): TemplateResult {
  const { definition, context } = options;
  const { id, state, result } = context;
  const model = definition.model?.(result);
  return html`<figure class="figure" aria-labelledby="${id}-title" aria-describedby="${id}-description">
    <p class="figure-title" id="${id}-title">${
      options.number === '' ? nothing : html`<span class="figure-number">Figure ${options.number}</span> `
    }${lowered(definition.title(state, result))}</p>
    ${model ? html`<p class="figure-model">${modelLabel(model)}</p>` : nothing}
    <p class="visually-hidden" id="${id}-description">${definition.describe(state, result)}</p>
    <div class="figure-picture">${
      // A notice or an error must not touch what the reader is typing, so the view is drawn for a new result only.
      guard([state, result, context.page], () => definition.view(context))
    }</div>
    ${options.error ? html`<p class="figure-error" role="alert">${options.error}</p>` : nothing}
    ${options.caption === '' ? nothing : html`<figcaption class="figure-caption">${options.caption}</figcaption>`}
    ${actionsLine(options)}
    <p class="visually-hidden" aria-live="polite">${options.announcement ?? ''}</p>
  </figure>`;
}

function actionsLine<S, R>({ definition, context, actions, notice, tableOpen = true }: FrameOptions<S, R>): TemplateResult {
  const button = (label: string, act: (() => void) | undefined) =>
    html`<button type="button" class="figure-action needs-script" @click=${act}>${label}</button>`;
  return html`<div class="figure-actions">
    ${button('Reset', actions?.reset)} ${button('Copy link', actions?.copyLink)} ${button('Save picture', actions?.savePicture)}
    <details class="figure-data" ?open=${actions !== undefined && tableOpen} @toggle=${(event: Event) => actions?.openTable((event.target as HTMLDetailsElement).open)}>
      <summary class="figure-action">Numbers</summary>
      ${tableOpen ? dataTable(definition, context) : nothing} ${button('Download as CSV', actions?.saveTable)}
    </details>
    <span class="figure-notice" role="status">${notice ?? ''}</span>
  </div>`;
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

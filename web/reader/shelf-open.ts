// The model in use: what it is, where it came from, how its weights are kept, what that costs, and what it all takes.

import { html, nothing, type TemplateResult } from 'lit';
import type { Difference, ModelInfo, Precision } from '../engine/types.ts';
import { counted, modelName } from '../marks/model-label.ts';
import { fixed, megabytes, ordinal, plain } from '../marks/number.ts';
import { segmented } from '../marks/slider.ts';
import { choice } from '../state/schema.ts';
import type { Desk } from './shelf-desk.ts';

export interface OpenContext {
  model: ModelInfo;
  desk: Desk;
  base: 0 | 1;
  /** Nothing is being opened, so that another precision can be. */
  idle: boolean;
  back(): void;
  reopen(precision: Precision): void;
  measure(): void;
}

const precisionField = choice<Precision>(['f32', 'f16', 'int8'], 'f32');
const precisionNames: Record<Precision, string> = { f32: 'f32, exact', f16: 'f16', int8: 'int8' };

export function openView(context: OpenContext): TemplateResult {
  const { model, desk, idle, back, reopen } = context;
  const little = model.origin === 'little';
  return html`<div class="shelf-model">
    <p><b>${little ? 'The little model' : modelName(model)}</b> is open: ${inWords(model)}. ${whence(model)}</p>
    <p class="shelf-quiet">${memoryInWords(model, desk)}</p>
    <div class="shelf-buttons">
      ${model.at_hand && idle
        ? html`<span class="label" aria-hidden="true">Weights kept as</span>
          ${segmented({ label: 'Weights kept as', field: precisionField, value: model.precision, names: precisionNames, set: (next) => next !== model.precision && reopen(next) })}`
        : nothing}
      ${little || !idle ? nothing : html`<button type="button" class="button button-quiet" @click=${back}>Back to the little model</button>`}
    </div>
    ${model.precision === 'f32' || model.arriving ? nothing : rounding(context)}
    ${model.notes.map((note) => html`<p class="shelf-quiet">${note}</p>`)}
  </div>`;
}

/** "12 layers of 12 heads, rows of 768 numbers, …" */
function inWords({ config, n_parameters }: ModelInfo): string {
  const { n_layers, n_heads, d_model, n_positions } = config;
  const size = n_parameters >= 1e6 ? `${plain(Math.round(n_parameters / 1e5) / 10)} million` : fixed(n_parameters, 0);
  const weights = n_parameters > 0 ? `, ${size} weights` : '';
  return `${counted(n_layers, 'layer')} of ${counted(n_heads, 'head')}, rows of ${fixed(d_model, 0)} numbers, a window of ${fixed(n_positions, 0)} tokens${weights}`;
}

function whence({ origin, host, file_bytes, at_hand }: ModelInfo): string {
  if (origin === 'little') return `It comes with this site: ${megabytes(file_bytes)}.`;
  if (origin === 'disk') return `It lies on your disk: ${megabytes(file_bytes)}.`;
  return at_hand ? `It came from ${host} and is kept on this device.` : `It came from ${host} and is not kept.`;
}

function memoryInWords({ weight_bytes }: ModelInfo, { memory, pageBytes }: Desk): string {
  const parts = [`weights ${megabytes(weight_bytes)}`];
  if (memory) parts.push(`this text’s trace ${megabytes(memory.trace_bytes)}`, `the engine in all ${megabytes(memory.heap_bytes)}`);
  // Some browsers count the engine's memory to the page's, others do not.
  if (memory && pageBytes !== null) parts.push(`${pageBytes > memory.heap_bytes ? 'the whole page' : 'the page beside it'} ${megabytes(pageBytes)}`);
  return `In memory: ${parts.join(', ')}.`;
}

// -------------------------------------------------------------------------------------------- what the rounding does

function rounding({ model, desk: { measured }, base, measure }: OpenContext): TemplateResult {
  const words = `Weights are rounded to ${model.precision}, so numbers may differ from the model’s own.`;
  if (measured?.kind === 'known') return html`<p>${words} ${differs(measured.difference, base)}</p>`;
  if (measured?.kind === 'asked') return html`<p>${words} Measuring by how much, on the text at hand…</p>`;
  const failed = measured?.kind === 'failed' ? html` ${measured.sentence}` : nothing;
  if (!model.at_hand) return html`<p>${words} It is not kept here, so it cannot be compared with f32.</p>`;
  return html`<p>${words}${failed} <button type="button" class="button button-quiet" @click=${measure}>Measure by how much</button></p>`;
}

/** A share is a percentage, so two of them differ by points. */
function differs({ most, layer, head, query, key }: Difference, base: 0 | 1): string {
  if (most === 0) return 'On the text at hand all shares are the same as in f32.';
  const points = most * 100;
  const size = points < 0.01 ? 'less than 0.01' : fixed(points, points < 1 ? 2 : 1);
  return `On the text at hand no share differs from f32 by more than ${size} percentage points: that is in layer ${ordinal(layer, base)} head ${ordinal(head, base)}, from token ${ordinal(query, base)} to token ${ordinal(key, base)}.`;
}

// Which model a figure's numbers come from. Said at every figure that asks a model, so that nobody takes the little model
// for a large one.

import { html, type TemplateResult } from 'lit';
import type { ModelConfig, ModelInfo, Precision } from '../engine/types.ts';
import { fixed } from './number.ts';

/** Whom a link or a passage may speak of. */
export type ModelKind = 'little' | 'gpt2' | 'other';

/** GPT-2 small as published: its sizes, and the bytes of its file. */
const gpt2Small: Partial<ModelConfig> = { n_layers: 12, n_heads: 12, d_model: 768, n_positions: 1024, d_vocab: 50257 };
export const gpt2Bytes = 548_105_171;

function hasGpt2Sizes({ config }: ModelInfo): boolean {
  return Object.entries(gpt2Small).every(([key, value]) => config[key as keyof ModelConfig] === value);
}

/** `gpt2`: a model of GPT-2 small's sizes, so that its layers and heads are those that a passage names. */
export function kindOf(model: ModelInfo): ModelKind {
  if (model.origin === 'little') return 'little';
  return hasGpt2Sizes(model) ? 'gpt2' : 'other';
}

/**
 * "the little model", "GPT-2 small"; a file of other bytes may hold anything, so it goes by the name of its folder. The
 * hub's repositories have names of their own.
 */
export function modelName(model: ModelInfo): string {
  if (model.origin === 'little') return 'the little model';
  if (hasGpt2Sizes(model) && model.file_bytes === gpt2Bytes) return 'GPT-2 small';
  return model.host === 'huggingface.co' ? model.name : `“${model.name}”`;
}

export function layersByHeads({ config: { n_layers, n_heads } }: ModelInfo): string {
  return `${counted(n_layers, 'layer')} × ${counted(n_heads, 'head')}`;
}

export function counted(n: number, noun: string): string {
  return `${fixed(n, 0)} ${noun}${n === 1 ? '' : 's'}`;
}

/** What a precision does to the numbers, in a clause; nothing for f32, which is exact. */
const roundings: Record<Precision, string> = { f32: '', f16: ' · weights rounded to f16', int8: ' · weights rounded to int8, so numbers differ a little' };

export function modelLabel(model: ModelInfo): TemplateResult {
  const rounding = roundings[model.precision];
  if (model.origin === 'little') {
    return html`<a class="model-name" href="glossary.html#little-model">Little model</a> · ${layersByHeads(model)}, trained on made-up stories${rounding}`;
  }
  const name = modelName(model);
  const sizes = hasGpt2Sizes(model) && name !== 'GPT-2 small' ? ', the sizes of GPT-2 small' : '';
  const whence = model.origin === 'disk' || model.host === '' ? 'your disk' : model.host;
  return html`<b class="model-name">${name}, from ${whence}</b> · ${layersByHeads(model)}${sizes}${rounding}${model.arriving ? ' · still arriving' : ''}`;
}

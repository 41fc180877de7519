// What a link or a passage speaks of, where the model in use cannot show it: one sentence about what is seen instead, and
// the way to the model that is meant.

import { html, nothing, type TemplateResult } from 'lit';
import { kindOf, modelName, type ModelKind } from '../../marks/model-label.ts';
import { ordinal } from '../../marks/number.ts';
import { openLittle } from '../../reader/model-shelf.ts';
import type { Seen, State } from './work.ts';

export const spokenOf: Record<ModelKind, string> = { little: 'the little model', gpt2: 'GPT-2 small', other: 'a model that somebody opened' };

type Asked = Pick<State, 'model' | 'layer' | 'head'>;
type Shown = Pick<Seen, 'shelf' | 'model' | 'layer' | 'head'>;

export function elsewhere(state: Asked, seen: Shown, base: 0 | 1): TemplateResult | typeof nothing {
  const { layer, head, model } = seen;
  const meant = state.model === 'any' || state.model === kindOf(model);
  const there = state.layer === layer && state.head === head;
  if (meant && there) return nothing;
  const name = (at: number, of: number) => `layer ${ordinal(at, base)} head ${ordinal(of, base)}`;
  const asked = `${name(state.layer, state.head)}${meant ? '' : ` of ${spokenOf[state.model as ModelKind]}`}`;
  const shown = there ? `${modelName(model)}’s head of that place, which is another one` : `the nearest that ${modelName(model)} has, ${name(layer, head)}`;
  return html`<p class="head-elsewhere"><span>This is about ${asked}; shown is ${shown}.</span> ${way(state.model, seen)}</p>`;
}

/** A button that leads to the model that is meant. */
export function way(wanted: State['model'], { shelf, model }: Pick<Seen, 'shelf' | 'model'>): TemplateResult | typeof nothing {
  if (wanted === kindOf(model)) return nothing;
  if (wanted === 'gpt2') return html`<button type="button" class="button button-quiet" data-page-only @click=${openShelf}>Open GPT-2 small…</button>`;
  if (wanted === 'little') return html`<button type="button" class="button button-quiet" data-page-only @click=${() => void openLittle(shelf)}>Back to the little model</button>`;
  return nothing;
}

/** The shelf says what is needed and has the buttons. */
function openShelf(event: Event): void {
  const details = (event.currentTarget as Element).closest('.figure')!.querySelector<HTMLDetailsElement>('.head-model')!;
  details.open = true;
  details.querySelector('summary')!.focus();
}

// Where the weights of a model of GPT-2's kind are: how many each part holds, for the models of the book and for sizes of
// one's own, down to the tables that make a part up. Every number is the core's (core/lessons/parameters.hpp).

import { html, svg, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import { knownModels, type Budget, type KnownModel, type ParametersOutput } from '../engine/lessons-layers.ts';
import { fixed } from '../marks/number.ts';
import { segmented, slider } from '../marks/slider.ts';
import { choice, integer, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';

const parts = ['tokens', 'positions', 'attention', 'feed_forward', 'norms'] as const;
type PartName = (typeof parts)[number];

const schema = {
  model: choice([...knownModels, 'own'], 'small'),
  piece: choice(parts, 'feed_forward'),
  /** Sizes of one's own. */
  layers: integer({ min: 1, max: 200, initial: 12 }),
  width: integer({ min: 1, max: 20_000, initial: 768 }),
  tokens: integer({ min: 1, max: 500_000, initial: 50_257 }),
  places: integer({ min: 1, max: 200_000, initial: 1024 }),
};

type State = StateOf<typeof schema>;
type View = ViewContext<State, ParametersOutput>;

const modelNames: Record<State['model'], string> = {
  little: 'Little model', small: 'GPT-2 small', medium: 'GPT-2 medium', large: 'GPT-2 large', xl: 'GPT-2 xl', own: 'Own sizes',
};
const spoken: Record<State['model'], string> = { ...modelNames, little: 'The little model', own: 'A model of these sizes' };
const partNames: Record<PartName, string> = {
  tokens: 'Token table', positions: 'Position table', attention: 'Attention', feed_forward: 'Feed-forward', norms: 'Layer norms',
};
const partWords: Record<PartName, string> = {
  tokens: 'the token table', positions: 'the position table', attention: 'attention', feed_forward: 'the feed-forward steps', norms: 'the layer norms',
};
/** What is written here needs one decimal: parts differ by less than a per cent. */
const percent = (share: number) => (share > 0 && share < 0.0005 ? '<\u202f0.1\u202f%' : `${fixed(share * 100, 1)}\u202f%`);
const count = (weights: number) => fixed(weights, 0);
const partOf = (budget: Budget, name: PartName) => budget.parts.find((part) => part.name === name)!;

export const figure = defineFigure({
  name: 'parameter-budget',
  schema,
  viewOnly: ['piece'],
  compute: (engine: Engine, { model, layers, width, tokens, places }: State, signal: AbortSignal): Promise<ParametersOutput> =>
    engine.lesson('parameters', model === 'own' ? { layers, width, tokens, places } : { model }, { signal }),

  title({ model, piece }: State, { asked }: ParametersOutput) {
    return `${spoken[model]} has ${count(asked.weights)} weights, ${percent(partOf(asked, piece).share)} of them in ${partWords[piece]}`;
  },

  describe({ model }: State, { asked }: ParametersOutput) {
    const { layers, width, tokens, places } = asked.sizes;
    const list = asked.parts.map(({ name, weights, share }) => `${partNames[name]}: ${count(weights)}, ${percent(share)}.`).join(' ');
    return `${spoken[model]}: ${count(layers)} layers of width ${count(width)}, ${count(tokens)} tokens, ${count(places)} places; ${count(asked.weights)} weights. ${list}`;
  },

  table({ model }: State, { asked }: ParametersOutput) {
    return {
      caption: `${spoken[model]}: its learned tables`,
      columns: ['part', 'table', { label: 'rows', as: 'integer' as const }, { label: 'columns', as: 'integer' as const }, { label: 'how many', as: 'integer' as const }, { label: 'weights', as: 'integer' as const }, { label: 'share of all', as: 'number' as const }],
      rows: asked.parts.flatMap((part) => part.tables.map(({ what, rows, columns, copies, weights }) => [partNames[part.name], what, rows, columns, copies, weights, weights / asked.weights])),
    };
  },

  view(context: View) {
    const { id, state, set } = context;
    return html`${segmented({ label: 'Model', field: schema.model, value: state.model, names: modelNames, set: (model) => set(model === 'own' ? { ...sizesNow(context), model } : { model }) })}
      <div class="budget-parts">
        <div>${partList(context)}</div>
        <div class="budget-opened">${opened(context)}</div>
      </div>
      ${across(context)}
      <div class="budget-sizes needs-script" data-page-only>
        ${([['layers', 'Layers', 1], ['width', 'Width', 64], ['tokens', 'Tokens', 1000], ['places', 'Places', 128]] as const).map(([key, label, stride]) =>
          slider({ id: `${id}-${key}`, label, field: schema[key], value: sizesNow(context)[key], stride, set: (value) => set({ ...sizesNow(context), model: 'own', [key]: value }) }),
        )}
      </div>`;
  },
});

/** The sizes on screen, for sliders that start from a known model. */
function sizesNow({ state, result }: Pick<View, 'state' | 'result'>): Pick<State, 'layers' | 'width' | 'tokens' | 'places'> {
  const { layers, width, tokens, places } = state.model === 'own' ? state : result.asked.sizes;
  return { layers, width, tokens, places };
}

// ------------------------------------------------------------------------------------------------------------- parts

function partList({ id, state, result: { asked }, set }: View): TemplateResult {
  return html`<div class="budget-list" role="group" aria-label="Parts of the model">
    ${asked.parts.map(
      ({ name, weights, share }) => html`<button type="button" class="budget-part" id="${id}-part-${name}" aria-pressed=${name === state.piece ? 'true' : 'false'} @click=${() => set({ piece: name })}>
        <span class="budget-name">${partNames[name]}</span>
        <svg class="bar" width="100%" height="10" aria-hidden="true"><rect class="bar-room" width="100%" height="10" rx="2"></rect>${svg`<rect class="budget-bar" width="${round(share)}%" height="10" rx="2"></rect>`}</svg>
        <span class="num">${percent(share)}</span>
        <span class="budget-count num">${count(weights)}</span>
      </button>`,
    )}
    <p class="budget-part budget-total"><span class="budget-name">All together</span><span></span><span class="num">${percent(asked.parts.reduce((sum, { share }) => sum + share, 0))}</span><span class="budget-count num">${count(asked.weights)}</span></p>
  </div>`;
}

/** The arithmetic of the part that is picked. */
function opened({ state, result: { asked } }: View): TemplateResult {
  const { tables, weights } = partOf(asked, state.piece);
  return html`<p class="budget-title">${partNames[state.piece]}: ${count(weights)} weights</p>
    <table class="budget-table">
      <thead><tr><th scope="col">table</th><th scope="col">shape</th><th scope="col">how many</th><th scope="col">weights</th></tr></thead>
      <tbody>${tables.map(
        ({ what, rows, columns, copies, weights: held }) => html`<tr><th scope="row">${what}</th><td>${rows === 1 ? count(columns) : `${count(rows)} × ${count(columns)}`}</td><td>× ${count(copies)}</td><td>${count(held)}</td></tr>`,
      )}</tbody>
      ${tables.length < 2 ? '' : html`<tfoot><tr><th scope="row">together</th><td></td><td></td><td>${count(weights)}</td></tr></tfoot>`}
    </table>
    <p class="hint">${notes[state.piece]}</p>`;
}

const notes: Record<PartName, string> = {
  tokens: 'A row for each token. The read-out at the end uses the same table, so it is counted once.',
  positions: 'A row for each place. The window ends where the table does.',
  attention: 'The heads of a layer share these tables: more heads are narrower ones, and the count stays.',
  feed_forward: 'Up to four times the width and down again, in every layer.',
  norms: 'Two in a layer and one after the last: a stretch and a shift for each number of a row.',
};

// -------------------------------------------------------------------------------------------------------- all models

/** The part that is picked, in each of the models: where it begins and ends in a bar that holds all parts. */
function across({ state, result: { known }, set }: View): TemplateResult {
  return html`<div class="budget-across" role="group" aria-label="${partNames[state.piece]} in each model">
    <p class="budget-title">${partNames[state.piece]} in each model</p>
    ${knownModels.map(
      (name: KnownModel) => html`<button type="button" class="budget-model" aria-pressed=${name === state.model ? 'true' : 'false'} @click=${() => set({ model: name })}>
        <span class="budget-name">${modelNames[name]}</span>
        ${strip(known[name], state.piece)}
        <span class="num">${percent(partOf(known[name], state.piece).share)}</span>
        <span class="budget-count num">of ${count(known[name].weights)}</span>
      </button>`,
    )}
  </div>`;
}

function strip({ parts: all }: Budget, picked: PartName): TemplateResult {
  let from = 0;
  return html`<svg class="budget-strip" width="100%" height="16" aria-hidden="true">
    ${all.map(({ name, share }) => {
      const x = from;
      from += share;
      return svg`<rect class=${name === picked ? 'budget-bar' : 'budget-rest'} x="${round(x)}%" width="${round(share)}%" height="16"></rect>`;
    })}
  </svg>`;
}

function round(share: number): number {
  return Math.round(share * 10_000) / 100;
}

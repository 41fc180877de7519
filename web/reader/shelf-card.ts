// What a reader can open: one model that is recommended, with its price before anything is asked; the others unfold.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { precisions, type KeptModel, type Offer, type Precision } from '../engine/types.ts';
import { counted, gpt2Bytes } from '../marks/model-label.ts';
import { fixed, megabytes } from '../marks/number.ts';
import { bytesToFetch, knownModels, parametersOf } from '../worker/source/known.ts';
import { hostOfWish, keptOf, knownOf, offerOf, precisionOf, warningOf, type Choice, type Wish } from './shelf-wish.ts';

export interface CardContext {
  /** Prefix of ids inside. */
  id: string;
  wish: Wish;
  kept: readonly KeptModel[];
  small: boolean;
  /** A host is being asked about what was typed. */
  asking: boolean;
  problem: string;
  set(patch: Partial<Wish>): void;
  ask(): void;
  open(precision: Precision): void;
}

export function card(context: CardContext): TemplateResult {
  const { wish, problem } = context;
  const offer = offerOf(wish);
  return html`<div class="shelf-card">
    ${knownOf(wish) ? headOf(wish) : typedFields(context)}
    ${offer ? priced(context, offer) : askRow(context)}
    ${problem === '' ? nothing : html`<p class="figure-error" role="alert">${problem}</p>`}
  </div>`;
}

const saysOf: Record<string, string> = {
  'GPT-2 small': 'The model that most research in this book looked into. Every number that the book tells of GPT-2 can be seen in it.',
  'DistilGPT-2': 'Half as many layers, trained to answer as GPT-2 small does.',
  'GPT-2 medium': 'Three times as many weights as GPT-2 small.',
  'GPT-2 large': 'Six times as many weights as GPT-2 small. It takes a large computer and patience.',
};

function headOf(wish: Wish): TemplateResult {
  const known = knownOf(wish)!;
  return html`<p class="shelf-name"><b>${known.name}</b> <span class="shelf-quiet">${counted(known.n_layers, 'layer')}, ${fixed(Math.round(parametersOf(known) / 1e6), 0)} million weights</span></p>
    <p class="shelf-says">${saysOf[known.name] ?? ''}</p>`;
}

// ------------------------------------------------------------------------------------------------------------- prices

const prices: Record<Precision, string> = {
  f32: 'exact: the weights as they were published',
  f16: 'weights rounded to some three digits',
  int8: 'weights rounded to 255 steps: numbers differ a little',
};

function priced(context: CardContext, offer: Offer): TemplateResult {
  const { id, wish, small, kept, set, open } = context;
  const chosen = precisionOf(wish, offer, small);
  const warning = warningOf(offer.choices[chosen].kept_bytes, small);
  const here = keptOf(wish, kept);
  return html`<fieldset class="shelf-prices">
      <legend class="label">How its weights are kept in memory</legend>
      ${precisions.map((precision) => {
        const { kept_bytes, refused } = offer.choices[precision];
        return html`<label class="shelf-price ${refused === '' ? '' : 'shelf-refused'}">
          <input type="radio" name="${id}-precision" .checked=${live(precision === chosen)} ?disabled=${refused !== ''} @change=${() => set({ precision })} />
          <span class="shelf-precision">${precision}</span>
          <span class="num">${kept_bytes > 0 ? megabytes(kept_bytes) : ''}</span>
          <span class="shelf-quiet">${refused === '' ? prices[precision] : refused}</span>
        </label>`;
      })}
    </fieldset>
    ${warning === '' ? nothing : html`<p class="shelf-warning">${warning}</p>`}
    <div class="shelf-buttons">
      <button type="button" class="button shelf-open" @click=${() => open(chosen)}>Open ${offer.name}</button>
      <span class="shelf-quiet">${whence(offer, here)}</span>
    </div>`;
}

function whence({ host, bytes_to_read }: Offer, here: KeptModel | undefined): TemplateResult {
  if (here?.whole) return html`Kept on this device: nothing is fetched.`;
  const part = here ? html` A part of them is here already.` : nothing;
  return html`Fetches ${megabytes(bytes_to_read)} from <b>${host}</b> and keeps them on this device.${part} What you type stays here.`;
}

// -------------------------------------------------------------------------------------------------- what a reader types

function typedFields({ id, wish, set }: CardContext): TemplateResult {
  const typed = (key: 'repository' | 'revision' | 'address') => (event: Event) =>
    set({ [key]: (event.target as HTMLInputElement).value, offer: null, precision: null });
  const field = (key: 'repository' | 'revision' | 'address', label: string, example: string) => html`<div class="shelf-field">
    <label class="label" for="${id}-${key}">${label}</label>
    <input class="field" id="${id}-${key}" type="text" spellcheck="false" autocomplete="off" autocapitalize="off" placeholder=${example} .value=${live(wish[key])} @input=${typed(key)} />
  </div>`;
  if (wish.choice === 'address') return html`<div class="shelf-fields">${field('address', 'Address of a folder or of a .safetensors file', 'https://example.org/my-gpt2/')}</div>`;
  return html`<div class="shelf-fields">
    ${field('repository', 'Repository on the hub', 'owner/name')} ${field('revision', 'Branch, tag or commit', 'main')}
  </div>`;
}

function askRow({ wish, asking, ask }: CardContext): TemplateResult {
  const host = hostOfWish(wish);
  const empty = (wish.choice === 'address' ? wish.address : wish.repository).trim() === '';
  return html`<div class="shelf-buttons">
    <button type="button" class="button" ?disabled=${empty || asking} @click=${ask}>${asking ? 'Asking…' : 'Ask what it takes'}</button>
    <span class="shelf-quiet">Asks ${host === '' ? 'that host' : html`<b>${host}</b>`} for the model’s sizes, some kilobytes. Models of GPT-2’s kind can be read.</span>
  </div>`;
}

// --------------------------------------------------------------------------------------------------------- what unfolds

/** Which model the card speaks of. */
export function others({ id, wish, set }: CardContext): TemplateResult {
  const row = (choice: Choice, name: string, size: string) => html`<label class="shelf-other">
    <input type="radio" name="${id}-model" .checked=${live(wish.choice === choice)} @change=${() => set({ choice, offer: null, precision: null })} />
    <span>${name}</span> <span class="num shelf-quiet">${size}</span>
  </label>`;
  return html`<details class="shelf-more"><summary>Another model</summary>
    <div class="shelf-others" role="radiogroup" aria-label="Model">
      ${knownModels.map((known, at) => row(at, known.name, megabytes(bytesToFetch(known))))}
      ${row('repository', 'A repository on the hub', '')} ${row('address', 'An address', '')}
    </div>
  </details>`;
}

export function ownFiles(choosers: TemplateResult, dragging: boolean): TemplateResult {
  return html`<details class="shelf-more"><summary>Your own files</summary>
    <p>Nothing leaves this computer, neither the files nor what you type. Needed are:</p>
    <ul class="shelf-files">
      <li><code>model.safetensors</code> the weights; for GPT-2 small ${fixed(gpt2Bytes, 0)} bytes. Shards go with their <code>index.json</code></li>
      <li><code>config.json</code> how many layers and heads there are</li>
      <li><code>vocab.json</code> and <code>merges.txt</code> the tokens; GPT-2’s come with the book</li>
    </ul>
    <div class="shelf-buttons">${choosers}<span class="shelf-quiet">${dragging ? 'Let go to open them.' : 'or drop them anywhere on this page'}</span></div>
  </details>`;
}

export function keptList(kept: readonly KeptModel[], open: (kept: KeptModel) => void, remove: (kept: KeptModel) => void): TemplateResult | typeof nothing {
  if (kept.length === 0) return nothing;
  const all = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  return html`<details class="shelf-more"><summary>Kept on this device <span class="num shelf-quiet">${counted(kept.length, 'model')}, ${megabytes(all)}</span></summary>
    <ul class="shelf-kept">${kept.map(
      (model) => html`<li>
        <span class="shelf-kept-name"><b>${model.name}</b> <span class="shelf-quiet">from ${model.host}${model.confirmed ? ', its SHA-256 is the published one' : ''}${model.whole ? '' : ', not whole yet'}</span></span>
        <span class="num">${megabytes(model.bytes)}</span>
        <button type="button" class="button button-quiet" aria-label="${model.whole ? 'Open' : 'Go on with'} ${model.name}" @click=${() => open(model)}>${model.whole ? 'Open' : 'Go on'}</button>
        <button type="button" class="button button-quiet" aria-label="Remove ${model.name}" @click=${() => remove(model)}>Remove</button>
      </li>`,
    )}</ul>
  </details>`;
}

// The sum itself, in a toy world: the share of every word times its value, added up in the order of each text.

import { html, nothing, type TemplateResult } from 'lit';
import { plain, score, share, signed } from '../../marks/number.ts';
import { phraseField } from '../../marks/phrase-field.ts';
import { slider } from '../../marks/slider.ts';
import { textTokens, tokenName, tokenText } from '../../marks/token.ts';
import type { ViewContext } from '../definition.ts';
import { schema, type State } from './state.ts';
import { featuresOf, type Result, type Toy } from './work.ts';
import { looksSame } from './words.ts';

const texts = [{ key: 'one', field: 'toyone', label: 'First text' }, { key: 'two', field: 'toytwo', label: 'Second text' }] as const;

export function toyView(context: ViewContext<State, Result>, toy: Toy): TemplateResult {
  const { id, state, set } = context;
  const { told } = toy;
  return html`<div class="order-toy">
    <div class="order-phrases">
      ${texts.map(({ key, field, label }) => html`<span class="label">${label}</span>${phraseField({ id: `${id}-${field}`, meaning: 'plain', label, text: told[key].tokens.map(({ text }) => text).join(''), most: schema[field].most, set: (typed) => set({ [field]: typed }) })}`)}
      <span class="label mark-query">The last token asks for</span>${phraseField({ id: `${id}-query`, meaning: 'query', label: 'What the last token asks for', text: state.query, most: schema.query.most, placeholder: 'asks for nothing', set: (query) => set({ query }) })}
    </div>
    <div class="figure-controls needs-script">
      ${slider({ id: `${id}-places`, label: 'Numbers for the place', field: schema.places, value: state.places, set: (places) => set({ places }) })}
      <span class="hint">0: a token does not know where it stands</span>
    </div>
    ${unknown(told.unknown_words)}
    <div class="order-sums ${told.places > 0 ? 'order-sums-placed' : ''}">${texts.map(({ key, label }) => sumTable(context, toy, key, label))}</div>
    ${writtenOut(toy, featuresOf(state, toy).at)}
    <p class="order-verdict-line">${looksSame(told) ? html`<b>The same blend.</b> The largest difference of two numbers is ${plain(told.most)}.` : html`<b>Two blends</b>, ${score(told.difference)} apart.`}</p>
  </div>`;
}

function unknown(words: readonly string[]): TemplateResult | typeof nothing {
  if (words.length === 0) return nothing;
  const named = words.slice(0, 6).map((word) => `“${word}”`).join(', ');
  return html`<p class="hint">This small world does not know ${named}${words.length > 6 ? ' and others' : ''}. Such words add nothing.</p>`;
}

/** Word by word: share, and share × value for each feature that gets something. */
function sumTable({ id, state, set }: ViewContext<State, Result>, toy: Toy, key: 'one' | 'two', label: string): TemplateResult {
  const { told } = toy;
  const side = told[key];
  const { shown, at: picked } = featuresOf(state, toy);
  const names = textTokens(side.tokens.map(({ text }) => text));
  const placed = told.places > 0;
  const cell = (value: number, at: number) => html`<td class=${at === picked ? 'order-picked' : ''}>${value >= 0.005 ? score(value) : html`<span class="order-nothing">0</span>`}</td>`;
  return html`<div class="order-frame" tabindex="0" role="region" aria-label="${label}: share times value, word by word">
    <table class="order-table">
      <caption>${label}</caption>
      <thead><tr>
        <th scope="col">word</th><th scope="col">match</th>${placed ? html`<th scope="col">place</th>` : nothing}<th scope="col">share</th>
        ${shown.map((at) => html`<th scope="col" class="mark-value"><button type="button" class="order-feature" id="${id}-${key}-feature-${at}" aria-pressed=${at === picked ? 'true' : 'false'} @click=${() => set({ feature: at })}>${told.features[at]}</button></th>`)}
      </tr></thead>
      <tbody>${side.tokens.map((token, at) => html`<tr>
        <th scope="row"><span class="token">${tokenText(names[at]!)}</span></th><td>${score(token.match)}</td>${placed ? html`<td>${signed(token.place)}</td>` : nothing}
        <td>${share(token.share)}</td>
        ${shown.map((feature) => cell(token.part[feature]!, feature))}
      </tr>`)}</tbody>
      <tfoot><tr><th scope="row">blend</th><td class="order-adds" colspan=${placed ? 3 : 2}>added up:</td>${shown.map((at) => cell(side.blend[at]!, at))}</tr></tfoot>
    </table>
  </div>`;
}

/** One number of the blend as the sum that it is, in the order of each text. */
function writtenOut({ told }: Toy, feature: number): TemplateResult {
  return html`<div class="order-written">
    <p class="order-name">The sum for <b class="mark-value">${told.features[feature]}</b>, share × value, in the order of the words</p>
    ${texts.map(({ key, label }) => {
      const { tokens, blend } = told[key];
      const names = textTokens(tokens.map(({ text }) => text)).map(tokenName);
      return html`<p class="order-sum-of">${label}</p><p class="order-terms">${tokens.map(({ share: portion, value, part }, at) => html`${at === 0 ? '' : html`<span class="order-sign">+</span>`}<span class="order-term ${part[feature]! > 0 ? '' : 'order-nothing'}"><span class="order-word">${names[at]}</span> <span>${score(portion)} × ${score(value[feature]!)}</span></span>`)}<span class="order-end"><span class="order-sign">=</span><span class="order-term order-total"><span class="order-word">blend</span> <b>${score(blend[feature]!)}</b></span></span></p>`;
    })}
  </div>`;
}

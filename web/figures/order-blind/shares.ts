// Where the last token looks in one head, word by word in both texts.

import { html, type TemplateResult } from 'lit';
import { barPicture } from '../../marks/bars.ts';
import { ordinal, score, share } from '../../marks/number.ts';
import { pager } from '../../marks/pager.ts';
import { tokenText } from '../../marks/token.ts';
import type { ViewContext } from '../definition.ts';
import { tokensOf } from '../one-head/reading.ts';
import type { State } from './state.ts';
import { askerOf } from './words.ts';
import { blendsApart, fellows, headOf, layerOf, shareOf, type Result, type Seen, type Side } from './work.ts';

export function sharesView({ id, state, set, page }: ViewContext<State, Result>, seen: Seen): TemplateResult {
  const [layer, head] = [layerOf(state, seen), headOf(state, seen)];
  const { model, sides } = seen;
  const apart = blendsApart(seen, layer, head);
  return html`<div class="order-shares">
    <p class="order-name">Where <b>“${askerOf(seen)}”</b> looks, layer ${ordinal(layer, page.base)} head ${ordinal(head, page.base)}</p>
    <div class="head-pagers needs-script">${pager({ id, noun: 'Head', at: head, count: model.config.n_heads, base: page.base, set: (next) => set({ head: next }) })}</div>
    <p class="order-pair order-heads" aria-hidden="true"><span>word</span><span>first text</span><span>second text</span></p>
    <ol class="order-pairs" aria-label="Shares by word, in both texts">
      ${fellows(seen).map(({ one, two }) => {
        const word = one === null ? sides[1].tokens[two!]! : sides[0].tokens[one]!;
        return html`<li class="order-pair"><span class="token">${tokenText(tokensOf([word])[0]!)}</span>${cell(sides[0], one, 'first')}${cell(sides[1], two, 'second')}</li>`;
      })}
    </ol>
    <p class="order-legend">The blend that this head makes is ${score(apart.one)} long in the first text and ${score(apart.two)} in the second; the two are ${score(apart.difference)} apart.</p>
  </div>`;

  function cell(side: Side, at: number | null, text: string): TemplateResult {
    if (at === null) return html`<span class="order-share order-absent">not there</span>`;
    const value = shareOf(side, model, layer, head, at);
    return html`<span class="order-share"><span class="visually-hidden">${text} text, place ${ordinal(at, page.base)}: </span>${barPicture({ length: value, start: 0, className: 'bar-share', opacity: 1 })}<span class="bar-number">${share(value)}</span></span>`;
  }
}

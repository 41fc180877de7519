// Rotary places: query and key are cut into pairs, every pair is a hand that turns with its place, and the score of the
// turned lists knows only how far apart the places are. Every number is the core's; this file only places them.
//
// The parts lie in rotary-dial/: state, places (the sliders), clocks (the faces), waves (how long a turn takes).

import { html, type TemplateResult } from 'lit';
import type { RotaryOutput } from '../engine/lessons-rotary.ts';
import type { Engine } from '../engine/types.ts';
import { decimalsAddingUp } from '../marks/adding-up.ts';
import { fixed, plain, signed } from '../marks/number.ts';
import { numberField } from '../marks/number-field.ts';
import { segmented } from '../marks/slider.ts';
import { defineFigure } from './definition.ts';
import { clocks, hueOf } from './rotary-dial/clocks.ts';
import { placeSliders } from './rotary-dial/places.ts';
import { apart, inputOf, schema, type State, type View } from './rotary-dial/state.ts';
import { waves } from './rotary-dial/waves.ts';

const whole = (place: number) => fixed(place, 0);
/** A score with its sign, to so many decimals: more than elsewhere where it matters that two are the same. */
function fine(score: number, decimals = 4): string {
  const text = fixed(score, decimals);
  return score > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

export const figure = defineFigure({
  name: 'rotary-dial',
  schema,
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<RotaryOutput> => engine.lesson('rotary', inputOf(state), { signal }),

  title(_state: State, { m, n, distance, score }: RotaryOutput) {
    if (distance === 0) return `Query and key both at place ${whole(m)}: the score is ${signed(score)}, as if nothing were turned`;
    return `The query stands ${apart(distance)} its key: the score is ${signed(score)} at places ${whole(m)} and ${whole(n)}, and at any others this far apart`;
  },

  describe(_state: State, { m, n, base, pairs, score, unturned, at_distance: alone, elsewhere }: RotaryOutput) {
    const each = pairs.map(({ wavelength, q_turns, k_turns, product }, at) => `Pair ${at} turns once in ${plain(wavelength)} places; the query has made ${fixed(q_turns, 2)} turns and the key ${fixed(k_turns, 2)}, and their product is ${signed(product)}.`);
    const others = elsewhere.map((there) => `${whole(there.m)} and ${whole(there.n)} give ${fine(there.score)}`).join('; ');
    return `Query at place ${whole(m)}, key at place ${whole(n)}, base ${whole(base)}. ${each.join(' ')} Together ${fine(score)}. The same distance elsewhere: places ${others}; the query turned by the distance alone ${fine(alone)}. Not turned at all the score is ${fine(unturned)}.`;
  },

  table(_state: State, { pairs, score }: RotaryOutput) {
    return {
      caption: 'Pair by pair: how fast it turns, both hands after turning, and their product',
      columns: ['pair', 'angle a place', 'places for a turn', 'turns of the query', 'turns of the key', 'query x', 'query y', 'key x', 'key y', 'product'],
      rows: [
        ...pairs.map(({ theta, wavelength, q_turns, k_turns, q_turned, k_turned, product }, at) => [String(at), theta, wavelength, q_turns, k_turns, ...q_turned, ...k_turned, product]),
        ['together', null, null, null, null, null, null, null, null, score],
      ],
    };
  },

  view(context: View) {
    const { state, result, set } = context;
    return html`<div class="rotary">
      ${placeSliders(context)} ${clocks(result)} ${sum(result)}
      <div class="rotary-parts">${elsewhere(result)} ${waves(context)}</div>
      <details class="rotary-lists" data-control="lists" data-page-only>
        <summary>The numbers of query and key</summary>
        <div class="figure-controls">${segmented({ label: 'Numbers in query and key', field: schema.d, value: state.d, names: { '2': '2 numbers', '4': '4', '6': '6', '8': '8' }, set: (d) => set({ d }) })}</div>
        ${list(context, 'q')} ${list(context, 'k')}
      </details>
    </div>`;
  },
});

/** The pairs' products, and what they add up to. */
function sum({ pairs, score }: RotaryOutput): TemplateResult {
  const decimals = decimalsAddingUp(pairs.map(({ product }) => product), score, [2, 3, 4, 1]);
  // From the second on a number's sign is that of the sum: "+1.64 − 0.53".
  const part = (product: number, at: number) => {
    const text = fine(product, decimals);
    return at === 0 ? text : text.replace(/^([+−]?)/, (sign) => `${sign || '+'}\u00A0`);
  };
  const parts = pairs.map(({ product }, at) => html`${at === 0 ? '' : ' '}<span class=${hueOf(product)}>${part(product, at)}</span>`);
  return html`<p class="rotary-sum">
    <span class="rotary-product-name"><span class="q">q</span> · <span class="k">k</span></span>
    ${pairs.length > 1 ? html`<span class="num">= ${parts}</span>` : ''}
    <span>= <b class="big-num ${hueOf(score)}">${fine(score, decimals)}</b></span>
  </p>`;
}

/** The same distance at other places, and what is left when the places are taken out. */
function elsewhere({ m, n, distance, score, unturned, at_distance: alone, elsewhere: others, most_apart: apartBy }: RotaryOutput): TemplateResult {
  const row = (query: string, key: string, value: number, className = '') =>
    html`<tr class=${className}><td>${query}</td><td>${key}</td><td>${fine(value)}</td></tr>`;
  return html`<div class="rotary-elsewhere">
    <p class="rotary-heading">The same distance elsewhere</p>
    <div class="rotary-table" tabindex="0" role="region" aria-label="Scores of the same query and key at other places">
      <table>
        <thead><tr><th scope="col">query at</th><th scope="col">key at</th><th scope="col">score</th></tr></thead>
        <tbody>
          ${row(whole(m), whole(n), score, 'rotary-chosen')} ${others.map((there) => row(whole(there.m), whole(there.n), there.score))}
          ${row(whole(distance), 'not turned', alone)} ${row('not turned', 'not turned', unturned, 'rotary-bare')}
        </tbody>
      </table>
    </div>
    <p class="hint">${apartBy === 0 ? 'The scores at this distance do not differ by a bit.' : html`The scores at this distance differ by <span class="num">${plain(apartBy)}</span> at most, which is rounding.`}</p>
  </div>`;
}

/** The numbers of the query or the key, each in a field. */
function list({ id, state, set }: View, letter: 'q' | 'k'): TemplateResult {
  const values = state[letter];
  const name = letter === 'q' ? 'query' : 'key';
  const withNumber = (at: number, number: number) => schema[letter].clamp(values.map((value, other) => (other === at ? number : value)));
  return html`<div class="rotary-list dial-${name}" role="group" aria-label="Numbers of the ${name}">
    <span class="dial-letter"><span class=${letter}>${letter}</span></span>
    ${values.slice(0, Number(state.d)).map((value, at) =>
      numberField({
        id: `${id}-${letter}${at}`,
        className: `slider-number ${at % 2 === 1 ? 'rotary-second' : ''}`,
        label: `Number ${at} of the ${name}`,
        min: -4,
        max: 4,
        step: 0.1,
        value,
        clamp: (number) => withNumber(at, number)[at]!,
        set: (number) => set({ [letter]: withNumber(at, number) }),
      }),
    )}
  </div>`;
}

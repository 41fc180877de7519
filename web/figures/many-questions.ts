// One sentence under three heads, each with a question of its own, and a second layer that reads what they brought. A
// head can be switched off; then layer 2 reads other rows and may look elsewhere. All numbers are the core's
// (core/lessons/questions.hpp).

import { html, nothing, svg, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Engine } from '../engine/types.ts';
import type { Asked, QuestionsOutput } from '../engine/lessons.ts';
import { barPicture, tinyShare } from '../marks/bars.ts';
import { score, share } from '../marks/number.ts';
import { phraseField } from '../marks/phrase-field.ts';
import { textTokens, tokenName, tokenStrip, type TokenView } from '../marks/token.ts';
import { integer, text, texts, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';

const textLength = 400;

const schema = {
  /** The reader's sentence (empty: the book's). */
  text: text({ most: textLength, initial: '' }),
  /** Who asks in layer 1, and who in layer 2 (−1: the book's word, else the last). */
  asking: integer({ min: -1, max: 255, initial: -1 }),
  later: integer({ min: -1, max: 255, initial: -1 }),
  /** Heads of layer 1 that add nothing. */
  off: texts({ length: 12, most: 3, initial: [] }),
};

type State = StateOf<typeof schema>;
interface Result {
  seen: QuestionsOutput;
  /** The same with all of layer 1 switched off. */
  alone: QuestionsOutput;
}

/** Shares below this are not drawn under a word. */
const least = 0.005;
const names = ['where', 'who', 'meaning'];

export const figure = defineFigure({
  name: 'many-questions',
  schema,

  async compute(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
    const input = { ...(state.text.trim() !== '' && { text: state.text }) };
    // How many tokens there are is known once the text is cut; a link may speak of more.
    const { tokens } = await engine.lesson('questions', input, { signal });
    const place = (at: number) => Math.min(at, tokens.length - 1);
    const who = { ...(state.asking >= 0 && { asking: place(state.asking) }), ...(state.later >= 0 && { later: place(state.later) }) };
    const off = names.filter((name) => state.off.includes(name));
    const seen = await engine.lesson('questions', { ...input, ...who, off }, { signal });
    return { seen, alone: await engine.lesson('questions', { ...input, ...who, off: names }, { signal }) };
  },

  title(_state: State, { seen, alone }: Result) {
    const [as, without] = [look(seen.second, seen), look(alone.second, alone)];
    const word = `“${nameAt(seen, seen.later)}”`;
    const on = seen.first.filter((head) => head.on).length;
    if (on === 0) return `Without the first layer, ${word} ${as}`;
    const by = on === names.length ? 'With the first layer' : `With ${on} of the ${names.length} heads of the first layer`;
    return `${by}, ${word} ${as}; without that layer, it ${without}`;
  },

  describe(_state: State, { seen, alone }: Result) {
    const heads = seen.first.map((head) => `${head.question} It ${look(head, seen)}${head.on ? '' : ', but is switched off'}.`);
    return [
      `First layer, asked by “${nameAt(seen, seen.asking)}”.`, ...heads,
      `Second layer, asked by “${nameAt(seen, seen.later)}”: ${seen.second.question} It ${look(seen.second, seen)}. With all of the first layer switched off it ${look(alone.second, alone)}.`,
    ].join(' ');
  },

  table(_state: State, { seen, alone }: Result) {
    const as = 'share' as const;
    const cell = (head: Asked, at: number) => head.shares[at] ?? null;
    return {
      caption: `Shares of “${nameAt(seen, seen.asking)}” in the first layer and of “${nameAt(seen, seen.later)}” in the second`,
      columns: ['word', ...seen.first.map((head) => ({ label: head.name, as })), { label: 'second layer', as }, { label: 'second layer, without the first', as }],
      rows: [
        ...seen.tokens.map((token, at) => [token.text.trim(), ...seen.first.map((head) => cell(head, at)), cell(seen.second, at), cell(alone.second, at)]),
        ['sink', ...seen.first.map((head) => head.sink_share), seen.second.sink_share, alone.second.sink_share],
      ],
    };
  },

  view(context: ViewContext<State, Result>) {
    const { id, state, result, set } = context;
    const { seen } = result;
    const off = seen.first.filter((head) => !head.on).map(({ name }) => name);
    return html`<div class="questions">
      <details class="search-own" data-page-only ?open=${state.text !== ''}>
        <summary>Change the sentence</summary>
        ${phraseField({ id: `${id}-text`, meaning: 'plain', label: 'Sentence', text: seen.text, most: textLength, set: (typed) => set({ text: typed, asking: -1, later: -1 }) })}
      </details>
      <div class="questions-layer">
        <p class="questions-name"><b>First layer.</b> <span class="mark-query">${quoted(seen, seen.asking)}</span> asks three heads at once
          <button type="button" class="step-button questions-switch needs-script" data-page-only id="${id}-switch" aria-pressed=${off.length === names.length ? 'true' : 'false'}
            @click=${() => set({ off: off.length === names.length ? [] : names })}>First layer off</button></p>
        <div class="questions-heads">${seen.first.map((head) => headView(context, head, off))}</div>
      </div>
      ${rowView(seen)}
      <div class="questions-layer">
        <p class="questions-name"><b>Second layer.</b> <span class="mark-query">${quoted(seen, seen.later)}</span> asks: ${seen.second.question}</p>
        ${strip(context, seen.second, seen.later, 'later', (later) => set({ later }))}
        ${comparison(result)}
      </div>
    </div>`;
  },
});

// --------------------------------------------------------------------------------------------------------------- words

function nameAt(seen: QuestionsOutput, at: number): string {
  return tokenName(textTokens([seen.tokens[at]!.text])[0]!);
}

function quoted(seen: QuestionsOutput, at: number): string {
  return `“${nameAt(seen, at)}”`;
}

/** "looks at “river”, 67 %", "rests on the sink, 73 %" */
function look(head: Asked, seen: QuestionsOutput): string {
  return head.best === null ? `rests on the sink, ${share(head.sink_share)}` : `looks at ${quoted(seen, head.best)}, ${share(head.shares[head.best]!)}`;
}

// ------------------------------------------------------------------------------------------------------------- layer 1

function headView(context: ViewContext<State, Result>, head: QuestionsOutput['first'][number], off: readonly string[]): TemplateResult {
  const { id, result: { seen }, set } = context;
  const turn = (on: boolean) => set({ off: names.filter((name) => (name === head.name ? !on : off.includes(name))) });
  return html`<div class="questions-head ${head.on ? '' : 'questions-off'}">
    <p class="questions-asks">${head.question}
      <label class="questions-on needs-script" data-page-only><input type="checkbox" id="${id}-on-${head.name}" .checked=${live(head.on)} @change=${(event: Event) => turn((event.target as HTMLInputElement).checked)} /> on<span class="visually-hidden">, head ${head.name}</span></label></p>
    ${strip(context, head, seen.asking, head.name, (asking) => set({ asking }))}
    <p class="questions-found">${head.best === null ? html`Nothing fits; the sink takes ${share(head.sink_share)}.` : html`${quoted(seen, head.best)} gets ${share(head.shares[head.best]!)}, the sink ${share(head.sink_share)}.`}
      ${brought(head, seen.features)}</p>
  </div>`;
}

/** The two largest features of what comes back. */
function brought(head: Asked, features: readonly string[]): TemplateResult | typeof nothing {
  const found = head.blend.map((value, at) => ({ value, name: features[at]! })).filter(({ value }) => value >= 0.05).sort((a, b) => b.value - a.value).slice(0, 2);
  return found.length === 0 ? nothing : html`Brings <span class="mark-value">${found.map(({ name, value }) => `${name} ${score(value)}`).join(', ')}</span>.`;
}

/** The sentence with a head's shares below the words. */
function strip({ id, result: { seen }, page }: ViewContext<State, Result>, head: Asked, asking: number, name: string, onPick: (at: number) => void): TemplateResult {
  const below = (value: number | undefined) => (value !== undefined && value >= least ? html`${share(value)}${tinyShare(value)}` : '');
  const tokens = textTokens(seen.tokens.map((token) => token.text)).map((token, at): TokenView => ({ ...token, below: below(head.shares[at]), extra: at > asking ? 'need-later' : '' }));
  return html`<div class="need-text">${tokenStrip({ id: `${id}-${name}`, label: `${head.question} Pick a word to let it ask`, base: page.base, asking, lit: (at) => at === head.best, onPick, tokens })}</div>`;
}

/** The asking word's features before and after layer 1: its own, and what was added. */
function rowView(seen: QuestionsOutput): TemplateResult {
  const { before, after } = seen.tokens[seen.asking]!;
  const shown = seen.features.map((_, at) => at).filter((at) => after[at]! >= 0.05 || before[at]! > 0);
  const most = Math.max(1.6, ...after);
  const width = (value: number) => `${Math.round((value / most) * 10_000) / 100}%`;
  return html`<div class="questions-row">
    <p class="questions-name">The row of ${quoted(seen, seen.asking)} after the first layer: its own features, and what was added</p>
    ${shown.length === 0 ? html`<p class="hint">It has no features of its own, and nothing was added.</p>` : nothing}
    <ol class="bars" aria-label="Features before and after the first layer">
      ${shown.map((at) => html`<li class="bar-row">
        <span class="bar-label">${seen.features[at]}</span>
        <svg class="bar" width="100%" height="10" aria-hidden="true"><rect class="bar-room" width="100%" height="10" rx="2"></rect>
          ${svg`<rect class="bar-own" width=${width(before[at]!)} height="10"></rect><rect class="bar-value" x=${width(before[at]!)} width=${width(Math.max(after[at]! - before[at]!, 0))} height="10"></rect>`}</svg>
        <span class="bar-number">${score(before[at]!)} → ${score(after[at]!)}</span>
      </li>`)}
    </ol>
  </div>`;
}

// ------------------------------------------------------------------------------------------------------------- layer 2

/** Who gets most in layer 2, as it is and with all of layer 1 off. */
function comparison({ seen, alone }: Result): TemplateResult {
  const weight = (at: number) => Math.max(seen.second.shares[at]!, alone.second.shares[at]!);
  const places = seen.second.shares.map((_, at) => at).sort((a, b) => weight(b) - weight(a) || a - b).slice(0, 4);
  const rows = [...places.map((at) => ({ name: quoted(seen, at), values: [seen.second.shares[at]!, alone.second.shares[at]!] })), { name: 'the sink', values: [seen.second.sink_share, alone.second.sink_share] }];
  const cell = (value: number, said: string) => html`<span class="questions-share">${barPicture({ length: value, start: 0, className: 'bar-share', opacity: 1 })}<span class="bar-number"><span class="visually-hidden">, ${said} </span>${share(value)}</span></span>`;
  return html`<div class="questions-compare">
    <div class="questions-line questions-heading" aria-hidden="true"><span></span><span>as set above</span><span>first layer off</span></div>
    <ol class="questions-lines" aria-label="Shares in the second layer, as set and with the first off">
      ${rows.map(({ name, values }) => html`<li class="questions-line"><span>${name}</span>${cell(values[0]!, 'as set')}${cell(values[1]!, 'with the first layer off')}</li>`)}
    </ol>
  </div>`;
}

// A query that no key answers. Its shares must still make up the whole, so without a sink they spread over tokens that
// fit badly; a sink, one more entry of small fixed score, takes them. A true match clears the sink's score and wins.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import type { SinkOutput, WorldsOutput } from '../engine/lessons.ts';
import { barPicture } from '../marks/bars.ts';
import { fixed, score, share } from '../marks/number.ts';
import { phraseField } from '../marks/phrase-field.ts';
import { segmented, slider } from '../marks/slider.ts';
import { textTokens, tokenName, tokenText, type TokenView } from '../marks/token.ts';
import { choice, number, text, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';

const phraseLength = 120;

const schema = {
  /** The book's first query that a key answers, its first that none answers, or the reader's own `phrase`. */
  query: choice(['match', 'nothing', 'own'], 'nothing'),
  phrase: text({ most: phraseLength, initial: '' }),
  sink: choice(['off', 'on', 'both'], 'both'),
  /** The sink's score; and what every match, 0 to 1, is multiplied by to become a score. */
  score: number({ min: 0, max: 12, step: 0.1, initial: 4 }),
  stretch: number({ min: 0, max: 20, step: 0.1, initial: 9 }),
};

type State = StateOf<typeof schema>;
type Result = { queries: WorldsOutput['sink_queries']; found: SinkOutput };

export const figure = defineFigure({
  name: 'sink-demo',
  schema,
  viewOnly: ['sink'],

  async compute(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
    const { sink, sink_queries: queries } = await engine.lesson('worlds', {}, { signal });
    const query = asked(state, queries);
    return { queries, found: await engine.lesson('sink', { query, keys: sink.keys, stretch: state.stretch, sink_score: state.score }, { signal }) };
  },

  title({ sink }: State, { found }: Result) {
    const { query, name, without, beside, held, spread, won } = summary(found);
    const clear = without >= 0.5;
    if (sink === 'off') return clear ? `${capital(query)} finds “${name}” with ${share(without)}` : `${capital(query)} spreads its shares over ${spread}`;
    if (sink === 'on') return won ? `${capital(query)} finds “${name}” with ${share(beside)}; the sink keeps ${share(held)}` : `No token answers ${query} as well as the sink, which takes ${share(held)}`;
    if (won) return `${capital(query)} finds “${name}” with or without a sink: ${share(beside)} beside it, ${share(without)} alone`;
    return `${clear ? `Without a sink ${query} finds “${name}”` : `Without a sink ${query} spreads over ${spread}`}; with one, the sink takes ${share(held)}`;
  },

  describe({ sink }: State, { found }: Result) {
    const { query, name, best, without, beside, held } = summary(found);
    const { without_sink, with_sink, tokens, sink_score } = found;
    const alone = `Without a sink the largest share is ${share(without)}, of “${name}”, and the shares are spread as if over ${tokenCount(without_sink.entropy_bits)}.`;
    const joined = `With a sink of score ${score(sink_score)}, the sink takes ${share(held)} and “${name}” gets ${share(beside)}; the spread is as if over ${tokenCount(with_sink.entropy_bits)}, the sink counted.`;
    return [`${capital(query)} is held against the keys of ${tokens.length} tokens. The best score is ${score(tokens[best]!.stretched)}, of “${name}”.`, sink !== 'on' && alone, sink !== 'off' && joined]
      .filter(Boolean)
      .join(' ');
  },

  table(_state: State, { found }: Result) {
    const { tokens, without_sink, with_sink, sink_score } = found;
    const rows = tokens.map((token, at) => [token.text.trim(), token.key.phrase, token.score, token.stretched, without_sink.shares[at]!, with_sink.shares[at]!]);
    return {
      caption: `Scores and shares of the query “${found.query.phrase}”`,
      columns: ['token', 'key', { label: 'match', as: 'score' as const }, { label: 'score', as: 'score' as const }, { label: 'share without a sink', as: 'share' as const }, { label: 'share with a sink', as: 'share' as const }],
      rows: [
        ...rows,
        ['sink', null, null, sink_score, null, with_sink.sink_share],
        ['entropy in bits', null, null, null, score(without_sink.entropy_bits), score(with_sink.entropy_bits)],
      ],
    };
  },

  view({ id, state, result, set }: ViewContext<State, Result>) {
    const { queries, found } = result;
    return html`<div class="sink">
      <div class="search-ask">
        <label class="label mark-query" for="${id}-query">query</label>
        ${phraseField({ id: `${id}-query`, meaning: 'query', label: 'Query', text: found.query.phrase, most: phraseLength, placeholder: 'ask for …', set: (phrase) => set(asking(phrase, queries)) })}
      </div>
      ${tries('a token answers', true)} ${tries('none answers', false)} ${unknownWords(found)}
      <div class="sink-mode">${segmented({ label: 'Sink', field: schema.sink, value: state.sink, names: { off: 'No sink', on: 'Sink', both: 'Side by side' }, set: (sink) => set({ sink }) })}</div>
      ${rows(state, found)}
      <div class="figure-controls sliders">
        ${
          state.sink === 'off'
            ? nothing
            : slider({ id: `${id}-score`, label: 'sink’s score', field: schema.score, value: state.score, stride: 0.5, set: (score) => set({ score }) })
        }
        ${slider({ id: `${id}-stretch`, label: 'stretch', field: schema.stretch, value: state.stretch, stride: 0.5, set: (stretch) => set({ stretch }) })}
      </div>
    </div>`;

    function tries(label: string, matching: boolean): TemplateResult {
      return html`<div class="search-tries" data-page-only role="group" aria-label="Queries to try: ${label}">
        <span class="label">${label}:</span>
        ${queries.filter(({ matches }) => matches === matching).map(
          ({ query }) => html`<button type="button" class="search-try" aria-pressed=${query === found.query.phrase ? 'true' : 'false'} @click=${() => set(asking(query, queries))}>${query}</button>`,
        )}
      </div>`;
    }
  },
});

// -------------------------------------------------------------------------------------------------------------- query

function asked(state: State, queries: Result['queries']): string {
  if (state.query === 'own') return state.phrase;
  return queries.find(({ matches }) => matches === (state.query === 'match'))?.query ?? state.phrase;
}

/** The state that asks a phrase: by its short name where it has one, so that equal pictures have equal links. */
function asking(phrase: string, queries: Result['queries']): Partial<State> {
  const known = queries.find(({ query }) => query === phrase);
  const first = known && queries.find(({ matches }) => matches === known.matches);
  if (known && known === first) return { query: known.matches ? 'match' : 'nothing', phrase: '' };
  return { query: 'own', phrase };
}

// -------------------------------------------------------------------------------------------------------------- words

function summary(found: SinkOutput) {
  const { tokens, without_sink, with_sink } = found;
  const best = tokens.reduce((top, token, at) => (token.stretched > tokens[top]!.stretched ? at : top), 0);
  const beside = with_sink.shares[best]!;
  const held = with_sink.sink_share;
  const query = found.query.phrase.trim() === '' ? 'an empty query' : `“${found.query.phrase}”`;
  return { best, name: tokens[best]!.text.trim(), query, without: without_sink.shares[best]!, beside, held, won: beside > held, spread: tokenCount(without_sink.entropy_bits) };
}

/** For a sentence's beginning; a quoted phrase stays as it was typed. */
function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An entropy of H bits is that of 2^H equal shares. */
function tokenCount(bits: number): string {
  const count = 2 ** bits;
  if (count < 1.05) return 'one token';
  const said = fixed(count, count < 3 ? 1 : 0);
  return `about ${said} tokens`;
}

function unknownWords(found: SinkOutput): TemplateResult | typeof nothing {
  const unknown = [...new Set(found.query.words.filter(({ status }) => status === 'unknown').map(({ text }) => `“${text}”`))];
  if (unknown.length === 0) return nothing;
  return html`<p class="hint">This small world does not know ${unknown.slice(0, 6).join(', ')}${unknown.length > 6 ? ' and others' : ''}. Such words add nothing.</p>`;
}

// --------------------------------------------------------------------------------------------------------------- rows

type Row = { chip: TokenView; winner: boolean; key: TemplateResult; score: number; sink: boolean; without: Shared | null; beside: Shared };
type Shared = { share: number; largest: boolean };

function rows({ sink, stretch }: State, found: SinkOutput): TemplateResult {
  const { tokens, without_sink, with_sink, sink_score } = found;
  const { best, won } = summary(found);
  const [alone, joined] = [sink !== 'on', sink !== 'off'];
  // All scores lie between 0 and the stretch, so the scale holds still while the query changes.
  const extent = Math.max(stretch, joined ? sink_score : 0) || 1;
  const names = textTokens(tokens.map((token) => token.text));
  const all = tokens.map((token, at): Row => ({
    chip: names[at]!,
    winner: at === best && (joined ? won : without_sink.shares[at]! >= 0.5),
    key: html`<span class="mark-key">${token.key.phrase}</span>`,
    score: token.stretched,
    sink: false,
    without: { share: without_sink.shares[at]!, largest: at === best },
    beside: { share: with_sink.shares[at]!, largest: at === best && won },
  }));
  if (joined) {
    const beside = { share: with_sink.sink_share, largest: !won };
    all.push({ chip: textTokens(['sink'])[0]!, winner: false, key: html`<span class="label">the same score for every query</span>`, score: sink_score, sink: true, without: null, beside });
  }
  return html`<div class="sink-shares ${alone && joined ? 'sink-both' : ''}">
    <div class="sink-row sink-heads" aria-hidden="true">
      <span class="sink-who"><span>token</span><span class="mark-key">key</span></span><span>score</span>
      ${alone ? html`<span>share <span class="sink-far">without a sink</span></span>` : nothing}
      ${joined ? html`<span>share <span class="sink-far">with a sink</span></span>` : nothing}
    </div>
    <ol class="sink-list" aria-label="Tokens with key, score and share">
      ${all.map(
        (row) => html`<li class="sink-row">
          <span class="sink-who">
            <span class="token ${row.sink ? 'token-sink' : row.winner ? 'token-lit' : ''}">${tokenText(row.chip)}</span>
            <span class="sink-key"><span class="visually-hidden">${row.sink ? '' : `, key of ${tokenName(row.chip)}: `}</span>${row.key}</span>
          </span>
          ${scoreCell(row, extent, joined ? sink_score : null)} ${alone ? shareCell(row.without, false, joined ? 'without a sink' : '') : nothing}
          ${joined ? shareCell(row.beside, row.sink, alone ? 'with a sink' : '') : nothing}
        </li>`,
      )}
    </ol>
    <div class="sink-row sink-spread">
      <span class="sink-who"><span class="label">spread as if evenly over</span></span><span class="sink-gap"></span>
      ${alone ? spreadCell(without_sink.entropy_bits) : nothing} ${joined ? spreadCell(with_sink.entropy_bits) : nothing}
    </div>
  </div>
  <p class="hint">A score is the match, from 0 to 1, times the stretch.${joined ? ' The upright mark is the sink’s score, which a match has to clear.' : ''}</p>`;
}

/** A score as a bar, with a tick where the sink's score lies: the mark that a match has to clear. */
function scoreCell(row: Row, extent: number, mark: number | null): TemplateResult {
  const x = (value: number) => `${Math.round((value / extent) * 10_000) / 100}%`;
  return html`<span class="sink-cell">
    <svg class="bar sink-bar" width="100%" height="10" aria-hidden="true">
      <rect class="bar-room" width="100%" height="10" rx="2"></rect>
      ${svg`<rect class=${row.sink ? 'bar-sink' : 'bar-score'} width=${x(Math.max(row.score, 0))} height="10" rx="2"></rect>`}
      ${mark === null ? nothing : svg`<line class="sink-mark" x1=${x(mark)} x2=${x(mark)} y1="-5" y2="15"></line>`}
    </svg>
    <span class="bar-number"><span class="visually-hidden">, score </span>${score(row.score)}</span>
  </span>`;
}

/** Each share is rounded by itself: percentages made to add up to 100 would part equal scores. */
function shareCell(shared: Shared | null, sink: boolean, said: string): TemplateResult {
  if (shared === null) return html`<span class="sink-cell sink-none" aria-hidden="true"></span>`;
  return html`<span class="sink-cell ${shared.largest ? 'sink-largest' : ''}">
    ${barPicture({ length: shared.share, start: 0, className: sink ? 'bar-sink' : 'bar-share', opacity: 1 })}
    <span class="bar-number"><span class="visually-hidden">, share ${said} </span>${share(shared.share)}</span>
  </span>`;
}

function spreadCell(bits: number): TemplateResult {
  return html`<span class="sink-over"><strong>${tokenCount(bits)}</strong> <span class="label">entropy ${score(bits)} bits</span></span>`;
}

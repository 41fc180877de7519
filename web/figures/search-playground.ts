// Searching, twice. First a search box: a query, page titles as keys, contents as values. Then the same inside a
// sentence: a token asks, the tokens before it answer. Every score is q·k, worked out by the core from the features of
// the phrases; the reader may change every phrase and every feature.

import { html, nothing, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import type { FeatureVector, Page, Phrase, SearchOutput, StoriesOutput, StoryEdit, StoryOutput, WorldsOutput } from '../engine/lessons.ts';
import { matchList, type MatchRow } from '../marks/match.ts';
import { tinyShare } from '../marks/bars.ts';
import { score } from '../marks/number.ts';
import { phraseField } from '../marks/phrase-field.ts';
import { segmented } from '../marks/slider.ts';
import { textTokens, tokenName, tokenStrip, tokenText } from '../marks/token.ts';
import { choice, flag, integer, numbers, text, texts, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { applyChanges, withChange, type Changes } from './search-changes.ts';

const phraseLength = 120;
const valueLength = 240;
const textLength = 400;
/** Matches that a story shows before all are asked for. */
const fewMatches = 5;

const schema = {
  mode: choice(['box', 'story'], 'box'),
  /** The search box: what is typed, features set by hand (none: from the words), and changes to the pages. */
  query: text({ most: phraseLength, initial: 'a place with a sky' }),
  weights: numbers({ min: 0, max: 10, step: 0.001, most: 32, initial: [] }),
  pages: texts({ length: valueLength + 8, most: 64, initial: [] }),
  /** The sentence: a story of the book, or the reader's own text in its place; the asking token (−1: the story's). */
  story: text({ most: 24, initial: 'orim' }),
  text: text({ most: textLength, initial: '' }),
  asking: integer({ min: -1, max: 255, initial: -1 }),
  tokens: texts({ length: valueLength + 8, most: 64, initial: [] }),
  /** The match that shows its arithmetic (−1: none), whether its features are fields, whether all matches show. */
  open: integer({ min: -1, max: 255, initial: -1 }),
  tune: flag(false),
  all: flag(false),
};

type State = StateOf<typeof schema>;
type BoxResult = { mode: 'box'; worlds: WorldsOutput; found: SearchOutput };
type StoryResult = { mode: 'story'; stories: StoriesOutput['stories']; told: StoryOutput };
type Result = BoxResult | StoryResult;
type View = Pick<ViewContext<State, Result>, 'id' | 'state' | 'set' | 'page'>;

export const figure = defineFigure({
  name: 'search-playground',
  schema,
  viewOnly: ['open', 'tune', 'all'],
  compute: (engine: Engine, state: State, signal: AbortSignal): Promise<Result> => (state.mode === 'box' ? search(engine, state, signal) : tell(engine, state, signal)),

  title(_state: State, result: Result) {
    const { asker, query, best, score: top } = summary(result);
    if (query === '') return asker === '' ? 'An empty query matches nothing' : `${asker} asks for nothing`;
    const asks = asker === '' ? quoted(query) : `${asker} asks for ${quoted(query)}`;
    return best === null ? `${asks}${asker && ','} and nothing matches` : `${asks}${asker && ' and'} finds ${quoted(best)}, a match of ${score(top)}`;
  },

  describe(_state: State, result: Result) {
    const { asker, query, ranked, returned } = summary(result);
    const list = ranked.filter((row) => row.score > 0).slice(0, 3).map((row) => `${row.name} ${score(row.score)}`);
    const asks = `${asker === '' ? 'The query' : `The query of ${asker}`} is ${query === '' ? 'empty' : quoted(query)}`;
    if (list.length === 0) return `${asks}. None of ${ranked.length} keys matches it.`;
    return `${asks}, held against ${ranked.length} keys. Best: ${list.join(', ')}. What comes back: ${quoted(returned ?? '')}.`;
  },

  table(_state: State, result: Result) {
    const { query } = summary(result);
    const columns = ['key', { label: 'match', as: 'score' as const }, 'value'];
    const caption = `Keys and their match with ${quoted(query)}`;
    return result.mode === 'box'
      ? { caption, columns, rows: result.found.results.map((row) => [row.key.phrase, row.score, row.contents]) }
      : { caption, columns: ['token', ...columns], rows: ranking(result.told).map((row) => [row.text, row.key.phrase, row.score, row.value]) };
  },

  view({ id, state, result, set, page }: ViewContext<State, Result>) {
    const view = { id, state, set, page };
    return html`<div class="search">
      ${segmented({
        label: 'Where to search',
        field: schema.mode,
        value: state.mode,
        names: { box: 'A search box', story: 'Inside a sentence' },
        set: (mode) => set({ mode, open: -1, tune: false }),
      })}
      ${result.mode === 'box' ? boxView(view, result) : storyView(view, result)}
    </div>`;
  },
});

// -------------------------------------------------------------------------------------------------------- computation

async function search(engine: Engine, state: State, signal: AbortSignal): Promise<BoxResult> {
  const worlds = await engine.lesson('worlds', {}, { signal });
  const pages: Page[] = worlds.search.pages.map((page, at) => {
    const { key = page.title, value = page.contents, keyWeights } = applyChanges(state.pages, at);
    return { title: key, contents: value, ...(keyWeights && { key_weights: fit(keyWeights, worlds.features.length) }) };
  });
  const weights = state.weights.length > 0 && { query_weights: fit(state.weights, worlds.features.length) };
  return { mode: 'box', worlds, found: await engine.lesson('search', { query: state.query, pages, ...weights }, { signal }) };
}

async function tell(engine: Engine, state: State, signal: AbortSignal): Promise<StoryResult> {
  const [{ stories }, { features }] = await Promise.all([engine.lesson('stories', {}, { signal }), engine.lesson('worlds', {}, { signal })]);
  const story = stories.find((known) => known.id === state.story) ?? stories[0]!;
  const source = { story: story.id, ...(ownText(state) && { text: state.text }) };
  // How many tokens there are is known once the text is cut; a link may speak of more.
  const plain = await engine.lesson('story', source, { signal });
  const last = plain.tokens.length - 1;
  const asking = state.asking < 0 ? {} : { asking: Math.min(state.asking, last) };
  const edits: StoryEdit[] = plain.tokens.flatMap((_, token) => {
    const { query, key, value, queryWeights, keyWeights } = applyChanges(state.tokens, token);
    const edit: StoryEdit = { token };
    if (query !== undefined) edit.query = query;
    if (key !== undefined) edit.key = key;
    if (value !== undefined) edit.value = value;
    if (queryWeights) edit.query_weights = fit(queryWeights, features.length);
    if (keyWeights) edit.key_weights = fit(keyWeights, features.length);
    return Object.keys(edit).length > 1 ? [edit] : [];
  });
  return { mode: 'story', stories, told: await engine.lesson('story', { ...source, ...asking, edits }, { signal }) };
}

function ownText(state: State): boolean {
  return state.text !== '';
}

/** A link may hold too few or too many features. */
function fit(weights: readonly number[], count: number): FeatureVector {
  return Array.from({ length: count }, (_, at) => weights[at] ?? 0);
}

type Candidate = StoryOutput['candidates'][number];

/** Best first; equal ones in the order of the text. */
function ranking(told: StoryOutput): Candidate[] {
  return [...told.candidates].sort((a, b) => b.score - a.score || a.index - b.index);
}

/** What both modes have: who asks (empty: the search box), for what, how all keys answer, and what comes back. */
function summary(result: Result) {
  if (result.mode === 'box') {
    const { query, results, best, returned } = result.found;
    const found = results.find((row) => row.index === best);
    const ranked = results.map((row) => ({ name: row.title, score: row.score }));
    return { asker: '', query: query.phrase, best: found?.title ?? null, score: found?.score ?? 0, ranked, returned };
  }
  const { asking, best, candidates } = result.told;
  const found = candidates.find((row) => row.index === best);
  const ranked = ranking(result.told).map((row) => ({ name: row.text.trim(), score: row.score }));
  return { asker: `“${asking.text.trim()}”`, query: asking.query.phrase, best: found?.text.trim() ?? null, score: found?.score ?? 0, ranked, returned: found?.value ?? null };
}

function quoted(phrase: string): string {
  return `“${phrase}”`;
}

// --------------------------------------------------------------------------------------------------------- search box

function boxView(view: View, { worlds, found }: BoxResult): TemplateResult {
  const { id, state, set } = view;
  const change = (index: number, change: Changes) => set({ pages: withChange(state.pages, index, change) });
  const rows = found.results.map((row): MatchRow => ({
    index: row.index,
    name: quoted(row.title),
    match: row,
    value: row.contents,
    setKey: (key) => change(row.index, { key, keyWeights: null }),
    setValue: (value) => change(row.index, { value }),
    setKeyWeights: (keyWeights) => change(row.index, { keyWeights }),
  }));
  return html`
    <div class="search-ask">
      <label class="label mark-query" for="${id}-query">query</label>
      ${phraseField({ id: `${id}-query`, meaning: 'query', label: 'Query', text: state.query, most: phraseLength, placeholder: 'search for …', set: (query) => set({ query, weights: [], open: -1 }) })}
    </div>
    <div class="search-tries" data-page-only role="group" aria-label="Queries to try">
      <span class="label">try</span>
      ${worlds.search_queries.map(
        (query) => html`<button type="button" class="search-try" aria-pressed=${query === state.query ? 'true' : 'false'} @click=${() => set({ query, weights: [], open: -1 })}>${query}</button>`,
      )}
    </div>
    ${unknownWords(found.query)} ${matches(view, found, rows, found.best, (weights) => set({ weights }))}
  `;
}

// ----------------------------------------------------------------------------------------------------------- sentence

function storyView(view: View, { stories, told }: StoryResult): TemplateResult {
  const { id, state, set, page } = view;
  const change = (index: number, change: Changes) => set({ tokens: withChange(state.tokens, index, change) });
  const asking = told.asking.index;
  const ranked = ranking(told);
  const shown = state.all ? ranked : ranked.filter((row, at) => (at < fewMatches && row.score > 0) || row.index === state.open);
  const names = textTokens(told.tokens.map((token) => token.text));
  const rows = shown.map((row): MatchRow => ({
    index: row.index,
    holder: html`<span class="token">${tokenText(names[row.index]!)}</span>`,
    name: tokenName(names[row.index]!),
    match: row,
    value: row.value,
    setKey: (key) => change(row.index, { key, keyWeights: null }),
    setValue: (value) => change(row.index, { value }),
    setKeyWeights: (keyWeights) => change(row.index, { keyWeights }),
  }));
  const story = stories.find((known) => known.id === told.story);
  const ownQuestion = !ownText(state) && story?.asking === asking;
  return html`
    <div class="search-source" data-page-only>
      <label class="label" for="${id}-story">story</label>
      <select id="${id}-story" @change=${(event: Event) => set({ story: (event.target as HTMLSelectElement).value, text: '', asking: -1, tokens: [], open: -1, tune: false })}>
        ${stories.map(({ id: name, title }) => html`<option value=${name} ?selected=${name === told.story} .selected=${name === told.story}>${title}</option>`)}
      </select>
      <details class="search-own" ?open=${ownText(state)}>
        <summary>Change the sentence</summary>
        ${phraseField({ id: `${id}-text`, meaning: 'plain', label: 'Sentence', text: told.text, most: textLength, set: (text) => set({ text: text === story?.text ? '' : text, asking: -1, tokens: [], open: -1 }) })}
      </details>
    </div>
    <p class="hint">${ownQuestion ? story.need : 'Pick a token to let it ask the tokens before it.'}</p>
    ${tokenStrip({
      id,
      label: 'Tokens; pick one to let it ask',
      base: page.base,
      asking,
      lit: (index) => index === told.best,
      onPick: (index) => set({ asking: index, open: -1 }),
      tokens: names.map((token, at) => ({ ...token, below: below(told.candidates.find((row) => row.index === at)) })),
    })}
    <div class="search-ask">
      <label class="label mark-query" for="${id}-query">query of “${tokenName(names[asking]!)}”</label>
      ${phraseField({ id: `${id}-query`, meaning: 'query', label: `Query of ${tokenName(names[asking]!)}`, text: told.asking.query.phrase, most: phraseLength, placeholder: 'asks for nothing', set: (query) => change(asking, { query, queryWeights: null }) })}
    </div>
    ${unknownWords(told.asking.query)}
    ${matches(view, { features: told.features, query: told.asking.query }, rows, told.best, (queryWeights) => change(asking, { queryWeights }))}
    ${
      ranked.length > shown.length || state.all
        ? html`<button type="button" class="figure-action" data-control="all" aria-pressed=${state.all ? 'true' : 'false'} @click=${() => set({ all: !state.all })}>
            ${state.all ? 'Show the best only' : `Show all ${ranked.length} tokens before it`}
          </button>`
        : nothing
    }
  `;
}

/** The score under a token that could be looked at; the tokens after the asking one have none. */
function below(row: Candidate | undefined): TemplateResult | undefined {
  return row && html`${row.score > 0 ? score(row.score) : '0'}${tinyShare(row.score)}`;
}

// ------------------------------------------------------------------------------------------------------------- shared

function matches(view: View, found: Pick<SearchOutput, 'features' | 'query'>, rows: MatchRow[], best: number | null, setQueryWeights: (weights: number[]) => void): TemplateResult {
  const { id, state, set } = view;
  return matchList({
    id,
    label: 'Keys, best match first',
    features: found.features,
    query: found.query,
    setQueryWeights,
    rows,
    best,
    open: state.open < 0 ? null : state.open,
    setOpen: (open) => set({ open: open ?? -1, tune: false }),
    tune: state.tune,
    setTune: (tune) => set({ tune }),
    keyLength: phraseLength,
    valueLength,
  });
}

function unknownWords({ words }: Phrase): TemplateResult | typeof nothing {
  const unknown = [...new Set(words.filter((word) => word.status === 'unknown').map((word) => `“${word.text}”`))];
  if (unknown.length === 0) return nothing;
  const named = unknown.slice(0, 6).join(', ');
  return html`<p class="hint">This small world does not know ${named}${unknown.length > 6 ? ' and others' : ''}. Such words add nothing; open a match to set features by hand.</p>`;
}

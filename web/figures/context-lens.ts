// A word that says too little by itself, in a small text: what it asks for, and which words before it have that. Every
// match is q·k, worked out by the core from the features of two phrases. A word can be covered, and another one steps in
// or none does.

import { html, nothing, type TemplateResult } from 'lit';
import type { Engine } from '../engine/types.ts';
import type { StoriesOutput, Story, StoryOutput } from '../engine/lessons.ts';
import { barPicture, tinyShare } from '../marks/bars.ts';
import { score } from '../marks/number.ts';
import { moveFocus, textTokens, tokenName, tokenStrip, tokenText, type TokenView } from '../marks/token.ts';
import { integer, numbers, text, type StateOf } from '../state/schema.ts';
import { defineFigure, type ViewContext } from './definition.ts';
import { workings } from './context-lens/workings.ts';

const schema = {
  /** A story of the core. */
  text: text({ most: 24, initial: 'river' }),
  /** The word that asks (−1: the story's). */
  asking: integer({ min: -1, max: 255, initial: -1 }),
  /** Words that are covered, by their places. */
  covered: numbers({ min: 0, max: 255, step: 1, most: 64, initial: [] }),
  /** The word whose match shows its arithmetic (−1: none). */
  open: integer({ min: -1, max: 255, initial: -1 }),
};

type State = StateOf<typeof schema>;
type Candidate = StoryOutput['candidates'][number];
interface Result {
  stories: StoriesOutput['stories'];
  told: StoryOutput;
  /** Places of the covered words, without those that the text has not. */
  covered: readonly number[];
}

/** Words that are listed with what they are about. */
const mostRows = 4;
/** A match that deserves the name; every story's own answer lies above it. */
const fits = 0.55;

export const figure = defineFigure({
  name: 'context-lens',
  schema,
  viewOnly: ['open'],
  together: { text: ['asking', 'covered', 'open'] },

  async compute(engine: Engine, state: State, signal: AbortSignal): Promise<Result> {
    const { stories } = await engine.lesson('stories', {}, { signal });
    const story = stories.find(({ id }) => id === state.text) ?? stories[0]!;
    const last = story.tokens.length - 1;
    const asking = state.asking < 0 ? story.asking : Math.min(state.asking, last);
    const covered = [...new Set(state.covered)].filter((place) => place <= last).sort((a, b) => a - b);
    // Who is covered advertises nothing.
    const edits = covered.map((token) => ({ token, key: '' }));
    return { stories, covered, told: await engine.lesson('story', { story: story.id, asking, edits }, { signal }) };
  },

  title(_state: State, { told, covered }: Result) {
    const { asker, best, back } = summary(told);
    if (asked(told) === '') return `${asker} asks for nothing`;
    if (best === null) return `${asker} asks for “${asked(told)}”, and ${covered.length > 0 ? 'no word that is left' : 'no word before it'} has it`;
    if (best.score < fits) return `${asker} asks for “${asked(told)}”, and nothing fits: “${best.text.trim()}” is the nearest, ${score(best.score)}`;
    return `${asker} asks for “${asked(told)}”; “${best.text.trim()}” has it, ${back}`;
  },

  describe(_state: State, { told, covered }: Result) {
    const { asker, best, back } = summary(told);
    const veiled = covered.map((place) => `“${told.tokens[place]!.text.trim()}”`).join(', ');
    const hidden = covered.length === 0 ? '' : ` Covered: ${veiled}.`;
    if (asked(told) === '') return `${asker} asks for nothing.${hidden}`;
    const list = ranked(told).slice(0, 3).map((row) => `${row.text.trim()} ${score(row.score)}`);
    if (best === null) return `${asker} asks for “${asked(told)}”. None of the ${told.candidates.length} words and marks before it matches.${hidden}`;
    return `${asker} asks for “${asked(told)}”. Best matches: ${list.join(', ')}. “${best.text.trim()}” stands ${back} and tells: “${best.value}”.${hidden}`;
  },

  table(_state: State, { told }: Result) {
    return {
      caption: told.candidates.length === 0 ? nothingBefore(told) : `Words before ${summary(told).asker} and their match with “${asked(told)}”`,
      columns: ['word', 'what it is about', { label: 'match', as: 'score' as const }, 'what it tells'],
      rows: told.candidates.map((row) => [row.text.trim(), row.key.phrase, row.score, row.value]),
    };
  },

  view(context: ViewContext<State, Result>) {
    const { id, state, result, set } = context;
    const story = storyOf(result);
    return html`<div class="need">
      <div class="segmented need-words" role="group" aria-label="A word to look up" @keydown=${moveFocus}>
        ${result.stories.map((one) => html`<button type="button" class="segment" data-text=${one.id} aria-pressed=${one === story ? 'true' : 'false'}
            @click=${() => set({ text: one.id, asking: -1, covered: [], open: -1 })}>${wordOf(one, result.stories)}</button>`)}
      </div>
      ${textView(context)} ${answer(result)} ${list(id, state, result, set)}
    </div>`;
  },
});

// -------------------------------------------------------------------------------------------------------------- words

function storyOf({ stories, told }: Result): Story {
  return stories.find(({ id }) => id === told.story)!;
}

/** The asking word of a story; the second story of the same word says so. */
function wordOf(story: Story, stories: readonly Story[]): string {
  const word = (one: Story) => one.tokens[one.asking]!.text.trim();
  const before = stories.slice(0, stories.indexOf(story)).some((other) => word(other) === word(story));
  return before ? `${word(story)}, elsewhere` : word(story);
}

function asked({ asking }: StoryOutput): string {
  return asking.query.phrase;
}

function nothingBefore(told: StoryOutput): string {
  return `${summary(told).asker} is the first word: there is none before it to match.`;
}

/** Those that match at all, best first; equal ones in the order of the text. */
function ranked(told: StoryOutput): Candidate[] {
  return told.candidates.filter((row) => row.score > 0).sort((a, b) => b.score - a.score || a.index - b.index);
}

function summary(told: StoryOutput) {
  const best = told.candidates.find((row) => row.index === told.best) ?? null;
  const steps = best === null ? 0 : told.asking.index - best.index;
  return { asker: `“${told.asking.text.trim()}”`, best, back: steps === 1 ? 'right before it' : `${steps} places back` };
}

// --------------------------------------------------------------------------------------------------------------- text

/** The text as it is read, every word a button: it asks. What stands after the asking word is not read yet. */
function textView({ id, result, set, page }: ViewContext<State, Result>): TemplateResult {
  const { told, covered } = result;
  const scores = new Map(told.candidates.map((row) => [row.index, row.score]));
  const tokens = textTokens(told.tokens.map(({ text: exact }) => exact)).map((token, at): TokenView => {
    const hidden = covered.includes(at);
    const extra = hidden ? 'need-covered' : at > told.asking.index ? 'need-later' : '';
    return { ...token, extra, below: (scores.get(at) ?? 0) > 0 ? tinyShare(scores.get(at)!) : '' };
  });
  return html`<div class="need-text">${tokenStrip({
    id,
    label: 'The text; pick a word to let it ask',
    base: page.base,
    asking: told.asking.index,
    lit: (at) => at === told.best,
    onPick: (asking) => set({ asking: asking === storyOf(result).asking ? -1 : asking, open: -1 }),
    tokens,
  })}</div>`;
}

/** What is asked, and what the best match tells. */
function answer(result: Result): TemplateResult {
  const { told } = result;
  const { asker, best } = summary(told);
  if (asked(told) === '') return html`<p class="need-answer">${asker} asks for nothing: it needs no help from the words before it.</p>`;
  const own = told.asking.index === storyOf(result).asking;
  return html`<p class="need-answer">
    ${asker} asks for <span class="need-query">${asked(told)}</span>${
      best === null ? '. Nothing before it has that.' : html`. ${best.score < fits ? 'Nothing before it fits; the nearest is ' : ''}“${best.text.trim()}”${best.score < fits ? ', which' : ''} is about <span class="need-key">${best.key.phrase}</span> and tells it: <span class="need-value">${best.value}</span>.`
    }</p>
    ${own ? html`<p class="hint">${storyOf(result).need}</p>` : nothing}`;
}

// --------------------------------------------------------------------------------------------------------------- list

function list(id: string, state: State, { told, covered }: Result, set: (patch: Partial<State>) => void): TemplateResult {
  const names = textTokens(told.tokens.map(({ text: exact }) => exact));
  const best = ranked(told).filter((row, at) => at < mostRows || row.index === state.open);
  const chip = (at: number) => html`<span class="token ${at === told.best ? 'token-lit' : ''}">${tokenText(names[at]!)}</span>`;
  const cover = (at: number, on: boolean) => html`<button type="button" class="figure-action need-cover" data-page-only id="${id}-cover-${at}"
      @click=${() => set({ covered: on ? [...covered, at].sort((a, b) => a - b) : covered.filter((place) => place !== at), open: -1 })}>
      ${on ? 'cover' : 'uncover'}<span class="visually-hidden"> ${tokenName(names[at]!)}</span></button>`;
  if (best.length === 0 && covered.length === 0) {
    if (told.candidates.length === 0) return html`<p class="hint need-none">${nothingBefore(told)}</p>`;
    return html`<p class="hint need-none">${asked(told) === '' ? 'What asks for nothing matches no word, so there is nothing to list.' : 'No word before it matches, so there is nothing to list.'}</p>`;
  }
  return html`<div class="need-list">
    <div class="need-heads" aria-hidden="true"><span>word</span><span class="mark-key">what it is about</span><span>match</span></div>
    <ol class="need-rows" aria-label="Words before it, best match first">
      ${best.map((row) => {
        const opened = row.index === state.open;
        return html`<li class="need-row" data-move="${id}-row-${row.index}">
          ${chip(row.index)}<span class="need-about mark-key">${row.key.phrase}</span>
          <button type="button" class="match-score" id="${id}-why-${row.index}" aria-expanded=${opened ? 'true' : 'false'} @click=${() => set({ open: opened ? -1 : row.index })}>
            ${barPicture({ length: row.score, start: 0, className: 'bar-score', opacity: 1 })}
            <span class="match-number">${score(row.score)}</span>
            <span class="match-why" data-page-only>${opened ? 'close' : 'why'}</span><span class="visually-hidden">, match of ${tokenName(names[row.index]!)}</span>
          </button>
          ${cover(row.index, true)} ${opened ? workings({ features: told.features, query: told.asking.query, match: row }) : nothing}
        </li>`;
      })}
      ${covered.map((at) => html`<li class="need-row"><span class="token need-covered">${tokenText(names[at]!)}</span><span class="need-about">covered</span><span></span>${cover(at, false)}</li>`)}
    </ol>
  </div>`;
}

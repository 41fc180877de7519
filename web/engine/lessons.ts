// The JSON of the toy worlds (core/lessons), one entry a lesson: what goes in and what comes out.
//
// engine.lesson(name, input) takes an input of this shape and gives the output of this shape, in the page (wasm) and at
// build time (`lookback lesson NAME`). Input is checked strictly by the core: an unknown key, a wrong type, a number
// outside its range gives one sentence that names the key. Limits are in WorldsOutput.limits.

import type { CostInput, CostOutput, PriceInput, PriceOutput } from './lessons-price.ts';
import type { GeluInput, GeluOutput, ParametersInput, ParametersOutput } from './lessons-layers.ts';
import type { OrderInput, OrderOutput } from './lessons-order.ts';
import type { RotaryInput, RotaryOutput } from './lessons-rotary.ts';
import type { RatioInput, RatioOutput, SpreadInput, SpreadOutput } from './lessons-scores.ts';

/** A number per feature, in the order of `features`: always features.length numbers. */
export type FeatureVector = number[];

/** Changes to the lexicon: word -> feature -> weight (0 to 10). Makes an unknown word known; other features stay. */
export type WordEdits = Record<string, Record<string, number>>;

/** known: has feature weights. ignored: grammar, size, colour; adds nothing. unknown: not in the lexicon; adds nothing. */
export type WordStatus = 'known' | 'ignored' | 'unknown';

/** The vector behind a phrase: the words' weights added, then divided by the length of the sum. */
export interface Phrase {
  phrase: string;
  /** In order of appearance. `weights` is null unless the word is known. */
  words: { text: string; status: WordStatus; weights: FeatureVector | null }[];
  /** The words' weights added up, or the weights given in the input. */
  sum: FeatureVector;
  /** Whether `sum` was given in the input instead of added up from the words. */
  edited: boolean;
  /** The length of `sum`. */
  length: number;
  /** `sum` divided by `length`: length 1, or all zeros when no word is known. */
  vector: FeatureVector;
}

export interface PhraseInput {
  phrase: string;
  /** Used in place of the words' sum; each 0 to 10. */
  weights?: FeatureVector;
  word_edits?: WordEdits;
}
export interface PhraseOutput extends Phrase {
  features: string[];
}

/** A key compared with a query: score = the products added up = q·k, 0 to 1. */
export interface Match {
  key: Phrase;
  /** Feature by feature: query.vector[i] · key.vector[i]. */
  products: FeatureVector;
  score: number;
  /** Known words that stand in both phrases, lower case. */
  shared_words: string[];
}

export interface Page {
  /** The key. */
  title: string;
  /** The value. */
  contents: string;
  /** Used in place of the title's sum. */
  key_weights?: FeatureVector;
}
export interface SearchInput {
  query: string;
  query_weights?: FeatureVector;
  /** Default: the pages of the default world. */
  pages?: Page[];
  word_edits?: WordEdits;
}
export interface SearchOutput {
  features: string[];
  query: Phrase;
  /** Best first; equal scores keep the input's order. `index` is the place in the input. */
  results: ({ index: number; title: string; contents: string } & Match)[];
  /** Index (in the input) of the best page; null when every score is 0. */
  best: number | null;
  /** The best page's contents: the value that comes back; null when every score is 0. */
  returned: string | null;
  /** Words of the query and the titles that the lexicon lacks, each once. */
  unknown_words: string[];
}

export interface StoryToken {
  /** Exact text, with the space before it; the tokens' texts joined give the story. */
  text: string;
  query: string;
  key: string;
  value: string;
}
export interface StoryTokenInput extends StoryToken {
  query_weights?: FeatureVector;
  key_weights?: FeatureVector;
}
export interface StoryEdit {
  /** Index of the token to change. */
  token: number;
  query?: string;
  key?: string;
  value?: string;
  query_weights?: FeatureVector;
  key_weights?: FeatureVector;
}
/** The tokens come from one of: `story`; `text` (split into words; see there); `tokens`. Default: the first story. */
export interface StoryInput {
  /** Id of a story of the core. Together with `text`: where words that stay the same keep their phrases from. */
  story?: string;
  /** A sentence of the reader's. A word without phrases gets itself as query, key and value. */
  text?: string;
  tokens?: StoryTokenInput[];
  /** Index of the asking token. Default: the story's asking word, else the last token that is a word. */
  asking?: number;
  /** Whether the asking token's own key is a candidate too. Default false. */
  include_self?: boolean;
  edits?: StoryEdit[];
  word_edits?: WordEdits;
}
export interface StoryOutput {
  features: string[];
  /** Id, or null when the tokens came without a story. */
  story: string | null;
  title: string | null;
  text: string;
  tokens: StoryToken[];
  asking: { index: number; text: string; query: Phrase };
  /** The tokens before the asking one (and itself with include_self), in the order of the text. */
  candidates: ({ index: number; text: string; value: string } & Match)[];
  /** Index (of the token) of the highest score, the earlier one of equals; null when every score is 0. */
  best: number | null;
  unknown_words: string[];
}

export interface Story {
  id: string;
  title: string;
  text: string;
  tokens: StoryToken[];
  /** Index of the token that asks. */
  asking: number;
  /** One sentence: what the asking word needs, and why. */
  need: string;
}
export interface StoriesOutput {
  stories: Story[];
}

export interface LexiconInput {
  word_edits?: WordEdits;
}
export interface LexiconOutput {
  features: { name: string; meaning: string }[];
  /** Alphabetical. */
  words: { text: string; weights: FeatureVector }[];
  ignored: string[];
}

export interface DotInput {
  /** [x, y], each −1000 to 1000. */
  q: [number, number];
  k: [number, number];
}
export interface DotOutput {
  q: [number, number];
  k: [number, number];
  q_length: number;
  k_length: number;
  /** q[i] · k[i]. */
  products: [number, number];
  /** products[0] + products[1]. */
  dot: number;
  /** −1 to 1; null when an arrow has no length. */
  cosine: number | null;
  /** Angle between the arrows, 0 to 180; null when an arrow has no length. */
  angle_degrees: number | null;
  /** The direction an arrow points to, −180 to 180, counterclockwise from the x axis; null when it has no length. */
  q_direction_degrees: number | null;
  k_direction_degrees: number | null;
  /** q_length · k_length · cosine, equal to `dot` up to rounding; 0 when an arrow has no length. */
  lengths_times_cosine: number;
}

export interface SoftmaxInput {
  /** 1 to 256 scores, each −1000 to 1000. */
  scores: number[];
  /** Every score is multiplied by it; 0 to 100. Default 1. */
  stretch?: number;
}
export interface SoftmaxOutput {
  scores: number[];
  stretch: number;
  /** score · stretch. */
  stretched: number[];
  /** The largest stretched score. */
  maximum: number;
  /** exp(stretched − maximum): the largest is 1. */
  exps: number[];
  /** The exps added up. */
  sum: number;
  /** exps / sum; add up to 1 up to rounding. */
  shares: number[];
  /** Whole percentages that add up to exactly 100 (largest remainder). */
  percents: number[];
  /** The same with one decimal: they add up to exactly 100.0 in tenths. */
  percents1: number[];
  /** −Σ p log₂ p: 0 when one takes all, log₂ n when all are equal. */
  entropy_bits: number;
  /** The two largest: share of first / share of second = e^difference. Null with a single score. */
  top_two: {
    first: number;
    second: number;
    /** stretched[first] − stretched[second]. */
    difference: number;
    /** e^difference; null when it is too large for a float. */
    ratio: number | null;
  } | null;
}

export interface SinkKey {
  /** The token as shown. */
  text: string;
  /** Its key, in plain English. */
  key: string;
  key_weights?: FeatureVector;
}
export interface SinkInput {
  query: string;
  query_weights?: FeatureVector;
  /** Default: the keys of the default world. */
  keys?: SinkKey[];
  /** Every match score is multiplied by it; 0 to 100. Default 9. */
  stretch?: number;
  /** The sink's score beside the stretched scores (not stretched itself); −100 to 100. Default in WorldsOutput. */
  sink_score?: number;
  word_edits?: WordEdits;
}
export interface SinkOutput {
  features: string[];
  query: Phrase;
  stretch: number;
  sink_score: number;
  tokens: ({ text: string; stretched: number } & Match)[];
  without_sink: { shares: number[]; percents: number[]; entropy_bits: number };
  /** `percents` and `sink_percent` together add up to exactly 100. Entropy counts the sink. */
  with_sink: {
    shares: number[];
    percents: number[];
    sink_share: number;
    sink_percent: number;
    entropy_bits: number;
  };
  unknown_words: string[];
}

export interface MeaningPoint {
  name: string;
  /** −1000 to 1000. */
  x: number;
  y: number;
}
export interface BlendInput {
  /** The named points of the map. Default: the default world's, whose places are invented. */
  meanings?: MeaningPoint[];
  /** Names of the meanings to blend; a name may stand twice. */
  values: string[];
  /** One a value, 0 to 1000, not all 0; divided by their sum. Not together with `scores`. Default: all equal. */
  weights?: number[];
  /** One a value, −1000 to 1000; become shares by softmax. */
  scores?: number[];
  /** Multiplies the scores, 0 to 100. Default 1; only together with `scores`. */
  stretch?: number;
}
export interface BlendOutput {
  meanings: MeaningPoint[];
  values: {
    name: string;
    x: number;
    y: number;
    share: number;
    percent: number;
    /** share · (x, y). */
    contribution: [number, number];
  }[];
  /** The contributions added up: the weighted mean. */
  blend: [number, number];
  /** All meanings, nearest to the blend first. `blended` marks those that stand in `values`. */
  distances: { name: string; distance: number; blended: boolean }[];
  nearest: string;
  /** The nearest meaning that is not itself blended; null when all are. */
  nearest_other: string | null;
}

/** What a page starts from: each named input is a valid input of the lesson of that name. */
export interface WorldsOutput {
  features: { name: string; meaning: string }[];
  limits: {
    phrase_bytes: number;
    contents_bytes: number;
    text_bytes: number;
    tokens: number;
    pages: number;
    scores: number;
    meanings: number;
    feature_weight: number;
  };
  search: { query: string; pages: Page[] };
  /** Queries worth trying. */
  search_queries: string[];
  story: { story: string };
  dot: { q: [number, number]; k: [number, number] };
  softmax: { scores: number[]; stretch: number };
  sink: { query: string; keys: SinkKey[]; stretch: number; sink_score: number };
  /** Queries worth trying, with whether a key truly matches them. */
  sink_queries: { query: string; matches: boolean }[];
  blend: { meanings: MeaningPoint[]; values: string[]; weights: number[] };
  /** Pairs worth trying. */
  blend_values: string[][];
}

/** A sentence under several heads, and a second layer that reads what they brought: core/lessons/questions.hpp. */
export interface QuestionsInput {
  /** Default: the book's sentence. Words stand for their features; marks and unknown words for none. */
  text?: string;
  /** Index of the token that asks in layer 1, and of the one that asks in layer 2. Default: the book's. */
  asking?: number;
  later?: number;
  /** Heads of layer 1 that add nothing, by name. */
  off?: string[];
}
export interface Asked {
  name: string;
  question: string;
  query: FeatureVector;
  /** Of the tokens before the asking one, stretched. */
  scores: number[];
  /** Likewise; with `sink_share` they make up 1. */
  shares: number[];
  sink_share: number;
  /** The token of the largest share; null when the sink has more. */
  best: number | null;
  /** What comes back: the values, each by its share. */
  blend: FeatureVector;
}
export interface QuestionsOutput {
  features: string[];
  text: string;
  stretch: number;
  sink_score: number;
  /** `before` and `after`: the token's row as layer 1 and as layer 2 gets it. */
  tokens: { text: string; before: FeatureVector; after: FeatureVector }[];
  asking: number;
  later: number;
  /** The heads of layer 1, asked by `asking`. One that is off looks too, but adds nothing. */
  first: (Asked & { on: boolean })[];
  /** The head of layer 2, asked by `later`. */
  second: Asked;
}

/** No keys. */
export type NoInput = Record<string, never>;

export interface Lessons {
  phrase: { input: PhraseInput; output: PhraseOutput };
  search: { input: SearchInput; output: SearchOutput };
  story: { input: StoryInput; output: StoryOutput };
  stories: { input: NoInput; output: StoriesOutput };
  lexicon: { input: LexiconInput; output: LexiconOutput };
  dot: { input: DotInput; output: DotOutput };
  softmax: { input: SoftmaxInput; output: SoftmaxOutput };
  sink: { input: SinkInput; output: SinkOutput };
  blend: { input: BlendInput; output: BlendOutput };
  worlds: { input: NoInput; output: WorldsOutput };
  cost: { input: CostInput; output: CostOutput };
  price: { input: PriceInput; output: PriceOutput };
  spread: { input: SpreadInput; output: SpreadOutput };
  ratio: { input: RatioInput; output: RatioOutput };
  rotary: { input: RotaryInput; output: RotaryOutput };
  order: { input: OrderInput; output: OrderOutput };
  questions: { input: QuestionsInput; output: QuestionsOutput };
  gelu: { input: GeluInput; output: GeluOutput };
  parameters: { input: ParametersInput; output: ParametersOutput };
}

export type LessonName = keyof Lessons;
export type LessonInput<N extends LessonName> = Lessons[N]['input'];
export type LessonOutput<N extends LessonName> = Lessons[N]['output'];

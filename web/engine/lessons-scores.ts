// The JSON of the lessons spread and ratio; see lessons.ts.

/** Dot products of random queries and keys. */
export interface SpreadInput {
  /** Numbers in a query or key, 1 to 256. */
  d: number;
  /** 0 to 1,000,000. Default 1. */
  seed?: number;
}
export interface SpreadScores {
  mean: number;
  /** Standard deviation. */
  spread: number;
  /** The largest share of a query's keys, on average over all queries. */
  top_share: number;
  /** Scores in [low + i · width, low + (i + 1) · width); those beyond in the outermost. */
  counts: number[];
  /** The first query's scores and their shares. */
  row: number[];
  shares: number[];
}
export interface SpreadOutput {
  d: number;
  seed: number;
  /** Queries, and keys of each. */
  rows: number;
  keys: number;
  /** √d. */
  root: number;
  low: number;
  width: number;
  raw: SpreadScores;
  /** Every score divided by √d. */
  divided: SpreadScores;
  /** The same for d = 1, 4, 16, 64, 256. */
  lengths: { d: number; root: number; spread: number; top_share: number; divided_spread: number; divided_top_share: number }[];
}

/** Two scores of a row, and the rest of it. */
export interface RatioInput {
  /** −1000 to 1000 each. */
  first: number;
  second: number;
  /** At most 254. Default none. */
  others?: number[];
}
export interface RatioOutput {
  /** first − second. */
  lead: number;
  /** e^lead; null when it is too large for a float. */
  e_lead: number | null;
  /** first, second, others. */
  shares: number[];
  /** In percent with one decimal; they add up to exactly 100.0 in tenths. */
  percents1: number[];
  /** The others' shares together. */
  rest: number;
  /** Share of first / share of second; null where one of them is too small for a float. */
  measured: number | null;
  /** Their parts of what the two have together. */
  of_two: [number, number];
}

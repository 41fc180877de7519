// The JSON of the lesson rotary; see lessons.ts.

/** A query and a key, turned pair by pair by their places. */
export interface RotaryInput {
  /** Equally many, an even count from 2 to 256; each −1000 to 1000. */
  q: number[];
  k: number[];
  /** Places of query and key: whole numbers from 0 to 100,000. */
  m: number;
  n: number;
  /** 1 to 10⁹. Default 10,000. */
  base?: number;
  /** 1 to 8 bases whose wavelengths are compared. */
  bases?: number[];
  /** 1 to 16 whole numbers from 0 to 100,000 by which both places are moved on. */
  shifts?: number[];
}
export interface RotaryPair {
  /** base^(−2j/d): radians a place. */
  theta: number;
  /** 2π/theta: places for a whole turn. */
  wavelength: number;
  /** Turns that the query's place makes, and the key's. */
  q_turns: number;
  k_turns: number;
  q_turned: [number, number];
  k_turned: [number, number];
  /** Both products of the turned pairs, added. */
  product: number;
}
export interface RotaryOutput {
  d: number;
  q: number[];
  k: number[];
  m: number;
  n: number;
  /** m − n. */
  distance: number;
  base: number;
  /** d / 2 of them: numbers 2j and 2j + 1. */
  pairs: RotaryPair[];
  /** The pairs' products added up. */
  score: number;
  /** Of query and key as they are. */
  unturned: number;
  /** The query turned by `distance` places, the key not at all. */
  at_distance: number;
  /** The same distance at other places, one entry a shift. */
  elsewhere: { m: number; n: number; score: number }[];
  /** The largest difference between any two of score, at_distance and those of elsewhere. */
  most_apart: number;
  /** One entry for each of `bases`. */
  compared: { base: number; wavelengths: number[] }[];
}

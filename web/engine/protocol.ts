// What client and worker say to each other. Results travel as values, so that an error keeps its code.

import type { Origin } from '../worker/source/types.ts';
import type { CellArithmetic, Draw, Drawn, Guess, HeadGrids, Input, KeptModel, LayerGallery, LoadProgress, Memory, ModelInfo, Offer, Precision, SumArithmetic, Token } from './types.ts';

export type Outcome<T> = { ok: T } | { error: string; sentence: string };

export const littleName = 'Little model';

/** Where the site's files lie, as absolute addresses ending in a slash. */
export interface Places {
  /** Holds simd/ and threads/. */
  wasm: string;
  /** Holds GPT-2's vocab.json and merges.txt. */
  gpt2Vocabulary: string;
  /** Upper limit for threads. */
  mostThreads: number;
}

export interface StartedPass {
  tokens: Token[];
  pass: number;
  milliseconds: number;
  trace_bytes: number;
}

/** What to load, and how. */
export interface LoadOrder {
  origin: Origin;
  precision: Precision;
  /** What the page shows now: the model is worth showing when it can show something of this. */
  input: Input | null;
  /**
   * Whether `input` may be told by the order of requests, as a sentence of the book may. A row of the token table is a
   * token, so what a reader typed may not: the table then comes whole, before the layers.
   */
  open_text: boolean;
}

/** `usable`: the model can show something of the order's input now; it is said once. */
export type LoadNews = (progress: LoadProgress, usable: ModelInfo | null) => void;

/** The worker's side. `call` is the client's number for a call that can be cancelled. */
export interface WorkerApi {
  /** `expect`: what the first load will ask for, so that it can be fetched while the module is; null for no model. */
  start(places: Places, expect: Origin | null): Promise<Outcome<true>>;
  lesson(name: string, input: string): Promise<Outcome<string>>;
  inspect(call: number, origin: Origin): Promise<Outcome<Offer>>;
  load(call: number, order: LoadOrder, tell: LoadNews): Promise<Outcome<ModelInfo>>;
  kept(): Promise<Outcome<KeptModel[]>>;
  removeKept(key: string): Promise<Outcome<true>>;
  tokenize(call: number, text: string): Promise<Outcome<Token[]>>;
  run(call: number, input: Input): Promise<Outcome<StartedPass>>;
  head(pass: number, layer: number, head: number): Promise<Outcome<HeadGrids>>;
  cell(pass: number, layer: number, head: number, query: number, key: number): Promise<Outcome<CellArithmetic>>;
  blended(pass: number, layer: number, head: number, position: number, i: number): Promise<Outcome<SumArithmetic>>;
  written(pass: number, layer: number, head: number, position: number, column: number): Promise<Outcome<SumArithmetic>>;
  gallery(pass: number, layer: number, most: number): Promise<Outcome<LayerGallery>>;
  activation(pass: number, name: string): Promise<Outcome<{ shape: number[]; data: Float32Array }>>;
  /** The trace as a safetensors file. */
  trace(call: number, pass: number): Promise<Outcome<Blob>>;
  lens(pass: number, layersDone: number, position: number, k: number): Promise<Outcome<Guess[]>>;
  sampler(draw: Draw): Promise<Outcome<true>>;
  next(pass: number, k: number): Promise<Outcome<Drawn>>;
  fingerprint(pass: number): Promise<Outcome<string>>;
  memory(): Promise<Outcome<Memory>>;
  cancel(call: number): Promise<void>;
}

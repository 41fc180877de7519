// What the engine's client offers. Importable without the book: see client.ts.
//
// Layers, heads and positions count from 0. Grids are row-major Float32Arrays: row = the token that looks, column = the
// token it looks at. Every call fails with an EngineError, whose message is one sentence for people.

import type { Lessons } from './lessons.ts';
import type { PracticeName, PracticeOptions, Training } from './training-types.ts';

export type LessonName = keyof Lessons;

/** What the core or the worker could not do: a code for programs, and `message`, one sentence for people. */
export class EngineError extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
    this.name = 'EngineError';
  }
}

export interface ModelConfig {
  n_layers: number;
  n_heads: number;
  d_model: number;
  d_head: number;
  d_mlp: number;
  n_positions: number;
  d_vocab: number;
  tied_head: boolean;
}

/** How weights are kept in memory: exactly, rounded to halves, or as bytes with a scale for each column. */
export const precisions = ['f32', 'f16', 'int8'] as const;
export type Precision = (typeof precisions)[number];

/** The model in use. */
export interface ModelInfo {
  name: string;
  /** The site's own little model, files from the reader's disk, or files that were fetched from elsewhere. */
  origin: 'little' | 'disk' | 'web';
  /** The host that a fetched model came from; empty for the others. */
  host: string;
  precision: Precision;
  /** Parts of it are still on their way; what needs them fails with code "not_yet". */
  arriving: boolean;
  config: ModelConfig;
  /** Numbers learned, without padding. */
  n_parameters: number;
  /** Bytes of the packed weights. */
  weight_bytes: number;
  /** Bytes of the files with the weights, as they lie on the disk or on the host. */
  file_bytes: number;
  /** Whether its files lie at hand (on this device, or on this site), so that opening it again asks nobody. */
  at_hand: boolean;
  /** Whether text can be typed; without a vocabulary only ids go in. */
  vocabulary: 'own' | 'gpt2' | 'none';
  /** What a reader should know, one sentence each: tensors that hold NaN, a vocabulary that was taken from elsewhere. */
  notes: string[];
}

/**
 * A model that can be opened: files as picked or dropped (config.json, model.safetensors or its shards, vocab.json,
 * merges.txt); a repository on the hub, at a branch, tag or commit; the address of a folder or of a .safetensors file;
 * one that is kept on this device, by its key.
 */
export type ModelSource =
  | { name: string; files: File[] }
  | { repository: string; revision: string }
  | { address: string }
  | { kept: string };

/** A model that lies on this device. */
export interface KeptModel {
  key: string;
  name: string;
  /** Where it came from. */
  host: string;
  source: ModelSource;
  /** Bytes that it takes. */
  bytes: number;
  /** Whether all of it is there; else opening it fetches the rest. */
  whole: boolean;
  /** Whether its SHA-256 was found to be the published one. */
  confirmed: boolean;
}

/** What a model would cost, known from its header, before its weights are asked for. */
export interface Offer {
  name: string;
  /** Where the bytes would come from; empty when none leave this device. */
  host: string;
  file_bytes: number;
  /** Of the weights, without what need not be fetched. */
  bytes_to_read: number;
  /** `refused`: one sentence about why it cannot be opened so; else empty. */
  choices: Record<Precision, { kept_bytes: number; refused: string }>;
}

/** A part of a model on its way: the token table, the position table, a layer counted from 0, or what follows the layers. */
export interface ArrivingPart {
  part: 'tokens' | 'positions' | 'last' | number;
  done_bytes: number;
  total_bytes: number;
}

export interface LoadProgress {
  /** What is being done, in words: "Reading layer 3". */
  step: string;
  /** Bytes of the weights that are there, of those that are needed. */
  done_bytes: number;
  total_bytes: number;
  /** In the model's order; empty until its header is known. */
  parts: readonly ArrivingPart[];
  /** What `done_bytes` comes to when the whole token table is there. */
  tokens_at: number;
  /** The same for a layer's queries, keys and values, layer by layer. */
  layers_at: readonly number[];
  /** Layers whose queries, keys and values are there for the text at hand. */
  layers_begun: number;
  /** One sentence about what went wrong on the way and how it goes on; else empty. */
  notice: string;
}

/** A part of a token as people read it; `kind` as in core/text/display.hpp. */
export interface TokenPiece {
  kind: 'text' | 'space' | 'newline' | 'tab' | 'code_point' | 'bytes';
  shown: string;
}

export interface Token {
  id: number;
  pieces: TokenPiece[];
  /** Number of the word it belongs to; neighbours with the same number are pieces of one word. */
  word: number;
}

/** A pass over a text. Lens calls speak of the latest one. It is finished, unless the model still arrives. */
export interface Run {
  tokens: Token[];
  /** Grows with every pass; a lens call for another pass than the latest fails with code "stale". */
  pass: number;
  milliseconds: number;
  trace_bytes: number;
}

/** What a pass shall change, for "what if" questions (core/model/edits.hpp); what is not named stays as the model has it. */
export interface Edits {
  /** Rows of the position table: as learned, none at all, or the table dealt anew by `seed`. */
  positions?: 'learned' | 'none' | 'shuffled';
  seed?: number;
  /** Heads whose blend is 0. */
  silenced?: { layer: number; head: number }[];
  /** Shares that take the place of a head's own; row + 1 of them. */
  replaced?: { layer: number; head: number; row: number; shares: number[] }[];
}

export type Input = ({ text: string } | { ids: number[] }) & { edits?: Edits };

/** One head of the latest pass, every stage. n tokens. */
export interface HeadGrids {
  n: number;
  /** [n, n] q · k for every pair. */
  raw: Float32Array;
  /** [n, n] divided by √d_head; the mask hides columns after the row. */
  scaled: Float32Array;
  /** [n, n] shares, 0 where masked. */
  pattern: Float32Array;
  /** [n, d_head] blended values. */
  z: Float32Array;
  /** [n, d_model] what the head adds to the residual stream, through its rows of W_O; null while those are on their way. */
  output: Float32Array | null;
}

/** One row's q, k or v, and the arithmetic of a cell: core/lens/heads.hpp. */
export interface CellArithmetic {
  query: Float32Array;
  key: Float32Array;
  products: Float32Array;
  raw: number;
  root: number;
  scaled: number;
  masked: boolean;
  maximum: number;
  exponential: number;
  sum: number;
  share: number;
}

/** A sum of products, added up in order: core/lens/heads.hpp. */
export interface SumArithmetic {
  left: Float32Array;
  right: Float32Array;
  products: Float32Array;
  sum: number;
}

/** What a head's score in the gallery counts, in order: core/lens/census.hpp's roles, then the entropy in bits. */
export const headScores = ['previous', 'first', 'same', 'induction', 'itself', 'entropy'] as const;

/** All heads of a layer at a glance: core/lens/gallery.hpp. */
export interface LayerGallery {
  /** Rows and columns of a pattern that one square stands for. */
  block: number;
  /** Squares along a grid's side. */
  side: number;
  /** [n_heads, side, side] the largest share that a square stands for. */
  grids: Float32Array;
  /** [n_heads, headScores.length] NaN where no look of the text could have the role. */
  scores: Float32Array;
}

export interface Guess {
  id: number;
  pieces: TokenPiece[];
  logit: number;
  probability: number;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface LoadOptions extends CallOptions {
  /** f32 where nothing is said. */
  precision?: Precision;
  onProgress?: (progress: LoadProgress) => void;
}

/** How the next token is drawn from the whole distribution. */
export interface Draw {
  temperature: number;
  /** 0: no limit. */
  top_k: number;
  /** 1: no limit. */
  top_p: number;
  seed: number;
}

export interface Drawn {
  id: number;
  probability: number;
  /** The likeliest tokens, with the chance that each had in this draw. */
  alternatives: Guess[];
}

/** Bytes. */
export interface Memory {
  /** Of the wasm heap, in all. */
  heap_bytes: number;
  weight_bytes: number;
  trace_bytes: number;
  threads: number;
}

/** By how much a model's shares differ from those of the same model in f32, at most, over all heads of a text. */
export interface Difference {
  /** The largest difference of two shares, 0 to 1, and where it is. */
  most: number;
  layer: number;
  head: number;
  query: number;
  key: number;
}

export interface Engine {
  /** Asks a toy world of core/lessons. */
  lesson<N extends LessonName>(name: N, input: Lessons[N]['input'], options?: CallOptions): Promise<Lessons[N]['output']>;

  /** Begins to train one of the smallest models, beside everything else; `onProgress` is called after every change of it. */
  train<N extends PracticeName>(name: N, options: PracticeOptions[N], call?: CallOptions & { onProgress?: () => void }): Promise<Training>;

  /** The model that is open now, or null: nothing was asked of it yet, or it was lost. */
  model(): ModelInfo | null;
  /**
   * The model in use. At the start this is the little model, and after a loss the one that was lost: it is opened first.
   * Null where a site has no little model and nothing was opened.
   */
  inUse(options?: CallOptions): Promise<ModelInfo | null>;
  /**
   * Loads a model beside the present one. As soon as it can show something of the latest text it is in use, while the rest
   * arrives; when it fails, the model before comes back.
   */
  open(source: ModelSource, options?: LoadOptions): Promise<ModelInfo>;
  /** Opens the site's little model in the same way. */
  openLittle(options?: LoadOptions): Promise<ModelInfo>;
  /** Opens the model in use once more, from where it came, with another precision. */
  reopen(options: LoadOptions): Promise<ModelInfo>;
  /** Asks what a model would cost: its config and header are fetched, no weights. */
  inspect(source: ModelSource, options?: CallOptions): Promise<Offer>;
  /** Drops the model and gives its memory back. What is asked next opens the little model. */
  close(): void;
  /** Called after every change of model, with the reason when it was lost; returns the way to stop. */
  onModel(listener: (model: ModelInfo | null, reason?: EngineError) => void): () => void;
  /** Called when a worker takes half a minute and longer to start, at once where one does, and when none does any more; returns the way to stop. */
  onLate(listener: (late: boolean) => void): () => void;
  /** Ends what takes so long to start, and starts it anew; what was asked of it is asked again. A training is begun again by who asked for it. */
  startAgain(): void;
  /** How far the model in use is on its way; null when it is whole. */
  arriving(): LoadProgress | null;
  /** Called when more of the model in use has come, and with null when it is whole; returns the way to stop. */
  onArrival(listener: (progress: LoadProgress | null) => void): () => void;

  /** Models that lie on this device. */
  kept(): Promise<KeptModel[]>;
  /** Removes a kept model from this device. */
  removeKept(key: string): Promise<void>;

  /** Of the model in use, as `inUse` has it. */
  tokenize(text: string, options?: CallOptions): Promise<Token[]>;
  /**
   * Computes the trace of a text in the model in use; what it shares with the last text is not computed again. While the
   * model arrives it resolves when the first layer's queries, keys and values are there.
   */
  run(input: Input, options?: CallOptions): Promise<Run>;
  head(run: Run, layer: number, head: number, options?: CallOptions): Promise<HeadGrids>;
  cell(run: Run, layer: number, head: number, query: number, key: number, options?: CallOptions): Promise<CellArithmetic>;
  /** Behind number `i` of a token's blend: shares times values. */
  blended(run: Run, layer: number, head: number, position: number, i: number, options?: CallOptions): Promise<SumArithmetic>;
  /** Behind number `column` of what a head writes to a token's row: its blend times a column of W_O. */
  written(run: Run, layer: number, head: number, position: number, column: number, options?: CallOptions): Promise<SumArithmetic>;
  /** The patterns of a layer's heads, `most` squares along a side at most, and what each mostly looks at in this text. */
  gallery(run: Run, layer: number, most: number, options?: CallOptions): Promise<LayerGallery>;
  /** Any intermediate by its name (core/lens/activations.hpp). */
  activation(run: Run, name: string, options?: CallOptions): Promise<{ shape: number[]; data: Float32Array }>;
  /**
   * Every intermediate of the pass but the heads' grids, as a safetensors file: the bytes of `lookback inside --save-trace`.
   * out_of_memory where it would be larger than a page can put together.
   */
  trace(run: Run, options?: CallOptions): Promise<Blob>;
  /** Top guesses after `layersDone` layers at a position. */
  lens(run: Run, layersDone: number, position: number, k: number, options?: CallOptions): Promise<Guess[]>;
  /** 64-bit hash of the trace's bits, hexadecimal: equal wherever the same text was computed. */
  fingerprint(run: Run): Promise<string>;
  /** Begins a series of draws: the same seed and the same runs give the same tokens. */
  sampler(draw: Draw): Promise<void>;
  /** Draws the token that follows a finished run, with the `k` likeliest beside it. */
  next(run: Run, k: number, options?: CallOptions): Promise<Drawn>;
  memory(): Promise<Memory>;
  /** Compares the model in use with itself in f32, on the latest text: it is opened once more, beside the present one. */
  difference(options?: CallOptions): Promise<Difference>;
}

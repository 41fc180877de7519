// Loads a module of the engine's: with threads where the page is cross-origin isolated, else without.

import { simd } from 'wasm-feature-detect';
import { ownScript } from '../engine/own-script.ts';
import type { Outcome } from '../engine/protocol.ts';
import type { Edits, Guess, ModelConfig } from '../engine/types.ts';
import type { Ledge } from '../engine/training-types.ts';

export type Precision = 'f32' | 'f16' | 'int8';

/** What a tensor is needed for: ln_1 and c_attn, attn.c_proj, ln_2 and the feed-forward step, ln_f. */
export type Part = 'wte' | 'wpe' | 'attention_in' | 'attention_out' | 'mlp' | 'last' | 'lm_head';

/** A stretch of a checkpoint that must be fetched; bytes from its file's start. */
export interface FileRange {
  /** Number of the file, from 0. */
  file: number;
  /** The tensor's, as the file spells it. */
  name: string;
  begin: number;
  end: number;
  part: Part;
  /** The layer, or -1. */
  layer: number;
  /** Of wte, wpe and lm_head: bytes of one row. */
  row_bytes?: number;
}

export interface LoadPlan {
  ranges: FileRange[];
  bytes_to_read: number;
  /** Memory of the weights in the precision asked for. */
  kept_bytes: number;
  config: ModelConfig;
  notes: string[];
}

/** wasm/bindings.cpp's Session, as Embind hands it out. Text goes in as UTF-8 bytes. */
export interface Session {
  loadVocabulary(vocabJson: Uint8Array, merges: Uint8Array): Outcome<number>;
  headerLength(beginning: Uint8Array, fileSize: number): Outcome<number>;
  /** The files of model.safetensors.index.json; plan takes their headers in this order and checks them against it. */
  shards(index: Uint8Array): Outcome<{ files: string[] }>;
  /** headers: the JSON after the first 8 bytes, of one file or of each shard. out_of_memory names a precision that fits. */
  plan(config: Uint8Array, headers: Uint8Array[], fileSizes: number[], precision: Precision): Outcome<LoadPlan>;
  allocate(): Outcome<true>;
  staging(size: number): Outcome<Uint8Array>;
  /** The first `size` staged bytes, which begin at byte `begin` of the file. Bytes that came before are ignored. */
  write(file: number, begin: number, size: number): Outcome<true>;
  finish(): Outcome<unknown>;
  /** A short text at once. */
  tokenize(text: Uint8Array): Outcome<unknown>;
  /** A text that is done a bit at a time: its number. stepText until it says that nothing is left; endText in any case. */
  beginText(text: Uint8Array): Outcome<number>;
  /** `work` in bytes looked at and merges tried. Whether something is left. */
  stepText(text: number, work: number): Outcome<boolean>;
  textTokens(text: number, first: number, most: number): Outcome<unknown[]>;
  endText(text: number): void;
  token(id: number): Outcome<unknown>;
  /** The number of steps. not_yet: a row of the token or position table is still to come. */
  beginPass(ids: number[], edits: Edits | null): Outcome<number>;
  /** Whether steps are left. not_yet: its weights are still to come; the same step can be tried again. */
  step(): Outcome<boolean>;
  abandon(): void;
  /** Of how many layers q, k and v are there for all tokens of the pass. */
  layersBegun(): number;
  /** How next draws, from a new seed on; topK 0 means all. */
  sampler(temperature: number, topK: number, topP: number, seed: number): Outcome<true>;
  /** Draws the token after a finished pass; alternatives: the k likeliest, with the chance each had in the draw. */
  next(k: number): Outcome<{ id: number; probability: number; alternatives: Guess[] }>;
  traceBytes(): number;
  fingerprint(): string;
  head(layer: number, head: number): Outcome<unknown>;
  cell(layer: number, head: number, query: number, key: number): Outcome<unknown>;
  blended(layer: number, head: number, position: number, i: number): Outcome<unknown>;
  written(layer: number, head: number, position: number, column: number): Outcome<unknown>;
  gallery(layer: number, most: number): Outcome<unknown>;
  lens(layersDone: number, position: number, k: number): Outcome<unknown>;
  activation(name: Uint8Array): Outcome<unknown>;
  /** The trace as a safetensors file: its beginning, the names of the activations that follow it, and its size. */
  planTrace(): Outcome<{ header: Uint8Array<ArrayBuffer>; pieces: string[]; bytes: number }>;
}

/** wasm/training.cpp's Training. JSON goes in and comes out as text. */
export interface TrainingSession {
  begin(name: Uint8Array, options: Uint8Array): Outcome<string>;
  step(n: number): Outcome<Float32Array>;
  reading(): Outcome<string>;
  ledge(): Outcome<Ledge | null>;
}

/** wasm/bindings.cpp. */
export interface EngineModule {
  Session: new (threads: number) => Session;
  heapBytes(): number;
}

/** wasm/training.cpp. */
export interface TrainingModule {
  Training: new (threads: number) => TrainingSession;
}

/** wasm/lessons.cpp. */
export interface LessonsModule {
  lesson(name: Uint8Array, input: Uint8Array): Outcome<string>;
}

interface Modules {
  lookback: EngineModule;
  training: TrainingModule;
  lessons: LessonsModule;
}

export interface Loaded<Module> {
  module: Module;
  threads: number;
}

const MOST_THREADS = 8;

/** wasmBase: address of the folder that holds simd/ and threads/. */
export async function loadModule<Name extends 'lookback' | 'training'>(wasmBase: string, name: Name, mostThreads: number): Promise<Loaded<Modules[Name]>> {
  await needSimd();
  const cores = Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS, mostThreads);
  if (globalThis.crossOriginIsolated && cores > 1) {
    try {
      trustOwnThreads();
      return { module: await load(wasmBase, name, 'threads', cores), threads: cores };
    } catch {
      // A browser may refuse shared memory all the same; one thread gives the same numbers.
    }
  }
  return { module: await load(wasmBase, name, 'simd', 1), threads: 1 };
}

/** The toy worlds. */
export async function loadLessons(wasmBase: string): Promise<LessonsModule> {
  await needSimd();
  return load(wasmBase, 'lessons', 'simd', 1);
}

async function needSimd(): Promise<void> {
  if (await simd()) return;
  throw new Error(
    'This browser has no WebAssembly SIMD, which the figures need to compute. The text and the printed figures are complete without it.',
  );
}

/** Emscripten's glue starts its threads from plain addresses, which the page's policy refuses. */
function trustOwnThreads(): void {
  globalThis.Worker = class extends Worker {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(ownScript(String(script)), options);
    }
  };
}

async function load<Name extends keyof Modules>(wasmBase: string, name: Name, build: 'simd' | 'threads', threads: number): Promise<Modules[Name]> {
  const glue = new URL(`${build}/${name}.mjs`, wasmBase).href;
  const { default: create } = (await import(glue)) as { default(options: object): Promise<Modules[Name]> };
  return create({
    helpers: threads - 1,
    locateFile: (file: string) => new URL(`${build}/${file}`, wasmBase).href,
    mainScriptUrlOrBlob: glue,
  });
}

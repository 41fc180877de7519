// Where a model's bytes come from, in one shape for all origins: the reader's files, a hub repository, an address, what
// is kept from before, or the site's own folder. Nothing here knows the engine; the core's checks come in as functions.
//
// How it goes: open.ts gives a Model; the core plans from its headers; order.ts makes the plan's ranges a list of reads;
// Model.weights() yields bytes; Model.confirm() checks the whole and publishes what was kept.

import type { ModelStore } from '../store/types.ts';
import type { Patience } from './patience.ts';

/** What went wrong: a code for programs, and `message`, one sentence for people. */
export class ModelError extends Error {
  constructor(
    readonly code: 'bad_address' | 'not_found' | 'refused' | 'unreachable' | 'bad_file' | 'changed' | 'damaged' | 'not_kept' | 'in_use',
    sentence: string,
    /** The bytes that came so far are of no use, but a fresh start will do: see `startingOver` in open.ts. */
    readonly startOver = false,
  ) {
    super(sentence);
    this.name = 'ModelError';
  }
}

export type Origin =
  | { kind: 'site'; folder: string } // the address of a folder, with a slash at its end
  | { kind: 'files'; name: string; files: PickedFiles }
  | { kind: 'hub'; repo: string; revision: string }
  | { kind: 'address'; url: string } // of a .safetensors file or of the folder that holds model.safetensors
  | { kind: 'kept'; key: string };

/** The reader's own files, already told apart. */
export interface PickedFiles {
  config: Blob;
  weights: { name: string; blob: Blob }[];
  /** model.safetensors.index.json, where there are shards. */
  index: Blob | null;
  vocabulary: { tokens: Blob; merges: Blob } | null;
}

/** What a source can tell about a file before it reads it. */
export interface SourceFile {
  /** As the model's folder spells it: "model.safetensors". */
  name: string;
  /** Bytes; null where nobody says (then the safetensors header does). */
  size: number | null;
  /** Equal as long as the content is: the hub's hash, or an ETag; null where none can be read. */
  identity: string | null;
  /** The whole file's SHA-256, hexadecimal, where the host or a table tells it. */
  sha256: string | null;
}

/** A file that is there, with its first 512 bytes or more, or all of it when it is shorter. */
export interface FoundFile extends SourceFile {
  beginning: Uint8Array;
}

/** One stretch of one file. */
export interface Piece {
  /** Bytes from the file's start. */
  begin: number;
  bytes: Uint8Array;
}

/** Reads files; how, is each origin's affair. Fails with a ModelError, or with the signal's reason. */
export interface Source {
  /** What the page names before it asks: "huggingface.co"; null when nothing leaves the machine. */
  readonly host: string | null;
  /** Null when there is no such file. */
  find(name: string, signal: AbortSignal): Promise<FoundFile | null>;
  /** A small file whole, or null when there is none; more than `most` bytes are an error. */
  small(name: string, most: number, signal: AbortSignal): Promise<Uint8Array | null>;
  /**
   * Exactly the bytes from `begin` up to `end`, in rising order, in parts of any size, each good until the next is asked
   * for. Resumes by itself after a cut.
   */
  read(file: SourceFile, begin: number, end: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Whether reads may come in any order; false once the host has answered a range with the whole file. */
  anyOrder(): boolean;
  /** Ends connections that are still open. */
  close(): void;
}

/** The core's checks (wasm/bindings.cpp); each throws when it refuses, with the core's sentence. */
export interface CoreChecks {
  /** Length of the safetensors header in bytes. `fileSize` is Number.MAX_SAFE_INTEGER where nobody says it. */
  headerLength(beginning: Uint8Array, fileSize: number): number;
  /** The files that model.safetensors.index.json names, in order. */
  shards(index: Uint8Array): string[];
}

/** A file with weights, its header read. */
export interface WeightsFile extends SourceFile {
  size: number;
  /** The JSON of the safetensors header, without the 8 bytes before it. */
  header: Uint8Array;
}

/** A stretch of weights to read, as the core's plan lists them; file numbers count Model.files. */
export interface Read {
  file: number;
  begin: number;
  end: number;
  /** As in the core's plan. */
  part: string;
  /** The layer, or -1. */
  layer: number;
  /** A row that comes early and comes again with its table: not kept, not counted. */
  early: boolean;
}

export interface Chunk extends Piece {
  file: number;
  read: Read;
  from: 'store' | 'network' | 'disk';
}

/** A model that can be loaded: its small files are here, its weights come when asked for. */
export interface Model {
  /** What people call it. */
  name: string;
  origin: Origin['kind'];
  /** The host that is asked for what is not kept; null when nothing leaves the machine. */
  host: string | null;
  config: Uint8Array;
  /** 'gpt2': the hub's own, which the site carries too; null: none was found. */
  vocabulary: { tokens: Uint8Array; merges: Uint8Array } | 'gpt2' | null;
  /** The beginning of a sentence: which file is to blame that none was found; empty where there is neither of the two. */
  wordless: string;
  files: WeightsFile[];
  /** Bytes of weights that need not be fetched, as they are kept from before. */
  keptBytes(): number;
  /**
   * The bytes of `reads`, in their order where the source can, else in file order. Bytes outside of the reads may come
   * along. A chunk's bytes are good until the next is asked for. What comes from the network is kept on the way.
   */
  weights(reads: Read[], signal: AbortSignal): AsyncIterable<Chunk>;
  /**
   * After the last chunk: checks the whole file's hash where it is known, and publishes what was kept. `sentence` says
   * what a reader should know: confirmed, or why it is not kept; null when there is nothing to say.
   */
  confirm(signal: AbortSignal): Promise<{ kept: boolean; confirmed: boolean; sentence: string | null }>;
  /** Ends reads and locks; to be called in any case, also after a failure. */
  close(): Promise<void>;
}

export interface OpenOptions {
  core: CoreChecks;
  /** Null: nothing is kept. */
  store: ModelStore | null;
  signal: AbortSignal;
  /** One sentence about what happened on the way: a cut that was mended, a quota that is full. */
  say(sentence: string): void;
  /** Where the hub is; ends with a slash. */
  hub?: string;
  patience?: Patience;
}

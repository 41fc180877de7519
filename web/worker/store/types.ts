// Where fetched models are kept: the browser's private file system, else its cache, else memory.

import type { Origin, SourceFile } from '../source/types.ts';
import type { Pieces } from './pieces.ts';

/** Where bytes lie, by folder and name. */
export interface Shelf {
  readonly kind: 'opfs' | 'cache' | 'memory';
  folders(): Promise<string[]>;
  /** Names in a folder; none when there is no such folder. */
  names(folder: string): Promise<string[]>;
  /** Bytes; null when there is none. */
  size(folder: string, name: string): Promise<number | null>;
  /** Null when there is none. The bytes lie in `room` where that is possible, which saves fresh memory. */
  get(folder: string, name: string, room?: Uint8Array): Promise<Uint8Array | null>;
  /** Resolves when the bytes are written. Rejects when there is no room. */
  put(folder: string, name: string, bytes: Uint8Array): Promise<void>;
  /** The whole folder when no name is given. */
  remove(folder: string, name?: string): Promise<void>;
}

export type RemoteOrigin = Extract<Origin, { kind: 'hub' | 'address' }>;

/** All of a model but its weights. It is kept before them, so that a later visit can tell whether they still fit. */
export interface ModelRecord {
  name: string;
  origin: RemoteOrigin;
  host: string | null;
  files: (SourceFile & { size: number })[];
  /** The headers of `files`. */
  headers: Uint8Array[];
  config: Uint8Array;
  vocabulary: { tokens: Uint8Array; merges: Uint8Array } | 'gpt2' | null;
  /** As in the Model of source/types.ts. */
  wordless: string;
}

/** A row of the list that a reader sees. */
export interface KeptModel {
  key: string;
  name: string;
  /** Where it came from, and from which host. */
  origin: RemoteOrigin;
  host: string | null;
  /** Bytes that it takes. */
  bytes: number;
  /** Whether all of it is there; else loading it goes on from what is. */
  whole: boolean;
  /** Whether the whole file's SHA-256 was found to be the published one. */
  confirmed: boolean;
}

/** One model's folder, locked for this tab until it is released. */
export interface KeptFolder {
  readonly whole: boolean;
  readonly confirmed: boolean;
  /** What was kept of it; null when nothing was, or it is damaged. */
  readonly record: ModelRecord | null;
  readonly pieces: Pieces;
  /** Empties the folder and begins with this record. */
  begin(record: ModelRecord): Promise<void>;
  /** Says, last of all writes, that everything is there. */
  publish(confirmed: boolean): Promise<void>;
  /** Whether a later visit would find it whole: the browser may clear it at any time. */
  stands(): Promise<boolean>;
  /** Removes all of it. */
  drop(): Promise<void>;
  release(): void;
}

/** The browser is asked not to clear it by the page: navigator.storage.persist() is no worker's. */
export interface ModelStore {
  readonly kind: Shelf['kind'];
  list(): Promise<KeptModel[]>;
  /** Fails with code "in_use" while a tab reads or fetches it. */
  remove(key: string): Promise<void>;
  /** Bytes that the browser would still take; null when it does not say. */
  room(): Promise<number | null>;
  /** Waits, and says so, while another tab fetches the same model. */
  open(key: string, signal: AbortSignal, say: (sentence: string) => void): Promise<KeptFolder>;
}

// Files on a host. A cut is mended by asking for the rest; an expired redirect by asking the original address; a host that
// knows no ranges is read as one stream per file, as long as reads go up.

import { shownName } from '../../engine/shown-name.ts';
import { fixed } from '../../marks/number.ts';
import { Again, type Answer, ask, differ } from './ask.ts';
import { type Patience, pause } from './patience.ts';
import { ModelError, type Source, type SourceFile } from './types.ts';

/** Enough for the header of any GPT-2, so that one request tells all about a file. */
const BEGINNING = 1 << 16;
/** Of a host that sends the whole file, this much shows what it is; the rest waits for the reads. */
const ENOUGH = 512;

export interface Remote {
  /** Ends with a slash. */
  folder: string;
  /** Sent along with every file: signed addresses need it. "" or "?…" */
  query: string;
  /** The whole file's SHA-256, by the file's name. */
  hashes: Record<string, string>;
  patience: Patience;
  say(sentence: string): void;
}

/** An answer under way. Those of a host without ranges wait for the next read of their file. */
interface Stream {
  answer: Answer;
  /** Where in the file the next byte stands. */
  position: number;
  /** Bytes that came but were not wanted yet. */
  rest: Uint8Array | null;
}

export function remoteSource({ folder, query, hashes, patience, say }: Remote): Source {
  const { host } = new URL(folder);
  const streams = new Map<string, Stream>();
  const beginnings = new Map<string, Uint8Array>();
  let ranges = true;
  let answered = false; // whether this host has ever answered

  const addressOf = (name: string) => new URL(encodeURIComponent(name), folder).href + query;
  async function request(name: string, begin: number, end: number | null, signal: AbortSignal): Promise<Answer | null> {
    const answer = await ask(addressOf(name), begin, end, patience.silence, signal);
    answered = true;
    return answer;
  }

  function failed({ clause, code }: Again, times: number): ModelError {
    if (code === 'refused') return new ModelError('refused', `${clause}; it gives this file to nobody, or not to this page.`);
    if (globalThis.navigator?.onLine === false) return new ModelError('unreachable', 'This device is offline; try again later.');
    const why = answered ? `${clause}, ${times} times` : 'there is no such host, or it lets no other site’s pages read its files';
    return new ModelError('unreachable', `${host} could not be reached: ${why}. Try again later.`);
  }

  /** Counts failures in a row, and waits after each. */
  function tries(signal: AbortSignal) {
    let failures = 0;
    return {
      good: () => (failures = 0),
      async bad(reason: unknown): Promise<void> {
        if (!(reason instanceof Again)) throw reason;
        // A refusal that outlives a second fresh redirect is meant, and so is silence from the start.
        const most = reason.code === 'refused' || !answered ? Math.min(2, patience.pauses.length) : patience.pauses.length;
        if (failures >= most) throw failed(reason, failures + 1);
        await pause(Math.max(patience.pauses[failures++]!, reason.wait), signal);
      },
    };
  }

  /** Does the work again until it succeeds or patience ends. */
  async function patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { bad } = tries(signal);
    for (;;) {
      try {
        return await work();
      } catch (reason) {
        await bad(reason);
      }
    }
  }

  /** The next bytes, `enough` or more of them; `ended` when there are no others. */
  async function gathered(answer: Answer, enough: number): Promise<{ bytes: Uint8Array; ended: boolean }> {
    const parts: Uint8Array[] = [];
    let size = 0;
    let ended = false;
    while (size < enough && !ended) {
      const part = await answer.next();
      if (part) parts.push(part.slice());
      else ended = true;
      size += part?.length ?? 0;
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return { bytes, ended };
  }

  function drop(name: string): void {
    streams.get(name)?.answer.end();
    streams.delete(name);
  }

  function unchanged(file: SourceFile, answer: Answer): void {
    const other = differ(file.identity, answer.identity) || (file.size !== null && answer.size !== null && file.size !== answer.size);
    if (!other) return;
    answer.end();
    throw new ModelError('changed', `${shownName(file.name)} at ${host} was changed while it was read, so it is read again from its beginning.`, true);
  }

  /** A stream whose next byte is at `at` or before it; from here on it belongs to the caller. */
  async function streamAt(file: SourceFile, at: number, end: number, signal: AbortSignal): Promise<Stream> {
    const waiting = streams.get(file.name);
    if (waiting && waiting.position <= at) {
      streams.delete(file.name);
      return waiting;
    }
    const answer = await request(file.name, at, end, signal);
    if (!answer) throw new ModelError('not_found', `${host} no longer has ${shownName(file.name)}.`);
    unchanged(file, answer);
    if (answer.whole) ranges = false;
    return { answer, position: answer.whole ? 0 : at, rest: null };
  }

  /** The stream's next bytes within [at, end); null at its end. What lies before is dropped, what lies after waits. */
  async function within(stream: Stream, at: number, end: number): Promise<Uint8Array | null> {
    for (;;) {
      const part = stream.rest ?? (await stream.answer.next());
      stream.rest = null;
      if (!part) return null;
      const from = Math.max(at - stream.position, 0);
      const to = Math.min(end - stream.position, part.length);
      if (to <= from) {
        stream.position += part.length;
        continue;
      }
      stream.position += to;
      if (to < part.length) stream.rest = part.subarray(to);
      return part.subarray(from, to);
    }
  }

  async function* read(file: SourceFile, begin: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const known = beginnings.get(file.name);
    let at = begin;
    if (known && at < Math.min(end, known.length)) {
      yield known.subarray(at, Math.min(end, known.length));
      at = Math.min(end, known.length);
    }
    const { good, bad } = tries(signal);
    let stream: Stream | null = null;
    let lastEnd = -1; // where a stream ended properly, but too early
    try {
      while (at < end) {
        try {
          stream ??= await streamAt(file, at, end, signal);
          const part = await within(stream, at, end);
          if (!part) {
            if (lastEnd === at) throw new ModelError('bad_file', `${shownName(file.name)} at ${host} is truncated: it ends before byte ${fixed(end, 0)}, which its header promises.`);
            lastEnd = at;
            throw new Again('the connection was cut');
          }
          at += part.length;
          good();
          yield part;
        } catch (reason) {
          stream?.answer.end();
          stream = null;
          await bad(reason);
          say(`${sentenceOf(reason as Again)} after ${(at / 1e6).toFixed(1)} MB of ${shownName(file.name)}; it goes on from there.`);
        }
      }
      if (!stream?.answer.whole) return;
      // Of a host without ranges the stream goes on with the next read.
      drop(file.name);
      streams.set(file.name, stream);
      stream = null;
    } finally {
      stream?.answer.end();
    }
  }

  return {
    host,
    anyOrder: () => ranges,
    read,
    close: () => [...streams.keys()].forEach(drop),
    small: (name, most, signal) =>
      patiently(signal, async () => {
        const answer = await request(name, 0, null, signal);
        const all = answer && (await gathered(answer, most + 1));
        if (!all || all.ended) return all?.bytes ?? null;
        answer!.end();
        throw new ModelError('bad_file', `${name} at ${host} is larger than ${(most / 1e6).toFixed(0)} MB; a small file was expected.`);
      }),
    find: (name, signal) =>
      patiently(signal, async () => {
        drop(name);
        beginnings.delete(name);
        const answer = await request(name, 0, BEGINNING, signal);
        if (!answer) return null;
        const { bytes, ended } = await gathered(answer, answer.whole ? ENOUGH : BEGINNING);
        if (answer.whole && !ended) streams.set(name, { answer, position: bytes.length, rest: null });
        else answer.end();
        if (answer.whole) ranges = false;
        beginnings.set(name, bytes);
        return { name, size: answer.size ?? (ended && answer.whole ? bytes.length : null), identity: answer.identity, sha256: hashes[name] ?? answer.sha256, beginning: bytes };
      }),
  };
}

const sentenceOf = ({ clause }: Again) => clause[0]!.toUpperCase() + clause.slice(1);

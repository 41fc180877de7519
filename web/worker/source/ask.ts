// One polite request: GET, one range, nothing that would need a preflight, since the hosts that the hub sends a reader to
// refuse those. What a host lets a page read of its headers is taken; nothing depends on it.

import { fixed } from '../../marks/number.ts';
import { partsOf } from './parts.ts';
import { ModelError } from './types.ts';

export interface Answer {
  /** 206: the bytes asked for; 200: the whole file from byte 0. */
  whole: boolean;
  /** Bytes of the whole file, where readable. */
  size: number | null;
  /** "linked:…", "etag:…" or "date:…", the best that is readable. */
  identity: string | null;
  /** The whole file's SHA-256, where the host tells it. */
  sha256: string | null;
  /** The next bytes, good until the next call, or null at the end. Rejects when the connection breaks or stays silent. */
  next(): Promise<Uint8Array | null>;
  /** Ends the connection. */
  end(): void;
}

/** An answer that another try may better: busy hosts, redirects that expired, broken connections. */
export class Again extends Error {
  constructor(
    /** What happened, as a clause: "the connection was cut". */
    readonly clause: string,
    /** Milliseconds that the host asks to wait. */
    readonly wait = 0,
    /** What it means when it stays so. */
    readonly code: 'unreachable' | 'refused' = 'unreachable',
  ) {
    super(clause);
  }
}

const LONGEST_WAIT = 30_000;

/** Bytes from `begin` up to `end` of `url`; `end` null: the whole file, without a range. */
export async function ask(url: string, begin: number, end: number | null, silence: number, signal: AbortSignal): Promise<Answer | null> {
  signal.throwIfAborted();
  const connection = new AbortController();
  const stop = () => connection.abort(signal.reason);
  signal.addEventListener('abort', stop);
  const close = () => {
    signal.removeEventListener('abort', stop);
    connection.abort();
  };
  /** What is awaited, or Again after too long a silence. */
  const heard = async <T>(promise: Promise<T>): Promise<T> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silent = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Again('the host fell silent')), silence);
    });
    try {
      return await Promise.race([promise, silent]);
    } catch (reason) {
      close();
      signal.throwIfAborted();
      throw reason instanceof Again ? reason : new Again('the connection was cut');
    } finally {
      clearTimeout(timer);
    }
  };

  const answer = await heard(
    fetch(url, {
      headers: end === null ? {} : { Range: `bytes=${begin}-${end - 1}` },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: connection.signal,
    }),
  );
  const refusal = refusalOf(answer, begin);
  if (refusal !== 'none') {
    close();
    if (refusal) throw refusal;
    return null;
  }
  const read = partsOf(answer.body!, end === null ? undefined : end - begin);
  return {
    whole: answer.status === 200,
    ...told(answer),
    async next() {
      const part = await heard(read());
      if (!part) close();
      return part;
    },
    end: close,
  };
}

/** Null: there is no such file. 'none': the bytes come. */
function refusalOf(answer: Response, begin: number): Error | null | 'none' {
  const { status } = answer;
  const host = new URL(answer.url).host;
  const seconds = Number(answer.headers.get('Retry-After'));
  const wait = Number.isFinite(seconds) ? Math.min(1000 * Math.max(seconds, 0), LONGEST_WAIT) : 0;
  if (status === 206 && answer.body) {
    const from = /^bytes (\d+)-/.exec(answer.headers.get('Content-Range') ?? '')?.[1];
    return from === undefined || Number(from) === begin ? 'none' : new ModelError('bad_file', `${host} sent other bytes than it was asked for.`);
  }
  if (status === 200 && answer.body) return 'none';
  if (status === 404 || status === 410) return null;
  if (status === 416) {
    const what = begin === 0 ? 'is empty' : `has no byte ${fixed(begin, 0)}; it is shorter than its beginning promises`;
    return new ModelError('bad_file', `The file at ${host} ${what}.`);
  }
  if (status === 403) return new Again(`${host} refused (status 403)`, 0, 'refused');
  if (status === 401) return new ModelError('refused', `${host} wants an account for this model (status 401), or there is no model of this name.`);
  if (status === 408 || status === 425 || status === 429 || status >= 500) return new Again(`${host} was busy (status ${status})`, wait);
  return new ModelError('refused', `${host} answered with status ${status}; the file was expected.`);
}

function told({ status, headers }: Response): Pick<Answer, 'size' | 'identity' | 'sha256'> {
  // Content-Length is not asked: of a packed answer it is not the file's, and whether it is packed cannot always be read.
  const total = status === 206 ? /\/(\d+)$/.exec(headers.get('Content-Range') ?? '')?.[1] : null;
  const bare = (name: string) => headers.get(name)?.replace(/^W\//, '').replace(/^"|"$/g, '');
  const linked = bare('X-Linked-ETag');
  const etag = bare('ETag');
  const date = headers.get('Last-Modified');
  return {
    size: total ? Number(total) : null,
    identity: linked ? `linked:${linked}` : etag ? `etag:${etag}` : date ? `date:${date}` : null,
    sha256: linked && /^[0-9a-f]{64}$/.test(linked) ? linked : null,
  };
}

/** Whether two identities speak against each other; different kinds do not. */
export function differ(a: string | null, b: string | null): boolean {
  if (a === null || b === null || a === b) return false;
  return a.slice(0, a.indexOf(':')) === b.slice(0, b.indexOf(':'));
}

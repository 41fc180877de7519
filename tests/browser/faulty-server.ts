// Hosts of models that misbehave, each fault a switch. One answers as a hub does, the other holds the bytes where the
// first sends readers to. Neither answers a preflight, as the hub's storage does not.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Faults {
  /** The connection breaks after so many bytes of the weights, so many times (without end where not said). */
  cut?: { after: number; times?: number };
  /** A range is answered with the whole file and status 200. */
  noRanges?: boolean;
  /** A page may read no header of an answer. */
  mute?: boolean;
  /** After so many requests for weights there are other bytes under the same address. */
  changeAfter?: number;
  /** The hub sends readers to the storage with an address that is good for so many requests. */
  redirect?: { goodFor: number };
  /** What comes in place of the weights. */
  instead?: 'html' | 'lfs' | 'json';
  /** The file ends so many bytes early, while its header promises all. */
  truncated?: number;
  /** This byte has one bit turned, so many times (always where not said). */
  flip?: { at: number; times?: number };
  /** Milliseconds before each 64 kB. */
  slow?: number;
  /** The first requests for weights get this status. */
  busy?: { status: number; times: number };
  /** Tells the file's SHA-256 as the hub does. */
  linked?: string;
}

export interface Asked {
  method: string;
  file: string;
  range: string;
  status: number;
  /** Of the headers that a page could have set itself. */
  headers: string[];
}

export interface FaultyServer {
  /** Of the hub; ends with a slash. */
  address: string;
  /** May be changed at any time. */
  faults: Faults;
  files: Map<string, Buffer>;
  asked: Asked[];
  /** Bytes of weights that were sent. */
  sent: number;
  /** Begins anew: no faults, nothing asked. */
  reset(faults?: Faults): void;
  close(): Promise<void>;
}

const exposed = 'Content-Range, Content-Length, ETag, X-Linked-ETag, Accept-Ranges';
const isWeights = (name: string) => name.endsWith('.safetensors');
/** What Chromium adds by itself to a simple cross-origin request. */
const ofBrowser = /^(host|connection|accept|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|sec-.*|range)$/;

export async function faultyServer(files: Map<string, Buffer>): Promise<FaultyServer> {
  let counts = { ...none };

  const answer = async (request: IncomingMessage, response: ServerResponse, isStorage: boolean): Promise<void> => {
    const url = new URL(request.url!, 'http://host');
    const name = decodeURIComponent(url.pathname.split('/').at(-1)!);
    const range = String(request.headers.range ?? '');
    const { faults } = server;
    const record = (status: number) =>
      server.asked.push({ method: request.method!, file: name, range, status, headers: Object.keys(request.headers).filter((header) => !ofBrowser.test(header)) });
    const end = (status: number, headers: Record<string, string> = {}, body = '') => {
      record(status);
      response.writeHead(status, { ...(isStorage && status === 403 ? {} : { 'Access-Control-Allow-Origin': '*' }), ...headers }).end(body);
    };

    if (request.method !== 'GET') return end(405);
    const file = files.get(name);
    if (!file) return end(404, {}, 'Entry not found');
    const weights = isWeights(name);
    if (weights && faults.redirect && !isStorage) return end(302, { Location: `${storageAddress}${name}?signature=${counts.signature}` });
    if (isStorage) {
      // The hub learns only by a refusal that it must sign anew.
      const expired = url.searchParams.get('signature') !== String(counts.signature) || ++counts.uses > (faults.redirect?.goodFor ?? 0);
      if (expired) Object.assign(counts, { uses: 0, signature: counts.signature + 1 });
      if (expired) return end(403, {}, 'Request has expired');
    }
    if (weights) counts.weights++;
    if (weights && faults.busy && counts.busy++ < faults.busy.times) return end(faults.busy.status, { 'Retry-After': '0' });
    if (weights && faults.instead) return end(200, { 'Content-Type': 'text/html' }, substitutes[faults.instead]);

    const changed = weights && faults.changeAfter !== undefined && counts.weights > faults.changeAfter;
    const content = weights ? served(file, faults, changed) : file;
    const wanted = /^bytes=(\d+)-(\d*)$/.exec(range);
    const begin = wanted && !faults.noRanges ? Number(wanted[1]) : 0;
    const stop = wanted && !faults.noRanges ? Math.min(wanted[2] ? Number(wanted[2]) + 1 : content.length, content.length) : content.length;
    if (wanted && !faults.noRanges && begin >= content.length) return end(416);
    const partial = Boolean(wanted) && !faults.noRanges;
    const headers: Record<string, string> = { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/octet-stream' };
    if (!faults.mute) {
      Object.assign(headers, { 'Access-Control-Expose-Headers': exposed, ETag: changed ? '"second"' : '"first"' });
      if (faults.linked) headers['X-Linked-ETag'] = `"${faults.linked}"`;
    }
    if (partial) headers['Content-Range'] = `bytes ${begin}-${stop - 1}/${content.length}`;
    // A truncated file comes without its length, as through many a proxy.
    if (!faults.truncated || !weights) headers['Content-Length'] = String(stop - begin);
    record(partial ? 206 : 200);
    response.writeHead(partial ? 206 : 200, headers);
    await send(response, content.subarray(begin, stop), weights);
  };

  function served(file: Buffer, faults: Faults, changed: boolean): Buffer {
    const flipped = faults.flip && counts.flips++ < (faults.flip.times ?? Infinity);
    const cut = faults.truncated ? file.subarray(0, file.length - faults.truncated) : file;
    if (!flipped && !changed) return cut;
    const other = Buffer.from(cut);
    if (flipped) other[faults.flip!.at]! ^= 16;
    return changed ? otherVersion(other) : other;
  }

  async function send(response: ServerResponse, bytes: Buffer, weights: boolean): Promise<void> {
    const { cut, slow } = server.faults;
    const cuts = weights && cut && bytes.length > cut.after && counts.cuts < (cut.times ?? Infinity);
    if (cuts) counts.cuts++;
    const end = cuts ? cut.after : bytes.length;
    for (let at = 0; at < end && !response.destroyed; at += 1 << 16) {
      if (slow && weights) await new Promise((resolve) => setTimeout(resolve, slow));
      const part = bytes.subarray(at, Math.min(at + (1 << 16), end));
      if (weights) server.sent += part.length;
      await new Promise<void>((resolve) => response.write(part, () => resolve()));
    }
    if (cuts) setTimeout(() => response.destroy(), 20); // what was written still arrives
    else response.end();
  }

  const listen = async (isStorage: boolean): Promise<[Server, string]> => {
    const http = createServer((request, response) => void answer(request, response, isStorage).catch(() => response.destroy()));
    await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
    return [http, `http://127.0.0.1:${(http.address() as AddressInfo).port}/`];
  };
  const [hub, address] = await listen(false);
  const [storage, storageAddress] = await listen(true);

  const server: FaultyServer = {
    address,
    faults: {},
    files,
    asked: [],
    sent: 0,
    reset(faults = {}) {
      counts = { ...none };
      Object.assign(server, { faults, asked: [], sent: 0 });
    },
    async close() {
      for (const one of [hub, storage]) {
        one.closeAllConnections();
        await new Promise((done) => one.close(done));
      }
    },
  };
  return server;
}

/** The same file with other values in its last tensor. */
export function otherVersion(file: Buffer): Buffer {
  const other = Buffer.from(file);
  for (let at = other.length - 200; at < other.length; at += 4) other[at]! ^= 1;
  return other;
}

const none = { weights: 0, cuts: 0, flips: 0, busy: 0, signature: 0, uses: 0 };

const substitutes = {
  html: '<!doctype html><title>Sign in</title><p>Please sign in.</p>',
  lfs: 'version https://git-lfs.github.com/spec/v1\noid sha256:248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707\nsize 548105171\n',
  json: '{"error":"Repository not found"}',
};

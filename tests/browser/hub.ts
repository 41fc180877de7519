// A hub inside the test: answers what a page asks of huggingface.co from a folder with a checkpoint, by ranges, and holds
// the weights back tensor by tensor.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

export interface Hub {
  /** Names of files that were asked for, with the bytes of each request. */
  asked: { file: string; begin: number; end: number }[];
  /** Bytes of weights that were sent. */
  sent: number;
  /** Holds requests that reach into tensors whose name matches; null lets all go. */
  hold(tensors: RegExp | null): void;
  /** Answers every further request for weights with this status; 0: no longer. */
  refuse(status: number): void;
  /** Tensors' places in model.safetensors, in bytes from the file's start. */
  tensors: { name: string; begin: number; end: number }[];
}

/** From now on `page` finds the checkpoint in `folder` as every repository of the hub, or at whatever begins with `host`. */
export async function hubFor(page: Page, folder: string, host = 'https://huggingface.co/'): Promise<Hub> {
  const weights = await readFile(join(folder, 'model.safetensors'));
  const length = Number(weights.readBigUInt64LE(0));
  const header = JSON.parse(weights.subarray(8, 8 + length).toString()) as Record<string, { data_offsets: [number, number] }>;
  const tensors = Object.entries(header)
    .filter(([name]) => name !== '__metadata__')
    .map(([name, { data_offsets: [begin, end] }]) => ({ name, begin: 8 + length + begin, end: 8 + length + end }));

  let held: RegExp | null = null;
  let status = 0;
  let waiting: (() => void)[] = [];
  const wake = () => {
    waiting.forEach((go) => go());
    waiting = [];
  };
  const isHeld = (begin: number, end: number) => tensors.some((tensor) => held?.test(tensor.name) && tensor.begin < end && begin < tensor.end);
  const hub: Hub = {
    asked: [],
    sent: 0,
    tensors,
    hold(next) {
      held = next;
      wake();
    },
    refuse(next) {
      status = next;
      wake();
    },
  };
  page.once('close', wake);

  await page.route(`${host}**`, async (route) => {
    const file = new URL(route.request().url()).pathname.split('/').at(-1)!;
    const all = await readFile(join(folder, file)).catch(() => null);
    const headers: Record<string, string> = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Content-Range, ETag', etag: '"one"' };
    if (!all) return route.fulfill({ status: 404, headers });
    const range = /^bytes=(\d+)-(\d+)$/.exec(route.request().headers()['range'] ?? '');
    const begin = Number(range?.[1] ?? 0);
    const end = range ? Math.min(Number(range[2]) + 1, all.length) : all.length;
    hub.asked.push({ file, begin, end });
    if (file === 'model.safetensors') {
      const isHeader = begin < 8 + length;
      while (!isHeader && !status && isHeld(begin, end) && !page.isClosed()) await new Promise<void>((go) => waiting.push(go));
      if (page.isClosed()) return;
      if (status && !isHeader) return route.fulfill({ status, headers });
      hub.sent += end - begin;
    }
    return route
      .fulfill({ status: range ? 206 : 200, headers: range ? { ...headers, 'content-range': `bytes ${begin}-${end - 1}/${all.length}` } : headers, body: all.subarray(begin, end) })
      .catch(() => {}); // the page gave up meanwhile
  });
  return hub;
}

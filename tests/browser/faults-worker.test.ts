// A real page whose worker fails: killed, dying at its start, answering nonsense, refused memory. Nothing that the reader
// typed or set is lost, one sentence says what happened, and the next change gives right numbers.

import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writeCheckpoint } from './checkpoint.ts';
import { beforeWorkers, failed, faultsSuite, lost } from './faults-page.ts';
import { modelFiles } from './site.ts';

const faults = faultsSuite('faults-worker');
const { open, expectRight, expectSaid, expectKept, worker } = faults;

const first = 'The red ball is in the box.';
const second = 'The dog chased the cat. The cat';

async function openWith(text: string, prepare?: (page: Page) => Promise<unknown>): Promise<void> {
  await open(prepare);
  await faults.field.fill(text);
  await expectRight(text);
}

describe('a worker that is killed', () => {
  it('in the middle of a run: one sentence in every figure, and the next change starts another', async () => {
    await openWith(first);
    await worker().evaluate(() => self.addEventListener('message', ({ data }) => data.path?.at(-1) === 'run' && self.close()));
    const long = 'the dog and '.repeat(35);
    await faults.field.fill(long);
    await expectSaid(lost, long);
    await faults.field.fill(second);
    await expectRight(second);
  });

  it('while nothing is asked of it: the same', async () => {
    await openWith(first);
    await worker().evaluate('self.close()');
    await expectSaid(lost, first);
    await faults.field.fill(second);
    await expectRight(second);
  });

  it('again and again: each time the next change helps', async () => {
    await openWith(first);
    for (const text of [second, first, second]) {
      await worker().evaluate('self.close()');
      await expectSaid(lost);
      await faults.field.fill(text);
      await expectRight(text);
    }
  });

  it('during its start: the compiled picture stays, and a press of a button tries again', async () => {
    const held: Route[] = [];
    await open((page) => page.route('**/wasm/*/lookback.wasm', (route) => void held.push(route)));
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const picture = await faults.figure.locator('.figure-title').innerText();
    await worker().evaluate('self.close()');
    await expectSaid(lost);
    expect(await faults.figure.locator('.figure-title').innerText()).toBe(picture);
    await faults.page.unroute('**/wasm/*/lookback.wasm');
    await faults.figure.getByRole('button', { name: 'Copy link' }).click();
    await faults.field.fill(second);
    await expectRight(second);
  });

  it('during the start of a model that the reader opens: the model before stays', async () => {
    await writeCheckpoint(join(faults.suite.folder, 'small'), { shape: { n_layer: 3, n_head: 2, n_embd: 24, n_positions: 64, vocab_size: 50257 }, seed: 3, vocabulary: true });
    await openWith(first);
    const held: Route[] = [];
    await faults.page.route('**/wasm/*/lookback.wasm', (route) => void held.push(route));
    await faults.figure.locator('input[type=file]').first().setInputFiles(modelFiles.map((file) => join(faults.suite.folder, 'small', file)));
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await worker().evaluate('self.close()');
    await faults.figure.locator('.head-model > summary').click();
    const shelf = faults.figure.locator('.shelf');
    await expect.poll(() => shelf.locator('.figure-error').innerText()).toBe(`${lost} The model from before is still open.`);
    await faults.page.unroute('**/wasm/*/lookback.wasm');
    await faults.field.fill(second);
    await expectRight(second);
    await faults.figure.locator('input[type=file]').first().setInputFiles(modelFiles.map((file) => join(faults.suite.folder, 'small', file)));
    await expect.poll(() => faults.figure.locator('.figure-model').innerText(), { timeout: 60_000 }).toContain('from your disk');
    await expectRight(second, join(faults.suite.folder, 'small'));
  });
});

describe('a worker that answers nonsense', () => {
  it.each([
    ['a number', '{ ...message, value: 42 }'],
    ['nothing', '{ ...message, value: undefined }'],
    ['an error that is none', '{ ...message, value: { error: 7 } }'],
    ['a throw', "{ id: message.id, type: 'HANDLER', name: 'throw', value: { isError: true, value: { message: 'x is not a function', name: 'TypeError' } } }"],
    ['a thrown number, as C++ throws', "{ id: message.id, type: 'HANDLER', name: 'throw', value: { isError: false, value: 5261480 } }"],
  ])('%s: one sentence, and the next change starts another', async (_, garbled) => {
    await openWith(first);
    await worker().evaluate(`{ const post = self.postMessage.bind(self); self.postMessage = (message, moved) => message && message.id ? post(${garbled}, []) : post(message, moved); }`);
    await faults.field.fill(second);
    await expectSaid(failed, second);
    await faults.field.fill(`${second} sat`);
    await expectRight(`${second} sat`);
  });

  it('words that belong to no call are passed over', async () => {
    await openWith(first);
    await worker().evaluate(() => {
      for (const word of [null, 7, 'x', {}, [], { id: 'none', type: 'RAW', value: 1 }, new ArrayBuffer(8)]) self.postMessage(word);
    });
    await faults.field.fill(second);
    await expectRight(second);
  });
});

describe('memory that is refused', () => {
  const refuse = "WebAssembly.Memory.prototype.grow = () => { throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded') }";

  it('for a model: the shelf says so in one sentence, and the model before stays in use', async () => {
    const folder = join(faults.suite.folder, 'wide');
    await writeCheckpoint(folder, { shape: { n_layer: 2, n_head: 4, n_embd: 256, n_positions: 64, vocab_size: 50257 }, seed: 4, vocabulary: true });
    await openWith(first);
    await beforeWorkers(faults.page, refuse);
    const picked = () => faults.figure.locator('input[type=file]').first().setInputFiles(modelFiles.map((file) => join(folder, file)));
    await picked();
    await faults.figure.locator('.head-model > summary').click();
    const said = faults.figure.locator('.shelf .figure-error');
    await expect.poll(() => said.allInnerTexts(), { timeout: 60_000 }).toHaveLength(1);
    expect(await said.innerText()).toMatch(/^The weights need [\d.]+ MB of memory, more than there is for this program\. The model from before is still open\.$/);
    await faults.field.fill(second);
    await expectRight(second);
    await faults.page.unroute('**/assets/worker.js');
    await picked();
    await expect.poll(() => faults.figure.locator('.figure-model').innerText(), { timeout: 60_000 }).toContain('from your disk');
    await expectKept(second);
  });
});

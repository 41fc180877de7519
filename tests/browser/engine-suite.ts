// What the tests of the engine without the book share: its page, made-up models, and failures as code and sentence.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { oddShape, writeCheckpoint } from './checkpoint.ts';
import type { TestPage } from './engine-page.ts';
import { type Suite, suiteWithEngine } from './site.ts';

declare const window: { lookback: TestPage; engine: ReturnType<TestPage['engineWith']> };

export interface EngineSuite {
  suite: Suite;
  /** Holds the models "odd" and "untied". */
  readonly folder: string;
  readonly page: Page;
  openPage(threads: number): Promise<void>;
  /** Puts files of the folder into the page's file field. */
  pick(...names: string[]): Promise<void>;
  pickModel(name: string): Promise<void>;
  /** Opens what was picked. */
  openPicked(name: string): Promise<Awaited<ReturnType<(typeof window.engine)['open']>>>;
  /** The bits of a text in the model in use. */
  printOf(words: string): Promise<string>;
  /** The code and the sentence of a call in the page that fails. */
  failure(call: () => Promise<unknown>): Promise<{ code: string; sentence: string } | null>;
  forgiveFailedRequests(): void;
}

export function engineSuite(name: string): EngineSuite {
  const suite = suiteWithEngine(name);
  beforeAll(async () => {
    await writeCheckpoint(join(suite.folder, 'odd'), { shape: oddShape, seed: 5, vocabulary: true });
    await writeCheckpoint(join(suite.folder, 'untied'), {
      shape: { n_layer: 1, n_head: 1, n_embd: 12, n_positions: 7, vocab_size: 9 },
      seed: 6,
      untied: true,
      prefix: true,
      maskBuffers: true,
    });
  });
  const pick = async (...names: string[]) => suite.page.setInputFiles('input', names.map((file) => join(suite.folder, file)));
  return {
    suite,
    get folder() {
      return suite.folder;
    },
    get page() {
      return suite.page;
    },
    async openPage(threads) {
      await suite.open('engine.html');
      await suite.page.evaluate((count) => {
        window.engine = window.lookback.engineWith(count);
      }, threads);
    },
    pick,
    pickModel: async (model) => pick(...(await readdir(join(suite.folder, model))).map((file) => join(model, file))),
    openPicked: (model) => suite.page.evaluate((called) => window.engine.open({ name: called, files: window.lookback.pickedFiles() }), model),
    printOf: (words) => suite.page.evaluate(async (part) => window.engine.fingerprint(await window.engine.run({ text: part })), words),
    failure: (call) => suite.page.evaluate(`(${call.toString()})().then(() => null, (error) => ({ code: error.code ?? error.name, sentence: error.message }))`),
    forgiveFailedRequests: () => (suite.complaints = suite.complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))),
  };
}

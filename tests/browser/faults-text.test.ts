// Texts that come too fast or are too long, and a clock that jumps.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsSuite } from './faults-page.ts';
import { little } from './site.ts';

declare const window: { runs: { asked: number; finished: number }; atOnce(): void };

const faults = faultsSuite('faults-text');
const { open, expectRight, expectSaid, expectKept } = faults;
const sentence = 'The dog chased the cat. The cat';

/**
 * Counts the runs that the page asks for and those whose end it hears of. From `atOnce()` on, a worker hears nothing for
 * a second and then all of it, as on a machine that is busy.
 */
const counting = () => {
  const runs = { asked: 0, finished: 0 };
  let held: (() => void)[] | null = null;
  const atOnce = () => {
    held = [];
    setTimeout(() => {
      held!.forEach((send) => send());
      held = null;
    }, 1000);
  };
  Object.assign(window, { runs, atOnce });
  globalThis.Worker = class extends Worker {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(script, options);
      this.addEventListener('message', ({ data }) => {
        const { pass, trace_bytes } = (data as { value?: { ok?: Record<string, unknown> } })?.value?.ok ?? {};
        if (pass !== undefined && trace_bytes !== undefined) runs.finished++;
      });
    }
    override postMessage(message: { path?: string[] }, moved: never) {
      if (message?.path?.at(-1) === 'run') runs.asked++;
      const send = () => super.postMessage(message, moved);
      if (held) held.push(send);
      else send();
    }
  };
};

describe('200 changes of text', () => {
  /** Types 200 texts, the last of them the sentence: all in one go, or each in a task of its own. Gives the runs so far. */
  const burst = (apart: boolean) =>
    faults.page.evaluate(
      async ([last, tasks]) => {
        const field = document.querySelector<HTMLTextAreaElement>('one-head textarea')!;
        const turn = () => new Promise<void>((go) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => (port1.close(), go());
          port2.postMessage(null);
        });
        Object.assign(window.runs, { asked: 0, finished: 0 });
        for (let i = 1; i <= 200; i++) {
          field.value = i === 200 ? last : `${i} ${'the dog saw it and '.repeat(20)}`;
          field.dispatchEvent(new Event('input', { bubbles: true }));
          if (tasks) await turn();
        }
        return { ...window.runs };
      },
      [sentence, apart] as const,
    );

  it('in one go: only the last is computed, and the screen ends with its numbers', async () => {
    await open((page) => page.addInitScript(counting));
    await faults.field.waitFor();
    await expectRight(await faults.field.inputValue());
    await burst(false);
    await expectRight(sentence);
    expect(await faults.page.evaluate(() => window.runs)).toEqual({ asked: 1, finished: 1 });
  });

  it('that reach the engine together: only the last is computed', async () => {
    await open((page) => page.addInitScript(counting));
    await faults.field.waitFor();
    await expectRight(await faults.field.inputValue());
    await faults.page.evaluate(() => window.atOnce());
    await burst(true);
    await expectRight(sentence);
    expect(await faults.page.evaluate(() => window.runs)).toEqual({ asked: 200, finished: 1 });
  });

  // How many are computed in between is a matter of the machine's speed; that none waits behind the last is not.
  it('one after the other: none that was overtaken is still computed, and the screen ends with the last', async () => {
    await open((page) => page.addInitScript(counting));
    await faults.field.waitFor();
    const before = await burst(true);
    await expectRight(sentence);
    const after = await faults.page.evaluate(() => window.runs);
    console.log(`${before.finished} of 200 runs were computed while the texts came, ${after.finished - before.finished} after the last of them.`);
    expect(after.finished).toBeGreaterThan(before.finished);
    expect(after.finished - before.finished).toBeLessThanOrEqual(3); // the last, and what was under way
  });
});

describe('the window', () => {
  it('takes a text that fills it, says in one sentence that one token more is too many, and loses nothing', async () => {
    const { n_positions } = JSON.parse(readFileSync(join(little, 'config.json'), 'utf8'));
    const [full, over] = [' the'.repeat(n_positions), ' the'.repeat(n_positions + 1)];
    await open();
    await faults.field.fill(full);
    await expect.poll(() => faults.figure.locator('.token').count()).toBe(n_positions);
    expect(await faults.figure.locator('.figure-error').count()).toBe(0);
    await expectKept(full);
    await faults.field.fill(over);
    await expectSaid(`The text has ${n_positions + 1} tokens, but the model's window holds ${n_positions}.`, over);
    await faults.field.fill(sentence);
    await expectRight(sentence);
  });
});

describe('a clock that jumps', () => {
  it.each(['2038-01-20', '1969-07-20', '9999-12-31'])('to %s and back: the page goes on', async (day) => {
    await open();
    await faults.field.fill(sentence);
    await expectRight(sentence);
    await faults.page.clock.setSystemTime(new Date(day));
    await faults.field.fill(`${sentence} sat`);
    await expectRight(`${sentence} sat`);
    await faults.page.clock.setSystemTime(new Date());
    await faults.field.fill(sentence);
    await expectRight(sentence);
  });
});

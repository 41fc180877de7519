// A tab that is hidden or frozen by the browser while a model loads or a text is computed: it goes on where it was.

import type { CDPSession } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsSuite, writeModel } from './faults-page.ts';
import { type Hub, hubFor } from './hub.ts';

const faults = faultsSuite('faults-tab');
const { open, expectRight, expectKept } = faults;
const sentence = 'My own words about the dog';
let folder: string;
let hub: Hub;

beforeAll(async () => {
  folder = await writeModel(faults.suite.folder);
});

/** Frozen by the browser: its tasks rest until it is woken. */
async function frozen(session: CDPSession, meanwhile: () => Promise<unknown>): Promise<void> {
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await meanwhile();
  await session.send('Page.setWebLifecycleState', { state: 'active' });
}
const aWhile = () => new Promise((done) => setTimeout(done, 700));
const session = () => faults.page.context().newCDPSession(faults.page);

/** What the browser tells a page that is hidden, and one that is seen again. */
const show = (visible: boolean) =>
  faults.page.evaluate((seen) => {
    Object.defineProperty(document, 'visibilityState', { value: seen ? 'visible' : 'hidden', configurable: true });
    Object.defineProperty(document, 'hidden', { value: !seen, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, visible);

async function openHeld(): Promise<void> {
  await open(async (page) => (hub = await hubFor(page, folder)));
  await faults.field.fill(sentence);
  await expectRight(sentence);
  hub.hold(/^h\.1\./);
  const shelf = faults.figure.locator('.shelf');
  await faults.figure.locator('.head-model > summary').click();
  await shelf.getByText('Another model').click();
  await shelf.getByLabel('A repository on the hub').check();
  await shelf.getByLabel('Repository on the hub', { exact: true }).fill('someone/model');
  await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
  await shelf.locator('.shelf-open', { hasText: 'someone/model' }).click();
  await expect.poll(() => hub.sent).toBeGreaterThan(5e6);
}

const expectOpen = () => expect.poll(() => faults.figure.locator('.figure-model').innerText(), { timeout: 60_000 }).toBe('someone/model, from huggingface.co · 3 layers × 2 heads');

describe('a frozen tab', () => {
  it('while the page starts: the figure comes to life when it is woken', async () => {
    let asked = 0;
    await open((page) => page.route('**/models/little-*/*', async (route) => (asked++, route.continue())));
    await expect.poll(() => asked).toBeGreaterThan(0);
    await frozen(await session(), aWhile);
    await faults.field.fill(sentence);
    await expectRight(sentence);
  });

  it('in the middle of a run: its numbers come when it is woken', async () => {
    await open();
    await faults.field.fill('The red ball is in the box.');
    await expectRight('The red ball is in the box.');
    const cdp = await session();
    for (const text of [sentence, 'the dog and '.repeat(35), `${sentence} sat`]) {
      const typed = faults.field.fill(text);
      await frozen(cdp, aWhile);
      await typed;
    }
    await expectRight(`${sentence} sat`);
  });

  it('while a model loads: it is whole when it is woken', async () => {
    await openHeld();
    await frozen(await session(), async () => {
      hub.hold(/^h\.2\./);
      await aWhile();
    });
    hub.hold(null);
    await expectOpen();
    await expectRight(sentence, folder);
  });
});

describe('a hidden tab', () => {
  it('goes on loading and computing, and is right when it is seen again', async () => {
    await openHeld();
    await show(false);
    await faults.field.fill(`${sentence} sat`);
    hub.hold(null);
    await expectOpen();
    await show(true);
    await expectRight(`${sentence} sat`, folder);
    await expectKept(`${sentence} sat`);
  });
});

// The shelf: what it says a model costs, which precision suits a device, how long a loading takes, and what it draws.

import { describe, expect, it } from 'vitest';
import type { LoadProgress, ModelInfo } from '../../web/engine/types.ts';
import { paced, speedOf, timeLeft, type Pace } from '../../web/reader/pace.ts';
import { milestone, progressView } from '../../web/reader/shelf-progress.ts';
import { firstWish, hostOfWish, keptOf, offerOf, offerOfKnown, precisionOf, sourceOf, suitable, warningOf } from '../../web/reader/shelf-wish.ts';
import { modelName } from '../../web/marks/model-label.ts';
import { knownModels } from '../../web/worker/source/known.ts';
import { draw, lettersOf } from './draw.ts';

const named = (name: string) => knownModels.find((known) => known.name === name)!;
const wishFor = (name: string) => ({ ...firstWish, choice: knownModels.findIndex((known) => known.name === name) });

describe('what a model costs', () => {
  it('is known before anybody is asked: the published numbers of weights, four bytes each', () => {
    const parameters = { 'GPT-2 small': 124_439_808, 'GPT-2 medium': 354_823_168, 'GPT-2 large': 774_030_080, 'DistilGPT-2': 81_912_576 };
    for (const [name, count] of Object.entries(parameters)) {
      const { bytes_to_read, choices } = offerOfKnown(named(name));
      expect(bytes_to_read).toBe(4 * count);
      expect([choices.f32.kept_bytes, choices.f16.kept_bytes, choices.int8.kept_bytes]).toEqual([4 * count, 2 * count, count]);
    }
  });

  it('forbids f32 for GPT-2 large alone, and offers the next that fits', () => {
    const refused = knownModels.filter((known) => offerOfKnown(known).choices.f32.refused !== '').map(({ name }) => name);
    expect(refused).toEqual(['GPT-2 large']);
    const large = offerOfKnown(named('GPT-2 large'));
    expect(suitable(large, false)).toBe('f16');
    expect(precisionOf({ ...wishFor('GPT-2 large'), precision: 'f32' }, large, false)).toBe('f16');
  });

  it('lets a small device begin with int8, and warns of what it may not hold', () => {
    const small = offerOf(firstWish)!;
    expect(suitable(small, true)).toBe('int8');
    expect(suitable(small, false)).toBe('f32');
    expect(precisionOf({ ...firstWish, precision: 'f32' }, small, true)).toBe('f32');
    expect(warningOf(small.choices.f32.kept_bytes, true)).toContain('int8');
    expect(warningOf(small.choices.int8.kept_bytes, true)).toBe('');
    expect(warningOf(small.choices.f32.kept_bytes, false)).toBe('');
  });
});

describe('a wish', () => {
  it('names the source and the host', () => {
    expect(sourceOf(firstWish)).toEqual({ repository: 'openai-community/gpt2', revision: named('GPT-2 small').revision });
    expect(hostOfWish(firstWish)).toBe('huggingface.co');
    expect(hostOfWish({ ...firstWish, choice: 'address', address: 'https://example.org:8443/models/mine/' })).toBe('example.org:8443');
    expect(hostOfWish({ ...firstWish, choice: 'address', address: 'https://huggingface.co/a/b/tree/main' })).toBe('huggingface.co');
    expect(hostOfWish({ ...firstWish, choice: 'address', address: 'not an address' })).toBe('');
  });

  it('finds the same model among those that are kept', () => {
    const row = { key: 'k', name: 'GPT-2 small', host: 'huggingface.co', bytes: 1, whole: true, confirmed: true };
    const kept = [{ ...row, key: 'other', source: { repository: 'openai-community/gpt2', revision: 'main' } }, { ...row, source: sourceOf(firstWish) }];
    expect(keptOf(firstWish, kept)?.key).toBe('k');
    expect(keptOf(wishFor('DistilGPT-2'), kept)).toBeUndefined();
  });
});

describe('the time left', () => {
  const steady = (perSecond: number, seconds: number): Pace => {
    let pace: Pace = [];
    for (let at = 0; at <= seconds * 10; at++) pace = paced(pace, at * 100, (perSecond * at) / 10);
    return pace;
  };

  it('is told once there is something to tell, from the last seconds', () => {
    expect(timeLeft(steady(10e6, 0.5), 500e6)).toBeNull();
    expect(speedOf(steady(10e6, 20))).toBeCloseTo(10e6, -4);
    expect(timeLeft(steady(10e6, 10), 500e6)).toBe('about 40 seconds');
    expect(timeLeft(steady(1e6, 10), 500e6)).toBe('about 8 minutes');
    expect(timeLeft(steady(10e3, 10), 500e6)).toBe('about 14 hours');
    expect(timeLeft(steady(10e6, 10), 104e6)).toBe('a moment');
    let slower = steady(10e6, 10);
    for (let at = 1; at <= 100; at++) slower = paced(slower, 10_000 + at * 100, 100e6 + at * 1e5);
    expect(speedOf(slower)).toBeCloseTo(1e6, -4);
    expect(slower.length).toBeLessThan(70);
  });

  it('is not told while nothing comes', () => {
    let pace = steady(10e6, 2);
    for (let at = 1; at <= 100; at++) pace = paced(pace, 2000 + at * 100, 20e6);
    expect(timeLeft(pace, 500e6)).toBeNull();
  });
});

describe('progress', () => {
  const progress: LoadProgress = {
    step: 'Reading layer 1', done_bytes: 31e6, total_bytes: 124e6, tokens_at: 124e6, layers_at: [10e6, 40e6], layers_begun: 1, notice: '',
    parts: [
      { part: 'tokens', done_bytes: 0, total_bytes: 60e6 },
      { part: 0, done_bytes: 31e6, total_bytes: 32e6 },
      { part: 1, done_bytes: 0, total_bytes: 32e6 },
    ],
  };
  const drawn = (patch: Partial<LoadProgress>, pace: Pace = []) => draw(progressView({ name: 'GPT-2 small', progress: { ...progress, ...patch }, pace, base: 1, cancel: () => {}, late: false, again: () => {} }));

  it('is drawn part by part, with what can be looked at, counted as the reader counts', async () => {
    const markup = await drawn({});
    const text = lettersOf(markup).replace(/\s+/g, ' ');
    expect(text).toContain('Opening GPT-2 small');
    expect(text).toContain('31 MB of 124 MB');
    expect(text).toContain('Layer 1 can be looked at.');
    expect(text).toContain('layers 1 to 2');
    expect(markup).toContain('aria-valuenow="25"');
    const widths = (name: string) => [...markup.matchAll(new RegExp(`class="${name}"[^>]*?width="?([\\d.]+)`, 'g'))].map(([, width]) => Number(width));
    const [all, done] = [widths('shelf-part'), widths('shelf-part-done')];
    expect(all).toHaveLength(3);
    expect(done[1]! / all[1]!).toBeCloseTo(31 / 32, 6);
    expect(done[0]).toBe(0);
    expect(markup).not.toMatch(/<[^>]*\sstyle\s*=/);
  });

  it('says what happened on the way, and tells a screen reader every tenth', async () => {
    expect(lettersOf(await drawn({ notice: 'The connection was cut; it goes on.' }))).toContain('The connection was cut; it goes on.');
    expect(lettersOf(await draw(milestone(progress)))).toContain('20 percent');
    expect(lettersOf(await draw(milestone({ ...progress, done_bytes: 37e6 })))).toContain('20 percent');
    expect(lettersOf(await draw(milestone({ ...progress, done_bytes: 38e6 })))).toContain('30 percent');
  });
});

describe('a fetched model’s name', () => {
  const model = { name: 'owner/tiny', origin: 'web', host: 'huggingface.co', file_bytes: 4, config: { n_layers: 2 } } as ModelInfo;
  it('is the hub’s own; what lies elsewhere may hold anything', () => {
    expect(modelName(model)).toBe('owner/tiny');
    expect(modelName({ ...model, host: 'example.org' })).toBe('“owner/tiny”');
  });
});

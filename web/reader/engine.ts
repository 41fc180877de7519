// The page's one engine, started when the first figure asks for it. Places are relative to this script, so the site
// works below any address.

import little from 'models:little';
import { createEngine } from '../engine/client.ts';
import type { Engine } from '../engine/types.ts';
import { isAway } from '../state/link.ts';
import { isBookText } from './book-texts.ts';

let shared: Engine | undefined;

export function engine(): Engine {
  const at = (place: string) => new URL(place, import.meta.url).href;
  if (shared) return shared;
  shared = createEngine({
    worker: at('./worker.js'),
    training: at('./training.js'),
    wasm: at('../wasm/'),
    gpt2Vocabulary: at('../models/gpt2/'),
    little: at(`../${little.folder}`),
    ...(isAway() && { mostThreads: 1 }), // the others' workers would be of another origin
    isOpenText: isBookText,
  });
  const started = shared;
  if (document.querySelector('.num.recorded[data-claim]')) void import('./recorded.ts').then(({ watchRecorded }) => watchRecorded(started));
  return shared;
}

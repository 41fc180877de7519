// The engine's client on a bare page, as somebody without the book would import it.
import { createEngine } from '../../web/engine/client.ts';

declare const LITTLE: string; // put in by the bundler
const at = (path: string) => new URL(path, document.baseURI).href;

function engineWith(mostThreads: number) {
  return createEngine({
    worker: at('assets/worker.js'),
    training: at('assets/training.js'),
    wasm: at('wasm/'),
    gpt2Vocabulary: at('models/gpt2/'),
    little: at(LITTLE),
    mostThreads,
  });
}

/** The files that the test put into the page's one file field. */
const pickedFiles = () => [...document.querySelector('input')!.files!];

Object.assign(window, { lookback: { engineWith, pickedFiles } });
export type TestPage = { engineWith: typeof engineWith; pickedFiles: typeof pickedFiles };

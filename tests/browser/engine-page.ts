// The engine's client on a bare page, as somebody without the book would import it.
import { createEngine } from '../../web/engine/client.ts';

declare const LITTLE: string; // put in by the bundler
const at = (path: string) => new URL(path, document.baseURI).href;

/** `bookText`: a text that counts as one of the book, so that requests may tell which it is. */
function engineWith(mostThreads: number, bookText?: string) {
  return createEngine({
    worker: at('assets/worker.js'),
    training: at('assets/training.js'),
    wasm: at('wasm/'),
    gpt2Vocabulary: at('models/gpt2/'),
    little: at(LITTLE),
    mostThreads,
    isOpenText: (text) => text === bookText,
  });
}

/** The files that the test put into the page's one file field. */
const pickedFiles = () => [...document.querySelector('input')!.files!];

Object.assign(window, { lookback: { engineWith, pickedFiles } });
export type TestPage = { engineWith: typeof engineWith; pickedFiles: typeof pickedFiles };

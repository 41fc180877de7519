// The engine at build time, for the figures' first states. Toy worlds are asked of the native program. The model in use
// is the little model, run by the same module, over the same way from files to weights, as in a page: the module
// compiled for one thread runs in Node.js too, and gives the same bits.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { littleName, type LoadOrder, type Outcome } from '../engine/protocol.ts';
import { EngineError, type CellArithmetic, type Drawn, type Engine, type Guess, type HeadGrids, type Input, type LayerGallery, type ModelInfo, type Run, type SumArithmetic, type Token } from '../engine/types.ts';
import { readingEvery } from '../engine/training-protocol.ts';
import type { Training, TrainingPlan } from '../engine/training-types.ts';
import type { EngineModule, Session, TrainingModule } from '../worker/module.ts';
import { coreChecks, loadWeights } from '../worker/loading.ts';
import { openModel } from '../worker/source/open.ts';
import type { Origin } from '../worker/source/types.ts';
import { nativeProgram, type NativeProgram } from './native.ts';

export interface ModelPlaces {
  /** Folder with the engine's modules, the build for one thread. */
  wasm: string;
  /** Folder with the little model. */
  little: string;
}

interface Opened {
  session: Session;
  info: ModelInfo;
}

/** Toy worlds only. */
export function nativeEngine(program: string): Engine {
  return buildEngine(nativeProgram(program, ''), null);
}

/** Without `places` there is no model, as on a site that ships none. The model is opened when a figure first asks. */
export function buildEngine(native: Pick<NativeProgram, 'lesson'>, places: ModelPlaces | null): Engine {
  let opening: Promise<Opened> | null = null;
  let opened: Opened | null = null;
  let passes = 0;
  const never = () => Promise.reject(new EngineError('bad_argument', 'The build opens no other model and saves nothing.'));

  async function wake(): Promise<Opened> {
    if (!places) throw new EngineError('no_model', 'No model is open.');
    return (opened = await (opening ??= openLittle(places)));
  }

  /** Asks about the latest run. */
  async function look<T>(run: Run, ask: (session: Session) => unknown): Promise<T> {
    if (run.pass !== passes) throw new EngineError('stale', 'The text has changed since; ask again.');
    return value((await wake().then(({ session }) => ask(session))) as Outcome<T>);
  }

  return {
    lesson: (name, input) => native.lesson(name, input),
    train: async (name, options) => {
      if (!places) throw new EngineError('no_engine', 'There is no engine to train with.');
      return untrained(name, options, await loadModule<TrainingModule>(places.wasm, 'training'));
    },
    model: () => opened?.info ?? null,
    inUse: async () => (places ? (await wake()).info : null),
    onModel: () => () => {},
    arriving: () => null,
    onArrival: () => () => {},
    onLate: () => () => {},
    startAgain: () => {},
    close: () => {},
    open: never,
    openLittle: async () => (await wake()).info,
    reopen: never,
    inspect: never,
    kept: async () => [],
    removeKept: never,
    tokenize: async (text) => tokensOf((await wake()).session, { text }),
    async run(input) {
      const { session } = await wake();
      const tokens = tokensOf(session, input);
      value(session.beginPass(tokens.map((token) => token.id), input.edits ?? null));
      while (value(session.step()));
      return { tokens, pass: ++passes, milliseconds: 0, trace_bytes: session.traceBytes() };
    },
    head: (run, layer, head) => look<HeadGrids>(run, (session) => session.head(layer, head)),
    cell: (run, layer, head, query, key) => look<CellArithmetic>(run, (session) => session.cell(layer, head, query, key)),
    blended: (run, layer, head, position, i) => look<SumArithmetic>(run, (session) => session.blended(layer, head, position, i)),
    written: (run, layer, head, position, column) => look<SumArithmetic>(run, (session) => session.written(layer, head, position, column)),
    gallery: (run, layer, most) => look<LayerGallery>(run, (session) => session.gallery(layer, most)),
    activation: (run, name) => look(run, (session) => session.activation(utf8(name))),
    trace: never,
    lens: (run, layersDone, position, k) => look<Guess[]>(run, (session) => session.lens(layersDone, position, k)),
    fingerprint: (run) => look<string>(run, (session) => ({ ok: session.fingerprint() })),
    async sampler({ temperature, top_k, top_p, seed }) {
      value((await wake()).session.sampler(temperature, top_k, top_p, seed));
    },
    next: (run, k) => look<Drawn>(run, (session) => session.next(k)),
    memory: never,
    difference: never,
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

function value<T>(outcome: Outcome<T>): T {
  if ('ok' in outcome) return outcome.ok;
  throw new EngineError(outcome.error, outcome.sentence);
}

function tokensOf(session: Session, input: Input): Token[] {
  if ('text' in input) return value(session.tokenize(utf8(input.text)) as Outcome<Token[]>);
  return input.ids.map((id, word) => ({ ...value(session.token(id) as Outcome<Token>), word }));
}

/** A training at its beginning: nobody watches it go on. */
function untrained(name: string, options: object, { Training: Practice }: TrainingModule): Training {
  const session = new Practice(1);
  const plan: TrainingPlan = JSON.parse(value(session.begin(utf8(name), utf8(JSON.stringify(options)))));
  const nothing = () => {};
  const readings = [JSON.parse(value(session.reading()))];
  return { plan, every: readingEvery, status: 'ready', problem: '', losses: [], readings, ledge: null, run: nothing, pause: nothing, step: nothing, dispose: nothing };
}

async function openLittle({ wasm, little }: ModelPlaces): Promise<Opened> {
  const { Session: Model } = await loadModule<EngineModule>(wasm, 'lookback');
  const session = new Model(1);
  const file = async (name: string) => new Blob([await readFile(join(little, name))]);
  const [config, weights, tokens, merges] = await Promise.all([file('config.json'), file('model.safetensors'), file('vocab.json'), file('merges.txt')]);
  const files = { config, weights: [{ name: 'model.safetensors', blob: weights }], index: null, vocabulary: { tokens, merges } };
  const origin: Origin = { kind: 'files', name: littleName, files };
  const order: LoadOrder = { origin, precision: 'f32', input: null, open_text: false };
  const { signal } = new AbortController();
  const nothing = () => {};
  const model = await openModel(origin, { core: coreChecks(session), store: null, signal, say: nothing });
  const info = await loadWeights({ session, model, order, signal, gpt2: async () => null, tell: nothing, notice: () => '', pause: async () => {}, begun: nothing });
  return { session, info: { ...info, origin: 'little' } };
}

async function loadModule<Module>(folder: string, name: 'lookback' | 'training'): Promise<Module> {
  const wasmBinary = await readFile(join(folder, `${name}.wasm`)).catch(() => {
    throw new EngineError('no_engine', `The engine is missing in ${folder}: build it first, the figures' first states are worked out by it.`);
  });
  const { default: create } = (await import(pathToFileURL(join(folder, `${name}.mjs`)).href)) as { default(options: object): Promise<Module> };
  return create({ wasmBinary });
}

// What all shelves of one engine show together: the loading under way, what went wrong, what is kept, what takes memory.

import type { Difference, Engine, KeptModel, LoadOptions, LoadProgress, Memory, ModelInfo, ModelSource } from '../engine/types.ts';
import { modelName } from '../marks/model-label.ts';
import { dropped, modelSource, type HandedFile } from './handed-files.ts';
import { paced, type Pace } from './pace.ts';

/** The part of the engine that a shelf uses. */
export type ShelfEngine = Pick<
  Engine,
  'onLate' | 'startAgain' | 'open' | 'openLittle' | 'reopen' | 'inspect' | 'kept' | 'removeKept' | 'memory' | 'difference' | 'model' | 'onModel'
>;

export interface Loading {
  name: string;
  progress: LoadProgress | null;
  pace: Pace;
  /** The engine takes long to start. */
  late: boolean;
  stop: AbortController;
}

/** By how much the shares differ from f32: asked for, known, or why it is not. */
export type Measured = { kind: 'asked' } | { kind: 'known'; difference: Difference } | { kind: 'failed'; sentence: string };

export interface Desk {
  loading: Loading | null;
  error: string;
  notice: string;
  /** Files are being dragged over the page. */
  dragging: boolean;
  kept: KeptModel[];
  memory: Memory | null;
  /** All that the page takes, as the browser counts; null where it does not say. */
  pageBytes: number | null;
  /** Of the model in use. */
  measured: Measured | null;
  shelves: Set<() => void>;
  stop(): void;
}

const desks = new WeakMap<ShelfEngine, Desk>();

export function deskOf(engine: ShelfEngine): Desk {
  let desk = desks.get(engine);
  if (!desk) {
    desk = { loading: null, error: '', notice: '', dragging: false, kept: [], memory: null, pageBytes: null, measured: null, shelves: new Set(), stop: () => {} };
    desks.set(engine, desk);
  }
  return desk;
}

function change(desk: Desk, patch: Partial<Desk>): void {
  Object.assign(desk, patch);
  desk.shelves.forEach((redraw) => redraw());
}

/** Has `redraw` called after every change; returns the way to stop. */
export function sitAt(engine: ShelfEngine, redraw: () => void): () => void {
  const desk = deskOf(engine);
  if (desk.shelves.size === 0) {
    const stops = [listenForDrops(engine), listenForModels(engine)];
    desk.stop = () => stops.forEach((stop) => stop());
  }
  desk.shelves.add(redraw);
  return () => {
    desk.shelves.delete(redraw);
    if (desk.shelves.size === 0) desk.stop();
  };
}

function listenForModels(engine: ShelfEngine): () => void {
  const desk = deskOf(engine);
  return engine.onModel((model, reason) => {
    change(desk, model ? { measured: null, memory: null } : { notice: '', error: reason?.message ?? '' });
  });
}

// ------------------------------------------------------------------------------------------------------------ opening

export function openHanded(engine: ShelfEngine, handed: Promise<readonly HandedFile[]>): Promise<void> {
  return load(engine, '', async (loading, options) => {
    const source = modelSource(await handed);
    loading.name = source.name;
    return engine.open(source, options);
  });
}

export function openSource(engine: ShelfEngine, name: string, source: ModelSource, options: LoadOptions): Promise<void> {
  // What is fetched shall stay; the browser may ask the reader, or decide by itself.
  void navigator.storage?.persist?.().catch(() => false);
  return load(engine, name, (_, told) => engine.open(source, { ...options, ...told }));
}

/** With the shelves of the page telling how it goes. */
export function openLittle(engine: ShelfEngine): Promise<void> {
  return load(engine, 'the little model', (_, options) => engine.openLittle(options));
}

export function reopen(engine: ShelfEngine, name: string, options: LoadOptions): Promise<void> {
  return load(engine, name, (_, told) => engine.reopen({ ...options, ...told }));
}

/** Loads in the place of a loading that is under way. */
async function load(engine: ShelfEngine, name: string, open: (loading: Loading, options: LoadOptions) => Promise<ModelInfo>): Promise<void> {
  const desk = deskOf(engine);
  desk.loading?.stop.abort();
  const loading: Loading = { name, progress: null, pace: [], late: false, stop: new AbortController() };
  change(desk, { loading, error: '', notice: '', dragging: false });
  const here = () => desk.loading === loading;
  const unwatch = engine.onLate((late) => {
    loading.late = late;
    if (here()) change(desk, {});
  });
  try {
    const onProgress = (progress: LoadProgress) => {
      loading.progress = progress;
      loading.pace = paced(loading.pace, performance.now(), progress.done_bytes);
      if (here()) change(desk, {});
    };
    const model = await open(loading, { signal: loading.stop.signal, onProgress });
    if (here()) change(desk, { loading: null, notice: `${model.origin === 'little' ? 'The little model' : modelName(model)} is open.` });
  } catch (problem) {
    if (!here()) return;
    const before = engine.model() ? ' The model from before is still open.' : '';
    if (loading.stop.signal.aborted) change(desk, { loading: null, notice: `Stopped.${before}` });
    else change(desk, { loading: null, error: `${sentenceOf(problem)}${before}` });
  } finally {
    unwatch();
  }
  void refresh(engine);
}

export const sentenceOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

// ------------------------------------------------------------------------------------------- what is kept, what it takes

/** Asks anew what a shelf tells beside the model. */
export async function refresh(engine: ShelfEngine): Promise<void> {
  const desk = deskOf(engine);
  await Promise.allSettled([
    engine.kept().then((kept) => change(desk, { kept })),
    engine.model() && !engine.model()!.arriving ? engine.memory().then((memory) => change(desk, { memory })) : undefined,
  ]);
  const counted = performance as { measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }> };
  if (!crossOriginIsolated || !counted.measureUserAgentSpecificMemory) return;
  await counted.measureUserAgentSpecificMemory().then(({ bytes }) => change(desk, { pageBytes: bytes }), () => {});
}

export async function removeKept(engine: ShelfEngine, { key, name }: KeptModel): Promise<void> {
  const desk = deskOf(engine);
  try {
    await engine.removeKept(key);
    change(desk, { notice: `${name} was removed from this device.`, error: '' });
  } catch (problem) {
    change(desk, { error: sentenceOf(problem) });
  }
  void refresh(engine);
}

export async function measure(engine: ShelfEngine): Promise<void> {
  const desk = deskOf(engine);
  const model = engine.model();
  const tell = (measured: Measured) => {
    if (engine.model() === model) change(desk, { measured });
  };
  tell({ kind: 'asked' });
  try {
    tell({ kind: 'known', difference: await engine.difference() });
  } catch (problem) {
    tell({ kind: 'failed', sentence: sentenceOf(problem) });
  }
}

// -------------------------------------------------------------------------------------------------------------- drops

/** Drops count anywhere on the page, so that a near miss does not make the browser show the file instead. */
function listenForDrops(engine: ShelfEngine): () => void {
  const desk = deskOf(engine);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (!desk.dragging) change(desk, { dragging: true });
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) change(desk, { dragging: false });
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    void openHanded(engine, dropped(event.dataTransfer!));
  };
  const listeners = { dragover: over, dragleave: leave, drop };
  for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
  };
}

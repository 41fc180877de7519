// The one way from a source to weights: open it, plan from its headers, take memory, write what comes to its packed place,
// finish. While bytes come the session can compute already: see passes.ts.

import type { LoadOrder, Outcome } from '../engine/protocol.ts';
import { precisions, type LoadProgress, type ModelInfo, type Offer, type Precision } from '../engine/types.ts';
import type { LoadPlan, Session } from './module.ts';
import type { Arrival } from './passes.ts';
import { atMostOften, enter, ledgerOf, openReads, progressOf, stepOf, tableFirst } from './progress.ts';
import { HUB } from './source/known.ts';
import { readingOrder } from './source/order.ts';
import type { CoreChecks, Model, Origin } from './source/types.ts';
import { loadVocabulary, type Gpt2Vocabulary } from './vocabulary.ts';

/** An outcome of the core that ends a loading, or of a check that a source asks for. */
export class Refused extends Error {
  constructor(readonly outcome: { error: string; sentence: string }) {
    super(outcome.sentence);
  }
}

export function value<T>(outcome: Outcome<T>): T {
  if ('ok' in outcome) return outcome.ok;
  throw new Refused(outcome);
}

export function coreChecks(session: Session): CoreChecks {
  return {
    headerLength: (beginning, fileSize) => value(session.headerLength(beginning, fileSize)),
    shards: (index) => value(session.shards(index)).files,
  };
}

function planOf(session: Session, { config, files }: Model, precision: Precision): Outcome<LoadPlan> {
  return session.plan(config, files.map((file) => file.header), files.map((file) => file.size), precision);
}

const sizeOf = ({ files }: Model) => files.reduce((sum, file) => sum + file.size, 0);

/** What the model would cost in each precision. */
export function offerOf(session: Session, model: Model): Offer {
  const plans = precisions.map((precision) => planOf(session, model, precision));
  const good = plans.find((plan) => 'ok' in plan) ?? plans[0]!;
  const { bytes_to_read } = value(good);
  const choices = Object.fromEntries(
    precisions.map((precision, at) => {
      const plan = plans[at]!;
      return [precision, 'ok' in plan ? { kept_bytes: plan.ok.kept_bytes, refused: '' } : { kept_bytes: 0, refused: plan.sentence }];
    }),
  ) as Offer['choices'];
  return { name: model.name, host: model.host ?? '', file_bytes: sizeOf(model), bytes_to_read: Math.max(0, bytes_to_read - model.keptBytes()), choices };
}

export interface Work {
  session: Session;
  model: Model;
  order: LoadOrder;
  gpt2: Gpt2Vocabulary;
  /** Told in between; `notice` is the newest of what the source said. */
  tell(progress: LoadProgress): void;
  notice(): string;
  signal: AbortSignal;
  /** Between chunks: lets messages in, and rejects when the loading is to stop. */
  pause(): Promise<void>;
  /** The model takes part in passes from here on. */
  begun(arrival: Arrival, info: ModelInfo): void;
}

/** Reads the weights of an opened model into the session. Rejects with Refused, a ModelError or the signal's reason. */
export async function loadWeights(work: Work): Promise<ModelInfo> {
  const ended: (() => void)[] = [];
  try {
    return await readWeights({ ...work, ended });
  } finally {
    ended.forEach((end) => end());
  }
}

async function readWeights(work: Work & { ended: (() => void)[] }): Promise<ModelInfo> {
  const { session, model, order, signal } = work;
  const plan = value(planOf(session, model, order.precision));
  let ledger = ledgerOf(readingOrder(plan.ranges, null));
  let step = 'Making room';
  const tell = atMostOften(() => work.tell(progressOf(ledger, step, session.layersBegun(), work.notice())));
  work.ended.push(tell.stop);
  tell.now();
  // Half a gigabyte of memory takes the system a moment to hand out.
  await work.pause();
  value(session.allocate());

  const vocabulary = value(await loadVocabulary(session, model, plan.config.d_vocab, work.gpt2));
  const info = infoOf(work, plan, vocabulary.kind, [...plan.notes, ...vocabulary.notes]);
  const early = order.open_text ? idsOf(session, order) : null;
  ledger = ledgerOf(readingOrder(plan.ranges, early));

  const bell = bellOf();
  let tableWanted = false;
  let turned = ledger.reads.find(({ early }) => !early)?.part === 'wte';
  const wantRows = (ids: number[]) => {
    const comes = early !== null && ids.length <= early.length && ids.every((id) => early.includes(id));
    if (!comes) tableWanted = true;
  };
  work.begun({ more: bell.wait, reached: tell.soon, wantRows }, { ...info, arriving: true });
  for (let again = true; again; ) {
    again = false;
    for await (const chunk of model.weights(openReads(ledger), signal)) {
      value(session.staging(chunk.bytes.length)).set(chunk.bytes);
      value(session.write(chunk.file, chunk.begin, chunk.bytes.length));
      enter(ledger, chunk);
      step = stepOf(chunk.read);
      bell.ring();
      tell.soon();
      await work.pause();
      // A text that was typed meanwhile needs the table, and asking for its rows alone would tell what was typed.
      if (tableWanted && !turned) {
        ledger = tableFirst(ledger);
        again = turned = true;
        break;
      }
    }
  }
  const { n_parameters, weight_bytes, notes } = value(session.finish()) as Pick<ModelInfo, 'n_parameters' | 'weight_bytes' | 'notes'>;
  bell.ring();
  const checked = await model.confirm(signal);
  step = 'Ready';
  tell.now();
  const said = checked.sentence === null ? [] : [checked.sentence];
  return { ...info, n_parameters, weight_bytes, at_hand: model.origin === 'kept' ? checked.kept : info.at_hand || checked.kept, notes: [...notes, ...vocabulary.notes, ...said] };
}

function infoOf({ model, order }: Work, plan: LoadPlan, vocabulary: ModelInfo['vocabulary'], notes: string[]): ModelInfo {
  const origin = model.origin === 'site' ? 'little' : model.origin === 'files' ? 'disk' : 'web';
  return {
    name: model.name,
    origin,
    host: hostOf(order.origin),
    precision: order.precision,
    arriving: false,
    config: plan.config,
    n_parameters: 0,
    weight_bytes: plan.kept_bytes,
    file_bytes: sizeOf(model),
    at_hand: model.origin !== 'hub' && model.origin !== 'address',
    vocabulary,
    notes,
  };
}

/** Where a model came from, also when it is kept; empty for files at hand. */
export function hostOf(origin: Origin): string {
  if (origin.kind === 'hub') return new URL(HUB).host;
  if (origin.kind === 'address') return new URL(origin.url).host;
  if (origin.kind !== 'kept') return '';
  return origin.key.startsWith('hub:') ? new URL(HUB).host : new URL(origin.key.replace(/^address:/, '')).host;
}

/** The tokens of the order's input in this vocabulary; null when there is none, or it is none of this model. */
function idsOf(session: Session, { input }: LoadOrder): number[] | null {
  if (!input) return null;
  if ('ids' in input) return input.ids;
  const tokens = session.tokenize(new TextEncoder().encode(input.text)) as Outcome<{ id: number }[]>;
  return 'ok' in tokens ? tokens.ok.map((token) => token.id) : null;
}

/** Wakes all who wait. */
function bellOf() {
  let ring = () => {};
  let rung = new Promise<void>((resolve) => (ring = resolve));
  return {
    wait: () => rung,
    ring() {
      ring();
      rung = new Promise<void>((resolve) => (ring = resolve));
    },
  };
}


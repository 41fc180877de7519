// Passes over texts: one is under way at a time, and a new one takes the place of the one before. Before the first step and
// between steps the worker looks at its messages, so a cancel or a newer text gets through. While the model arrives, a pass
// goes as far as it can, is shown from its first layer on, and waits for more.

import type { Outcome, StartedPass } from '../engine/protocol.ts';
import type { Edits, Input } from '../engine/types.ts';
import { breathe, breather, stopped } from './breathing.ts';
import { checkedInput } from './input.ts';
import type { Session } from './module.ts';
import { tokensOf } from './tokens.ts';

/** What a pass needs of a model that arrives. */
export interface Arrival {
  /** Resolves when more has come. */
  more(): Promise<void>;
  /** A pass has come as far as it can. */
  reached(): void;
  /** A text of these tokens waits for rows of the tables. */
  wantRows(ids: number[]): void;
}

export interface Passes {
  /** Resolves when the pass can be shown: it is finished, or the model arrives and its first layer is begun. */
  run(input: Input, cancelled: () => boolean): Promise<Outcome<StartedPass>>;
  /** An outcome for who asks about another pass than the latest. */
  stale(pass: number): { error: string; sentence: string } | null;
  /** Resolves when the latest pass has come to its end. */
  ended(): Promise<void>;
  /** Drops the pass under way. */
  stop(): void;
}

/** `arrival`: null once the model is whole. */
export function passesOf(session: Session, arrival: () => Arrival | null): Passes {
  // Another worker counts from elsewhere, so that nobody takes the pass of one model for another's.
  let latest = 1000 * crypto.getRandomValues(new Uint32Array(1))[0]!;
  let shown = 0; // 0: none
  /** Counts the texts that were handed in: a newer one takes the place of one that is still being tokenised. */
  let newest = 0;
  let end: Promise<unknown> = Promise.resolve();

  interface Going {
    pass: number;
    ids: number[];
    edits: Edits | null;
    show(): void;
    cancelled(): boolean;
  }

  /** Why a pass must not go on: a newer one has the session now, or nobody waits for it any more. */
  function stopOf({ pass, cancelled }: Going): typeof stopped | null {
    if (pass !== latest) return stopped;
    if (shown === pass || !cancelled()) return null;
    session.abandon();
    return stopped;
  }

  async function go(going: Going): Promise<Outcome<unknown>> {
    for (;;) {
      const begun = session.beginPass(going.ids, going.edits);
      const coming = waitingFor(begun);
      if (!coming) return 'ok' in begun ? advance(going) : begun;
      coming.wantRows(going.ids);
      await coming.more();
      const stop = stopOf(going);
      if (stop) return stop;
    }
  }

  /** Takes steps until the pass is finished. */
  async function advance(going: Going): Promise<Outcome<unknown>> {
    const breath = breather();
    for (;;) {
      const step = session.step();
      const coming = waitingFor(step);
      if (coming) {
        if (session.layersBegun() > 0) going.show();
        coming.reached();
        await coming.more();
      } else if ('ok' in step && step.ok) {
        await breath();
      } else {
        if ('ok' in step) going.show();
        return step;
      }
      const stop = stopOf(going);
      if (stop) return stop;
    }
  }

  /** What an outcome has to wait for; null when it is final. */
  function waitingFor(outcome: Outcome<unknown>): Arrival | null {
    return 'error' in outcome && outcome.error === 'not_yet' ? arrival() : null;
  }

  return {
    async run(input, cancelled) {
      const started = performance.now();
      const checked = checkedInput(input);
      if (!('ok' in checked)) return checked;
      const mine = ++newest;
      await breathe(); // texts that wait behind this one take its place before any of it is worked out
      if (mine !== newest || cancelled()) return stopped;
      const told = tokensOf(session, input, () => mine !== newest || cancelled());
      const tokens = told instanceof Promise ? await told : told;
      if (!('ok' in tokens)) return tokens;
      if (mine !== newest) return stopped;
      const pass = ++latest;
      shown = 0;
      const outcome = await new Promise<Outcome<unknown>>((resolve, reject) => {
        const show = () => {
          shown = pass;
          resolve({ ok: true });
        };
        end = go({ pass, ids: tokens.ok.map((token) => token.id), edits: input.edits ?? null, show, cancelled });
        end.then(resolve as (outcome: unknown) => void, (problem) => {
          reject(problem);
          // Nobody waits for a pass that is shown: the client learns of the trap by the worker's error.
          if (shown === pass) setTimeout(() => { throw problem; });
        });
      });
      if (!('ok' in outcome)) return outcome;
      return { ok: { tokens: tokens.ok, pass, milliseconds: performance.now() - started, trace_bytes: session.traceBytes() } };
    },
    stale: (pass) => (pass === shown ? null : { error: 'stale', sentence: 'The text has changed since; ask again.' }),
    async ended() {
      await end;
    },
    stop() {
      newest++;
      latest++;
      shown = 0;
      session.abandon();
    },
  };
}

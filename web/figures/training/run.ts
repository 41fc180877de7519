// One training as a figure shows it: what was recorded, which record is on show, and what the buttons do.

import type { Engine } from '../../engine/types.ts';
import type { PracticeName, PracticeOptions, Training, TrainingReading } from '../../engine/training-types.ts';
import type { Update } from '../definition.ts';

export interface Run {
  training: Training;
  /** Which of training.readings is on show. */
  at: number;
  /** Whether that is the newest one, whichever it is. */
  follows: boolean;
  /** Why the training cannot go on, one sentence. */
  problem: string;
  train(): void;
  pause(): void;
  step(): void;
  /** Shows a reading; the last one again follows the training. */
  look(at: number): void;
  /** Begins anew with the same seed and texts. */
  restart(): void;
}

export function readingOf(run: Run): TrainingReading {
  return run.training.readings[run.at]!;
}

/** What is trained, and at most how fast, where people could not follow it otherwise. */
interface Exercise<Name extends PracticeName> {
  name: Name;
  options: PracticeOptions[Name];
  stepsPerSecond?: number;
}

export async function beginRun<Name extends PracticeName>(engine: Engine, { name, options, stepsPerSecond }: Exercise<Name>, signal: AbortSignal, update: Update<Run>): Promise<Run> {
  let training: Training;
  /** The reading on show; null follows the newest. */
  let looked: number | null = null;
  let problem = '';

  const now = (): Run => {
    const last = training.readings.length - 1;
    const at = Math.min(looked ?? last, last);
    return { training, at, follows: at === last, problem: problem || training.problem, train, pause, step, look, restart };
  };
  const tell = (announced = false) => update(now(), announced);
  const onProgress = () => tell(training.status !== 'running');
  const begin = () => engine.train(name, options, { signal, onProgress });
  const follow = () => (looked = null);

  function train() {
    follow();
    training.run(stepsPerSecond === undefined ? {} : { stepsPerSecond });
  }
  function pause() {
    training.pause();
  }
  function step() {
    follow();
    training.step();
  }
  function look(at: number) {
    looked = at >= training.readings.length - 1 ? null : Math.max(at, 0);
    tell();
  }
  async function restart() {
    training.dispose();
    problem = '';
    try {
      training = await begin();
      follow();
    } catch (reason) {
      if (signal.aborted) return;
      problem = (reason as Error).message;
    }
    tell(true);
  }

  training = await begin();
  return now();
}

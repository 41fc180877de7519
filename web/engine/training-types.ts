// What trainings in the page say of themselves: the JSON of core/train/practice_json.hpp, and the handle on one training.
//
// Steps, layers, heads and positions count from 0. H = n_layers × n_heads heads, layer by layer.

/** `head`: one head learns whom "it" means. `repeats`: two layers learn to go on with a pattern seen before. */
export interface PracticeOptions {
  head: { seed?: number };
  repeats: {
    seed?: number;
    /** Size of the vocabulary, 4 to 40. */
    words?: number;
    /** Lengths of the patterns, from 2 to 24; every length between is equally frequent. */
    shortest?: number;
    longest?: number;
    /** Whether patterns come round; false draws every word anew. */
    repeated?: boolean;
  };
}
export type PracticeName = keyof PracticeOptions;

/** A text to watch, never trained on. n = known.length words go through the model. */
export interface Probe {
  /** n + 1 places in `words`: each of the first n is asked for the next. */
  ids: number[];
  /** [n] whether the words before settle what follows. */
  known: boolean[];
  /** Of `head`: the places of "it" and of its noun. */
  from: number;
  noun: number;
}

/** What stays as it is while a training runs. */
export interface TrainingPlan {
  words: string[];
  config: { n_layers: number; n_heads: number; d_model: number; d_head: number; d_mlp: number; n_positions: number; d_vocab: number };
  n_parameters: number;
  /** Steps of the whole training. */
  n_steps: number;
  /** Words of a training text, and texts of a step. */
  sequence: number;
  sequences_a_step: number;
  /** What heads are measured by; a head with a share from `threshold` on is called by the role's name. */
  roles: { name: string; threshold: number }[];
  probes: Probe[];
}

/** What the model made of one probe of n words. */
export interface ProbeReading {
  /** [H, n, n] shares, row by row, 0 where masked. */
  patterns: ArrayLike<number>;
  /** [n] −ln of the chance of the word that follows; its chance; the likeliest word and its chance. */
  losses: number[];
  chances: number[];
  guesses: number[];
  guess_chances: number[];
}

/** What the model did after `step` steps. */
export interface TrainingReading {
  step: number;
  /** Over fresh texts, the same at every reading. Mean loss where the words before settle the answer, and elsewhere. */
  known_loss: number | null;
  other_loss: number | null;
  /** How often the likeliest word is right where it is settled. */
  known_right: number | null;
  /** [roles][H] mean shares over the fresh texts. */
  roles: number[][];
  probes: ProbeReading[];
}

/** The steepest fall of the losses: between the means over the steps before and from `step` on. */
export interface Ledge {
  step: number;
  before: number;
  after: number;
}

/** `lost`: the worker is gone, and with it the training; what was recorded stays. */
export type TrainingStatus = 'ready' | 'running' | 'paused' | 'done' | 'lost';

export interface Training {
  readonly plan: TrainingPlan;
  /** Steps between two readings. */
  readonly every: number;
  readonly status: TrainingStatus;
  /** Why it is lost, one sentence. */
  readonly problem: string;
  /** Mean loss over the answers of each step done. */
  readonly losses: readonly number[];
  /** From step 0 on, one each `every` steps. */
  readonly readings: readonly TrainingReading[];
  readonly ledge: Ledge | null;
  /** Trains until it is paused or done, at most so many steps a second. */
  run(options?: { stepsPerSecond?: number }): void;
  pause(): void;
  /** Trains up to the next reading, then pauses. */
  step(): void;
  /** Ends the worker. */
  dispose(): void;
}

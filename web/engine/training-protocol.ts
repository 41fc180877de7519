// What the trainings' client and their worker say to each other.

import type { Outcome } from './protocol.ts';
import type { Ledge, TrainingPlan, TrainingReading } from './training-types.ts';

/** What happened since the last word. */
export interface TrainingNews {
  losses: Float32Array;
  readings: TrainingReading[];
  ledge: Ledge | null;
}

export interface TrainingApi {
  /** Loads the module from the folder with simd/ and threads/. */
  start(wasm: string, mostThreads: number): Promise<Outcome<{ threads: number }>>;
  /** `options` as JSON. */
  begin(name: string, options: string): Promise<Outcome<{ plan: TrainingPlan; reading: TrainingReading }>>;
  /**
   * Trains until step number `until`, the end, or a pause. `tell` is waited for, so a page that draws slowly is told less
   * often and trains as fast as it can.
   */
  advance(until: number, stepsPerSecond: number, tell: (news: TrainingNews) => void): Promise<Outcome<true>>;
  pause(): Promise<void>;
}

/** Steps between two readings, so that a seed's readings are the same in every run. */
export const readingEvery = 20;

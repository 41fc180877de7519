// How fast bytes come and how long the rest takes, from what came within the last seconds.

const WINDOW_MS = 6000;
const SHORTEST_MS = 800; // before it, nobody can tell

export type Pace = readonly { at: number; bytes: number }[];

/** `at` in milliseconds, `bytes` in all; both grow. */
export function paced(pace: Pace, at: number, bytes: number): Pace {
  const recent = pace.filter((sample, index) => at - sample.at <= WINDOW_MS || index === pace.length - 1);
  return [...recent, { at, bytes }];
}

/** Bytes a second; null while it cannot be told. */
export function speedOf(pace: Pace): number | null {
  const [first, last] = [pace[0], pace.at(-1)];
  if (!first || !last || last.at - first.at < SHORTEST_MS) return null;
  return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
}

/** Roughly, as people say it: "about 40 seconds"; null while it cannot be told. */
export function timeLeft(pace: Pace, total: number): string | null {
  const speed = speedOf(pace);
  const last = pace.at(-1);
  if (!speed || !last) return null;
  const seconds = (total - last.bytes) / speed;
  if (seconds < 1.5) return 'a moment';
  if (seconds < 10) return `about ${Math.ceil(seconds)} seconds`;
  if (seconds < 90) return `about ${Math.ceil(seconds / 10) * 10} seconds`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} minutes`;
  return `about ${Math.round(seconds / 3600)} hours`;
}

// Whole percentages that a reader moves: whatever one of them does, they stay between 0 and 100 and add up to 100.

/** Shares out `total` whole units by weight; the largest remainders take what is left over. All zero counts as equal. */
export function apportion(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const wanted = weights.map((weight) => (total * (sum > 0 ? weight : 1)) / (sum > 0 ? sum : weights.length));
  const whole = wanted.map(Math.floor);
  const left = total - whole.reduce((all, part) => all + part, 0);
  const byRemainder = wanted.map((_, at) => at).sort((a, b) => wanted[b]! - whole[b]! - (wanted[a]! - whole[a]!) || a - b);
  for (const at of byRemainder.slice(0, left)) whole[at]!++;
  return whole;
}

/** One percentage set to `value`; the others keep their proportions in what remains. A single one stays at 100. */
export function withShare(percents: readonly number[], at: number, value: number): number[] {
  if (percents.length === 1) return [100];
  const others = apportion(percents.filter((_, place) => place !== at), 100 - value);
  return percents.map((_, place) => (place === at ? value : others[place > at ? place - 1 : place]!));
}

export type Place = readonly [number, number];

/**
 * The percentages whose blend of `points` lies closest to `target`, found from `percents` by passing share from one
 * point to another as long as that helps. Where several blends serve (more than three points), it stays near the start.
 */
export function sharesFor(points: readonly Place[], percents: readonly number[], target: Place): number[] {
  const shares = percents.map((percent) => percent / 100);
  let [x, y] = mean(points, shares);
  for (let sweep = 0; sweep < 200; sweep++) {
    let moved = 0;
    for (let from = 0; from < points.length; from++) {
      for (let to = 0; to < points.length; to++) {
        const [dx, dy] = [points[to]![0] - points[from]![0], points[to]![1] - points[from]![1]];
        const square = dx * dx + dy * dy;
        if (square === 0) continue;
        // The share to pass is where the blend, on its way along this pair, comes closest to the target.
        const best = ((target[0] - x) * dx + (target[1] - y) * dy) / square;
        const pass = Math.min(Math.max(best, -shares[to]!), shares[from]!);
        shares[from]! -= pass;
        shares[to]! += pass;
        [x, y] = [x + pass * dx, y + pass * dy];
        moved = Math.max(moved, Math.abs(pass));
      }
    }
    if (moved < 1e-6) break;
  }
  return apportion(shares.map((share) => Math.max(share, 0)), 100);
}

/** Where percentages put the blend. */
export function blendAt(points: readonly Place[], percents: readonly number[]): [number, number] {
  return mean(points, percents.map((percent) => percent / 100));
}

function mean(points: readonly Place[], shares: readonly number[]): [number, number] {
  return points.reduce<[number, number]>(([x, y], point, at) => [x + shares[at]! * point[0], y + shares[at]! * point[1]], [0, 0]);
}

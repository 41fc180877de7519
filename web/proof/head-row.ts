// One row of one attention head, worked out again in double precision from the queries, keys and values that the core
// used. The only model arithmetic outside the core: it is there to check it, and shares no code with it.
//
// Beside each number stands a bound: how far single precision may lie from it by rounding alone (Higham, "Accuracy and
// Stability of Numerical Algorithms", section 3.1: a sum of n products, each rounded, is off by at most
// γ(n) = n·u / (1 − n·u) times the sum of their sizes, u = 2⁻²⁴). What differs by more is wrong.

/** Half the distance between 1 and the next number of single precision. */
const u = 2 ** -24;
/** Below it single precision rounds by steps of a fixed size. */
const smallest = 2 ** -126;
/** Errors of the core's exp, in units of u. */
const expError = 4;
/** Room for the products of errors, which the bounds leave out. */
const slack = 1.1;

const gamma = (n: number) => (n * u) / (1 - n * u);

/** A number in double precision, and how far from it single precision may lie. */
export interface Proved {
  value: number;
  bound: number;
}

export interface RowInput {
  /** [d_head] */
  query: ArrayLike<number>;
  /** Key of a position, [d_head]. */
  key(position: number): ArrayLike<number>;
  /** The position that asks: it sees the positions 0 … row. */
  row: number;
}

/** Every number of a row's softmax. Arrays are [row + 1]. */
export interface ProvedRow {
  root: number;
  scaled: Proved[];
  maximum: Proved;
  exponentials: Proved[];
  sum: Proved;
  shares: Proved[];
}

/** q · k. */
export function proveDot(query: ArrayLike<number>, key: ArrayLike<number>): Proved {
  let value = 0;
  let size = 0;
  for (let i = 0; i < query.length; i++) {
    const product = query[i]! * key[i]!;
    value += product;
    size += Math.abs(product);
  }
  return { value, bound: gamma(query.length) * size + smallest };
}

/** A score divided by √d_head. */
export function proveScaled(raw: Proved, d_head: number): Proved {
  const root = Math.sqrt(d_head);
  const value = raw.value / root;
  return { value, bound: (raw.bound / root + 3 * u * Math.abs(value)) * slack };
}

export function proveRow({ query, key, row }: RowInput): ProvedRow {
  const d_head = query.length;
  const scaled = Array.from({ length: row + 1 }, (_, at) => proveScaled(proveDot(query, key(at)), d_head));
  const maximum = {
    value: Math.max(...scaled.map(({ value }) => value)),
    bound: Math.max(...scaled.map(({ bound }) => bound)),
  };
  const exponentials = scaled.map(({ value: score, bound }) => {
    const exponent = score - maximum.value;
    const value = Math.exp(exponent);
    const relative = Math.expm1(bound + maximum.bound + u * Math.abs(exponent)) + expError * u;
    return { value, bound: value * relative * slack + smallest };
  });
  const total = exponentials.reduce((all, { value }) => all + value, 0);
  const sum = {
    value: total,
    bound: (exponentials.reduce((all, { bound }) => all + bound, 0) + gamma(row + 1) * total) * slack,
  };
  const shares = exponentials.map(({ value, bound }) => ({
    value: value / total,
    bound: ((bound + (value * sum.bound) / total) / total + (2 * u * value) / total) * slack + smallest,
  }));
  return { root: Math.sqrt(d_head), scaled, maximum, exponentials, sum, shares };
}

/** One number of the row's blend, z = Σ share · value: `values` holds that number of each value, [row + 1]. */
export function proveBlend({ shares }: ProvedRow, values: ArrayLike<number>): { products: number[]; sum: Proved } {
  const products = shares.map(({ value }, at) => value * values[at]!);
  const bound = shares.reduce(
    (all, share, at) => all + Math.abs(values[at]!) * (share.bound + gamma(shares.length) * share.value),
    0,
  );
  return { products, sum: { value: products.reduce((all, product) => all + product, 0), bound: bound * slack + smallest } };
}

/**
 * A number that the head writes, the sum over i of z[i] · W_O[i, column]: `blend` is the row's whole blend, [d_head], and
 * `weights` the column of the head's rows of W_O.
 */
export function proveWrite(blend: readonly Proved[], weights: ArrayLike<number>): { products: number[]; sum: Proved } {
  const products = blend.map(({ value }, i) => value * weights[i]!);
  const bound = blend.reduce(
    (all, z, i) => all + Math.abs(weights[i]!) * (z.bound + gamma(blend.length) * Math.abs(z.value)),
    0,
  );
  return { products, sum: { value: products.reduce((all, product) => all + product, 0), bound: bound * slack + smallest } };
}

/** Whether a number of the core lies where rounding can explain it. */
export function agrees(core: number, proved: Proved): boolean {
  return Math.abs(core - proved.value) <= proved.bound;
}

// The JSON of the lessons gelu and parameters; see lessons.ts.

export interface GeluInput {
  /** 1 to 256 numbers. */
  x: number[];
}
/** The tanh form of GELU, as the models compute it: y[i] = gelu(x[i]). */
export interface GeluOutput {
  x: number[];
  y: number[];
}

export const knownModels = ['little', 'small', 'medium', 'large', 'xl'] as const;
export type KnownModel = (typeof knownModels)[number];

/** What decides the number of weights of a model of GPT-2's kind: width of a row, rows of the token and position tables. */
export interface ModelSizes {
  layers: number;
  width: number;
  tokens: number;
  places: number;
}
export type ParametersInput = { model: KnownModel } | ModelSizes;
export interface Budget {
  sizes: ModelSizes;
  /** In this order: tokens, positions, attention, feed_forward, norms. `tables`: learned tables by shape. */
  parts: {
    name: 'tokens' | 'positions' | 'attention' | 'feed_forward' | 'norms';
    weights: number;
    share: number;
    tables: { what: string; rows: number; columns: number; copies: number; weights: number }[];
  }[];
  weights: number;
}
export interface ParametersOutput {
  asked: Budget;
  known: Record<KnownModel, Budget>;
}

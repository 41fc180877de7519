// The JSON of the lessons cost and price; see lessons.ts.

/** How many looks a text costs, and a longer one. */
export interface CostInput {
  /** 1 to 200,000. */
  tokens: number;
  /** Tokens that come behind; 0 to 200,000. Default 0. */
  added?: number;
  /** Default 1 each; at most 1,000 and 200. */
  layers?: number;
  heads?: number;
}
export interface CostRow {
  tokens: number;
  /** In one head: tokens · (tokens + 1) / 2. */
  looks: number;
  /** In all heads of all layers. */
  looks_in_all: number;
  /** Against the text before, or the row before; null where there is none. */
  times: number | null;
}
export interface CostOutput {
  layers: number;
  heads: number;
  /** layers · heads. */
  heads_in_all: number;
  added: number;
  before: CostRow;
  after: CostRow;
  /** Looks of the added tokens, in one head: at the text, and at themselves and each other. after = before + both. */
  across: number;
  among: number;
  /** Looks in one head when `after` is written token by token and every text on the way is worked out anew. */
  anew: number;
  /** The text, twice as long, four, eight and sixteen times. */
  doublings: CostRow[];
}

/** What a pass over a text costs in a model of GPT-2's kind. */
export interface PriceInput {
  layers: number;
  heads: number;
  d_model: number;
  d_mlp: number;
  /** 1 to 64 lengths of text, each 1 to 200,000. */
  tokens: number[];
  /** What a pass over each took, to be compared. */
  milliseconds?: number[];
}
export interface PriceOutput {
  /** Multiplications a second, all passes together; null without milliseconds. */
  speed: number | null;
  rows: {
    tokens: number;
    looks: number;
    looks_in_all: number;
    /** Multiplications of a pass: for the looks, and in the tables of the layers. */
    for_looks: number;
    for_tables: number;
    /** for_looks / (for_looks + for_tables). */
    looks_part: number;
    /** Multiplications of the last token alone, where the keys and values before it were kept. */
    for_last_token: number;
    /** Keys and values of all layers, four bytes a number. */
    cache_bytes: number;
    /** Every head's whole grid of shares, if one kept them. */
    grid_bytes: number;
    /** (for_looks + for_tables) / speed; null without milliseconds. */
    expected_milliseconds: number | null;
  }[];
}

// The JSON of the lesson order; see lessons.ts.

import type { FeatureVector, Phrase } from './lessons.ts';

/** Two texts under one head of a toy world; their last tokens ask: core/lessons/order.hpp. */
export interface OrderInput {
  /** Default: the book's. Words stand for their features; marks and unknown words for none. */
  one?: string;
  two?: string;
  /** What the last token asks for. Default: the book's. */
  query?: string;
  /** How long the two numbers are that say a token's place; 0 to 2. Default 0: it has none. */
  places?: number;
}
export interface OrderSide {
  tokens: {
    text: string;
    /** Its features, scaled to length 1: key and value. */
    value: FeatureVector;
    /** query · key, of the features alone. */
    match: number;
    /** What the numbers of the places add to it. */
    place: number;
    share: number;
    /** share · value. */
    part: FeatureVector;
  }[];
  /** The parts added up, in the order of the text. */
  blend: FeatureVector;
}
export interface OrderOutput {
  features: string[];
  query: Phrase;
  /** match and place together are multiplied by it. */
  stretch: number;
  places: number;
  one: OrderSide;
  two: OrderSide;
  /** The length of the difference of both blends, and its largest number. */
  difference: number;
  most: number;
  unknown_words: string[];
}

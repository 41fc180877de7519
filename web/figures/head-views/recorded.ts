// What GPT-2 small gave in this chapter's sentences (chapters/recorded.json): shown, as recorded, where a link means GPT-2
// and another model is open. The same state computes it anew once GPT-2 is there.

import recordedClaims from '../../../chapters/recorded.json';

interface Claim {
  text?: string;
  measure: string;
  recorded: number;
  layer?: number;
  head?: number;
  from?: number;
  to?: number;
}

const claims: readonly Claim[] = recordedClaims.claims;

export const sentence = "The animal didn't cross the street because it was too tired";
/** The tokens up to “it”, as GPT-2 cuts the sentence. */
export const recordedTokens = ['The', ' animal', ' didn', "'t", ' cross', ' the', ' street', ' because', ' it'] as const;

/**
 * Shares of a head ("4.3") or of the mean of all heads, from “it”, which must be token `from`. Null for what is below half
 * a per cent and not recorded closer; null as a whole where nothing is recorded.
 */
export function recorded(text: string, from: number, what: string): readonly (number | null)[] | null {
  if (text !== sentence) return null;
  const fits = (claim: Claim) => (what === 'mean' ? claim.measure === 'mean_share' : claim.measure === 'share' && `${claim.layer}.${claim.head}` === what);
  const found = new Map(claims.filter((claim) => claim.text === text && claim.from === from && fits(claim)).map((claim) => [claim.to, claim.recorded / 100]));
  return found.size === 0 ? null : recordedTokens.map((_, at) => found.get(at) ?? null);
}

export const capitalSentence = 'Maya lives in Paris, the capital of';

/** The layer and share of the head that looks hardest there from the last token, “of”, at “Paris”. Null for other places. */
export function recordedHardest(text: string, from: number, to: number): { layer: number; share: number } | null {
  const found = claims.find((claim) => claim.measure === 'hardest_share' && claim.text === text && claim.to === to);
  return text === capitalSentence && from === -1 && found ? { layer: found.layer!, share: found.recorded / 100 } : null;
}

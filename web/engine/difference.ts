// By how much the shares of two engines differ on one text, at most: how much a precision costs.

import type { Crew } from './crew.ts';
import type { Outcome } from './protocol.ts';
import type { Difference, Input, ModelConfig } from './types.ts';

/** Asks one of the two crews. */
type Ask = <T>(crew: Crew, work: (api: Crew['api'], call: number) => Promise<Outcome<T>>) => Promise<T>;

/** Both hold the same model, whole; both run the text anew. */
export async function differenceOf(here: Crew, exact: Crew, { n_layers, n_heads }: ModelConfig, input: Input, ask: Ask): Promise<Difference> {
  const passes = await Promise.all([here, exact].map((crew) => ask(crew, (api, call) => api.run(call, input))));
  let found: Difference = { most: 0, layer: 0, head: 0, query: 0, key: 0 };
  for (let layer = 0; layer < n_layers; layer++) {
    for (let head = 0; head < n_heads; head++) {
      const [a, b] = await Promise.all([here, exact].map((crew, at) => ask(crew, (api) => api.head(passes[at]!.pass, layer, head))));
      a!.pattern.forEach((share, at) => {
        const most = Math.abs(share - b!.pattern[at]!);
        if (most > found.most) found = { most, layer, head, query: Math.floor(at / a!.n), key: at % a!.n };
      });
    }
  }
  return found;
}

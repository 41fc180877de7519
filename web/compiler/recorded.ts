// What is recorded about GPT-2 (chapters/recorded.json): figures that the book cannot compute where it is built, because
// the weights are not there. `./build.sh claims DIR` and a page with GPT-2 open compute them anew.

import { readFile } from 'node:fs/promises';

export interface RecordedClaim {
  id: string;
  measure: string;
  recorded: number;
  decimals: number;
}

/** By id. A folder without the file has none. */
export async function readRecorded(file: string): Promise<Map<string, RecordedClaim>> {
  const text = await readFile(file, 'utf8').catch(() => '{"claims":[]}');
  const { claims } = JSON.parse(text) as { claims: RecordedClaim[] };
  return new Map(claims.map((claim) => [claim.id, claim]));
}

/** What is wrong with a number in the prose that names a claim; null where they agree. */
export function disagreement(recorded: Map<string, RecordedClaim>, id: string, shown: string): string | null {
  const claim = recorded.get(id);
  if (!claim) return `recorded.json has no claim "${id}".`;
  const number = Number(shown.replace(/[\s\u00a0\u202f%]/g, '').replace('−', '-'));
  const digits = /\.(\d+)/.exec(shown)?.[1]?.length ?? 0;
  if (digits <= claim.decimals && number === Number(claim.recorded.toFixed(digits))) return null;
  return `"${shown}" is not what recorded.json has for "${id}": ${claim.recorded}.`;
}

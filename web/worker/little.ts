// The little model lies on the site and is small: its files are fetched whole, while the engine's module comes.

import { littleMissing } from '../engine/failures.ts';
import { littleName, type Outcome } from '../engine/protocol.ts';
import { siteFiles } from './source/disk.ts';
import type { Origin } from './source/types.ts';

/** The little model as files at hand, from its folder on this site. */
export async function fetchLittle(folder: string): Promise<Outcome<Origin>> {
  const files = await siteFiles(folder);
  return files ? { ok: { kind: 'files', name: littleName, files } } : littleMissing;
}

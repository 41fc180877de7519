// Which model a reader is about to fetch, what it would cost, and what suits the device.

import type { KeptModel, ModelSource, Offer, Precision } from '../engine/types.ts';
import { precisions } from '../engine/types.ts';
import { addressOrigin, bytesToFetch, HUB, knownModels, parametersOf, type KnownModel } from '../worker/source/known.ts';

/** One of the hub's models that the page knows, by its place in the list; or what the reader types. */
export type Choice = number | 'repository' | 'address';

export interface Wish {
  choice: Choice;
  repository: string;
  revision: string;
  address: string;
  /** Null: what suits the device. */
  precision: Precision | null;
  /** Of what was typed, once its host was asked. */
  offer: Offer | null;
}

export const firstWish: Wish = { choice: 0, repository: '', revision: 'main', address: '', precision: null, offer: null };

export function knownOf({ choice }: Wish): KnownModel | null {
  return typeof choice === 'number' ? knownModels[choice]! : null;
}

export function sourceOf(wish: Wish): ModelSource {
  const known = knownOf(wish);
  if (known) return { repository: known.repo, revision: known.revision };
  return wish.choice === 'address' ? { address: wish.address } : { repository: wish.repository, revision: wish.revision };
}

/** The host that would be asked; empty for an address that is none. */
export function hostOfWish({ choice, address }: Wish): string {
  if (choice !== 'address') return new URL(HUB).host;
  try {
    const origin = addressOrigin(address);
    return origin.kind === 'address' ? new URL(origin.url).host : new URL(HUB).host;
  } catch {
    return '';
  }
}

// ------------------------------------------------------------------------------------------------------------ costs

/** Bytes of packed weights that the engine's 32-bit memory gives out in one piece. */
const MOST_BYTES = 2 ** 31;
const bytesEach: Record<Precision, number> = { f32: 4, f16: 2, int8: 1 };

/** What the page knows of a model before it asks anybody; null for what is typed and was not asked for. */
export function offerOf(wish: Wish): Offer | null {
  const known = knownOf(wish);
  return known ? offerOfKnown(known) : wish.offer;
}

export function offerOfKnown(known: KnownModel): Offer {
  const choices = Object.fromEntries(
    precisions.map((precision) => {
      const kept_bytes = bytesEach[precision] * parametersOf(known);
      return [precision, { kept_bytes, refused: kept_bytes > MOST_BYTES ? 'more than the engine can hold' : '' }];
    }),
  ) as Offer['choices'];
  return { name: known.name, host: new URL(HUB).host, file_bytes: 0, bytes_to_read: bytesToFetch(known), choices };
}

/** The same model, where it is kept. */
export function keptOf(wish: Wish, kept: readonly KeptModel[]): KeptModel | undefined {
  const wanted = JSON.stringify(sourceOf(wish));
  return kept.find(({ source }) => JSON.stringify(source) === wanted);
}

// ----------------------------------------------------------------------------------------------------------- devices

/** Whether the device has little memory, as phones do: 4 GB or less where the browser says, else by its screen. */
export function isSmallDevice(): boolean {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  if (deviceMemory !== undefined && deviceMemory <= 4) return true;
  return matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) <= 600;
}

/** A small device begins with the smallest; others with the first that fits. */
export function suitable(offer: Offer, small: boolean): Precision {
  const order: readonly Precision[] = small ? ['int8', 'f16', 'f32'] : precisions;
  return order.find((precision) => offer.choices[precision].refused === '') ?? 'int8';
}

/** The reader's choice where it can be had. */
export function precisionOf(wish: Wish, offer: Offer, small: boolean): Precision {
  return wish.precision && offer.choices[wish.precision].refused === '' ? wish.precision : suitable(offer, small);
}

/** iOS ends a page of roughly this size. */
const SMALL_DEVICE_BYTES = 400e6;

export function warningOf(kept_bytes: number, small: boolean): string {
  return small && kept_bytes > SMALL_DEVICE_BYTES ? 'A phone may end a page that takes this much memory. int8 is the safer choice.' : '';
}

// The SHA-256 of a whole safetensors file from the parts that were fetched. The mask buffers were not: they hold what
// every GPT-2 export holds there, ones on and below the diagonal, so their bytes can be worked out.

import { runningSha256 } from './digest.ts';

export interface TensorPlace {
  name: string;
  dtype: string;
  shape: number[];
  /** Bytes from the file's start. */
  begin: number;
  end: number;
}

/** The tensors of a header in file order; the core has checked it (it must parse). */
export function tensorsOf(header: Uint8Array): TensorPlace[] {
  const entries = Object.entries(JSON.parse(new TextDecoder().decode(header)) as Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>);
  const start = 8 + header.length;
  return entries
    .filter(([name]) => name !== '__metadata__')
    .map(([name, { dtype, shape, data_offsets: [begin, end] }]) => ({ name, dtype, shape, begin: start + begin, end: start + end }))
    .sort((a, b) => a.begin - b.begin || a.end - b.end);
}

/** Whether the tensor is a mask whose bytes are known: h.L.attn.bias, float32, [1, 1, n, n]. */
export function isKnownMask({ name, dtype, shape }: TensorPlace): boolean {
  const [one, also, rows, columns] = shape;
  return /^(transformer\.)?h\.\d+\.attn\.bias$/.test(name) && dtype === 'F32' && shape.length === 4 && one === 1 && also === 1 && rows === columns;
}

/** Rows `from` up to `to` of the mask of `side` rows. */
export function maskRows(side: number, from: number, to: number): Uint8Array {
  const values = new Float32Array((to - from) * side);
  for (let row = from; row < to; row++) values.fill(1, (row - from) * side, (row - from) * side + row + 1);
  return new Uint8Array(values.buffer);
}

const ROWS = 256; // of a mask at once

/**
 * Hexadecimal, or null when bytes are missing that are not a mask's. `read` gives the file's bytes of a stretch in parts,
 * null where they are missing.
 */
export async function wholeHash(
  size: number,
  header: Uint8Array,
  read: (begin: number, end: number) => AsyncIterable<Uint8Array | null>,
): Promise<string | null> {
  const hash = await runningSha256();
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(header.length), true);
  hash.add(length);
  hash.add(header);
  let at = 8 + header.length;
  for (const tensor of tensorsOf(header)) {
    if (tensor.begin !== at) return null;
    at = tensor.end;
    if (isKnownMask(tensor)) {
      const side = tensor.shape[3]!;
      for (let row = 0; row < side; row += ROWS) hash.add(maskRows(side, row, Math.min(row + ROWS, side)));
      continue;
    }
    for await (const bytes of read(tensor.begin, tensor.end)) {
      if (!bytes) return null;
      hash.add(bytes);
    }
  }
  return at === size ? hash.end() : null;
}

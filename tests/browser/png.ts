// Reads a PNG of 8-bit colours, not interlaced, as browsers write them.

import { inflateSync } from 'node:zlib';

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue of a pixel. */
  at(x: number, y: number): [number, number, number];
}

export function readPng(file: Buffer): Picture {
  if (file.toString('latin1', 1, 4) !== 'PNG') throw new Error('This is no PNG.');
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const [width, height, depth, kind, interlaced] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24], file[25]!, file[28]];
  if (depth !== 8 || interlaced !== 0 || ![2, 6].includes(kind)) throw new Error(`Unexpected PNG: depth ${depth}, kind ${kind}.`);
  const size = kind === 6 ? 4 : 3;
  const pixels = unfiltered(inflateSync(Buffer.concat(parts)), width * size, height, size);
  return { width, height, at: (x, y) => [0, 1, 2].map((part) => pixels[(y * width + x) * size + part]!) as [number, number, number] };
}

/** Each row begins with the number of the filter that its bytes went through. */
function unfiltered(raw: Buffer, stride: number, height: number, size: number): Uint8Array {
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x++) {
      const left = x < size ? 0 : pixels[y * stride + x - size]!;
      const up = y === 0 ? 0 : pixels[(y - 1) * stride + x]!;
      const corner = x < size || y === 0 ? 0 : pixels[(y - 1) * stride + x - size]!;
      const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter]!;
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x]! + guess;
    }
  }
  return pixels;
}

function nearest(left: number, up: number, corner: number): number {
  const wanted = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(wanted - value)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

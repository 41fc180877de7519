// A vocabulary whose tokens would like to be more than text: markup, the end of a script, turned writing, characters of no
// width, half characters. Every beginning of one is a token too, as byte pairs are merged.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CheckpointShape, writeCheckpoint } from './checkpoint.ts';

export const markup = '<img src=x onerror=window.pwned=1>';
const hostile: (string | number[])[] = [
  markup, '</script><script>window.pwned=1</script>', '</textarea><svg onload=window.pwned=1>', 'javascript:window.pwned=1', '"\'`&lt;&#60;',
  '\u202Egnp.exe', '\u200B\u200D\uFEFF', '\u0000\u0007\u001B[31m', '\u2028\u2029', [0xf0, 0x9f, 0x98], [0xc0, 0xaf, 0xff],
];

/** The letter that GPT-2's files write for a byte. */
const letters = (() => {
  let next = 256;
  const seen = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(seen(byte) ? byte : next++));
})();

/** Writes vocab.json and merges.txt, and returns the number of tokens. */
export async function writeVocabulary(folder: string): Promise<number> {
  const tokens = new Map(letters.map((letter, byte) => [letter, byte]));
  const merges: string[] = [];
  for (const token of hostile) {
    let begun = '';
    for (const byte of typeof token === 'string' ? new TextEncoder().encode(token) : token) {
      const longer = begun + letters[byte]!;
      if (!tokens.has(longer)) {
        tokens.set(longer, tokens.size);
        merges.push(`${begun} ${letters[byte]}`);
      }
      begun = longer;
    }
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'vocab.json'), JSON.stringify(Object.fromEntries(tokens)));
  await writeFile(join(folder, 'merges.txt'), `#version: 0.2\n${merges.join('\n')}\n`);
  return tokens.size;
}

/** A model of such tokens. */
export async function writeHostileModel(folder: string, shape: Partial<CheckpointShape> = {}): Promise<void> {
  const vocab_size = await writeVocabulary(folder);
  await writeCheckpoint(folder, { shape: { n_layer: 2, n_head: 2, n_embd: 32, n_positions: 512, ...shape, vocab_size }, seed: 11 });
}

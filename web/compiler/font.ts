// The maths font, cut down to what the equations need. Its MATH table, with the sizes of roots and brackets, stays.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const file = '@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2';

/** First and last code point of what figures and later equations may use anyway. */
const always: readonly [number, number][] = [
  [0x20, 0x7e], // ASCII
  [0x391, 0x3c9], // Greek
  [0x1d434, 0x1d467], // italic Latin: browsers turn <mi>x</mi> into these
  [0x1d6e2, 0x1d71b], // italic Greek
];
const signs = 'ℎℝ−±×÷·⋅∗∘√∞∂∇∑∏∫∈∉⊂∪∩∀∃≈≠≡≤≥≪≫←→↦⇒⊤⊥⊙⊕⟨⟩⌊⌋⌈⌉|‖′″…⋯⋮⋱ˆ˜¯⃗\u00a0\u2061\u2062\u2063\u2009\u200a';

/** WOFF2 with these characters and the usual ones. */
export async function equationFont(characters: string): Promise<Uint8Array> {
  const usual = always.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)));
  const font = await readFile(fileURLToPath(import.meta.resolve(file)));
  return subsetFont(font, usual.join('') + signs + characters, { targetFormat: 'woff2' });
}

// Writes what a public GPT-2 tokenizer (npm tiktoken, OpenAI's own code compiled to wasm) makes of many strings.
//
//   node tests/web/tokenizer_oracle.mjs FILE [COUNT] [SEED]
//
// The doctest case "oracle" (tests/core/text_oracle.cpp) reads FILE and compares. FILE is little-endian 32-bit numbers
// but for the text: magic "LBTO", count of cases; then for each case
//   byte count, bytes of the text · count, ids with <|endoftext|> as text · count, ids with it as special token ·
//   count, byte lengths of the words
// The words come from GPT-2's pattern run by JavaScript's own engine, with \s written as White_Space: its \s is another.
import { closeSync, openSync, writeSync } from 'node:fs';
import { get_encoding } from 'tiktoken';
import { hasTooNew, oracleStrings } from './tokenizer_oracle_strings.mjs';

const [file, count = '24000', seed = '1'] = process.argv.slice(2);
if (!file || !(Number(count) > 0)) {
  console.error('Usage: node tokenizer_oracle.mjs FILE [COUNT] [SEED]');
  process.exit(2);
}

const pattern =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;
const tokenizer = get_encoding('gpt2');
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function numbers(values) {
  const bytes = Buffer.alloc(4 + 4 * values.length);
  bytes.writeUInt32LE(values.length, 0);
  values.forEach((value, i) => bytes.writeUInt32LE(value, 4 + 4 * i));
  return bytes;
}

// The case of one string or byte sequence; none where it holds characters that tiktoken does not know yet.
function caseOf(input) {
  const bytes = typeof input === 'string' ? encoder.encode(input) : input;
  const text = decoder.decode(bytes);
  if (hasTooNew(text)) return undefined;
  // tiktoken gets the string as it is: that it turns lone surrogates into U+FFFD is part of what is compared.
  const given = typeof input === 'string' ? input : text;
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length, 0);
  return Buffer.concat([
    size,
    bytes,
    numbers(tokenizer.encode_ordinary(given)),
    numbers(tokenizer.encode(given, 'all')),
    numbers(Array.from(text.matchAll(pattern), ([word]) => encoder.encode(word).length)),
  ]);
}

const output = openSync(file, 'w');
const header = Buffer.from('LBTO\0\0\0\0', 'latin1');
writeSync(output, header);
let cases = 0;
for (const input of oracleStrings(Number(count), Number(seed), (id) => tokenizer.decode_single_token_bytes(id))) {
  const written = caseOf(input);
  if (written === undefined) continue;
  writeSync(output, written);
  cases++;
}
header.writeUInt32LE(cases, 4);
writeSync(output, header, 0, header.length, 0);
closeSync(output);
console.log(`${cases} strings with tiktoken's tokens in ${file}`);

// The strings on which the tokenizer is held against a public one: seeded, of every kind that has broken tokenizers.
//
// Each is a JavaScript string, lone surrogates and all, or a Uint8Array of bytes that need not be UTF-8.

// Letters and numbers that Unicode 17.0 added. They are left out: tiktoken 1.0.22 has the tables of Unicode 16.0, in
// which they are unassigned. Between 16.0 and 17.0 no other code point changed its class.
const tooNew = [
  [0x88f, 0x88f], [0xc5c, 0xc5c], [0xcdc, 0xcdc], [0xa7ce, 0xa7cf], [0xa7d2, 0xa7d2], [0xa7d4, 0xa7d4],
  [0xa7f1, 0xa7f1], [0x10940, 0x10959], [0x10ec5, 0x10ec7], [0x11db0, 0x11ddb], [0x11de0, 0x11de9],
  [0x16ea0, 0x16eb8], [0x16ebb, 0x16ed3], [0x16ff2, 0x16ff6], [0x187f8, 0x187ff], [0x18d09, 0x18d1e],
  [0x18d80, 0x18df2], [0x1e6c0, 0x1e6de], [0x1e6e0, 0x1e6e2], [0x1e6e4, 0x1e6e5], [0x1e6e7, 0x1e6ed],
  [0x1e6f0, 0x1e6f4], [0x1e6fe, 0x1e6ff], [0x2b73a, 0x2b73f], [0x2cea2, 0x2cead], [0x323b0, 0x33479],
];

const isTooNew = (code) => tooNew.some(([first, last]) => code >= first && code <= last);
const isSurrogate = (code) => code >= 0xd800 && code <= 0xdfff;

export function hasTooNew(text) {
  for (const character of text) if (isTooNew(character.codePointAt(0))) return true;
  return false;
}

// mulberry32: numbers in [0, n) from a seed, the same on every machine.
function randomFrom(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  };
}

function charactersOf(set) {
  const characters = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (isSurrogate(code) || isTooNew(code)) continue;
    const character = String.fromCodePoint(code);
    if (set.test(character)) characters.push(character);
  }
  return characters;
}

// Assigned characters in blocks of 128, so that a string can stay inside one script.
function blocksOf(characters) {
  const blocks = new Map();
  for (const character of characters) {
    const block = character.codePointAt(0) >> 7;
    blocks.set(block, [...(blocks.get(block) ?? []), character]);
  }
  return [...blocks.values()];
}

const sentences = [
  "The animal didn't cross the street because it was too tired.", "IT'S WE'RE THEY'LL I'D I'M WE'VE DON'T",
  'it’s they’re don’t', "rock 'n' roll, the '90s, O'Reilly's", 'x = {"a": [1, 2.5e-3], \'b\': null};', 'for (;;) i++;',
  'https://example.org/a?b=c&d=%20#e', 'Straße, naïve café, Ærøskøbing', 'Привет, как дела?', '今日は良い天気ですね。',
  '안녕하세요 세계', 'مرحبا بالعالم ١٢٣', 'नमस्ते दुनिया १२३', 'สวัสดีชาวโลก', 'Γειά σου Κόσμε', 'שלום עולם', 'བཀྲ་ཤིས།',
];
const spaces = [' ', ' ', '  ', '\t', '\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u00a0', '\u1680', '\u2003', '\u2028',
  '\u2029', '\u202f', '\u205f', '\u3000', '\u200b', '\ufeff', '\u180e', '\u001c', '\u001f'];
const contractions = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'Ve", "'M", "'LL", "'lL", "'D",
  "'", "''", "’s", "'x", "'l", "'r"];
const specials = ['<|endoftext|>', '<|endoftext|>', '<|endoftext|', '|endoftext|>', '<|endoftext|>>', '<<|endoftext|>',
  '<|EndOfText|>', '<|endoftext |>', ' <|endoftext|> '];

// Endless strings: call the result for the next one. `tokenBytes(id)` gives the bytes of one of the 50,257 tokens.
function stringMaker(seed, tokenBytes) {
  const random = randomFrom(seed);
  const one = (list) => list[random(list.length)];
  const many = (most, part) => Array.from({ length: 1 + random(most) }, part).join('');

  const blocks = blocksOf(charactersOf(/\P{Cn}/u));
  const emoji = charactersOf(/\p{Emoji}/u);
  const marks = charactersOf(/\p{M}/u);
  const numbers = charactersOf(/\p{N}/u);
  const controls = charactersOf(/[\p{Cc}\p{Cf}]/u);
  const ascii = () => String.fromCharCode(32 + random(95));
  const letter = () => one(one(blocks));
  const word = () => one(one(sentences).split(' '));
  const surrogate = () => String.fromCharCode(0xd800 + random(0x800));
  const anyScalar = () => {
    const code = random(0x110000);
    return isSurrogate(code) || isTooNew(code) ? '\ufffd' : String.fromCodePoint(code);
  };
  const tokens = (most) => Buffer.concat(Array.from({ length: 1 + random(most) }, () => tokenBytes(random(50256))));

  const kinds = [
    function oneBlock() {
      const block = one(blocks);
      return many(30, () => (random(6) === 0 ? one(spaces) : one(block)));
    },
    () => many(12, () => (random(4) === 0 ? ' ' : letter())),
    () => many(8, () => one(emoji) + one(['', '', '\u200d', '\ufe0f', '\u{1f3fd}', '\u20e3', ' '])),
    () => many(6, () => letter() + many(4, () => one(marks))),
    () => many(12, () => (random(3) === 0 ? one([' ', '.', 'a', '٫']) : one(numbers))),
    () => many(12, () => (random(2) === 0 ? one(controls) : ascii())),
    () => many(8, () => one([word, letter, ascii, () => ''])() + one(contractions)),
    () => many(10, () => (random(3) === 0 ? word() : one(spaces))),
    () => one(['a', 'z', '-', ' ', '\n', 'é', '中', '😀', '\u0301', '1', "'s", 'ab', 'ha', ' a', letter()])
      .repeat(1 + random(300)),
    () => many(6, () => (random(2) === 0 ? one(specials) : one(spaces) + word())),
    () => many(40, ascii),
    () => one(sentences).slice(random(10)) + one(spaces) + one(sentences),
    () => many(10, () => one([surrogate, ascii, letter])()),
    () => many(12, anyScalar),
    () => Uint8Array.from({ length: 1 + random(30) }, () => one([random(256), random(256), 0xe2, 0xf0, 0x80, 0x41])),
    () => tokens(12),
    () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(tokens(12)),
  ];
  return () => one(kinds)();
}

// Every code point of planes 0 to 3 and 14, once, where its class decides how the text around it is cut.
function* everyCodePoint() {
  let text = '';
  let count = 0;
  for (let code = 0; code <= 0xe0fff; code++) {
    if (code === 0x40000) code = 0xe0000;
    if (isSurrogate(code) || isTooNew(code)) continue;
    const character = String.fromCodePoint(code);
    text += `a${character}1${character}'s ${character}`;
    if (++count % 128 === 0) {
      yield text;
      text = '';
    }
  }
  yield text;
}

function* fixedStrings() {
  yield* ['', ' ', '  ', '\n', "'", '<|endoftext|>', 'hello <|endoftext|>', '\ufeff', '\ud83d', '\ude00\ud83d', '\0'];
  yield* sentences;
  for (const part of ['a', ' ', '-', '\n', '中', 'ab', '😀']) yield part.repeat(10000);
}

// At least `count` random strings after the fixed ones and the sweep over all code points.
export function* oracleStrings(count, seed, tokenBytes) {
  yield* fixedStrings();
  yield* everyCodePoint();
  const next = stringMaker(seed, tokenBytes);
  for (let i = 0; i < count; i++) yield next();
}

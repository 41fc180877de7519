// Writes unicode_classes.inc: the sorted code point ranges that the tokenizer and the token display ask for.
//
//   node core/text/generate_unicode_classes.mjs
//
// The properties are those of Node's own ICU; the file that is written states their Unicode version. It is committed,
// so a build needs no Node, and running the script under another Node changes tokens only for code points that Unicode
// added in between.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const tables = [
  { name: 'kLetters', set: /\p{L}/u, about: 'General_Category L' },
  { name: 'kNumbers', set: /\p{N}/u, about: 'General_Category N' },
  // GPT-2's pattern ran in Python's `regex`, whose \s is White_Space: with U+0085, without U+001C..U+001F and U+FEFF.
  { name: 'kSpaces', set: /\p{White_Space}/u, about: 'White_Space' },
  {
    name: 'kInvisible',
    set: /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]/u,
    except: [0x20],
    about: 'controls, spaces but U+0020, separators, default-ignorables, noncharacters, interlinear marks',
  },
];

function rangesOf({ set, except = [] }) {
  const ranges = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (!set.test(String.fromCodePoint(code)) || except.includes(code)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}

const hex = (code) => `0x${code.toString(16).toUpperCase()}`;

function printed(table) {
  const ranges = rangesOf(table);
  const lines = [''];
  for (const [first, last] of ranges) {
    const pair = `{${hex(first)}, ${hex(last)}},`;
    const line = lines.at(-1);
    if (line === '') lines[lines.length - 1] = `    ${pair}`;
    else if (line.length + 1 + pair.length <= 120) lines[lines.length - 1] = `${line} ${pair}`;
    else lines.push(`    ${pair}`);
  }
  return `\n// ${table.about}\nconstexpr CodePointRange ${table.name}[${ranges.length}] = {\n${lines.join('\n')}\n};\n`;
}

const header = `// Unicode ${process.versions.unicode}. Written by generate_unicode_classes.mjs; do not edit.\n`;
const target = fileURLToPath(new URL('unicode_classes.inc', import.meta.url));
writeFileSync(target, header + tables.map(printed).join(''));

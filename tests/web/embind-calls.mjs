// Random calls to everything that one wasm module exports: wrong types, ranges, orders and sizes among right ones. Each is
// answered by a value or by a refusal in words, never by a trap or a bare number, and afterwards the module gives the
// same bits as before. A process of its own, so that a call without end can be ended; the file `last` names that call.
//
//   node embind-calls.mjs --module lookback|lessons|training --folder DIR --runs 400 [--seconds 0] [--seed 1]

import fc from 'fast-check';
import { openSync, readFileSync, readdirSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { module: { type: 'string' }, folder: { type: 'string' }, runs: { type: 'string' }, seconds: { type: 'string', default: '0' }, seed: { type: 'string', default: '1' } },
});
const wasm = new URL('../../build/wasm/wasm/', import.meta.url);
const utf8 = (text) => new TextEncoder().encode(text);
const read = (name) => new Uint8Array(readFileSync(`${options.folder}/${name}`));
const last = openSync(`${options.folder}/last`, 'w');

async function load() {
  const { default: create } = await import(new URL(`${options.module}.mjs`, wasm).href);
  return create({ wasmBinary: await readFile(new URL(`${options.module}.wasm`, wasm)), printErr() {} });
}

// ------------------------------------------------------------------------------------------------------------ arguments

const pick = (list, seed) => list[seed % list.length];

/** Numbers that no text has, or that no int holds. */
const edges = [-1, -2, -0, 0.5, -0.5, 1e300, -1e300, NaN, Infinity, -Infinity, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 2 ** 63, 2 ** 64];

function detached() {
  const bytes = new Uint8Array(64).fill(123);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

/** What is no number, no bytes and no list of the right things. */
const odd = [
  undefined, null, true, '', '1', '\ud800', 10n, Symbol('s'), () => 1, {}, [], [[]], [{}], [undefined], ['x'], [10n], [NaN], [1e300], { length: -1 }, { length: NaN }, { length: '3' },
  { length: 2 ** 32 - 1 }, { length: 1, 0: 7 }, new Date(0), /x/, new Map([[1, 2]]), new Float32Array([1, NaN]), new Float64Array(3), new Int8Array([-1, 5]), new Uint8ClampedArray(4), new ArrayBuffer(8),
  new SharedArrayBuffer(8), new DataView(new ArrayBuffer(4)), Object.create(null), { silenced: 3 }, { positions: 4 }, { seed: 'x' }, { silenced: [null] }, { silenced: [{ layer: 'a', head: {} }] },
  { replaced: [{ layer: 0, head: 0, row: 1 }] }, { replaced: [{ layer: 0, head: 0, row: 1, shares: 'xy' }] }, { replaced: [{ layer: 1e9, head: -1, row: NaN, shares: [NaN, -1] }] },
];

/** `bytes` with a few of them changed, doubled or dropped. */
function bent(bytes, seed) {
  let state = seed + 1;
  const random = (below) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 8) % Math.max(below, 1);
  const list = [...bytes];
  for (let times = random(4) + 1; times > 0; times--) {
    const at = random(list.length + 1);
    if (random(3) === 0) list.splice(at, random(40));
    else if (random(2) === 0) list.splice(at, 0, ...list.slice(at, at + random(40)));
    else list[at] = random(2) === 0 ? random(256) : pick([...utf8('0123456789-.eE"[]{},:\\ tfn')], random(99));
  }
  return Uint8Array.from(list);
}

/** Whole files are long: of those only the beginning is bent. */
const bentFile = (bytes, seed) => new Uint8Array([...bent(bytes.subarray(0, 4000), seed), ...bytes.subarray(4000)]);

const make = {
  small: (seed) => seed % 14,
  size: (seed) => pick([0, 1, 4, 24, 96, 300, 4096], seed),
  edge: (seed) => pick(edges, seed),
  odd: (seed) => pick(odd, seed),
  detached,
  noise: (seed) => bent(utf8('{"a":[1,2,3.5e7,null,"x\u202ey"]}'), seed),
  long: (seed) => new Uint8Array(1 << (10 + (seed % 11))).fill(seed),
};

// ------------------------------------------------------------------------------------------------------------ the modules

const codes = ['bad_argument', 'bad_file', 'missing_tensor', 'window_full', 'out_of_memory', 'cancelled', 'not_yet'];

function checkOutcome(outcome) {
  const keys = Object.keys(outcome).join();
  if (keys === 'ok') return 'answered';
  if (keys !== 'error,sentence' || !codes.includes(outcome.error)) throw new Error(`No outcome: ${JSON.stringify(outcome)}`);
  // 4294967295 is a −1 that was bent into a number without a sign, unless it was given as a file's size.
  const words = outcome.sentence.replace(/^The file has \d+ bytes/, '');
  if (!/^\S.{8,}[.…]$/su.test(outcome.sentence) || /undefined|\[object|429496729\d|184467440737\d+/.test(words)) throw new Error(`No sentence: ${outcome.sentence}`);
  return 'refused';
}
const checkType = (type) => (value) => {
  if (typeof value !== type) throw new Error(`${type} was expected, not ${String(value)}`);
  return 'answered';
};

function value(outcome) {
  if ('ok' in outcome) return outcome.ok;
  throw new Error(outcome.sentence);
}

function lookback() {
  const file = read('model.safetensors');
  const header = file.slice(8, 8 + Number(new DataView(file.buffer).getBigUint64(0, true)));
  const config = read('config.json'), vocab = read('vocab.json'), merges = read('merges.txt');
  const index = utf8(JSON.stringify({ weight_map: Object.fromEntries(Object.keys(JSON.parse(new TextDecoder().decode(header))).map((name) => [name, 'model.safetensors'])) }));
  const hooks = ['blocks.0.attn.hook_q', 'blocks.2.hook_resid_post', 'blocks.1.mlp.hook_pre', 'ln_final.hook_normalized', 'hook_pos_embed', 'wpe', 'wpe_cosines.1', 'blocks.9.hook_resid_pre', 'blocks.-1.attn.hook_z', 'wpe_cosines.99999999999999999999', ''];
  const ids = [7, 49, 0, 7, 21];
  const sent = (session, from, to) => {
    value(session.staging(to - from)).set(file.subarray(from, to));
    value(session.write(0, from, to - from));
  };
  const stages = [
    (session) => value(session.loadVocabulary(vocab, merges)),
    (session) => value(session.plan(config, [header], [file.length], 'f32')),
    (session) => value(session.allocate()),
    (session) => sent(session, 0, file.length >> 1),
    (session) => sent(session, file.length >> 1, file.length),
    (session) => value(session.finish()),
    (session) => value(session.beginPass(ids, null)),
    (session) => {
      while (value(session.step()));
    },
  ];
  Object.assign(make, {
    config: () => config,
    bentConfig: (seed) => bent(config, seed),
    headers: () => [header],
    bentHeaders: (seed) => [bent(header, seed)],
    twoHeaders: () => [header, header],
    index: () => index,
    bentIndex: (seed) => bent(index, seed),
    vocab: () => vocab,
    bentVocab: (seed) => bentFile(vocab, seed),
    merges: () => merges,
    bentMerges: (seed) => bentFile(merges, seed),
    start: () => file.subarray(0, 64),
    bentStart: (seed) => bent(file.subarray(0, 64), seed),
    sizes: () => [file.length],
    bentSizes: (seed) => [pick([...edges, file.length - 1, file.length + 1], seed)],
    length: () => file.length,
    precision: (seed) => pick(['f32', 'f16', 'int8', 'f64', ''], seed),
    ids: (seed) => ids.slice(0, (seed % 5) + 1),
    strangeIds: (seed) => [...ids, pick(edges, seed)],
    manyIds: (seed) => Array.from({ length: seed % 40 }, (_, at) => at),
    text: (seed) => utf8(pick(['Hello world', '', ' ', '\u0000', '😀é\u202e', '<img>', 'a'.repeat(3000)], seed)),
    edits: (seed) => pick([null, undefined, { positions: 'none' }, { positions: 'shuffled', seed: 3 }, { silenced: [{ layer: 1, head: 0 }] }, { replaced: [{ layer: 0, head: 1, row: 2, shares: [0.5, 0.25, 0.25] }] }], seed),
    strangeEdits: (seed) => pick([{ positions: 'up' }, { seed: -1 }, { silenced: [{ layer: 9, head: 9 }] }, { replaced: [{ layer: 0, head: 0, row: 0, shares: [] }] }, { replaced: [{ layer: 0, head: 0, row: 4, shares: Array(5).fill(1e38) }] }], seed),
    hook: (seed) => utf8(pick(hooks, seed)),
    bentHook: (seed) => bent(utf8(pick(hooks, seed)), seed),
    view: (_, memory) => memory.view,
  });
  const at = ['small', 'small', 'edge'];
  const shape = {
    loadVocabulary: [['vocab', 'bentVocab'], ['merges', 'bentMerges']],
    headerLength: [['start', 'bentStart', 'noise'], ['length', 'small', 'edge']],
    shards: [['index', 'bentIndex', 'noise']],
    plan: [['config', 'config', 'bentConfig'], ['headers', 'headers', 'bentHeaders', 'twoHeaders'], ['sizes', 'sizes', 'bentSizes'], ['precision']],
    allocate: [],
    staging: [['size', 'size', 'edge']],
    write: [at, ['small', 'size', 'length', 'edge'], ['size', 'edge']],
    finish: [],
    tokenize: [['text', 'noise', 'long']],
    beginText: [['text', 'noise', 'long']],
    stepText: [at, ['small', 'size', 'edge']],
    textTokens: [at, at, ['small', 'size', 'edge']],
    endText: [at],
    token: [['small', 'size', 'edge']],
    beginPass: [['ids', 'ids', 'strangeIds', 'manyIds'], ['edits', 'edits', 'strangeEdits']],
    step: [],
    abandon: [],
    layersBegun: [],
    sampler: [at, at, at, at],
    next: [['small', 'size', 'edge']],
    traceBytes: [],
    fingerprint: [],
    head: [at, at],
    cell: [at, at, at, at],
    blended: [at, at, at, at],
    written: [at, at, at, at],
    gallery: [at, ['small', 'size', 'edge']],
    lens: [at, at, ['small', 'edge']],
    activation: [['hook', 'hook', 'bentHook']],
    planTrace: [],
  };
  const plain = { abandon: checkType('undefined'), endText: checkType('undefined'), layersBegun: checkType('number'), traceBytes: checkType('number'), fingerprint: checkType('string') };
  return {
    shape,
    stages,
    check: (method, result) => (plain[method] ?? checkOutcome)(result),
    every: 2,
    begin: (module, ...args) => new module.Session(...(args.length ? args : [1])),
    known(module) {
      const session = new module.Session(1);
      for (const stage of stages) stage(session);
      const seen = [session.fingerprint(), value(session.lens(3, 4, 3)), value(session.cell(1, 1, 3, 2)), value(session.tokenize(utf8('known good')))];
      session.delete();
      return seen;
    },
    // Two gigabytes, and half a million tokens, are orders that would be carried out.
    bound: (method, args) => (method === 'staging' ? args.map((size) => (typeof size === 'number' && size > 1 << 24 ? 1 << 24 : size)) : ['tokenize', 'beginText'].includes(method) ? args.map((text) => (text?.length > 1 << 12 ? text.slice(0, 1 << 12) : text)) : args),
  };
}

function lessons() {
  const corpus = new URL('../fuzz/corpus/lesson/', import.meta.url);
  const questions = readdirSync(corpus).map((name) => readFileSync(new URL(name, corpus), 'utf8').split(/\n(.*)/s));
  Object.assign(make, {
    name: (seed) => utf8(pick(questions, seed)[0]),
    question: (seed) => utf8(pick(questions, seed)[1] ?? ''),
    bentQuestion: (seed) => bent(utf8(pick(questions, seed % 4096)[1] ?? ''), seed),
    numbers: (seed) => utf8((pick(questions, seed % 4096)[1] ?? '').replace(/-?\d+(\.\d+)?/g, (found, _, where) => ((where ^ seed) % 5 === 0 ? pick(['-1', '0', '1e308', '1e-320', '4294967296', '18446744073709551615', '-0.0', '99999'], seed ^ where) : found))),
  });
  return {
    shape: { lesson: [['name', 'name', 'name', 'noise'], ['question', 'bentQuestion', 'numbers', 'numbers', 'noise', 'long']] },
    pairs: true,
    stages: [],
    check: (_, result) => {
      const verdict = checkOutcome(result);
      if (verdict === 'answered') JSON.parse(result.ok);
      return verdict;
    },
    every: 100,
    begin: (module) => module,
    known: (module) => questions.map(([name, input]) => module.lesson(utf8(name), utf8(input ?? ''))),
  };
}

function training() {
  Object.assign(make, {
    practice: (seed) => utf8(pick(['head', 'repeats'], seed)),
    choices: (seed) => utf8(pick(['{}', '{"seed":3}', '{"words":4,"shortest":2,"longest":3}', '{"repeated":false}', '{"words":40,"longest":24}'], seed)),
    strangeChoices: (seed) => utf8(pick(['{"seed":-1}', '{"seed":9007199254740993}', '{"words":1e9}', '{"words":3}', '{"shortest":9,"longest":2}', '[]', '', '{"seed":1,"seed":2}'], seed)),
    bentChoices: (seed) => bent(utf8('{"seed":3,"words":12,"shortest":4,"longest":9,"repeated":true}'), seed),
    steps: (seed) => pick([0, 1, 1, 2, -1, -(2 ** 31), NaN, 0.5, 2 ** 31, 1e300], seed),
  });
  const texts = (result) => (checkOutcome(result) === 'answered' ? (JSON.parse(result.ok), 'answered') : 'refused');
  return {
    shape: { begin: [['practice', 'practice', 'noise'], ['choices', 'choices', 'strangeChoices', 'bentChoices', 'noise', 'long']], step: [['steps']], reading: [], ledge: [] },
    stages: [(session) => value(session.begin(utf8('head'), utf8('{}'))), (session) => value(session.step(1))],
    check: (method, result) => (method === 'begin' || method === 'reading' ? texts(result) : checkOutcome(result)),
    every: 10,
    begin: (module, ...args) => new module.Training(...(args.length ? args : [1])),
    known(module) {
      const session = new module.Training(1);
      const seen = ['head', 'repeats'].map((name) => [value(session.begin(utf8(name), utf8('{}'))), value(session.step(2)), value(session.ledge())]);
      session.delete();
      return seen;
    },
  };
}

// ------------------------------------------------------------------------------------------------------------ the calls

const kind = { lookback, lessons, training }[options.module]();
const counts = { calls: 0, answered: 0, refused: 0, mistyped: 0 };

const seeds = fc.nat(1 << 20);
const argument = (ways) => fc.tuple(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...ways) }, { weight: 1, arbitrary: fc.constantFrom('odd', 'edge', 'detached', 'noise') }), seeds);
const calls = Object.entries(kind.shape).map(([method, parameters]) =>
  fc.tuple(
    fc.constant(method),
    fc.tuple(...parameters.map(argument)),
    // Mostly as many as it takes.
    fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  ),
);
const sequence = fc.record({
  stage: fc.nat(kind.stages.length),
  begin: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(argument(['small', 'edge'])) }),
  list: fc.array(fc.oneof(...calls), { minLength: 1, maxLength: options.module === 'training' ? 6 : 25 }),
  ending: fc.constantFrom('delete', 'delete', 'delete', 'use after delete', 'delete twice'),
});

/** What Embind itself says of a wrong type or a wrong number of arguments: an Error with words. */
function checkThrown(problem) {
  const words = problem instanceof Error && !(problem instanceof WebAssembly.RuntimeError) && !(problem instanceof RangeError) && problem.message;
  if (!words || words.length < 10) throw Object.assign(new Error(`Thrown: ${String(problem)}`), { cause: problem });
  counts.mistyped++;
}

function attempt(work, check) {
  let result;
  try {
    result = work();
  } catch (problem) {
    return void checkThrown(problem);
  }
  counts[check(result)]++;
  return result;
}

function call(target, [method, args, more], memory) {
  let values = args.map(([way, seed]) => make[way](seed, memory));
  if (kind.pairs) values = paired(args, values);
  if (kind.bound) values = kind.bound(method, values);
  if (more < 0) values.pop();
  if (more > 0) values.push(7);
  counts.calls++;
  writeSync(last, `${method} ${JSON.stringify(args)} ${more}`.padEnd(400), 0);
  const result = attempt(() => target[method](...values), (found) => kind.check(method, found));
  if (result?.ok instanceof Uint8Array) memory.view = result.ok;
}

/** A lesson's question goes with its name in most calls. */
function paired([name, question], values) {
  return name?.[0] === 'name' && question?.[1] % 8 ? [make.name(question[1] % 4096), values[1]] : values;
}

let module = null;
let known;
let sequences = 0;

async function property({ stage, begin, list, ending }) {
  if (!module) {
    module = await load();
    known = kind.known(module);
  }
  const fresh = module;
  module = null; // what fails leaves a module that nobody uses again
  const memory = { view: new Uint8Array(0) };
  let target;
  try {
    target = kind.begin(fresh, ...begin.map(([way, seed]) => make[way](seed, memory)));
  } catch (problem) {
    checkThrown(problem);
    target = kind.begin(fresh);
  }
  for (const next of kind.stages.slice(0, stage)) next(target);
  for (const next of list) call(target, next, memory);
  if (target !== fresh) {
    target.delete();
    if (ending === 'use after delete') for (const [method] of list) attempt(() => target[method](), () => fail(`${method} worked after delete`));
    if (ending === 'delete twice') attempt(() => target.delete(), () => fail('delete worked twice'));
    attempt(() => Object.getPrototypeOf(target)[list[0][0]].call({}), () => fail('a call worked on nothing'));
  }
  if (++sequences % kind.every === 0 && !isDeepStrictEqual(kind.known(fresh), known)) fail('The module gives other numbers now.');
  module = fresh;
}

function fail(sentence) {
  throw new Error(sentence);
}

const seconds = Number(options.seconds);
const result = await fc.check(fc.asyncProperty(sequence, property), {
  seed: Number(options.seed),
  ...(seconds > 0 ? { numRuns: 1e9, interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false } : { numRuns: Number(options.runs) }),
});
if (result.failed) {
  console.error(`${fc.defaultReportMessage(result)}\n${result.errorInstance?.stack}`);
  process.exit(1);
}
const same = module !== null && isDeepStrictEqual(kind.known(module), known);
const bytes = module?.heapBytes?.() ?? 0;
console.log(JSON.stringify({ ...counts, sequences: result.numRuns, same, bytes }));

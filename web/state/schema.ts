// What a figure's state may hold, and how each piece is written in a link.
//
// A schema lists the keys of a state, each with a field. A field knows its default, reads any string without
// throwing, and writes a value so that reading it gives the value back. Whatever arrives from a link, an attribute
// or an input goes through a field, so a figure never sees NaN, an unknown choice or half a surrogate pair.

/** One key of a state. `parse` accepts every string; `parse(format(value))` equals value for every clamped value. */
export interface Field<T> {
  readonly kind: 'number' | 'integer' | 'choice' | 'flag' | 'text' | 'numbers' | 'texts';
  readonly initial: T;
  parse(text: string): T;
  format(value: T): string;
  /** The nearest value that the field allows. */
  clamp(value: T): T;
}

/** A field with bounds, as sliders want it. */
export interface NumberField extends Field<number> {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export interface ChoiceField<C extends string> extends Field<C> {
  readonly choices: readonly C[];
}

export interface TextField extends Field<string> {
  readonly most: number;
}

export type Schema<S> = { readonly [K in keyof S]: Field<S[K]> };

/** The state type that a schema describes. */
export type StateOf<F> = { -readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

// ---------------------------------------------------------------------------------------------------- kinds of field

/** A number from `min` to `max` in steps of `step`, so that a link holds no more digits than mean something. */
export function number(options: { min: number; max: number; step: number; initial: number }): NumberField {
  return bounded('number', options.min, options.max, options.step, options.initial);
}

export function integer(options: { min: number; max: number; initial: number }): NumberField {
  return bounded('integer', options.min, options.max, 1, options.initial);
}

/** One of a few words. Choices must not be empty strings. */
export function choice<const C extends string>(choices: readonly C[], initial: NoInfer<C>): ChoiceField<C> {
  const known = (text: string): C => (choices.includes(text as C) ? (text as C) : initial);
  return { kind: 'choice', choices, initial, parse: known, format: (value) => value, clamp: known };
}

export function flag(initial: boolean): Field<boolean> {
  const words: Record<string, boolean> = { '1': true, true: true, yes: true, on: true, '0': false, false: false, no: false, off: false };
  return {
    kind: 'flag',
    initial,
    parse: (text) => (Object.hasOwn(words, text) ? words[text]! : initial),
    format: (value) => (value ? '1' : '0'),
    clamp: (value) => value === true,
  };
}

/** Text of at most `most` characters (code points). The empty text is a value like any other. */
export function text(options: { most: number; initial: string }): TextField {
  const clamp = (value: string) => shorten(value, options.most);
  return { kind: 'text', most: options.most, initial: clamp(options.initial), parse: clamp, format: clamp, clamp };
}

/** A list of `least` to `most` numbers. Missing ones are filled from the default, then with the bound nearest to 0. */
export function numbers(options: {
  min: number;
  max: number;
  step: number;
  least?: number;
  most: number;
  initial: readonly number[];
}): Field<readonly number[]> {
  const { min, max, step, least = 0, most } = options;
  const filler = Math.min(Math.max(0, min), max);
  const clamp = (values: readonly number[]): readonly number[] => {
    const kept = values.slice(0, most).map((value, at) => snap(value, min, max, step, options.initial[at] ?? filler));
    while (kept.length < least) kept.push(snap(options.initial[kept.length] ?? filler, min, max, step, filler));
    return kept;
  };
  return {
    kind: 'numbers',
    initial: clamp(options.initial),
    parse: (source) => clamp(source === '' ? [] : source.split(',', most + 1).map(readNumber)),
    format: (values) => clamp(values).join(','),
    clamp,
  };
}

/** A list of at most `most` texts of at most `length` characters each. */
export function texts(options: { length: number; most: number; initial: readonly string[] }): Field<readonly string[]> {
  const clamp = (values: readonly string[]): readonly string[] =>
    values.slice(0, options.most).map((value) => shorten(value, options.length));
  return {
    kind: 'texts',
    initial: clamp(options.initial),
    parse: (source) => clamp(splitList(source)),
    format: (values) => joinList(clamp(values)),
    clamp,
  };
}

// ------------------------------------------------------------------------------------------------------ whole states

export function initialState<S>(schema: Schema<S>): S {
  return mapFields(schema, (field) => field.initial);
}

/** Reads what is there; keys that are absent come from `base`. Never throws, and ignores unknown keys. */
export function parseState<S>(schema: Schema<S>, values: ReadonlyMap<string, string>, base: S = initialState(schema)): S {
  return mapFields(schema, (field, key) => {
    const source = values.get(key);
    return source === undefined ? base[key] : field.parse(source);
  });
}

/** The keys whose value differs from `base`, as text. */
export function formatState<S>(schema: Schema<S>, state: S, base: S = initialState(schema)): Map<string, string> {
  const values = new Map<string, string>();
  for (const key of Object.keys(schema) as (keyof S & string)[]) {
    const value = schema[key].format(state[key]);
    if (value !== schema[key].format(base[key])) values.set(key, value);
  }
  return values;
}

export function clampState<S>(schema: Schema<S>, state: S): S {
  return mapFields(schema, (field, key) => field.clamp(state[key]));
}

function mapFields<S>(schema: Schema<S>, make: <K extends keyof S & string>(field: Field<S[K]>, key: K) => S[K]): S {
  const state: Partial<S> = {};
  for (const key of Object.keys(schema) as (keyof S & string)[]) state[key] = make(schema[key], key);
  return state as S;
}

// ----------------------------------------------------------------------------------------------------------- numbers

function bounded(kind: 'number' | 'integer', min: number, max: number, step: number, start: number): NumberField {
  const initial = snap(start, min, max, step, min);
  const clamp = (value: number) => snap(value, min, max, step, initial);
  return { kind, min, max, step, initial, parse: (source) => clamp(readNumber(source)), format: (value) => String(clamp(value)), clamp };
}

/** Reads a decimal as people type it: a comma for the point, a real minus sign, white space around and in thousands. NaN if it is none. */
export function readNumber(source: string): number {
  const plain = source.trim().replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, '').replace('\u2212', '-').replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

/** The same. Where only whole numbers are asked for, a comma or a point before three digits parts thousands. */
export function readWritten(source: string, whole: boolean): number {
  const parted = whole && /^\s*[+\u2212-]?\d{1,3}([,.]\d{3})+\s*$/.test(source);
  return readNumber(parted ? source.replace(/[,.]/g, '') : source);
}

/** The nearest of `min`, `min + step`, … `max`; `fallback` when the value is not finite. */
function snap(value: number, min: number, max: number, step: number, fallback: number): number {
  if (!Number.isFinite(value)) return fallback;
  const steps = Math.round((Math.min(Math.max(value, min), max) - min) / step);
  const near = Number((min + steps * step).toFixed(Math.max(decimals(step), decimals(min))));
  return Math.min(Math.max(near, min), max) + 0; // + 0 turns -0 into 0
}

function decimals(step: number): number {
  const [mantissa = '', exponent = '0'] = String(step).split('e');
  const fraction = mantissa.split('.')[1]?.length ?? 0;
  return Math.min(Math.max(fraction - Number(exponent), 0), 20);
}

// ------------------------------------------------------------------------------------------------------------- texts

/** At most `most` code points, lone surrogates replaced by U+FFFD as text encoders do. */
function shorten(value: string, most: number): string {
  const whole = value.slice(0, 2 * most).replace(/\p{Surrogate}/gu, '\uFFFD');
  return whole.length <= most ? whole : Array.from(whole).slice(0, most).join('');
}

// Items are parted by commas; a comma or backslash inside an item is escaped. An empty last item is closed by a comma,
// so that the list of one empty text is "," and the empty list "".
function joinList(items: readonly string[]): string {
  const joined = items.map((item) => item.replace(/[\\,]/g, '\\$&')).join(',');
  return items.at(-1) === '' ? joined + ',' : joined;
}

function splitList(source: string): string[] {
  const items = [''];
  for (let at = 0; at < source.length; at++) {
    const unit = source[at]!;
    if (unit === ',') items.push('');
    else items[items.length - 1] += unit === '\\' && at + 1 < source.length ? source[++at]! : unit;
  }
  if (items.at(-1) === '') items.pop();
  return items;
}

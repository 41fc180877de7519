// How numbers are written, in figures and in prose: with the precision that means something, a real minus sign, a
// narrow space in thousands, and never "-0.00".

export type NumberKind = 'number' | 'share' | 'score' | 'signed' | 'integer' | 'fixed1' | 'fixed3';

const minus = '\u2212';
const narrowSpace = '\u202F';

const writers: Record<NumberKind, (value: number) => string> = {
  number: plain,
  share,
  score,
  signed,
  integer: (value) => fixed(value, 0),
  fixed1: (value) => fixed(value, 1),
  fixed3: (value) => fixed(value, 3),
};

export function formatNumber(value: number, kind: NumberKind): string {
  return writers[kind](value);
}

/** A share from 0 to 1 as a percentage: whole, below 1 % with one decimal. 0.364 → "36 %", 0.004 → "0.4 %". */
export function share(value: number): string {
  return percent(value * 100);
}

/** A percentage that is one already, such as whole percentages made to add up to 100. */
export function percent(value: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  if (value > 0 && value < 0.05) return `<${narrowSpace}0.1${narrowSpace}%`;
  const small = Math.abs(value) < 0.95 && value !== 0;
  return `${fixed(value, small ? 1 : 0)}${narrowSpace}%`;
}

/** Two decimals. 4.254 → "4.25", -0.001 → "0.00". */
export function score(value: number): string {
  return fixed(value, 2);
}

/** Two decimals and always a sign, except at 0.00. */
export function signed(value: number): string {
  const text = fixed(value, 2);
  return /^[\d∞]/.test(text) && /[1-9∞]/.test(text) ? '+' + text : text;
}

/** A fixed count of decimals, thousands parted. */
export function fixed(value: number, decimals: number): string {
  if (Number.isNaN(value)) return 'no number';
  if (!Number.isFinite(value)) return value < 0 ? minus + '∞' : '∞';
  if (Math.abs(value) >= 1e15) return powerOfTen(value);
  const digits = Math.abs(value).toFixed(decimals);
  const [whole = '', fraction] = digits.split('.');
  const text = parted(whole) + (fraction === undefined ? '' : '.' + fraction);
  return value < 0 && /[1-9]/.test(digits) ? minus + text : text;
}

/** Up to four significant digits, as few as say the same; a power of ten where digits would not help. */
export function plain(value: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return fixed(value, 0);
  const size = Math.abs(value);
  if (size >= 1e9 || size < 1e-4) return powerOfTen(value);
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(size)));
  const text = fixed(value, decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Every digit that the number has, as a field holds it. 200000 → "200 000", -0.25 → "−0.25". */
export function written(value: number): string {
  const digits = String(value);
  return digits.includes('e') ? plain(value) : fixed(value, digits.split('.')[1]?.length ?? 0);
}

function powerOfTen(value: number): string {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential(2).split('e');
  return `${value < 0 ? minus : ''}${mantissa}${narrowSpace}×${narrowSpace}10${superscript(Number(exponent))}`;
}

/** Millions of bytes, as disks count them. */
export function megabytes(bytes: number): string {
  return `${fixed(bytes / 1e6, bytes < 9.95e6 ? 1 : 0)}${narrowSpace}MB`;
}

/** The place of something that code counts from 0, as the reader counts. */
export function ordinal(index: number, base: 0 | 1): string {
  return fixed(index + base, 0);
}

function parted(whole: string): string {
  return whole.length <= 3 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, narrowSpace);
}

function superscript(exponent: number): string {
  const raised: Record<string, string> = { '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' };
  return Array.from(String(exponent), (sign) => raised[sign] ?? sign).join('');
}

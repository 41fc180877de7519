// The rule behind an exercise with fresh numbers, written once: the answer key prints it, and the build holds it against
// what the core answers.
//
//   formula="tokens * (tokens + 1) / 2"     names are places in the lesson's input: q_0 is /q/0
//
// Numbers, names, + - * / ^, brackets, sqrt, exp and pi.

export interface Formula {
  /** `valueOf` tells the number at a name. */
  value(valueOf: (name: string) => number): number;
  latex: string;
  /** Each once, in order. */
  names: string[];
}

type Part = Pick<Formula, 'value' | 'latex'> & { /** Whether it is a sum, which a product puts in brackets. */ sum?: boolean };

const functions: Record<string, { of(x: number): number; latex(x: string): string }> = {
  sqrt: { of: Math.sqrt, latex: (x) => `\\sqrt{${x}}` },
  exp: { of: Math.exp, latex: (x) => `e^{${x}}` },
};

/** Throws an Error whose message is one sentence. */
export function parseFormula(source: string): Formula {
  const pieces = source.match(/\d+(\.\d+)?|[a-z]+(_[a-z0-9]+)*|[-+*/^()]|\S/g) ?? [];
  const names = new Set<string>();
  let at = 0;
  const fail = (): never => {
    throw new Error(`The formula "${source}" is not understood at ${pieces[at] === undefined ? 'its end' : `"${pieces[at]}"`}.`);
  };
  const take = (sign: string): boolean => pieces[at] === sign && ++at > 0;

  function sum(): Part {
    let left = product();
    for (;;) {
      const sign = pieces[at];
      if (sign !== '+' && sign !== '-') return left;
      at++;
      const [a, b] = [left, product()];
      left = { value: (of) => (sign === '+' ? a.value(of) + b.value(of) : a.value(of) - b.value(of)), latex: `${a.latex} ${sign} ${b.latex}`, sum: true };
    }
  }

  function product(): Part {
    let left = power();
    for (;;) {
      const [a, over] = [left, pieces[at] === '/'];
      if (!take('*') && !take('/')) return left;
      const b = power();
      const latex = over ? `\\frac{${a.latex}}{${b.latex}}` : `${bracketed(a)} \\cdot ${bracketed(b)}`;
      left = { value: (of) => (over ? a.value(of) / b.value(of) : a.value(of) * b.value(of)), latex };
    }
  }

  function power(): Part {
    const base = single();
    if (!take('^')) return base;
    const exponent = single();
    return { value: (of) => base.value(of) ** exponent.value(of), latex: `${bracketed(base)}^{${exponent.latex}}` };
  }

  function single(): Part {
    const piece = pieces[at] ?? fail();
    if (take('(')) {
      const inner = sum();
      return take(')') ? inner : fail();
    }
    if (/^\d/.test(piece)) return at++, { value: () => Number(piece), latex: piece };
    if (!/^[a-z]/.test(piece)) return fail();
    at++;
    if (piece === 'pi') return { value: () => Math.PI, latex: '\\pi' };
    const called = Object.hasOwn(functions, piece) ? functions[piece] : undefined;
    if (called) {
      if (!take('(')) fail();
      const inner = sum();
      if (!take(')')) fail();
      return { value: (of) => called.of(inner.value(of)), latex: called.latex(inner.latex) };
    }
    names.add(piece);
    return { value: (of) => of(piece), latex: nameLatex(piece) };
  }

  const whole = sum();
  if (at < pieces.length) fail();
  return { value: whole.value, latex: whole.latex, names: [...names] };
}

function bracketed({ latex, sum }: Part): string {
  return sum ? `\\left(${latex}\\right)` : latex;
}

/** A word, and which of several: people count from one, so q_0 is the first number of q. */
export function nameParts(name: string): { word: string; which: string } {
  const [word = '', ...places] = name.split('_');
  return { word, which: places.map((place) => (/^\d+$/.test(place) ? String(Number(place) + 1) : place)).join(',') };
}

export function nameLatex(name: string): string {
  const { word, which } = nameParts(name);
  const letters = word.length === 1 ? word : `\\text{${word}}`;
  return which === '' ? letters : `${letters}_{${which}}`;
}

/** "/q/0" → "q_0", and back. */
export const nameOf = (pointer: string): string => pointer.slice(1).replaceAll('/', '_');
export const pointerOf = (name: string): string => `/${name.replaceAll('_', '/')}`;

// Names that others chose (folders, files, what an address ends in), as a page may show them amid its own words.

/** What nobody would see, or what would turn the text around it. */
export const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}]/u;

/** "⟨U+202E⟩", as core/text/display.hpp writes it. */
export function codePoint(sign: string): string {
  return `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The letters of scripts that run from right to left. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * What nobody would see becomes its code point. A name that runs from right to left stands between the marks that keep its
 * direction to itself, so that a number behind it stays where it is. To be called once for a name.
 */
export function shownName(name: string): string {
  const seen = Array.from(name, (sign) => (sign !== ' ' && unseen.test(sign) ? codePoint(sign) : sign)).join('');
  return rightToLeft.test(seen) ? `\u2068${seen}\u2069` : seen;
}

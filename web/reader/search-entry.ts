// One place of the book as the search knows it: web/compiler/search.ts writes them, web/reader/search.ts reads them.

export interface SearchEntry {
  /** Relative to the pages. */
  url: string;
  /** "Chapter 2", "Glossary". */
  place: string;
  section: string;
  text: string;
}

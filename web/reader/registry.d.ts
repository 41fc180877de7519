// Made by the build (build.mjs).

/** From the files of web/figures that export `figure`. */
declare module 'figures:registry' {
  import type { FigureDefinition } from '../figures/definition.ts';
  /** By name of the custom element. */
  const registry: Record<string, () => Promise<{ figure: FigureDefinition<any, any> }>>;
  export default registry;
}

/** From the little model's files. */
declare module 'models:little' {
  const little: {
    /** Its folder in the site, with a slash at its end; its name changes with any of its files. */
    folder: string;
    /** Bytes of all its files together: what a page fetches. */
    bytes: number;
  };
  export default little;
}

/** From styles/embed.css: one text for a shadow tree. */
declare module 'styles:embed' {
  const sheet: string;
  export default sheet;
}

/** A file that the build lays beside the script: its place, relative to it. */
declare module '*.woff2' {
  const place: string;
  export default place;
}

// What a page may load and do. The same words stand in the page and in the server's headers.

const rules: Record<string, string> = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  // A reader may fetch a model from an address of their own; blob: is how a picked file is read.
  'connect-src': "'self' https: http://localhost:* http://127.0.0.1:* blob:",
  'font-src': "'self'",
  'worker-src': "'self' blob:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  // No text becomes HTML or a script but by Lit's templates, which are the book's own, and web/engine/own-script.ts.
  'require-trusted-types-for': "'script'",
  'trusted-types': 'lit-html lookback',
};

export const policy = Object.entries(rules)
  .map(([name, sources]) => `${name} ${sources}`)
  .join('; ');

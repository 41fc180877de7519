// SHA-256 that goes on as bytes come. A file of its own, so that only this part of the package is fetched.

export { createSHA256 } from 'hash-wasm';

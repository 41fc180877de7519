// XXH3 with 128 bits. A file of its own, so that only this part of the package is fetched.

export { createXXHash128 } from 'hash-wasm';

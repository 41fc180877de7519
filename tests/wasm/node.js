// Emscripten 3.1.6's glue uses fetch where it exists, and Node's fetch does not read files. A local `fetch` that is
// undefined makes it read the file system.
var fetch;

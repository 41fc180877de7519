// JSON is written with snprintf for a few whole numbers only, but snprintf brings the code that writes floats with it, 2 kB of
// what a page waits for. Emscripten's libc has a sister without floats: for the lessons it takes snprintf's place.
#include <cstdarg>
#include <cstddef>

extern "C" int vsniprintf(char* out, std::size_t size, const char* format, std::va_list values);

extern "C" int snprintf(char* __restrict out, std::size_t size, const char* __restrict format, ...) {
  std::va_list values;
  va_start(values, format);
  const int length = vsniprintf(out, size, format, values);
  va_end(values);
  return length;
}

// Every rule of what a safetensors reader refuses and accepts, each with a file that breaks or uses just that rule.
#include <doctest/doctest.h>

#include "core/checkpoint/safetensors.hpp"
#include "tests/core/checkpoint_fixtures.hpp"

namespace lookback {
namespace {

using namespace std::string_literals;
using fixtures::file_of;

Result<Header> read(std::string_view file, std::uint64_t address_limit = address_space) {
  const auto length = header_length(fixtures::as_bytes(file), file.size());
  if (!length) return length.error();
  return parse_header(file.substr(8, static_cast<std::size_t>(*length)), file.size(), address_limit);
}

void check_refused(const Result<Header>& result, std::string_view phrase) {
  REQUIRE_FALSE(result);
  CAPTURE(result.error().sentence);
  CHECK(result.error().code == ErrorCode::bad_file);
  CHECK(result.error().sentence.find(phrase) != std::string::npos);
  CHECK(result.error().sentence.ends_with("."));
}

// The header text with `data_size` bytes of data behind it.
void refused(std::string_view header, std::size_t data_size, std::string_view phrase) {
  CAPTURE(header.substr(0, 200));
  check_refused(read(file_of(header, std::string(data_size, 'x'))), phrase);
}

Header accepted(std::string_view header, std::size_t data_size) {
  CAPTURE(header.substr(0, 200));
  const Result<Header> result = read(file_of(header, std::string(data_size, 'x')));
  if (!result) FAIL(result.error().sentence);
  return *result;
}

// One tensor "a" with these fields' values.
std::string one(std::string_view dtype, std::string_view shape, std::string_view offsets) {
  return "{\"a\":{\"dtype\":" + std::string(dtype) + ",\"shape\":" + std::string(shape) +
         ",\"data_offsets\":" + std::string(offsets) + "}}";
}

// U8 vectors "a", "b", … with these offsets, and just as many elements.
std::string laid_out(const std::vector<std::pair<int, int>>& offsets) {
  std::string text = "{";
  char name = 'a';
  for (const auto& [begin, end] : offsets) {
    text += (name == 'a' ? "\""s : ",\""s) + name + "\":{\"dtype\":\"U8\",\"shape\":[" + std::to_string(end - begin) +
            "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
    ++name;
  }
  return text + "}";
}

TEST_CASE("safetensors: a valid header is read") {
  const std::string text =
      R"({"__metadata__":{"format":"pt","":""},"b":{"dtype":"F32","shape":[2,1],"data_offsets":[2,10]},)"
      R"("a":{"shape":[1],"data_offsets":[0,2],"dtype":"BF16"}})";
  const Header header = accepted(text, 10);
  REQUIRE(header.tensors.size() == 2);
  CHECK(header.tensors[0].name == "a");
  CHECK(header.tensors[0].dtype == Dtype::bf16);
  CHECK(header.tensors[1].name == "b");
  CHECK(header.tensors[1].shape == std::vector<std::uint64_t>{2, 1});
  CHECK(header.tensors[1].begin == 2);
  CHECK(header.tensors[1].end == 10);
  CHECK(header.data_start == 8 + text.size());
  REQUIRE(header.metadata.size() == 2);
  CHECK(header.metadata[0] == std::pair("format"s, "pt"s));
}

TEST_CASE("safetensors: a file of under 8 bytes is refused") {
  check_refused(read(""), "has 0 bytes; a safetensors file begins with 8");
  check_refused(read("\x02\0\0\0\0\0\0"s), "has 7 bytes");
}

TEST_CASE("safetensors: a header length over 100,000,000 is refused") {
  const auto with_length = [](std::uint64_t length, std::uint64_t file_size) {
    const std::string file = fixtures::bytes_of_values<std::uint64_t>({length});
    return header_length(fixtures::as_bytes(file), file_size);
  };
  CHECK(*with_length(100'000'000, 1'000'000'000) == 100'000'000);
  for (const std::uint64_t length : {std::uint64_t{100'000'001}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    const auto result = with_length(length, ~std::uint64_t{0});
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::bad_file);
    CHECK(result.error().sentence.find(std::to_string(length)) != std::string::npos);
  }
}

TEST_CASE("safetensors: a header that reaches past the file is refused") {
  std::string file = file_of(laid_out({{0, 4}}), "");
  check_refused(read(file.substr(0, file.size() - 1)), "cut short");
  check_refused(read("\x01\0\0\0\0\0\0\0"s), "cut short");
  check_refused(parse_header("{}", 9), "more than the file");
  check_refused(parse_header("{}", 0), "more than the file");
}

TEST_CASE("safetensors: text that is not UTF-8 is refused") {
  for (const std::string bad : {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\\ud800"}) {
    refused("{\"" + bad + "\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}", 1, "UTF-8");
    refused("{\"__metadata__\":{\"x\":\"" + bad + "\"}}", 0, "UTF-8");
  }
  CHECK(accepted("{\"é€😀\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}", 1).tensors[0].name == "é€😀");
}

TEST_CASE("safetensors: what is not a JSON object is refused") {
  for (const auto& [text, phrase] :
       std::vector<std::pair<std::string, std::string>>{{"", "not a JSON object"},
                                                        {"   ", "not a JSON object"},
                                                        {"[]", "is an array"},
                                                        {"1", "is a number"},
                                                        {"-1", "is a negative number"},
                                                        {"\"a\"", "is a string"},
                                                        {"null", "is null"},
                                                        {"true", "is true or false"},
                                                        {"{", "not a JSON object"},
                                                        {"{}}", "not a JSON object"},
                                                        {"{} {}", "not a JSON object"},
                                                        {"{'a':1}", "not a JSON object"},
                                                        {"{\"a\" 1}", "not a JSON object"},
                                                        {"{/**/}", "not a JSON object"},
                                                        {"{}\0"s, "NUL"},
                                                        {"{}\0{\"a\":1}"s, "NUL"},
                                                        {"\xef\xbb\xbf{}", "order mark"},
                                                        {"{\"a\":{},}", "not a JSON object"}}) {
    refused(text, 0, phrase);
  }
}

TEST_CASE("safetensors: a key given twice is refused, at every level") {
  const std::string entry = R"({"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  refused("{\"a\":" + entry + ",\"a\":" + entry + "}", 1, "“a” twice");
  refused("{\"a\":" + entry + ",\"\\u0061\":" + entry + "}", 1, "“a” twice");
  refused(R"({"__metadata__":{},"__metadata__":{}})", 0, "“__metadata__” twice");
  refused(R"({"__metadata__":{"x":"1","x":"2"}})", 0, "“x” twice");
  refused(R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "field “dtype” twice");
  refused(R"({"a":{"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]}})", 1, "field “shape” twice");
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"data_offsets":[0,1]}})", 1,
          "field “data_offsets” twice");
  // The same key in two objects is no repetition.
  accepted(R"({"__metadata__":{"a":"1"},"a":)" + entry + "}", 1);
}

TEST_CASE("safetensors: metadata must map strings to strings") {
  refused(R"({"__metadata__":[]})", 0, "expected an object of strings");
  refused(R"({"__metadata__":null})", 0, "is null");
  refused(R"({"__metadata__":"x"})", 0, "is a string");
  for (const std::string value : {"1", "1.5", "-1", "null", "true", "{}", "[]", "1e999"}) {
    refused("{\"__metadata__\":{\"k\":" + value + "}}", 0, "metadata “k” is ");
  }
  CHECK(accepted(R"({"__metadata__":{}})", 0).metadata.empty());
  CHECK(accepted("{}", 0).tensors.empty());
}

TEST_CASE("safetensors: an unknown dtype is refused, every known one has its size") {
  for (const std::string dtype : {"\"f32\"", "\"F31\"", "\"\"", "\"F32 \"", "\"F4\""}) {
    refused(one(dtype, "[1]", "[0,4]"), 4, "unknown dtype");
  }
  for (const std::string dtype : {"1", "null", "[]", "{}", "true"}) {
    refused(one(dtype, "[1]", "[0,4]"), 4, "dtype that is ");
  }
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, int>>{{"BOOL", 1},
                                                                            {"U8", 1},
                                                                            {"I8", 1},
                                                                            {"F8_E4M3", 1},
                                                                            {"F8_E5M2", 1},
                                                                            {"U16", 2},
                                                                            {"I16", 2},
                                                                            {"F16", 2},
                                                                            {"BF16", 2},
                                                                            {"U32", 4},
                                                                            {"I32", 4},
                                                                            {"F32", 4},
                                                                            {"U64", 8},
                                                                            {"I64", 8},
                                                                            {"F64", 8}}) {
    const std::string size = std::to_string(3 * bytes);
    const Header header = accepted(one('"' + name + '"', "[3]", "[0," + size + "]"), 3 * bytes);
    CHECK(name_of(header.tensors[0].dtype) == name);
    CHECK(bytes_of(header.tensors[0].dtype) == static_cast<std::size_t>(bytes));
  }
}

TEST_CASE("safetensors: numbers must be whole, from 0 and within 64 bits") {
  for (const std::string number : {"-1", "-0", "1.0", "1.5", "1e0", "18446744073709551616", "-9223372036854775809",
                                   "1e999", "null", "\"1\"", "true", "[1]", "{}"}) {
    refused(one("\"U8\"", "[" + number + "]", "[0,1]"), 1, "shape that holds ");
    refused(one("\"U8\"", "[1]", "[" + number + ",1]"), 1, "data_offsets that hold ");
    refused(one("\"U8\"", "[1]", "[0," + number + "]"), 1, "data_offsets that hold ");
  }
  for (const std::string number : {"01", "+1", "0x1", "NaN", "Infinity", "1."}) {
    refused(one("\"U8\"", "[" + number + "]", "[0,1]"), 1, "not a JSON object");
  }
}

TEST_CASE("safetensors: missing fields and fields of another kind are refused") {
  refused(R"({"a":{}})", 0, "“a” has no dtype");
  refused(R"({"a":{"shape":[],"data_offsets":[0,1]}})", 1, "“a” has no dtype");
  refused(R"({"a":{"dtype":"U8","data_offsets":[0,1]}})", 1, "“a” has no shape");
  refused(R"({"a":{"dtype":"U8","shape":[]}})", 1, "“a” has no data_offsets");
  refused(one("\"U8\"", "1", "[0,1]"), 1, "shape that is a number");
  refused(one("\"U8\"", "null", "[0,1]"), 1, "shape that is null");
  refused(one("\"U8\"", "{}", "[0,1]"), 1, "shape that is an object");
  refused(one("\"U8\"", "[1]", "1"), 1, "data_offsets that is a number");
  refused(one("\"U8\"", "[1]", "[]"), 1, "length 0");
  refused(one("\"U8\"", "[1]", "[0]"), 1, "length 1");
  refused(one("\"U8\"", "[1]", "[0,1,2]"), 1, "third item");
  for (const std::string value : {"1", "null", "[]", "\"x\"", "true", "-1", "0.5"}) {
    refused("{\"a\":" + value + "}", 0, "expected an object that describes a tensor");
  }
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"extra":1}})", 1, "unknown field “extra”");
}

TEST_CASE("safetensors: a size that overflows 64 bits is refused") {
  for (const std::string shape :
       {"[4294967296,4294967296]", "[2,18446744073709551614]", "[2,9223372036854775807]", "[9223372036854775808,2]",
        "[0,4294967296,4294967296]", "[4294967296,4294967296,0]", "[4294967296,4294967296,4294967296,4294967296]"}) {
    refused(one("\"F32\"", shape, "[0,0]"), 0, "more bytes than this program can address");
    refused(one("\"F32\"", shape, "[0,16]"), 16, "more bytes than this program can address");
  }
  // Elements fit, bytes do not.
  refused(one("\"F32\"", "[4611686018427387904]", "[0,0]"), 0, "more bytes than this program can address");
}

TEST_CASE("safetensors: a tensor that 32 bits cannot address is refused there") {
  const std::string fits = one("\"U8\"", "[4294967295]", "[0,4294967295]");
  const std::string too_long = one("\"U8\"", "[65536,65536]", "[0,4294967296]");
  constexpr std::uint64_t limit = 0xffffffff;
  CHECK(parse_header(fits, std::uint64_t{8} + fits.size() + 4294967295u, limit));
  check_refused(parse_header(too_long, std::uint64_t{8} + too_long.size() + 4294967296u, limit),
                "more bytes than this program");
  CHECK(bool(parse_header(too_long, std::uint64_t{8} + too_long.size() + 4294967296u)) == (sizeof(std::size_t) > 4));
}

TEST_CASE("safetensors: an end before the begin is refused") {
  refused(one("\"U8\"", "[1]", "[1,0]"), 1, "before it begins");
  refused(one("\"U8\"", "[1]", "[18446744073709551615,0]"), 1, "before it begins");
}

TEST_CASE("safetensors: holes and overlaps are refused") {
  refused(laid_out({{1, 4}}), 4, "“a” begins at byte 1 of the data; expected 0");
  refused(laid_out({{0, 4}, {5, 8}}), 8, "“b” begins at byte 5 of the data; expected 4, without holes");
  refused(laid_out({{0, 4}, {3, 8}}), 8, "“b” begins at byte 3 of the data; expected 4, without overlaps");
  refused(laid_out({{0, 4}, {0, 4}}), 4, "without overlaps");
  refused(laid_out({{0, 8}, {2, 4}}), 8, "without overlaps");
  refused(laid_out({{0, 8}, {2, 2}}), 8, "without overlaps");  // empty, but inside another
  accepted(laid_out({{4, 8}, {0, 4}, {8, 9}}), 9);
}

TEST_CASE("safetensors: a byte count other than shape times dtype is refused") {
  refused(one("\"F32\"", "[2]", "[0,4]"), 4, "takes 4 bytes of the file; expected 8 for F32 of shape [2]");
  refused(one("\"F16\"", "[2,3]", "[0,13]"), 13, "expected 12 for F16 of shape [2, 3]");
  refused(one("\"U8\"", "[0]", "[0,1]"), 1, "expected 0");
  refused(one("\"U8\"", "[]", "[0,0]"), 0, "expected 1");
}

TEST_CASE("safetensors: data that ends before or after the file does is refused") {
  refused(laid_out({{0, 4}}), 3, "cut short");
  refused(laid_out({{0, 4}}), 5, "too long");
  refused("{}", 1, "too long");
  refused(laid_out({{0, 2147483647}}), 5, "cut short");
}

TEST_CASE("safetensors: a NUL in a name is refused") {
  const std::string entry = R"({"dtype":"U8","shape":[],"data_offsets":[0,1]})";
  refused("{\"a\\u0000b\":" + entry + "}", 1, "“a⟨U+0000⟩b” with a NUL");
  refused("{\"a\0b\":"s + entry + "}", 1, "NUL");
  refused(R"({"__metadata__":{"a\u0000":"x"}})", 0, "NUL");
}

TEST_CASE("safetensors: unreasonable rank, name, count and depth are refused") {
  std::string rank16 = "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]";
  accepted(one("\"U8\"", rank16, "[0,1]"), 1);
  rank16.insert(1, "1,");
  refused(one("\"U8\"", rank16, "[0,1]"), 1, "more than 16 dimensions");

  const std::string entry = R"(":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})";
  accepted("{\"" + std::string(1024, 'n') + entry, 1);
  refused("{\"" + std::string(1025, 'n') + entry, 1, "a name of 1025 bytes");

  std::string many = "{";
  for (std::size_t i = 0; i <= most_tensors; ++i) {
    if (i == most_tensors) accepted(many + "}", 0);
    many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  }
  refused(many + "}", 0, "more than 100000 tensors");

  for (const std::string open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 1'000'000; ++i) deep += open;
    refused(deep, 0, ".");
    refused("{\"a\":{\"shape\":[" + deep, 0, "shape that holds");
  }
}

TEST_CASE("safetensors: white space, scalars and empty tensors are accepted") {
  accepted(" \n\t\r" + laid_out({{0, 3}}) + "   \n", 3);
  CHECK(accepted(one("\"F32\"", "[]", "[0,4]"), 4).tensors[0].shape.empty());
  const Header header = accepted(
      R"({"z":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"e":{"dtype":"F32","shape":[3,0],"data_offsets":[0,0]},)"
      R"("f":{"dtype":"F64","shape":[0],"data_offsets":[4,4]}})",
      4);
  CHECK(header.tensors[0].name == "e");
  CHECK(header.tensors[1].name == "z");
  CHECK(header.tensors[2].name == "f");
}

TEST_CASE("safetensors: what came instead is named") {
  for (const auto& [file, phrase] : std::vector<std::pair<std::string, std::string>>{
           {"version https://git-lfs.github.com/spec/v1\noid sha256:248d\nsize 548105171\n", "Git LFS pointer"},
           {"<!DOCTYPE html><html><body>404</body></html>", "HTML"},
           {"\n\n  <html lang=\"en\">", "HTML"},
           {"{\"error\":\"Repository not found\"}", "JSON"},
           {"PK\x03\x04\0\0\x08\x08\0\0\0\0\0\0archive/data.pkl"s, "zip archive, such as PyTorch's"},
           {"\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M"s, "Python pickle, such as PyTorch's"},
           {"GGUF\x03\0\0\0\x93\0\0\0\0\0\0\0"s, "GGUF file"},
           {"\x89HDF\r\n\x1a\n\0\0\0\0"s, "HDF5"},
           {"Entry not found", "text that begins with “Entry not found”"}}) {
    check_refused(read(file), phrase);
    if (file[0] == '\n') continue;
    const auto short_look = header_length(fixtures::as_bytes(file).first(8), file.size());
    REQUIRE_FALSE(short_look);
    CHECK(short_look.error().sentence.find(phrase.substr(0, 4)) != std::string::npos);
  }
}

TEST_CASE("safetensors: control characters and long names do not reach the sentence") {
  refused("{\"\\u001b[31m\\n\":1}", 0, "“⟨U+001B⟩[31m↵”");
  std::string name = "x";
  for (int i = 0; i < 50; ++i) name += "é€";
  const auto result = read(file_of("{\"" + name + "\":1}", ""));
  REQUIRE_FALSE(result);
  CHECK(result.error().sentence.size() < 250);
  CHECK(result.error().sentence.find("é…”") != std::string::npos);  // cut between characters
}

TEST_CASE("safetensors: every cut of a file is refused, and whatever a changed file is accepted as holds") {
  const std::string file = fixtures::safetensors_file({fixtures::f32_tensor("first", {2, 3}, {1, 2, 3, 4, 5, 6}),
                                                       {"empty", "I64", {0, 4}, ""},
                                                       {"scalar", "F16", {}, "ab"}},
                                                      3, R"({"format":"pt"})");
  REQUIRE(read(file));
  for (std::size_t length = 0; length < file.size(); ++length) CHECK_FALSE(read(file.substr(0, length)));

  fixtures::Numbers numbers(7);
  int taken = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string changed = file;
    for (std::uint64_t edits = 1 + numbers.whole(3); edits > 0; --edits) {
      const std::size_t at = numbers.whole(changed.size());
      switch (numbers.whole(3)) {
        case 0: changed[at] = static_cast<char>(numbers.whole(256)); break;
        case 1: changed[at] = "0123456789[]{}\",:-e. "[numbers.whole(21)]; break;
        case 2: changed.erase(at, 1 + numbers.whole(4)); break;
      }
      if (changed.empty()) changed = "x";
    }
    const Result<Header> result = read(changed);
    if (!result) {
      REQUIRE(result.error().sentence.ends_with("."));
      continue;
    }
    ++taken;
    std::uint64_t reached = 0;
    for (const TensorEntry& entry : result->tensors) {
      std::uint64_t bytes = bytes_of(entry.dtype);
      for (const std::uint64_t size : entry.shape) bytes *= size;
      REQUIRE(entry.begin == reached);
      REQUIRE(entry.end - entry.begin == bytes);
      reached = entry.end;
    }
    REQUIRE(result->data_start + reached == changed.size());
  }
  CHECK(taken > 1000);  // changes of the data or of a name
}

}  // namespace
}  // namespace lookback

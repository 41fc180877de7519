#include "core/text/vocabulary_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "core/text/byte_alphabet.hpp"
#include "core/text/display.hpp"
#include "core/text/utf8.hpp"

namespace lookback {

namespace {

// Receives the parser's events. An event returns false to stop the parser; `refusal` then says why.
class Reader {
 public:
  VocabularyEntries entries;
  std::optional<std::string> refusal;

  explicit Reader(std::string_view json) : json_(json) {}

  bool start_object(std::size_t) {
    if (inside_) return refuse_value("an object");
    return inside_ = true;
  }
  bool end_object() { return true; }

  bool key(std::string& letters) {
    letters_ = std::move(letters);
    const std::size_t begin = entries.bytes.size();
    if (const auto stranger = append_bytes_of_letters(entries.bytes, letters_)) {
      std::string character;
      append_utf8(character, *stranger);
      return refuse("vocab.json has the token " + in_quotes(letters_) + " with the character " + in_quotes(character) +
                    ", which writes no byte in GPT-2's alphabet.");
    }
    const std::size_t length = entries.bytes.size() - begin;
    if (length == 0) return refuse("vocab.json has an empty token; every token must have at least one byte.");
    entries.tokens.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(length), 0});
    return true;
  }

  bool number_unsigned(std::uint64_t number) {
    if (!inside_) return refuse_file();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return refuse_value(std::to_string(number));
    entries.tokens.back().id = static_cast<std::int64_t>(number);
    return true;
  }
  bool number_integer(std::int64_t number) { return refuse_value(std::to_string(number)); }
  bool number_float(double, const std::string& digits) { return refuse_value(digits.substr(0, 40)); }
  bool string(std::string& text) { return refuse_value("the text " + in_quotes(text)); }
  bool boolean(bool value) { return refuse_value(value ? "true" : "false"); }
  bool null() { return refuse_value("null"); }
  bool start_array(std::size_t) { return refuse_value("a list"); }
  bool end_array() { return true; }
  bool binary(std::vector<std::uint8_t>&) { return refuse_file(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    if (!inside_) return refuse_file();
    return refuse("vocab.json stops being JSON at byte " + std::to_string(position) + " of " +
                  std::to_string(json_.size()) + "; the file may be cut short.");
  }

 private:
  std::string_view json_;
  std::string letters_;  // the key that was read last
  bool inside_ = false;

  bool refuse(std::string sentence) {
    refusal = std::move(sentence);
    return false;
  }
  bool refuse_file() {
    return refuse("vocab.json is not a JSON object of tokens and ids: it begins with " + in_quotes(json_) + ".");
  }
  bool refuse_value(const std::string& value) {
    if (!inside_) return refuse_file();
    return refuse("vocab.json gives the token " + in_quotes(letters_) + " the id " + value +
                  "; an id is a whole number from 0.");
  }
};

}  // namespace

std::optional<char32_t> append_bytes_of_letters(std::string& bytes, std::string_view letters) {
  for (std::size_t at = 0; at < letters.size();) {
    const Utf8Step step = read_utf8(letters, at);
    const int byte = step.well_formed ? byte_of_letter(step.code_point) : -1;
    if (byte < 0) return step.code_point;
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
    at += step.length;
  }
  return std::nullopt;
}

Result<VocabularyEntries> read_vocabulary_json(std::string_view json) {
  Reader reader(json);
  reader.entries.bytes.reserve(json.size() / 3);
  const bool complete = nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  if (reader.refusal) return fail(ErrorCode::bad_file, *reader.refusal);
  if (!complete) return fail(ErrorCode::bad_file, "vocab.json could not be read to its end.");
  if (holds_nul(json)) return fail(ErrorCode::bad_file, "vocab.json is not JSON text: it holds a NUL.");
  return std::move(reader.entries);
}

}  // namespace lookback

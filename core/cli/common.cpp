#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/cli/commands.hpp"
#include "core/text/bpe.hpp"

namespace lookback {
namespace {

std::size_t code_points(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xc0) != 0x80; }));
}

// "3,1,4": decimal numbers between commas, nothing else.
Result<std::vector<int>> parse_ids(const std::string& text) {
  std::vector<int> ids;
  for (const char *at = text.data(), *end = at + text.size();; ++at) {
    int id = 0;
    const auto [after, problem] = std::from_chars(at, end, id);
    if (problem != std::errc{} || (after != end && *after != ','))
      return fail(ErrorCode::bad_argument, "--ids takes whole numbers between commas, such as 3,1,4, not " + in_quotes(text) + ".");
    ids.push_back(id);
    if (after == end) return ids;
    at = after;
  }
}

std::string spaces(const std::string& text, std::size_t width) {
  const std::size_t columns = code_points(text);
  return std::string(width > columns ? width - columns : 0, ' ');
}

}  // namespace

void add_text_options(CLI::App& command, TextOptions& options) {
  command.add_option("--model", options.model, "Folder with config.json and model.safetensors")->required();
  options.text_option = command.add_option("--text", options.text, "The text (needs vocab.json and merges.txt)");
  options.ids_option = command.add_option("--ids", options.ids, "Token ids instead of a text: 3,1,4");
  options.text_option->excludes(options.ids_option);
}

Result<std::vector<int>> ids_of(const TextOptions& options, const Vocabulary* vocabulary) {
  if (*options.ids_option) return parse_ids(options.ids);
  if (!*options.text_option) return fail(ErrorCode::bad_argument, "Give the text with --text, or token ids with --ids.");
  if (!vocabulary)
    return fail(ErrorCode::bad_argument,
                in_quotes(options.model) + " has no vocab.json and merges.txt, so it takes --ids instead of --text.");
  return encode(*vocabulary, options.text, SpecialTokens::as_text);
}

std::string what_if(const std::string& positions, std::uint32_t seed) {
  if (positions == "learned") return "";
  return "What if: positions " + positions + (positions == "shuffled" ? ", seed " + std::to_string(seed) : "") + "\n";
}

std::string token_name(const Vocabulary* vocabulary, int id) {
  return vocabulary && vocabulary->contains(id) ? "“" + token_display(*vocabulary, id) + "”" : "#" + std::to_string(id);
}

std::string padded(const std::string& text, std::size_t width) { return text + spaces(text, width); }
std::string padded_left(const std::string& text, std::size_t width) { return spaces(text, width) + text; }

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "not a number";
  char digits[400];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, value);
  const std::string text = digits;
  return text.find_first_not_of("-0.") == std::string::npos && text[0] == '-' ? text.substr(1) : text;
}

}  // namespace lookback

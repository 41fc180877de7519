// The commands of the native program. Each declares its options on a subcommand and returns what to run: the text to
// print, or an error.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "core/cli/model_files.hpp"
#include "core/result.hpp"

namespace lookback {

using Command = std::function<Result<std::string>()>;

Command add_inside(CLI::App& app);    // what happens inside a model on one text
Command add_compare(CLI::App& app);   // what attention brings to the last tokens of two texts
Command add_tokens(CLI::App& app);    // a text's tokens
Command add_generate(CLI::App& app);  // continues a text
Command add_lesson(CLI::App& app);    // one of the book's toy worlds: JSON in, JSON out
Command add_train(CLI::App& app);     // trains the little model
Command add_report(CLI::App& app);    // what a model of the little language has learned
Command add_claims(CLI::App& app);    // computes anew what is recorded about a model
Command add_practice(CLI::App& app);  // trains one of the smallest models: JSON in, JSON out

// Options that several commands share.
struct TextOptions {
  std::string model, text, ids;
  CLI::Option* text_option = nullptr;
  CLI::Option* ids_option = nullptr;
};
void add_text_options(CLI::App& command, TextOptions& options);

// The ids of --text or --ids. Errors: neither or both were given; text without a vocabulary.
Result<std::vector<int>> ids_of(const TextOptions& options, const Vocabulary* vocabulary);

// The line that tells what was done to the rows of the position table; empty where nothing was.
std::string what_if(const std::string& positions, std::uint32_t seed);

// A token for the terminal, in quotes: with a vocabulary its text, else its id.
std::string token_name(const Vocabulary* vocabulary, int id);

// Columns that a UTF-8 text takes, one a code point; and the text filled up with spaces to a width.
std::string padded(const std::string& text, std::size_t width);
std::string padded_left(const std::string& text, std::size_t width);
// printf-like for one number.
std::string fixed(double value, int decimals);

}  // namespace lookback

#include <memory>
#include <nlohmann/json.hpp>

#include "core/cli/commands.hpp"
#include "core/text/bpe.hpp"

namespace lookback {

Command add_tokens(CLI::App& app) {
  struct Options {
    std::string model, text;
    bool special = false, json = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("tokens", "A text's tokens");
  command->add_option("--model", o->model, "Folder with vocab.json and merges.txt")->required();
  command->add_option("--text", o->text, "The text")->required();
  command->add_flag("--special", o->special, "Take <|endoftext|> as the special token");
  command->add_flag("--json", o->json, "Print JSON");

  return [o]() -> Result<std::string> {
    const Result<Vocabulary> vocabulary = read_vocabulary(o->model);
    if (!vocabulary) return vocabulary.error();
    const TokenisedText text =
        tokenise(*vocabulary, o->text, o->special ? SpecialTokens::recognised : SpecialTokens::as_text);
    if (o->json) {
      nlohmann::json tokens = nlohmann::json::array();
      for (const TokenSpan& token : text.tokens)
        tokens.push_back({{"id", token.id}, {"shown", token_display(*vocabulary, token.id)}, {"begin", token.begin},
                          {"end", token.end}, {"word", token.word}});
      return tokens.dump(2) + "\n";
    }
    std::string out = std::to_string(text.tokens.size()) + " tokens\n";
    for (std::size_t i = 0; i < text.tokens.size(); ++i)
      out += padded_left(std::to_string(i), 5) + padded_left(std::to_string(text.tokens[i].id), 8) + "  " +
             token_name(&*vocabulary, text.tokens[i].id) + "\n";
    return out;
  };
}

}  // namespace lookback

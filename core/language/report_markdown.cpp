// The report as people read it.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/language/report.hpp"
#include "core/text/display.hpp"

namespace lookback::language {
namespace {

std::string fixed(float value, int decimals) {
  if (!std::isfinite(value)) return "not a number";
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, static_cast<double>(value));
  return digits;
}
std::string yes_or_no(bool yes) { return yes ? "yes" : "**no**"; }
std::string percent(float part) { return fixed(part * 100, 1) + " %"; }
std::string whole(std::size_t n) { return std::to_string(n); }
std::string head_name(const Census& census, std::size_t i) {
  return whole(i / census.n_heads) + "." + whole(i % census.n_heads);
}

// Text for a table's cell or a line: what nobody would see is made visible, and no character draws a table or markup.
std::string shown(std::string_view bytes) {
  std::string out;
  for (const char byte : display(bytes)) {
    if (std::string_view("|*_`<>[]#\\").find(byte) != std::string_view::npos) out += '\\';
    out += byte;
  }
  return out;
}

std::string row(std::initializer_list<std::string> cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

std::string head_row(std::initializer_list<std::string> cells) {
  std::string line = row(cells) + "|";
  for (std::size_t i = 0; i < cells.size(); ++i) line += "---|";
  return line + "\n";
}

std::string aims_table(const Report& report) {
  std::string out = "## What it must show\n\n" + head_row({"what", "measured", "at least", "head", "over", "reached"});
  for (const Aim& aim : report.aims)
    out += row({aim.name, percent(aim.measured), percent(aim.at_least), aim.head, whole(aim.n),
                yes_or_no(aim.reached())});
  return out +
         "\nA case is right when the word that the model says, always taking the likeliest token of its whole "
         "vocabulary, is a right one, letter for letter. Heads are named layer.head, counted from 0. A split word "
         "stands where its last token stands. A head looks hardest at the noun when no other token gets as large a "
         "share from “it”. The share on the tokens after earlier occurrences is read off the prompts of the repeat "
         "cases; the share on the first token, from the fourth token on, off the prompts of all cases, one or two "
         "sentences each; the share on the token before off " +
         whole(report.cases_each) +
         " longer texts that no training reads, where a look finds more to rest on. The country's chance rises with a jump when no layer lowers it by more than "
         "0.02 and one raises it by 0.3 or more.\n";
}

std::string answers_table(const Report& report) {
  std::string out =
      "\n## Answers\n\n" + head_row({"cases", "right", "of", "chance of right words", "chance of wrong words"});
  for (const Answers& answers : report.answers)
    out += row({answers.name, whole(answers.right), whole(answers.n), percent(answers.chance_right.value()),
                percent(answers.chance_wrong.value())});
  out += "\nChances are those of the words' first tokens, together, right after the prompt; means over the cases.\n";
  std::string mistakes;
  for (const Answers& answers : report.answers)
    for (const Answer& mistake : answers.mistakes)
      mistakes +=
          "- " + answers.name + ": “" + shown(mistake.prompt) + "” goes on “" + shown(mistake.said) + "”\n";
  return mistakes.empty() ? out : out + "\nThe first mistakes of each kind:\n\n" + mistakes;
}

std::string heads_table(const Report& report) {
  std::string out = "\n## Heads\n\nMean shares, and the mean entropy of a head's look in bits.\n\n" +
                    head_row({"head", "previous token", "first token", "first token, prompts", "same token", "induction", "itself", "entropy",
                              "name to be said", "noun of “it”", "hardest at the noun"});
  for (std::size_t i = 0; i < report.census.heads.size(); ++i) {
    const HeadCensus& head = report.census.heads[i];
    const auto share = [&](Role role) { return percent(head.of(role).value()); };
    out += row({head_name(report.census, i), share(Role::previous_token), share(Role::first_token),
                percent(report.prompts.heads[i].of(Role::first_token).value()),
                share(Role::same_token), share(Role::induction), share(Role::itself), fixed(head.entropy.value(), 2),
                percent(report.names.heads[i].share.value()), percent(report.nouns.heads[i].share.value()),
                percent(report.nouns.heads[i].hardest_part())});
  }
  return out;
}

std::string country_table(const Report& report) {
  const CountryLens& lens = report.country;
  std::string out =
      "\n## The country, layer by layer\n\n" +
      head_row({"layers done", "mean chance of the right country", "cases in which this layer raised it most"});
  for (std::size_t done = 0; done < lens.chance.size(); ++done)
    out += row({whole(done), percent(lens.chance[done].value()), done > 0 ? whole(lens.jumps[done - 1]) : ""});
  return out;
}

std::string book_table(const Report& report) {
  std::string out = "\n## The book's sentences\n\n" + head_row({"sentence", "goes on", "chance", "right"});
  for (const Answer& answer : report.book)
    out += row({shown(answer.prompt), "“" + shown(answer.said) + "”", percent(answer.chance), yes_or_no(answer.right)});
  return out;
}

std::string continuations_list(const Report& report) {
  std::string out = "\n## Free continuations\n";
  for (const Continuation& made : report.continuations)
    out += "\n- likeliest: **" + shown(made.beginning) + "**" + shown(made.greedy) + "\n- at temperature 0.7: **" +
           shown(made.beginning) + "**" + shown(made.sampled) + "\n";
  return out;
}

}  // namespace

std::string report_markdown(const Report& report, std::string_view file) {
  const Config& c = report.config;
  const auto reached =
      std::count_if(report.aims.begin(), report.aims.end(), [](const Aim& aim) { return aim.reached(); });
  return "# Report on " + shown(file) + "\n\n" + whole(n_parameters(c)) + " parameters: " + whole(c.n_layers) +
         " layers of " + whole(c.n_heads) + " heads, width " + whole(c.d_model) + ", window " + whole(c.n_positions) +
         ", " + whole(c.d_vocab) + " tokens. " + whole(report.cases_each) + " held-out cases of each kind, seed " +
         std::to_string(report.seed) + ". " + whole(static_cast<std::size_t>(reached)) + " of " +
         whole(report.aims.size()) + " aims reached.\n\n" + aims_table(report) + answers_table(report) +
         heads_table(report) + country_table(report) + book_table(report) + continuations_list(report);
}

}  // namespace lookback::language

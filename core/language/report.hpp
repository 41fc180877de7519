// What a model has learned of the little language: the right words after held-out beginnings, the heads that look where
// the word is to be found, and the layers in which a fact arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/language/cases.hpp"
#include "core/lens/census.hpp"
#include "core/model/weights.hpp"
#include "core/numerics/pool.hpp"
#include "core/result.hpp"
#include "core/text/vocabulary.hpp"

namespace lookback::language {

// One line of the table of aims: a measured part of 1, and what it has to reach.
struct Aim {
  std::string name;
  std::string head;  // the head that was found, "layer.head" counted from 0; empty where no head is asked for
  std::size_t n = 0;  // cases or looks that the measure is over
  float measured = 0;
  float at_least = 0;

  bool reached() const { return n > 0 && measured >= at_least; }
};

// A beginning and the word that the model says after it (report_say.hpp), with the word's chance.
struct Answer {
  std::string prompt, said;
  float chance = 0;
  bool right = false;
};

// How the cases of one kind went. A case is right when the word said is one of case.right.
struct Answers {
  std::string name;
  std::size_t n = 0, right = 0;
  // Mean chance, right after the prompt, of the tokens that right words begin with, and of those that only wrong words
  // begin with. Where words are one token each, these are the words' own chances.
  Mean chance_right{}, chance_wrong{};
  std::vector<Answer> mistakes{};  // the first few; those of "it" stand with its two parts
};

// The chance of the right country's first token at a prompt's last position, through the logit lens.
struct CountryLens {
  std::size_t n = 0, rising = 0;    // cases; those for which rises_with_a_jump()
  std::vector<Mean> chance;         // [n_layers + 1] after so many layers
  std::vector<std::size_t> jumps;   // [n_layers] cases in which the layer raises the chance most
};

// A free continuation, for people to read.
struct Continuation {
  std::string beginning, greedy, sampled;
};

struct Report {
  Config config;
  std::size_t cases_each = 0;
  std::uint64_t seed = 0;
  std::vector<Aim> aims;
  std::vector<Answers> answers;
  Census census;            // induction over the repeat cases' prompts, all else over held-out texts
  Census prompts;           // over the prompts of all cases: one or two sentences each
  LookCensus nouns, names;  // from "it" at its noun; from the last word at the name to be said
  CountryLens country;
  std::vector<Answer> book;
  std::vector<Continuation> continuations;
};

// Whether a chance, [layers_done = 0 … n_layers], rises layer by layer with a jump: no layer lowers it by more than
// 0.02, and one raises it by 0.3 or more.
bool rises_with_a_jump(std::span<const float> chances);

// Runs cases_each held-out cases of each phenomenon, the census and the book's sentences. The same arguments give the
// same report, with any number of threads.
//
// Errors: bad_argument (no cases; a vocabulary of another size than the model's; scores that are not finite),
// window_full (a case does not fit the model's window), out_of_memory.
Result<Report> make_report(const Weights& weights, const Vocabulary& vocabulary, std::size_t cases_each,
                           std::uint64_t seed, Pool& pool);

// The report as Markdown and as JSON; `file` names the model. Both end with a newline.
std::string report_markdown(const Report& report, std::string_view file);
std::string report_json(const Report& report, std::string_view file);

}  // namespace lookback::language

// Lessons as they are called: JSON in, JSON out, and one sentence for anything else.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/lessons/lessons.hpp"

using lookback::lesson;
using Json = nlohmann::json;

namespace {

Json call(std::string_view name, const Json& input) {
  const auto output = lesson(name, input.dump());
  if (!output) FAIL(output.error().sentence);
  return Json::parse(*output);
}

std::string refusal(std::string_view name, const std::string& input) {
  const auto output = lesson(name, input);
  if (output) return "accepted: " + *output;
  return output.error().sentence;
}

// Every number reads back as the float it was, and none is -0.
void check_numbers(const Json& value) {
  if (value.is_number_float()) {
    const double x = value.get<double>();
    REQUIRE(std::isfinite(x));
    REQUIRE_FALSE((x == 0 && std::signbit(x)));
    // Shortest digits: the float nearest to what is written writes the same digits again.
    using Short = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;
    REQUIRE(std::stod(Short(static_cast<float>(x)).dump()) == x);
  }
  if (value.is_structured()) {
    for (const Json& element : value) check_numbers(element);
  }
}

}  // namespace

TEST_CASE("every default world is a valid input of its lesson") {
  const Json worlds = call("worlds", Json::object());
  for (const char* name : {"search", "story", "dot", "softmax", "sink", "blend"}) {
    INFO(name);
    const Json output = call(name, worlds[name]);
    check_numbers(output);
  }
  check_numbers(worlds);
  CHECK(call("search", worlds["search"]) == call("search", {{"query", worlds["search"]["query"]}}));
  CHECK(call("story", worlds["story"]) == call("story", Json::object()));
  CHECK(call("sink", worlds["sink"]) == call("sink", {{"query", worlds["sink"]["query"]}}));
  CHECK(call("blend", worlds["blend"]) == call("blend", {{"values", worlds["blend"]["values"]}}));
  for (const Json& pair : worlds["blend_values"]) call("blend", {{"values", pair}});
  CHECK(worlds["features"].size() == call("phrase", {{"phrase", ""}})["vector"].size());
}

TEST_CASE("stories lists what story tells, and its tokens can be sent back") {
  const Json stories = call("stories", Json::object());
  for (const Json& told : stories["stories"]) {
    const Json by_id = call("story", {{"story", told["id"]}});
    CHECK(by_id["text"] == told["text"]);
    CHECK(by_id["asking"]["index"] == told["asking"]);
    CHECK(by_id["tokens"] == told["tokens"]);
    const Json by_tokens = call("story", {{"tokens", told["tokens"]}, {"asking", told["asking"]}});
    CHECK(by_tokens["candidates"] == by_id["candidates"]);
    CHECK(by_tokens["story"].is_null());
    const Json by_text = call("story", {{"story", told["id"]}, {"text", told["text"]}});
    CHECK(by_text["candidates"] == by_id["candidates"]);
  }
}

TEST_CASE("an edit of one feature in the input gives the q·k of the vectors in the output") {
  const Json base = call("story", {{"story", "orim"}});
  Json weights = base["asking"]["query"]["sum"];
  weights[3] = 0.8;  // money
  const Json output = call("story", {{"story", "orim"},
                                     {"edits", {{{"token", base["asking"]["index"]}, {"query_weights", weights}}}},
                                     {"word_edits", {{"planet", {{"money", 1}, {"sky", 0}}}}}});
  CHECK(output["asking"]["query"]["edited"] == true);
  for (const Json& candidate : output["candidates"]) {
    double dot = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      dot += output["asking"]["query"]["vector"][i].get<double>() * candidate["key"]["vector"][i].get<double>();
    }
    CHECK(candidate["score"].get<double>() == doctest::Approx(dot).epsilon(1e-6));
  }
  const std::size_t orim = base["best"];
  // q = (1, 1, 0.8) and k = (0.6, 0, 1) on place, sky, money.
  CHECK(output["candidates"][orim]["score"].get<double>() ==
        doctest::Approx((0.6 + 0.8) / std::sqrt(2.64) / std::sqrt(1.36)).epsilon(1e-6));
}

TEST_CASE("a new phrase drops the weights that were given for the old one") {
  const Json tokens = {{{"text", "a"},
                        {"query", ""},
                        {"key", "planet"},
                        {"value", ""},
                        {"key_weights", Json(std::vector<float>(15, 1))}},
                       {{"text", "b"}, {"query", "planet"}, {"key", ""}, {"value", ""}}};
  CHECK(call("story", {{"tokens", tokens}})["candidates"][0]["key"]["edited"] == true);
  const Json edits = {{{"token", 0}, {"key", "river"}}};
  const Json output = call("story", {{"tokens", tokens}, {"edits", edits}});
  CHECK(output["candidates"][0]["key"]["edited"] == false);
  CHECK(output["candidates"][0]["key"]["phrase"] == "river");
}

TEST_CASE("blend takes weights, or scores through softmax, or neither") {
  const Json shares = call("softmax", {{"scores", {2, 1}}, {"stretch", 3}})["shares"];
  const Json by_scores = call("blend", {{"values", {"river", "bank"}}, {"scores", {2, 1}}, {"stretch", 3}});
  CHECK(by_scores["values"][0]["share"].get<double>() == doctest::Approx(shares[0].get<double>()).epsilon(1e-6));
  CHECK(call("blend", {{"values", {"river", "bank"}}})["nearest"] == "riverside");
}

TEST_CASE("text of any script comes back as it went in") {
  const std::string odd = "<script>alert(1)</script> \"été\" \\ 日本 🌙\n\t";
  const Json output = call("phrase", {{"phrase", odd}});
  CHECK(output["phrase"] == odd);
  CHECK(call("story", {{"text", odd}})["text"] == odd);
  const auto raw = lesson("phrase", "{\"phrase\":\"a\\u0000\\ud83c\\udf19\"}");
  REQUIRE(raw);
  CHECK(Json::parse(*raw)["phrase"].get<std::string>() == std::string("a\0🌙", 6));
}

TEST_CASE("negative zero never leaves") {
  const auto output = lesson("dot", R"({"q":[-0.0,1],"k":[2,-0.0]})");
  REQUIRE(output);
  CHECK(output->find("-0.0") == std::string::npos);
  check_numbers(Json::parse(*output));
}

TEST_CASE("a lesson that does not exist is told which there are") {
  const std::string sentence = refusal("sofmax", "{}");
  CHECK(sentence.starts_with("There is no lesson “sofmax”; expected one of "));
  for (const char* name : {"phrase", "softmax", "worlds", "cost", "price", "spread", "ratio"}) {
    INFO(name);
    CHECK(sentence.find(name) != std::string::npos);
    CHECK(lesson(name, "[]").error().sentence == "A lesson's input must be a JSON object.");
  }
}

TEST_CASE("counts come back as whole numbers, however large") {
  const Json most = call("cost", {{"tokens", 200000}, {"added", 200000}, {"layers", 1000}, {"heads", 200}});
  CHECK(most["anew"] == 10666746666800000u);
  CHECK(most["after"]["looks"].is_number_unsigned());
  const Json book = call("price", {{"layers", 12}, {"heads", 12}, {"d_model", 768}, {"d_mlp", 3072}, {"tokens", {1024}}});
  CHECK(book["rows"][0]["looks_in_all"] == 75571200);
  CHECK(book["rows"][0]["cache_bytes"] == 75497472);
  CHECK(book["speed"].is_null());
  check_numbers(call("spread", {{"d", 64}}));
  check_numbers(call("ratio", {{"first", -1000}, {"second", 1000}, {"others", Json::array()}}));
}

TEST_CASE("bad input gets one sentence that names the key and what was expected") {
  struct Case {
    std::string lesson, input, sentence;
  };
  const Case cases[] = {
      {"softmax", "{}", "“scores” is missing; expected 1 to 256 numbers from -1000 to 1000."},
      {"softmax", R"({"scores":[]})", "“scores” must be 1 to 256 numbers from -1000 to 1000."},
      {"softmax", R"({"scores":[1,"NaN"]})", "“scores” must be 1 to 256 numbers from -1000 to 1000."},
      {"softmax", R"({"scores":[1,null]})", "“scores” must be 1 to 256 numbers from -1000 to 1000."},
      {"softmax", R"({"scores":[1e300]})", "“scores” must be 1 to 256 numbers from -1000 to 1000."},
      {"softmax", R"({"scores":"1,2"})", "“scores” must be 1 to 256 numbers from -1000 to 1000."},
      {"softmax", R"({"scores":[1],"stretch":-1})", "“stretch” must be a number from 0 to 100."},
      {"softmax", R"({"scores":[1],"stretch":true})", "“stretch” must be a number from 0 to 100."},
      {"softmax", R"({"scores":[1],"strech":2})", "“strech” is not a known key; expected scores, stretch."},
      {"softmax", R"({"scores":[1],"scores":[2]})", "The key “scores” must stand once in an object."},
      {"softmax", "[1,2]", "A lesson's input must be a JSON object."},
      {"softmax", R"({"scores":[NaN]})",
       "A lesson's input must be JSON in UTF-8, with numbers that a computer can hold."},
      {"softmax", R"({"scores":[1e999]})",
       "A lesson's input must be JSON in UTF-8, with numbers that a computer can hold."},
      {"softmax", "", "A lesson's input must be JSON in UTF-8, with numbers that a computer can hold."},
      {"phrase", "{\"phrase\":\"\xFF\"}",
       "A lesson's input must be JSON in UTF-8, with numbers that a computer can hold."},
      {"dot", R"({"q":[1,2]})", "“k” is missing; expected 2 numbers from -1000 to 1000."},
      {"dot", R"({"q":[1,2,3],"k":[1,2]})", "“q” must be 2 numbers from -1000 to 1000."},
      {"phrase", R"({"phrase":7})", "“phrase” must be text of at most 300 bytes."},
      {"phrase", R"({"phrase":"a","weights":[1,2]})", "“weights” must be 15 numbers from 0 to 10."},
      {"phrase", R"({"phrase":"a","word_edits":{"planet":{"colour":1}}})",
       "“word_edits.planet” names “colour”, which is not one of the features."},
      {"phrase", R"({"phrase":"a","word_edits":{"planet":{"sky":-1}}})",
       "“word_edits.planet.sky” must be a number from 0 to 10."},
      {"phrase", R"({"phrase":"a","word_edits":{"two words":{"sky":1}}})",
       "“word_edits.two words” must be a single word."},
      {"phrase", R"({"phrase":"a","word_edits":{"planet":3}})",
       "“word_edits.planet” must be an object of features and weights."},
      {"search", R"({"query":"a","pages":[{"title":"b","contents":"c"},{"title":"b"}]})",
       "“pages[1].contents” is missing; expected text of at most 2000 bytes."},
      {"search", R"({"query":"a","pages":[7]})", "“pages[0]” must be a JSON object."},
      {"search", R"({"query":"a","pages":[{"title":"b","contents":"c","score":1}]})",
       "“pages[0].score” is not a known key; expected title, contents, key_weights."},
      {"story", R"({"story":"nope"})",
       "“story” must be one of river, savings, slipper, chest, orim, treaty, not “nope”."},
      {"story", R"({"story":"river","asking":15})", "“asking” must be a whole number from 0 to 14."},
      {"story", R"({"story":"river","asking":-1})", "“asking” must be a whole number from 0 to 14."},
      {"story", R"({"story":"river","asking":1.5})", "“asking” must be a whole number from 0 to 14."},
      {"story", R"({"story":"river","tokens":[]})", "“tokens” must stand without “story” and “text”."},
      {"story", R"({"tokens":[]})", "“tokens” must be a list of 1 to 256 elements."},
      {"story", R"({"text":"  "})", "“text” must hold 1 to 256 words and marks, not 0."},
      {"story", R"({"story":"river","include_self":1})", "“include_self” must be true or false."},
      {"story", R"({"story":"river","edits":[{"token":99}]})", "“edits[0].token” must be a whole number from 0 to 14."},
      {"story", R"({"story":"river","edits":[{"key":"x"}]})",
       "“edits[0].token” is missing; expected a whole number from 0 to 14."},
      {"stories", R"({"id":1})", "“id” is not a known key; expected no keys."},
      {"cost", R"({"tokens":0})", "“tokens” must be a whole number from 1 to 200000."},
      {"cost", R"({"tokens":9.5})", "“tokens” must be a whole number from 1 to 200000."},
      {"cost", R"({"tokens":9,"heads":201})", "“heads” must be a whole number from 1 to 200."},
      {"cost", R"({})", "“tokens” is missing; expected a whole number from 1 to 200000."},
      {"price", R"({"layers":1,"heads":1,"d_model":8,"d_mlp":8,"tokens":[8,-1]})",
       "“tokens” must be a list of 1 to 64 elements, each a whole number from 1 to 200000."},
      {"price", R"({"layers":1,"heads":1,"d_model":8,"d_mlp":8,"tokens":[8],"milliseconds":[1,2]})",
       "“milliseconds” must be 1 number from 1e-06 to 1000000000."},
      {"spread", R"({"d":257})", "“d” must be a whole number from 1 to 256."},
      {"ratio", R"({"first":1})", "“second” is missing; expected a number from -1000 to 1000."},
      {"sink", R"({"query":"a","keys":[]})", "“keys” must be a list of 1 to 256 elements."},
      {"blend", R"({"values":["nowhere"]})", "“values[0]” must be the name of one of the meanings."},
      {"blend", R"({"values":["river"],"weights":[1,2]})", "“weights” must be 1 number from 0 to 1000."},
      {"blend", R"({"values":["river"],"weights":[0]})", "“weights” must hold at least one number above 0."},
      {"blend", R"({"values":["river"],"weights":[1],"scores":[1]})", "“weights” must stand without “scores”."},
      {"blend", R"({"values":["river"],"stretch":2})", "“stretch” must stand together with “scores”."},
      {"blend", R"({"meanings":[{"name":"a","x":0,"y":0},{"name":"a","x":1,"y":1}],"values":["a"]})",
       "“meanings” must hold each name once, and “a” stands twice."},
  };
  for (const Case& c : cases) {
    INFO(c.lesson, " ", c.input);
    CHECK(refusal(c.lesson, c.input) == c.sentence);
  }
}

TEST_CASE("hostile sizes are refused quickly") {
  const std::string deep(400000, '[');
  CHECK(refusal("dot", deep) == "A lesson's input must be JSON in UTF-8, with numbers that a computer can hold.");
  const std::string nested = std::string(400000, '[') + std::string(400000, ']');
  CHECK(refusal("dot", nested) == "A lesson's input must be a JSON object.");
  CHECK(refusal("dot", "{\"q\":" + nested + "}") == "“q” must be 2 numbers from -1000 to 1000.");
  CHECK(refusal("dot", std::string(1 << 21, ' ')) == "A lesson's input must be at most 1048576 bytes, not 2097152.");
  CHECK(refusal("phrase", Json{{"phrase", std::string(301, 'a')}}.dump()) ==
        "“phrase” must be text of at most 300 bytes.");
  CHECK(refusal("softmax", Json{{"scores", std::vector<int>(100000, 1)}}.dump()) ==
        "“scores” must be 1 to 256 numbers from -1000 to 1000.");
  std::string words;
  for (int i = 0; i < 257; ++i) words += "a ";
  CHECK(refusal("story", Json{{"text", words}}.dump()) == "“text” must hold 1 to 256 words and marks, not 257.");
  CHECK(refusal("story", Json{{"text", std::string(301, 'a')}}.dump()) ==
        "“text” must hold words of at most 300 bytes.");
  Json pages = Json::array();
  for (int i = 0; i < 65; ++i) pages.push_back({{"title", "a"}, {"contents", "b"}});
  CHECK(refusal("search", Json{{"query", "a"}, {"pages", pages}}.dump()) ==
        "“pages” must be a list of at most 64 elements.");
  Json edits;
  for (int i = 0; i < 65; ++i) edits["w" + std::to_string(i)] = {{"sky", 1}};
  CHECK(refusal("phrase", Json{{"phrase", "a"}, {"word_edits", edits}}.dump()) ==
        "“word_edits” must be an object of at most 64 words.");
  // A long key is cut, between characters.
  const std::string sentence =
      refusal("dot", Json{{std::string(39, 'k') + "ééé", 1}, {"k", {1, 2}}, {"q", {1, 2}}}.dump());
  CHECK(sentence == "“" + std::string(39, 'k') + "…” is not a known key; expected q, k.");
}

TEST_CASE("the largest allowed story is answered") {
  Json tokens = Json::array();
  const std::string long_phrase(300, 'b');
  for (int i = 0; i < 256; ++i) {
    tokens.push_back({{"text", "t"}, {"query", long_phrase}, {"key", long_phrase}, {"value", long_phrase}});
  }
  const Json output = call("story", {{"tokens", tokens}});
  CHECK(output["candidates"].size() == 255);
  CHECK(output["best"].is_null());
  CHECK(output["unknown_words"].size() == 1);
}

// What no training text says, so that the cases ask for something new. The texts and the cases both ask here.
//
// Held out are combinations: each word, and each fact, stays in the texts with other partners.
#pragma once

#include <string_view>

namespace lookback::language {

// Two names, or two animals, that never act together in one story, in either order. Always: Mary and John, dog and cat.
bool held_out_pair(std::string_view one, std::string_view other);

// A noun that "it" stands for, and another noun of its sentence. Always: animal and street.
bool held_out_it(std::string_view noun, std::string_view other);

// A person and a capital that never meet. Always: Maya and Paris.
bool held_out_city(std::string_view name, std::string_view city);

// Cities after which "lives in …, the capital of" is never said; other verbs take its place. Always: Paris.
bool held_out_home(std::string_view city);

// A place and a thing: at that place nobody gives that thing to anybody. Always: store and drink.
bool held_out_errand(std::string_view place, std::string_view thing);

}  // namespace lookback::language

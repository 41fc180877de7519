// Recognises what came instead of a safetensors file, so that the message can name it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lookback {

// What a file that begins with these bytes is ("a Git LFS pointer, …"), or "" when that cannot be told. Eight bytes
// are enough for every kind. Ask only about a file that is not safetensors: a valid one may begin with the same bytes.
std::string name_foreign_file(std::span<const std::byte> beginning);

}  // namespace lookback

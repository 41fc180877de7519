#include "core/checkpoint/header_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/checkpoint/safetensors.hpp"
#include "core/checkpoint/wording.hpp"
#include "core/json_text.hpp"

namespace lookback {
namespace {

enum class Place { outside, root, metadata, tensor, shape, offsets };

// Receives the tokens of the JSON parser. Each function returns false to stop; `refusal` then says why.
class HeaderReader {
 public:
  RawHeader header;
  std::string refusal;

  bool null() { return unexpected("null"); }
  bool boolean(bool) { return unexpected("true or false"); }
  bool number_integer(std::int64_t) { return unexpected("a negative number"); }
  bool number_float(double, const std::string&) { return unexpected("a fraction or a number beyond 64 bits"); }
  bool binary(std::vector<std::uint8_t>&) { return unexpected("binary data"); }

  bool number_unsigned(std::uint64_t number) {
    if (place_ == Place::shape) {
      if (entry().shape->size() == highest_rank) {
        return refuse("The tensor " + in_quotes(entry().name) + " has more than " + std::to_string(highest_rank) +
                      " dimensions.");
      }
      entry().shape->push_back(number);
      return true;
    }
    if (place_ == Place::offsets && entry().offsets->size() < 2) {
      entry().offsets->push_back(number);
      return true;
    }
    return unexpected("a number");
  }

  bool string(std::string& text) {
    if (place_ == Place::metadata) {
      header.metadata.emplace_back(key_, std::move(text));
      return true;
    }
    if (place_ == Place::tensor && key_ == "dtype") {
      entry().dtype = std::move(text);
      return true;
    }
    return unexpected("a string");
  }

  bool start_object(std::size_t) {
    if (place_ == Place::outside) {
      place_ = Place::root;
    } else if (place_ == Place::root && key_ == "__metadata__") {
      place_ = Place::metadata;
    } else if (place_ == Place::root) {
      if (header.entries.size() == most_tensors) {
        return refuse("The safetensors header lists more than " + std::to_string(most_tensors) + " tensors.");
      }
      header.entries.emplace_back().name = key_;
      place_ = Place::tensor;
    } else {
      return unexpected("an object");
    }
    return true;
  }

  bool end_object() {
    place_ = place_ == Place::root ? Place::outside : Place::root;
    return true;
  }

  bool start_array(std::size_t) {
    if (place_ == Place::tensor && key_ == "shape") {
      place_ = Place::shape;
      entry().shape.emplace();
    } else if (place_ == Place::tensor && key_ == "data_offsets") {
      place_ = Place::offsets;
      entry().offsets.emplace();
    } else {
      return unexpected("an array");
    }
    return true;
  }

  bool end_array() {
    place_ = Place::tensor;
    return true;
  }

  bool key(std::string& text) {
    if (text.find('\0') != std::string::npos) {
      return refuse("The safetensors header holds the name " + in_quotes(text) + " with a NUL character in it.");
    }
    if (text.size() > longest_name) {
      return refuse("The safetensors header holds a name of " + std::to_string(text.size()) + " bytes, " +
                    in_quotes(text) + "; expected at most " + std::to_string(longest_name) + ".");
    }
    key_ = std::move(text);
    if (place_ == Place::tensor) return field(key_);
    auto& seen = place_ == Place::metadata ? metadata_keys_ : names_;
    if (seen.insert(key_).second) return true;
    return refuse("The safetensors header holds " + in_quotes(key_) + " twice.");
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception& exception) {
    constexpr int number_overflow = 406;  // 1e999: grammatical, but no number
    if (exception.id == number_overflow) return unexpected("a number beyond 64 bits");
    return refuse("The safetensors header is not a JSON object in valid UTF-8: reading stopped at its byte " +
                  std::to_string(position) + ".");
  }

 private:
  RawEntry& entry() { return header.entries.back(); }

  bool refuse(std::string sentence) {
    refusal = std::move(sentence);
    return false;
  }

  bool field(const std::string& name) {
    const RawEntry& e = entry();
    const bool known = name == "dtype" || name == "shape" || name == "data_offsets";
    if (!known) {
      return refuse("The tensor " + in_quotes(e.name) + " has the unknown field " + in_quotes(name) +
                    "; expected dtype, shape and data_offsets.");
    }
    const bool twice = name == "dtype" ? e.dtype.has_value() : name == "shape" ? e.shape.has_value() : !!e.offsets;
    if (!twice) return true;
    return refuse("The tensor " + in_quotes(e.name) + " has the field " + in_quotes(name) + " twice.");
  }

  // A value of the wrong type, named by the place where it stands.
  bool unexpected(const std::string& what) {
    switch (place_) {
      case Place::outside: return refuse("The safetensors header is " + what + "; expected a JSON object.");
      case Place::root:
        return refuse("In the safetensors header " + in_quotes(key_) + " is " + what + "; expected " +
                      (key_ == "__metadata__" ? "an object of strings." : "an object that describes a tensor."));
      case Place::metadata:
        return refuse("In the safetensors header the metadata " + in_quotes(key_) + " is " + what +
                      "; expected a string.");
      case Place::tensor:
        return refuse("The tensor " + in_quotes(entry().name) + " has a " + key_ + " that is " + what + "; expected " +
                      (key_ == "dtype" ? "a string." : "an array of whole numbers."));
      case Place::shape:
        return refuse("The tensor " + in_quotes(entry().name) + " has a shape that holds " + what +
                      "; expected whole numbers from 0, within 64 bits.");
      case Place::offsets:
        return refuse("The tensor " + in_quotes(entry().name) + " has data_offsets that hold " + what +
                      (entry().offsets->size() == 2 ? " as a third item" : "") +
                      "; expected two whole numbers from 0, within 64 bits.");
    }
    return false;
  }

  Place place_ = Place::outside;
  std::string key_;  // the last key read, at any level
  std::unordered_set<std::string> names_;
  std::unordered_set<std::string> metadata_keys_;
};

}  // namespace

Result<RawHeader> read_header_json(std::string_view text) {
  // The parser also skips a byte order mark; other readers do not.
  if (holds_nul(text) || text.starts_with("\xef\xbb\xbf")) {
    return fail(ErrorCode::bad_file,
                "The safetensors header is not a JSON object in valid UTF-8: it holds a NUL byte or begins with a byte "
                "order mark.");
  }
  HeaderReader reader;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &reader)) {
    return fail(ErrorCode::bad_file, std::move(reader.refusal));
  }
  return std::move(reader.header);
}

}  // namespace lookback

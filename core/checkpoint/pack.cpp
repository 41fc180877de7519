#include "core/checkpoint/pack.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/numerics/float_formats.hpp"
#include "core/numerics/pack_matrix.hpp"

namespace lookback {
namespace {

// Elements are widened in batches that stay in the first-level cache, as bit patterns: no NaN changes on the way.
constexpr std::size_t batch_size = 2048;
static_assert(sizeof(float) == 4);

void widen(Dtype dtype, const std::byte* from, std::span<std::uint32_t> to) {
  if (dtype == Dtype::f32) {
    std::memcpy(to.data(), from, to.size_bytes());
    return;
  }
  std::array<std::uint16_t, batch_size> halves;
  std::memcpy(halves.data(), from, to.size() * sizeof(std::uint16_t));
  if (dtype == Dtype::bf16) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = f32_bits_from_bf16(halves[i]);
  } else {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = f32_bits_from_f16(halves[i]);
  }
}

NotFinite count_not_finite(std::span<const std::uint32_t> bits, bool to_f16) {
  constexpr std::uint32_t infinity = 0x7f800000u;
  const std::uint32_t limit = to_f16 ? f16_overflow : infinity;
  std::uint32_t largest = 0;  // of the magnitudes; one pass that the compiler turns into vector code
  for (const std::uint32_t b : bits) largest = std::max(largest, b & 0x7fffffffu);
  NotFinite count;
  if (largest < limit) return count;
  for (const std::uint32_t b : bits) {
    count.nans += (b & 0x7fffffffu) > infinity;
    count.infinities += (b & 0x7fffffffu) == infinity;
    count.too_large += (b & 0x7fffffffu) >= limit && (b & 0x7fffffffu) < infinity;
  }
  return count;
}

// A run of one column of an int8 table; the column is packed when it is whole.
void collect_column(PackedMatrix& matrix, std::size_t k, std::size_t n, std::span<const float> run, Waiting& waiting) {
  if (run.size() == matrix.k_rows) return place_whole_column(matrix, n, run);
  Waiting::Numbers& column = waiting.columns[n];
  column.values.resize(matrix.k_rows);
  std::memcpy(&column.values[k], run.data(), run.size_bytes());
  column.came += run.size();
  if (column.came < matrix.k_rows) return;
  place_whole_column(matrix, n, column.values);
  waiting.columns.erase(n);
}

// A run of one row of an int8 Conv1D matrix; the matrix is packed when it is whole.
void collect_row(PackedMatrix& matrix, std::size_t k, std::size_t n, std::span<const float> run, Waiting& waiting) {
  if (!waiting.matrix) waiting.matrix.emplace(matrix.k_rows, matrix.n_columns);
  place_row(*waiting.matrix, k, n, run);
  waiting.came += run.size();
  if (waiting.came < std::uint64_t{matrix.k_rows} * matrix.n_columns) return;
  place_matrix(matrix, *waiting.matrix);
  waiting.matrix.reset();
}

void place(const Slot& slot, std::size_t first, std::span<const float> values, Waiting& waiting) {
  if (slot.layout == Layout::vector) {
    std::memcpy(slot.vector->data() + first, values.data(), values.size_bytes());
    return;
  }
  const bool whole_columns = slot.matrix->precision == Precision::int8;
  const auto row_length = static_cast<std::size_t>(slot.shape[1]);
  std::size_t row = first / row_length, column = first % row_length;
  while (!values.empty()) {
    const auto run = values.first(std::min(values.size(), row_length - column));
    if (slot.layout == Layout::linear && whole_columns) {
      collect_row(*slot.matrix, row, column, run, waiting);
    } else if (slot.layout == Layout::linear) {
      place_row(*slot.matrix, row, column, run);
    } else if (whole_columns) {
      collect_column(*slot.matrix, column, row, run, waiting);
    } else {
      place_column(*slot.matrix, column, row, run);
    }
    values = values.subspan(run.size());
    ++row, column = 0;
  }
}

}  // namespace

NotFinite pack_elements(const Slot& slot, Dtype dtype, std::uint64_t first, std::span<const std::byte> bytes,
                        Waiting& waiting) {
  const std::size_t size = bytes_of(dtype);
  auto element = static_cast<std::size_t>(first);
  const bool to_f16 = slot.layout != Layout::vector && slot.matrix->precision == Precision::f16;
  NotFinite total;
  std::array<std::uint32_t, batch_size> batch;
  std::array<float, batch_size> floats;
  while (bytes.size() >= size) {
    const auto bits = std::span(batch).first(std::min(batch.size(), bytes.size() / size));
    widen(dtype, bytes.data(), bits);
    const NotFinite count = count_not_finite(bits, to_f16);
    total.nans += count.nans;
    total.infinities += count.infinities;
    total.too_large += count.too_large;
    std::memcpy(floats.data(), bits.data(), bits.size_bytes());
    place(slot, element, std::span(floats).first(bits.size()), waiting);
    element += bits.size();
    bytes = bytes.subspan(bits.size() * size);
  }
  return total;
}

std::uint64_t waiting_bytes(const Slot& slot, Precision precision) {
  if (precision != Precision::int8 || slot.layout == Layout::vector) return 0;
  return slot.layout == Layout::linear ? slot.bytes_kept(Precision::f32) : slot.shape[1] * sizeof(float);
}

}  // namespace lookback

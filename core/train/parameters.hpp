// Everything a model learns, as one list of arrays: what optimisers, norms and saved states walk over.
#pragma once

#include <span>
#include <vector>

#include "core/model/weights.hpp"

namespace lookback {

template <class Real>
struct Parameter {
  std::span<Real> values;  // a packed matrix comes with its padding, which stays 0
  bool decays;             // matrices and tables are pulled towards 0 by weight decay; norms and biases are not
};

// In a fixed order: wte, wpe, each block's tensors in the order of BlockWeights, ln_f, lm_head where there is one.
// Holds as long as `weights` keeps its arrays.
template <class Real>
std::vector<Parameter<Real>> parameters(BasicWeights<Real>& weights);

// Weights of this shape, all 0. Throws std::bad_alloc.
template <class Real>
BasicWeights<Real> zero_weights(const Config& config);

}  // namespace lookback

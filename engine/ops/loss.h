// Losses and metrics. Each gives the SUM over the batch's samples, in float64; the caller divides.
#pragma once

#include <cstdint>

namespace strata::ops {

// Softmax and cross-entropy in one, from logits (m,c) and labels int32 (m): stable, loss = sum of
// logsumexp(z) - z[label]. inputs {logits, labels}; outputs {loss float64 ()} or {loss, dlogits
// (m,c)}: softmax - onehot, times StepScalars::loss_scale. dlogits may be logits.
struct SoftmaxCrossEntropy {};

// The same with targets (m,c) float32 (rows that sum to 1): loss = -sum t log softmax(z).
struct SoftmaxCrossEntropySoft {};

// From probabilities p (m,c), Keras: rows divided by their sum, clipped to [1e-7, 1 - 1e-7]. labels
// int32 (m) or targets (m,c). inputs {p, labels or targets}; outputs {loss} or {loss, dp}.
struct CrossEntropyFromProbabilities {
    bool sparse = true;
};

// Binary cross-entropy: mean over the last axis c, summed over m. from_logits: sigmoid fused,
// stable: max(z,0) - z t + log(1 + exp(-|z|)); else from probabilities clipped to [1e-7, 1 - 1e-7]
// (Keras). inputs {z or p (m,c), targets (m,c)}; outputs {loss} or {loss, dz or dp}.
struct BinaryCrossEntropy {
    bool from_logits = false;
};

// Mean over the last axis of (p - t)^2, summed over m. inputs {p (m,c), targets}; outputs {loss} or
// {loss, dp}.
struct MeanSquaredError {};

enum class AccuracyKind : std::uint8_t { sparse_categorical, categorical, binary };

// How many of the m samples are right, as float64 (binary: the sum over samples of the share of
// right columns). sparse: argmax = label; categorical: argmax p = argmax t; argmax: the first of
// equals, NaN above all numbers, as PyTorch's and JAX's;
// binary: (p > threshold) = t. inputs {p or logits (m,c), labels or targets}; outputs {count
// float64 ()}.
struct Accuracy {
    AccuracyKind kind = AccuracyKind::sparse_categorical;
    float threshold = 0.5F;  // 0 on logits
};

}  // namespace strata::ops

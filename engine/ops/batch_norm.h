// Batch normalisation over the last axis (arXiv 1502.03167), Keras's conventions. x, y and their
// gradients are of one compute type, all that is (C) float32; each element is rounded once.
#pragma once

#include <cstdint>

namespace strata::ops {

// Training. inputs {x, gamma, beta, moving_mean, moving_variance} ((C) each; gamma = ones and beta
// = zeros are passed where the layer has none); outputs {y, mean (C), inverse_deviation (C)}.
// Biased variance. Updates in place moving = moving * momentum + batch * (1 - momentum), but for a
// channel whose variance is not finite: such a step is skipped. y may be x only in inference.
// A fourth output, where there is one, is the batch's variance (C).
// synchronized: the batch's rows are those of all replicas (StepScalars::replicas), which adds up
// rows and sums, then rows and sums of squared distances: 1 + C numbers each.
struct BatchNormTraining {
    float momentum = 0.99F;
    float epsilon = 1e-3F;
    bool synchronized = false;
};

// inputs {x, gamma, beta, moving_mean, moving_variance}; outputs {y}.
struct BatchNormInference {
    float epsilon = 1e-3F;
};

// inputs {dy, x, gamma, mean, inverse_deviation}; outputs {dx, dgamma, dbeta}. Overwrites.
// synchronized: dx is by the sums over all replicas (1 + 2 C numbers); dgamma and dbeta stay this
// replica's.
struct BatchNormBackward {
    bool synchronized = false;
};

// The statistics of a window of micro-batches. inputs {window_mean, window_variance (float64),
// mean, variance (float32)}, each (C); updated in place: the first two, to those of all samples of
// the window up to this micro-batch (Chan, Golub and LeVeque's combination, by
// StepScalars::samples_before). A channel whose variance is not finite becomes NaN in both.
struct AccumulateStatistics {
    std::int64_t samples = 0;  // of this micro-batch
};

// inputs {average float32, statistic float64, [norm]}; updated in place: average = average *
// momentum + statistic * (1 - momentum), but for elements whose statistic is not finite. Nothing is
// written where norm, the float64 sum of squares of the gradients, is Inf or NaN.
struct MovingAverage {
    float momentum = 0.99F;
};

}  // namespace strata::ops

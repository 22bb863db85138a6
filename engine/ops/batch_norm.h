// Batch normalisation over the last axis (Ioffe and Szegedy, arXiv 1502.03167), Keras's
// conventions.
#pragma once

namespace strata::ops {

// Training. inputs {x, gamma, beta, moving_mean, moving_variance} ((C) each; gamma = ones and beta
// = zeros are passed where the layer has none); outputs {y, mean (C), inverse_deviation (C)}.
// Biased variance. Updates in place moving = moving * momentum + batch * (1 - momentum), but for a
// channel whose variance is not finite: such a step is skipped. y may be x only in inference.
struct BatchNormTraining {
    float momentum = 0.99F;
    float epsilon = 1e-3F;
};

// inputs {x, gamma, beta, moving_mean, moving_variance}; outputs {y}.
struct BatchNormInference {
    float epsilon = 1e-3F;
};

// inputs {dy, x, gamma, mean, inverse_deviation}; outputs {dx, dgamma, dbeta}. Overwrites.
struct BatchNormBackward {};

}  // namespace strata::ops

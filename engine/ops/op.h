// An op with its operands, and a program: the straight list of ops that one pass runs.
// Layers, losses and optimizers emit programs; the graph plans their memory; a backend runs them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/device/arena.h"
#include "engine/ops/activation.h"
#include "engine/ops/augment.h"
#include "engine/ops/batch_norm.h"
#include "engine/ops/conv2d.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/loss.h"
#include "engine/ops/matmul.h"
#include "engine/ops/optimizer.h"
#include "engine/ops/pool2d.h"

namespace strata::ops {

using Attributes =
    std::variant<Matmul, BiasGradient, Conv2D, Conv2DBackwardData, Conv2DBackwardWeights, Pool2D,
                 Pool2DBackward, GlobalAveragePool2D, GlobalAveragePool2DBackward,
                 BatchNormTraining, BatchNormInference, BatchNormBackward, ActivationForward,
                 ActivationBackward, ScaleShift, AddN, Fill, CopyBlock, Dropout, AugmentImages,
                 AugmentImagesBackward, SoftmaxCrossEntropy, SoftmaxCrossEntropySoft,
                 CrossEntropyFromProbabilities, BinaryCrossEntropy, MeanSquaredError, Accuracy,
                 SgdUpdate, AdamUpdate, SumOfSquares, AccumulateGradient, ClipByVariableNorm,
                 EmaUpdate, AccumulateStatistics, MovingAverage>;

const char* name_of(const Attributes& attributes);  // "Matmul", for messages and the plan's view

using ValueId = std::int32_t;
inline constexpr ValueId no_value = -1;

// A tensor of the program before it has an address.
struct Value {
    std::string name;  // "hidden/kernel", "hidden/output"
    Shape shape;       // with the batch
    DType dtype = DType::float32;
    device::Category category = device::Category::activations;
    // Set where this is a view into another value: Flatten, a variable in the flat array of
    // weights.
    ValueId base = no_value;
    std::size_t offset = 0;  // bytes into the base
    // True for what outlives a pass at its own address: weights, gradients, optimizer state, input,
    // results.
    bool persistent = false;

    std::size_t bytes() const {
        return static_cast<std::size_t>(shape.elements()) * size_of(dtype);
    }
};

struct Op {
    Attributes attributes;
    std::vector<ValueId> inputs;   // read, or updated in place where the op's comment says so
    std::vector<ValueId> outputs;  // written
    std::string layer;             // name of the layer, "loss" or "optimizer": for messages
    bool again = false;            // computes a second time, for the backward pass
    bool backward = false;         // of the backward pass
};

struct Program {
    std::vector<Value> values;
    std::vector<Op> ops;

    ValueId add(Value value);
    // A view of `base` in another shape of as many elements.
    ValueId view(ValueId base, const Shape& shape, const std::string& name = {});
    const Value& operator[](ValueId id) const { return values[static_cast<std::size_t>(id)]; }
    Value& operator[](ValueId id) { return values[static_cast<std::size_t>(id)]; }
    ValueId root(ValueId id) const;  // the value at the end of the chain of bases
};

}  // namespace strata::ops

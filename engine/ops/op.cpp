#include "engine/ops/op.h"

#include <array>

#include "engine/core/error.h"

namespace strata::ops {
namespace {

// In the order of the variant's alternatives.
constexpr std::array<const char*, 35> names{"Matmul",
                                            "BiasGradient",
                                            "Conv2D",
                                            "Conv2DBackwardData",
                                            "Conv2DBackwardWeights",
                                            "Pool2D",
                                            "Pool2DBackward",
                                            "GlobalAveragePool2D",
                                            "GlobalAveragePool2DBackward",
                                            "BatchNormTraining",
                                            "BatchNormInference",
                                            "BatchNormBackward",
                                            "ActivationForward",
                                            "ActivationBackward",
                                            "ScaleShift",
                                            "AddN",
                                            "Fill",
                                            "CopyBlock",
                                            "Dropout",
                                            "AugmentImages",
                                            "AugmentImagesBackward",
                                            "SoftmaxCrossEntropy",
                                            "SoftmaxCrossEntropySoft",
                                            "CrossEntropyFromProbabilities",
                                            "BinaryCrossEntropy",
                                            "MeanSquaredError",
                                            "Accuracy",
                                            "SgdUpdate",
                                            "AdamUpdate",
                                            "SumOfSquares",
                                            "AccumulateGradient",
                                            "ClipByVariableNorm",
                                            "EmaUpdate",
                                            "AccumulateStatistics",
                                            "MovingAverage"};
static_assert(names.size() == std::variant_size_v<Attributes>);

}  // namespace

const char* name_of(const Attributes& attributes) {
    return names[attributes.index()];
}

ValueId Program::add(Value value) {
    values.push_back(std::move(value));
    return static_cast<ValueId>(values.size() - 1);
}

ValueId Program::view(ValueId base, const Shape& shape, const std::string& name) {
    const Value& source = (*this)[base];
    if (shape.elements() != source.shape.elements())
        throw Error(
            ErrorCode::internal,
            "a view of shape " + shape.text() + " into a value of shape " + source.shape.text(),
            source.name);
    Value value = source;
    if (!name.empty()) value.name = name;
    value.shape = shape;
    value.base = base;
    value.offset = 0;
    return add(std::move(value));
}

ValueId Program::root(ValueId id) const {
    while ((*this)[id].base != no_value) id = (*this)[id].base;
    return id;
}

}  // namespace strata::ops

#include "engine/layers/concatenate.h"

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/layers/inputs.h"

namespace strata::layers {
namespace {

// The axis of a sample of this rank, from 0. Keras counts the batch as axis 0.
int sample_axis(const Config& config, int rank) {
    const auto axis = static_cast<int>(config.integer("axis"));
    const int place = axis < 0 ? axis + rank + 1 : axis;
    if (place == 0)
        throw Error(ErrorCode::invalid_argument, "axis 0 is the batch, which cannot be joined",
                    "axis", "Use -1 for the last axis, or 1 and above");
    if (place < 0 || place > rank)
        throw Error(ErrorCode::invalid_argument,
                    std::to_string(axis) + " does not exist in inputs with " +
                        counted(rank, "axis", "axes") + " and the batch",
                    "axis", "Use -1 for the last axis, or 1 to " + std::to_string(rank));
    return place - 1;
}

Inference infer(const Config& config, std::span<const Shape> inputs) {
    require_several(inputs);
    const Shape& first = inputs[0];
    const int axis = sample_axis(config, first.rank());
    std::int64_t joined = 0;
    for (const Shape& input : inputs) {
        bool fits = input.rank() == first.rank();
        for (int i = 0; fits && i < first.rank(); ++i) fits = i == axis || input[i] == first[i];
        if (!fits)
            throw Error(ErrorCode::invalid_argument,
                        "the inputs " + first.text() + " and " + input.text() +
                            " differ in more than the joined axis " + std::to_string(axis + 1),
                        "", "Make the other axes equal, or join along another axis");
        joined += input[axis];
    }
    std::vector<std::int64_t> axes = first.to_vector();
    axes[static_cast<std::size_t>(axis)] = joined;
    return {.output = Shape(axes), .variables = {}};
}

// How one input lies in the joined tensor: rows of a certain width, a block in each row of the
// output.
struct Blocks {
    std::int64_t rows = 1, inner = 1, stride = 0;
};

Blocks blocks_of(const Shape& output, int axis) {  // both with the batch
    Blocks blocks;
    for (int i = 0; i < axis; ++i) blocks.rows *= output[i];
    for (int i = axis + 1; i < output.rank(); ++i) blocks.inner *= output[i];
    blocks.stride = output[axis] * blocks.inner;
    return blocks;
}

int batch_axis(const Config& config, const Shape& with_batch) {
    return sample_axis(config, with_batch.rank() - 1) + 1;
}

void forward(ForwardContext& context) {
    const Shape first = context.value(context.input()).shape;
    const int axis = batch_axis(context.config(), first);
    std::vector<std::int64_t> axes = first.to_vector();
    axes[static_cast<std::size_t>(axis)] = 0;
    for (int i = 0; i < context.input_count(); ++i)
        axes[static_cast<std::size_t>(axis)] += context.value(context.input(i)).shape[axis];
    const Shape output{std::span<const std::int64_t>(axes)};
    const ops::ValueId y = context.make("joined", output);
    const Blocks blocks = blocks_of(output, axis);
    std::int64_t offset = 0;
    for (int i = 0; i < context.input_count(); ++i) {
        const std::int64_t width = context.value(context.input(i)).shape[axis] * blocks.inner;
        context.emit(ops::CopyBlock{.rows = blocks.rows,
                                    .width = width,
                                    .x_stride = width,
                                    .y_stride = blocks.stride,
                                    .y_offset = offset},
                     {context.input(i)}, {y});
        offset += width;
    }
    context.set_output(y);
}

void backward(BackwardContext& context) {
    const Shape output = context.value(context.output()).shape;
    const int axis = batch_axis(context.config(), output);
    const Blocks blocks = blocks_of(output, axis);
    std::int64_t offset = 0;
    for (int i = 0; i < context.input_count(); ++i) {
        const Shape input = context.value(context.input(i)).shape;
        const std::int64_t width = input[axis] * blocks.inner;
        if (context.needs_input_gradient(i)) {
            const ops::ValueId dx = context.make("input_gradient", input);
            context.emit(ops::CopyBlock{.rows = blocks.rows,
                                        .width = width,
                                        .x_stride = blocks.stride,
                                        .x_offset = offset,
                                        .y_stride = width},
                         {context.output_gradient()}, {dx});
            context.set_input_gradient(i, dx);
        }
        offset += width;
    }
}

}  // namespace

const LayerDescription& concatenate() {
    static const LayerDescription description{
        .spec = {.type = "Concatenate",
                 .aliases = {"Concat"},
                 .category = LayerCategory::merging,
                 .icon = "concatenate",
                 .doc = "Joins inputs along one axis, such as the channels of two branches.",
                 .min_inputs = 2,
                 .max_inputs = -1,
                 .params = {{.key = "axis",
                             .type = ParamType::integer,
                             .default_value = -1,
                             .doc = "Axis to join along, the batch counted as 0; -1 is the last",
                             .minimum = -Shape::max_rank,
                             .maximum = Shape::max_rank}}},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = {{"channels", Json::object(), {{2, 3, 2}, {2, 3, 1}, {2, 3, 3}}},
                     {"rows of an image", {{"axis", 1}}, {{2, 3, 2}, {1, 3, 2}}},
                     {"columns of an image", {{"axis", -2}}, {{2, 1, 2}, {2, 3, 2}}},
                     {"features", Json::object(), {{4}, {2}}}},
        .summary = [](const Config& config) {
            const std::int64_t axis = config.integer("axis");
            return axis == -1 ? std::string() : "axis " + std::to_string(axis);
        }};
    return description;
}

}  // namespace strata::layers

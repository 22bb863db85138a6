#include "engine/layers/pooling2d.h"

#include "engine/core/error.h"
#include "engine/layers/inputs.h"
#include "engine/layers/text.h"
#include "engine/layers/window.h"

namespace strata::layers {
namespace {

constexpr int most_max_cells = 255;  // the winner's position is kept in one byte

std::pair<int, int> strides_of(const Config& config) {
    return config.pair(config.is_null("strides") ? "pool_size" : "strides");
}

WindowPlace place(const Config& config, std::int64_t height, std::int64_t width) {
    return place_window({.size_key = "pool_size",
                         .size = config.pair("pool_size"),
                         .strides = strides_of(config),
                         .same = config.text("padding") == "same"},
                        height, width);
}

}  // namespace

std::vector<ParamSpec> pooling_params() {
    ParamSpec strides =
        cells_param("strides", nullptr,
                    "Step of the window in pixels, down and to the right; unset: pool_size");
    strides.optional = true;
    return {cells_param("pool_size", 2, "Height and width of the window in pixels"),
            std::move(strides), padding_param("adds cells that do not count")};
}

Inference infer_pooling(ops::PoolKind kind, const Config& config, std::span<const Shape> inputs) {
    const Shape& input = image_input(inputs);
    const auto [ph, pw] = config.pair("pool_size");
    const std::int64_t cells = std::int64_t{ph} * pw;
    if (kind == ops::PoolKind::max && cells > most_max_cells)
        throw Error(ErrorCode::unsupported,
                    size_text(ph, pw) + " has " + std::to_string(cells) + " cells; " +
                        std::to_string(most_max_cells) + " is the most",
                    "pool_size", "Use a smaller window, or two poolings in a row");
    const WindowPlace placed = place(config, input[0], input[1]);
    const Shape output{placed.height, placed.width, input[2]};
    return {.output = output, .variables = {}, .flops = product({output.elements(), cells})};
}

void forward_pooling(ops::PoolKind kind, ForwardContext& context) {
    const ops::ValueId x = context.input();
    const Shape input = context.value(x).shape;
    const WindowPlace placed = place(context.config(), input[1], input[2]);
    const Shape output{context.batch(), placed.height, placed.width, input[3]};
    std::vector<ops::ValueId> results{context.make("output", output)};
    if (kind == ops::PoolKind::max && context.training()) {
        results.push_back(context.make("winners", output, DType::uint8));
        context.keep("winners", results.back());
    }
    context.emit(ops::Pool2D{.kind = kind, .window = placed.window}, {x}, results);
    context.set_output(results.front());
}

void backward_pooling(ops::PoolKind kind, BackwardContext& context) {
    if (!context.needs_input_gradient()) return;
    const Shape input = context.value(context.input()).shape;
    const WindowPlace placed = place(context.config(), input[1], input[2]);
    std::vector<ops::ValueId> operands{context.output_gradient()};
    if (kind == ops::PoolKind::max) operands.push_back(context.kept("winners"));
    const ops::ValueId dx = context.make("input_gradient", input);
    context.emit(ops::Pool2DBackward{.kind = kind, .window = placed.window}, std::move(operands),
                 {dx});
    context.set_input_gradient(0, dx);
}

std::vector<LayerExample> pooling_examples() {
    return {
        {"pool 2", Json::object(), {{4, 6, 2}}},
        {"odd size", {{"pool_size", 2}}, {{5, 7, 3}}},
        {"overlap", {{"pool_size", {3, 2}}, {"strides", {1, 2}}}, {{5, 6, 1}}},
        {"same", {{"padding", "same"}}, {{5, 5, 2}}},
        {"same overlap", {{"pool_size", 3}, {"strides", {2, 1}}, {"padding", "same"}}, {{5, 4, 3}}},
        {"gaps", {{"pool_size", 2}, {"strides", 3}}, {{7, 7, 1}}},
        {"whole image", {{"pool_size", {3, 4}}}, {{3, 4, 2}}}};
}

std::string pooling_summary(const Config& config) {
    const std::string stride =
        strides_of(config) == config.pair("pool_size") ? "" : stride_summary(strides_of(config));
    return summary_text({size_text(config.pair("pool_size")), stride});
}

}  // namespace strata::layers

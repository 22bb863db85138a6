#include "engine/ops/activation.h"

#include <array>

#include "engine/core/error.h"
#include "engine/core/json.h"

namespace strata::ops {
namespace {

struct Row {
    ActivationKind kind;
    const char* name;
    bool from_output;
};

using K = ActivationKind;
constexpr std::array<Row, 29> rows{{{K::linear, "linear", true},
                                    {K::relu, "relu", true},
                                    {K::sigmoid, "sigmoid", true},
                                    {K::tanh, "tanh", true},
                                    {K::softplus, "softplus", true},
                                    {K::softsign, "softsign", true},
                                    {K::elu, "elu", true},
                                    {K::selu, "selu", true},
                                    {K::exponential, "exponential", true},
                                    {K::leaky_relu, "leaky_relu", true},
                                    {K::relu6, "relu6", true},
                                    {K::silu, "silu", false},
                                    {K::hard_silu, "hard_silu", false},
                                    {K::gelu, "gelu", false},
                                    {K::gelu_tanh, "gelu_tanh", false},
                                    {K::hard_sigmoid, "hard_sigmoid", true},
                                    {K::mish, "mish", false},
                                    {K::celu, "celu", true},
                                    {K::hard_tanh, "hard_tanh", true},
                                    {K::hard_shrink, "hard_shrink", true},
                                    {K::soft_shrink, "soft_shrink", true},
                                    {K::tanh_shrink, "tanh_shrink", false},
                                    {K::squareplus, "squareplus", true},
                                    {K::sparse_plus, "sparse_plus", true},
                                    {K::log_sigmoid, "log_sigmoid", true},
                                    {K::sparse_sigmoid, "sparse_sigmoid", true},
                                    {K::softmax, "softmax", true},
                                    {K::log_softmax, "log_softmax", true},
                                    {K::sparsemax, "sparsemax", true}}};

const Row& row_of(ActivationKind kind) {
    return rows[static_cast<std::size_t>(kind)];
}

std::string_view without_alias(std::string_view name) {
    if (name == "swish") return "silu";
    if (name == "hard_swish") return "hard_silu";
    return name;
}

}  // namespace

Activation activation_from_name(std::string_view name) {
    const std::string_view canonical = without_alias(name);
    for (const Row& row : rows)
        if (canonical == row.name)
            return {row.kind, row.kind == ActivationKind::leaky_relu ? 0.2F : 1.0F};
    const std::string near = nearest_word(name, activation_names());
    throw Error(
        ErrorCode::invalid_argument, "unknown activation '" + std::string(name) + "'", "activation",
        near.empty() ? "Use one of Keras's names, such as relu" : "Did you mean '" + near + "'?");
}

const char* name_of(ActivationKind kind) {
    return row_of(kind).name;
}

const std::vector<std::string>& activation_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(rows.size());
        for (const Row& row : rows) all.emplace_back(row.name);
        return all;
    }();
    return names;
}

bool is_row_wise(ActivationKind kind) {
    return kind >= ActivationKind::softmax;
}

bool derivative_from_output(ActivationKind kind) {
    return row_of(kind).from_output;
}

}  // namespace strata::ops

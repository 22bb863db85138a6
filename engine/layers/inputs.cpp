#include "engine/layers/inputs.h"

#include <limits>
#include <string>

#include "engine/core/error.h"

namespace strata::layers {

const Shape& one_input(std::span<const Shape> inputs) {
    if (inputs.size() != 1)
        throw Error(ErrorCode::invalid_argument,
                    "takes one input, found " + std::to_string(inputs.size()), "",
                    inputs.empty() ? "Connect a layer to it"
                                   : "Join the inputs with Add or Concatenate first");
    return inputs[0];
}

const Shape& image_input(std::span<const Shape> inputs) {
    const Shape& input = one_input(inputs);
    if (input.rank() != 3) {
        const char* hint = input.rank() == 1
                               ? "Insert it before Flatten, or make an image with Reshape"
                               : "Give it the right number of axes with Reshape";
        throw Error(ErrorCode::invalid_argument,
                    "needs an image (height, width, channels), got " + input.text(), "", hint);
    }
    return input;
}

void require_several(std::span<const Shape> inputs) {
    if (inputs.size() >= 2) return;
    throw Error(ErrorCode::invalid_argument,
                "needs two inputs or more, found " + std::to_string(inputs.size()), "",
                "Connect another layer to it");
}

std::int64_t product(std::initializer_list<std::int64_t> factors) {
    std::int64_t all = 1;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(all, factor, &all))
            return std::numeric_limits<std::int64_t>::max();
    return all;
}

}  // namespace strata::layers

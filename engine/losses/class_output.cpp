#include "engine/losses/class_output.h"

#include "engine/core/error.h"

namespace strata::losses {

void require_class_output(const Shape& output) {
    if (output.rank() != 1)
        throw Error(ErrorCode::invalid_argument,
                    "needs one number a class, (classes,), but the model gives " + output.text(),
                    "loss",
                    "End the model with Flatten or GlobalAveragePooling2D and a Dense layer with a "
                    "unit a class");
    if (output[0] < 2)
        throw Error(ErrorCode::invalid_argument,
                    "needs two classes or more, but the model gives " + output.text(), "loss",
                    "Give the last layer a unit a class, or use binary_crossentropy");
}

}  // namespace strata::losses

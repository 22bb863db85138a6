#include "engine/layers/layer.h"

namespace strata::layers {

ops::ValueId ForwardContext::make_for(const ops::Activation& activation, const std::string& name,
                                      const Shape& shape_with_batch) {
    const bool exact = ops::is_row_wise(activation.kind);
    return make(name, shape_with_batch, exact ? DType::float32 : compute());
}

ops::ValueId ForwardContext::activate(ops::ValueId x, const ops::Activation& activation) {
    if (activation.kind == ops::ActivationKind::linear) return x;
    const Shape shape = value(x).shape;
    if (ops::is_row_wise(activation.kind) && value(x).dtype != DType::float32) {
        const ops::ValueId exact = make("activation_input", shape, DType::float32);
        emit(ops::ScaleShift{}, {x}, {exact});
        x = exact;
    }
    const ops::ValueId y = make("activation", shape, value(x).dtype);
    emit(ops::ActivationForward{activation}, {x}, {y});
    keep("activation_x", x);
    keep("activation_y", y);
    return y;
}

}  // namespace strata::layers

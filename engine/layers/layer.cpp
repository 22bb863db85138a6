#include "engine/layers/layer.h"

namespace strata::layers {

ops::ValueId ForwardContext::activate(ops::ValueId x, const ops::Activation& activation) {
    if (activation.kind == ops::ActivationKind::linear) return x;
    const Shape shape = value(x).shape;
    const ops::ValueId y = make("activation", shape);
    emit(ops::ActivationForward{activation}, {x}, {y});
    keep("activation_x", x);
    keep("activation_y", y);
    return y;
}

}  // namespace strata::layers

#include "engine/ops/activation_operands.h"

namespace strata::ops {

void expect_alpha(const Request& request, const Activation& activation) {
    using A = ActivationKind;
    const A kind = activation.kind;
    const bool uses = kind == A::elu || kind == A::leaky_relu || kind == A::celu;
    request.expect(
        !uses || activation.alpha > 0.0F || (activation.alpha == 0.0F && kind != A::celu),
        "alpha of this activation must not be negative");
}

void expect_fusable(const Request& request, const Activation& activation) {
    request.expect(!is_row_wise(activation.kind) && derivative_from_output(activation.kind),
                   std::string("activation ") + name_of(activation.kind) + " cannot be fused");
    expect_alpha(request, activation);
}

}  // namespace strata::ops

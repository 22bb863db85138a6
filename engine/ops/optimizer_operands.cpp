#include "engine/ops/optimizer_operands.h"

namespace strata::ops {
namespace {

// `arrays` float32 arrays of one size, then the norm.
void check_update(const Request& request, std::size_t arrays) {
    request.expect_counts(arrays + 1, arrays + 1, 0, arrays);
    for (std::size_t i = 0; i < arrays; ++i) {
        request.expect(request.inputs[i].dtype == DType::float32, "an array is not float32");
        request.expect(request.inputs[i].elements() == request.inputs[0].elements(),
                       "operands differ in size");
    }
    const Tensor& norm = request.inputs[arrays];
    request.expect(norm.dtype == DType::float64 && norm.elements() == 1,
                   "the norm, its last input, must be one float64");
}

}  // namespace

void check_operands(const Request& request, const SgdUpdate& op) {
    check_update(request, op.momentum == 0.0F ? 2 : 3);
}

void check_operands(const Request& request, const AdamUpdate&) {
    check_update(request, 4);
}

void check_operands(const Request& request, const SumOfSquares&) {
    request.expect_counts(1, 2, 1, 1);
    request.expect(request.inputs[0].dtype == DType::float32, "x must be float32");
    request.expect(request.inputs.size() < 2 || (request.inputs[1].dtype == DType::float64 &&
                                                 request.inputs[1].elements() == 1),
                   "the loss must be one float64");
    request.expect(request.outputs[0].dtype == DType::float64, "the sum must be float64");
}

void check_operands(const Request& request, const AccumulateGradient&) {
    request.expect_counts(2, 2, 0, 1);
    request.expect_same_size();
    const DType gradient = request.inputs[1].dtype;
    if (request.inputs[0].dtype == DType::float64 && gradient == DType::float64) return;
    request.expect(request.inputs[0].dtype == DType::float32, "the accumulator must be float32");
    request.expect(
        gradient == DType::float32 || gradient == DType::bfloat16 || gradient == DType::float16,
        "the gradient must be float32, bfloat16 or float16");
}

void check_operands(const Request& request, const ClipByVariableNorm& op) {
    request.expect_counts(1, 1, 0, 1);
    request.expect_float32();
    request.expect_same_size();
    for (const Segment& segment : op.segments)
        request.expect(segment.offset >= 0 && segment.count >= 0 &&
                           segment.count <= request.inputs[0].elements() - segment.offset,
                       "a segment lies outside the gradient");
}

void check_operands(const Request& request, const EmaUpdate&) {
    check_update(request, 2);
}

}  // namespace strata::ops

#include "engine/ops/batch_norm_operands.h"

namespace strata::ops {

Matrix batch_norm_sizes(const Request& request, std::size_t first_input) {
    const Tensors arrays = request.inputs.first(first_input);
    for (const Tensor& array : arrays) request.expect_types({&request.outputs[0], &array});
    const Matrix sizes = matrix_of(request.inputs[0].shape);
    const auto expect_channels = [&](const Tensor& tensor, const std::string& what) {
        request.expect(tensor.dtype == DType::float32,
                       what + " is " + name_of(tensor.dtype) + ", float32 is needed");
        request.expect(tensor.elements() == sizes.columns, what + " does not have C elements");
    };
    for (const Tensor& input : request.inputs.subspan(first_input))
        expect_channels(input, "an operand");
    for (const Tensor& output : request.outputs.subspan(1)) expect_channels(output, "a result");
    return sizes;
}

void check_operands(const Request& request, const AccumulateStatistics& op) {
    request.expect_counts(4, 4, 0, 2);
    request.expect_same_size();
    for (std::size_t i = 0; i < 4; ++i)
        request.expect(request.inputs[i].dtype == (i < 2 ? DType::float64 : DType::float32),
                       "the window's statistics must be float64, the batch's float32");
    request.expect(op.samples > 0, "an empty batch has no mean");
}

void check_operands(const Request& request, const MovingAverage&) {
    request.expect_counts(2, 3, 0, 1);
    const Tensors& in = request.inputs;
    request.expect(in[0].dtype == DType::float32 && in[1].dtype == DType::float64,
                   "the average must be float32, the statistic float64");
    request.expect(in[0].elements() == in[1].elements(), "operands differ in size");
    request.expect(in.size() < 3 || (in[2].dtype == DType::float64 && in[2].elements() == 1),
                   "the norm, its last input, must be one float64");
}

}  // namespace strata::ops

#include "engine/ops/loss_operands.h"

namespace strata::ops {

void expect_scores(const Request& request, bool sparse, std::size_t most_outputs,
                   const ScoreWords& words) {
    request.expect_counts(2, 2, 1, most_outputs);
    const Tensor& scores = request.inputs[0];
    const Tensor& targets = request.inputs[1];
    const Matrix sizes = matrix_of(scores.shape);
    const std::string name = words.scores;
    request.expect(scores.dtype == DType::float32, name + " must be float32");
    request.expect(targets.dtype == (sparse ? DType::int32 : DType::float32),
                   sparse ? "labels must be int32" : "targets must be float32");
    request.expect(targets.elements() == sizes.rows * (sparse ? 1 : sizes.columns),
                   name + " and labels differ in count");
    request.expect(request.outputs[0].dtype == DType::float64,
                   std::string("the ") + words.result + " must be float64");
    if (request.outputs.size() < 2) return;
    const Tensor& gradient = request.outputs[1];
    request.expect(gradient.dtype == DType::float32 && gradient.elements() == scores.elements(),
                   name + " and gradient differ");
}

}  // namespace strata::ops

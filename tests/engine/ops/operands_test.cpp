// What the backends refuse, and in which words.
#include <gtest/gtest.h>

#include <functional>

#include "engine/core/error.h"
#include "engine/ops/batch_norm_operands.h"
#include "engine/ops/conv2d_operands.h"
#include "engine/ops/elementwise_operands.h"
#include "engine/ops/loss_operands.h"
#include "engine/ops/matmul_operands.h"
#include "engine/ops/pool2d_operands.h"

namespace strata::ops {
namespace {

const std::string device_id = "cpu:0";

Tensor tensor(const Shape& shape, DType dtype = DType::float32) {
    return {nullptr, dtype, shape};
}

struct Refused {
    std::vector<Tensor> inputs, outputs;
    std::function<void(const Request&)> check;

    // The message, or nothing where the check lets the operands pass.
    std::string message() const {
        try {
            check({device_id, "Op", inputs, outputs});
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::unsupported);
            EXPECT_EQ(error.where(), "cpu:0");
            return error.message();
        }
        return {};
    }
};

TEST(Operands, OfAProductGiveItsSizes) {
    const std::vector<Tensor> inputs{tensor({4, 2, 3}), tensor({5, 3}), tensor({5})};
    const std::vector<Tensor> outputs{tensor({8, 5})};
    Matmul op;
    op.transpose_b = true;
    op.has_bias = true;
    const MatmulSizes sizes = matmul_sizes({device_id, "Matmul", inputs, outputs}, op);
    EXPECT_EQ(sizes.m, 8);
    EXPECT_EQ(sizes.n, 5);
    EXPECT_EQ(sizes.k, 3);
}

TEST(Operands, OfAProductAreChecked) {
    const auto check = [](const Request& request) { matmul_sizes(request, {}); };
    EXPECT_EQ((Refused{{tensor({2, 3})}, {tensor({2, 4})}, check}.message()),
              "Op cannot run: 1 inputs");
    EXPECT_EQ((Refused{{tensor({2, 3}), tensor({3, 4}, DType::int32)}, {tensor({2, 4})}, check}
                   .message()),
              "Op cannot run: operands are float32 and int32, one type is needed");
    EXPECT_EQ((Refused{{tensor({2, 3}), tensor({3, 4})}, {tensor({2, 5})}, check}.message()),
              "Op cannot run: shapes (2, 3) and (3, 4) do not give (2, 5)");
    EXPECT_EQ((Refused{{tensor({2, 3}), tensor({3, 4})}, {tensor({2, 4})}, check}.message()), "");
    const auto softmax = [](const Request& request) {
        Matmul op;
        op.activation.kind = ActivationKind::softmax;
        matmul_sizes(request, op);
    };
    EXPECT_EQ((Refused{{tensor({2, 3}), tensor({3, 4})}, {tensor({2, 4})}, softmax}.message()),
              "Op cannot run: activation softmax cannot be fused");
}

TEST(Operands, OfAConvolutionAreChecked) {
    Conv2D op;
    op.window.kernel_h = op.window.kernel_w = 3;
    op.has_bias = true;
    const auto with_groups = [&](int groups) {
        return [op, groups](const Request& request) {
            conv2d_operands(request, op).expect_fit(request, op.window, groups);
        };
    };
    const auto inputs = [](const Shape& kernel, std::int64_t bias) {
        return std::vector<Tensor>{tensor({1, 5, 5, 4}), tensor(kernel), tensor({bias})};
    };
    const std::vector<Tensor> outputs{tensor({1, 3, 3, 6})};
    EXPECT_EQ((Refused{inputs({3, 3, 2, 6}, 6), outputs, with_groups(2)}.message()), "");
    EXPECT_EQ((Refused{inputs({3, 3, 1, 6}, 6), outputs, with_groups(3)}.message()),
              "Op cannot run: groups must divide the channels and the filters");
    EXPECT_EQ((Refused{inputs({3, 3, 4, 6}, 6), outputs, with_groups(2)}.message()),
              "Op cannot run: kernel (3, 3, 4, 6) does not fit");
    EXPECT_EQ((Refused{inputs({3, 3, 4, 6}, 5), outputs, with_groups(1)}.message()),
              "Op cannot run: bias does not fit");
}

TEST(Operands, OfAPoolingAreChecked) {
    Pool2D op;
    op.window.kernel_h = op.window.kernel_w = 16;
    const auto check = [op](const Request& request) {
        expect_pool2d(request, op);
        expect_pool2d_fit(request, op);
    };
    const Tensor x = tensor({1, 16, 16, 2});
    const Tensor y = tensor({1, 1, 1, 2});
    EXPECT_EQ((Refused{{x}, {y}, check}.message()), "");
    EXPECT_EQ((Refused{{x}, {tensor({1, 1, 1, 3})}, check}.message()),
              "Op cannot run: x and y differ in channels");
    EXPECT_EQ((Refused{{x}, {y, y}, check}.message()),
              "Op cannot run: argmax must be uint8 of y's shape");
    EXPECT_EQ((Refused{{x}, {y, tensor({1, 1, 1, 2}, DType::uint8)}, check}.message()),
              "Op cannot run: a window of more than 255 cells in training");
    const auto masked = [](const Request& request) {
        expect_pool2d(request, Pool2DBackward{PoolKind::average, {}, true});
    };
    EXPECT_EQ((Refused{{y}, {x}, masked}.message()), "Op cannot run: relu_mask needs max pooling");
}

TEST(Operands, OfALossAreCheckedInItsWords) {
    const Tensor scores = tensor({4, 3});
    const Tensor labels = tensor({4}, DType::int32);
    const Tensor sum = tensor({}, DType::float64);
    const auto loss = [](const Request& request) {
        expect_scores(request, true, 2, {"scores", "loss"});
    };
    const auto count = [](const Request& request) {
        expect_scores(request, true, 1, {"predictions", "count"});
    };
    EXPECT_EQ((Refused{{scores, labels}, {sum, scores}, loss}.message()), "");
    EXPECT_EQ((Refused{{scores, scores}, {sum}, loss}.message()),
              "Op cannot run: labels must be int32");
    EXPECT_EQ((Refused{{scores, labels}, {scores}, loss}.message()),
              "Op cannot run: the loss must be float64");
    EXPECT_EQ((Refused{{scores, labels}, {sum, labels}, loss}.message()),
              "Op cannot run: scores and gradient differ");
    EXPECT_EQ((Refused{{scores, tensor({3}, DType::int32)}, {sum}, count}.message()),
              "Op cannot run: predictions and labels differ in count");
    EXPECT_EQ((Refused{{scores, labels}, {sum, scores}, count}.message()),
              "Op cannot run: 2 outputs");
}

TEST(Operands, OfCopiesDropoutAndNormalisationAreChecked) {
    const auto copy = [](const Request& request) {
        expect_block(request, {.rows = 2, .width = 3, .x_stride = 3, .y_stride = 4, .y_offset = 1});
    };
    EXPECT_EQ((Refused{{tensor({6})}, {tensor({8})}, copy}.message()), "");
    EXPECT_EQ((Refused{{tensor({6})}, {tensor({7})}, copy}.message()),
              "Op cannot run: the block leaves the tensor");
    const auto drop = [](const Request& request) {
        EXPECT_EQ(dropout_sample(request, {0.5F, 0}), 12);
    };
    EXPECT_EQ((Refused{{tensor({5, 3, 4})}, {}, drop}.message()), "");
    EXPECT_EQ((Refused{{tensor({})}, {}, drop}.message()), "Op cannot run: x needs a batch axis");
    const auto norm = [](const Request& request) { batch_norm_sizes(request, 1); };
    const Tensor x = tensor({2, 3});
    EXPECT_EQ((Refused{{x, tensor({3})}, {x, tensor({3})}, norm}.message()), "");
    EXPECT_EQ((Refused{{x, tensor({2})}, {x}, norm}.message()),
              "Op cannot run: an operand does not have C elements");
    EXPECT_EQ((Refused{{x, tensor({3})}, {x, tensor({2})}, norm}.message()),
              "Op cannot run: a result does not have C elements");
    const Tensor half = tensor({2, 3}, DType::bfloat16);
    EXPECT_EQ((Refused{{half, tensor({3})}, {half, tensor({3})}, norm}.message()), "");
    EXPECT_EQ((Refused{{half, tensor({3})}, {x}, norm}.message()),
              "Op cannot run: operands are float32 and bfloat16, one type is needed");
    EXPECT_EQ((Refused{{half, tensor({3}, DType::bfloat16)}, {half}, norm}.message()),
              "Op cannot run: an operand is bfloat16, float32 is needed");
}

}  // namespace
}  // namespace strata::ops

#include "engine/metrics/accuracy.h"

#include "engine/core/error.h"
#include "engine/losses/loss.h"

namespace strata::metrics {
namespace {

using Kind = ops::AccuracyKind;

[[noreturn]] void refuse(const char* metric, const std::string& what) {
    throw Error(ErrorCode::invalid_argument, std::string(metric) + " " + what, "metrics",
                "Use accuracy, which chooses the kind that fits");
}

ops::Attributes sparse_op(const std::string& loss, const Shape&, bool) {
    if (losses::find_loss(loss).target != losses::TargetKind::class_index)
        refuse("sparse_categorical_accuracy",
               "compares with class numbers, which " + loss + " does not have");
    return ops::Accuracy{.kind = Kind::sparse_categorical};
}

ops::Attributes categorical_op(const std::string& loss, const Shape& output, bool) {
    if (losses::find_loss(loss).target != losses::TargetKind::same_shape)
        refuse("categorical_accuracy",
               "compares with one-hot rows, which " + loss + " does not have");
    if (output.rank() > 1)
        refuse("categorical_accuracy",
               "needs one class a sample, but the model gives " + output.text());
    return ops::Accuracy{.kind = Kind::categorical};
}

ops::Attributes binary_op(const std::string& loss, const Shape&, bool on_logits) {
    const losses::LossDescription& description = losses::find_loss(loss);
    if (description.target != losses::TargetKind::same_shape)
        refuse("binary_accuracy",
               "compares each output with 0 or 1, but " + loss + " has class numbers");
    if (on_logits && description.fuses == ops::ActivationKind::softmax)
        refuse("binary_accuracy", "has no meaning for the classes of " + loss);
    return ops::Accuracy{.kind = Kind::binary, .threshold = on_logits ? 0.0F : 0.5F};
}

// Keras: one output is binary; labels are sparse; all else is categorical.
ops::Attributes chosen_op(const std::string& loss, const Shape& output, bool on_logits) {
    if (losses::find_loss(loss).target == losses::TargetKind::class_index)
        return sparse_op(loss, output, on_logits);
    if (output.rank() == 0 || output[-1] == 1) return binary_op(loss, output, on_logits);
    return categorical_op(loss, output, on_logits);
}

}  // namespace

const MetricDescription& accuracy() {
    static const MetricDescription description{
        .name = "accuracy", .doc = "Share of samples that the model gets right.", .op = chosen_op};
    return description;
}

const MetricDescription& sparse_categorical_accuracy() {
    static const MetricDescription description{
        .name = "sparse_categorical_accuracy",
        .doc = "Share of samples whose largest output is the one that the label says.",
        .op = sparse_op};
    return description;
}

const MetricDescription& categorical_accuracy() {
    static const MetricDescription description{
        .name = "categorical_accuracy",
        .doc = "Share of samples whose largest output is where the target is largest.",
        .op = categorical_op};
    return description;
}

const MetricDescription& binary_accuracy() {
    static const MetricDescription description{.name = "binary_accuracy",
                                               .doc = "Share of outputs on the right side of 0.5.",
                                               .op = binary_op};
    return description;
}

}  // namespace strata::metrics

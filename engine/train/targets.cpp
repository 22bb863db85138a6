#include "engine/train/targets.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace strata::train {
namespace {

void require_values_fit(bool takes_classes, const Shape& output, const Shape& target,
                        const std::string& where) {
    if (takes_classes)
        throw Error(ErrorCode::invalid_argument,
                    "the data have values as targets, and the loss compares with class numbers",
                    where, "Choose a loss for values (mean_squared_error), or data with labels");
    if (target.elements() == output.elements()) return;
    throw Error(
        ErrorCode::invalid_argument,
        "a sample has targets of shape " + target.text() + ", the model's output is " +
            output.text(),
        where,
        "Give the output layer " + counted(target.elements(), "unit") + ", or choose other data");
}

void require_labels_fit(const losses::LossDescription& loss, const Shape& output,
                        std::int64_t classes, const std::string& where) {
    const bool as_they_are = loss.target == losses::TargetKind::class_index;
    const bool one_number = !as_they_are && output.elements() == 1;
    const std::int64_t allowed = one_number && loss.name == "binary_crossentropy" ? 2
                                 : one_number                                     ? INT64_MAX
                                 : as_they_are                                    ? output[-1]
                                               : output.elements();
    if (classes > allowed)
        throw Error(
            ErrorCode::invalid_argument,
            "a label is " + std::to_string(classes - 1) + ", outside the model's " +
                counted(allowed, "class", "classes") + " (0 to " + std::to_string(allowed - 1) +
                ")",
            where,
            "Give the output layer " + counted(classes, "unit") + ", or choose other labels");
}

}  // namespace

TargetEncoder::TargetEncoder(const losses::LossDescription& loss, const Shape& output,
                             const data::Source& source, const std::string& where)
    : from_(!source.has_labels()                             ? From::values
            : loss.target == losses::TargetKind::class_index ? From::labels
                                                             : From::encoded_labels),
      units_(static_cast<std::size_t>(output.elements())) {
    if (from_ == From::values)
        require_values_fit(loss.target == losses::TargetKind::class_index, output,
                           *source.target_shape(), where);
    else
        require_labels_fit(loss, output, source.classes(), where);
}

const void* TargetEncoder::encode(const data::Batch& batch) {
    if (from_ == From::labels) return batch.labels.data();
    if (from_ == From::values) return batch.targets.data();
    const auto n = static_cast<std::size_t>(batch.size);
    values_.assign(n * units_, 0.0F);
    for (std::size_t i = 0; i < n; ++i) {
        if (units_ == 1)
            values_[i] = static_cast<float>(batch.labels[i]);
        else
            values_[i * units_ + static_cast<std::size_t>(batch.labels[i])] = 1.0F;
    }
    return values_.data();
}

}  // namespace strata::train

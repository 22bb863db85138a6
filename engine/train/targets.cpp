#include "engine/train/targets.h"

#include <algorithm>

#include "engine/core/error.h"

namespace strata::train {

TargetEncoder::TargetEncoder(const losses::LossDescription& loss, const Shape& output,
                             const data::Source& source, const std::string& where)
    : labels_as_they_are_(loss.target == losses::TargetKind::class_index),
      units_(static_cast<std::size_t>(output.elements())) {
    const bool one_number = !labels_as_they_are_ && units_ == 1;
    const std::int64_t classes =
        labels_as_they_are_ ? output[-1] : static_cast<std::int64_t>(units_);
    const std::int64_t allowed = one_number && loss.name == "binary_crossentropy" ? 2
                                 : one_number                                     ? INT64_MAX
                                                                                  : classes;
    if (source.classes() > allowed)
        throw Error(ErrorCode::invalid_argument,
                    "a label is " + std::to_string(source.classes() - 1) +
                        ", outside the model's " + std::to_string(allowed) + " classes (0 to " +
                        std::to_string(allowed - 1) + ")",
                    where,
                    "Give the output layer " + std::to_string(source.classes()) +
                        " units, or choose other labels");
}

const void* TargetEncoder::encode(const data::Batch& batch) {
    if (labels_as_they_are_) return batch.labels.data();
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

// What a loss compares with, from the labels or values of a batch. Called by the trainer and by
// evaluation.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/shape.h"
#include "engine/data/pipeline.h"
#include "engine/data/source.h"
#include "engine/losses/loss.h"

namespace strata::train {

class TargetEncoder {
public:
    // output: of one sample. Throws Error{invalid_argument} where the source's labels or values do
    // not fit the loss or the output: `where` names the source ("data.source").
    TargetEncoder(const losses::LossDescription& loss, const Shape& output,
                  const data::Source& source, const std::string& where);

    // The source's values (n, output) where it has no labels. Of labels: int32 (n) for class_index
    // losses; else float32 (n, output): one-hot rows where the output has several units, the
    // label's number where it has one. Valid until the next call.
    const void* encode(const data::Batch& batch);

private:
    enum class From : std::uint8_t { labels, encoded_labels, values };

    From from_;
    std::size_t units_ = 1;
    std::vector<float> values_;
};

}  // namespace strata::train

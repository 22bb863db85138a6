#include "engine/data/array_source.h"

#include <algorithm>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace strata::data {
namespace {

constexpr std::int64_t largest_label = 65535;

Shape shape_of_sample(const Array& array, const std::optional<Shape>& wanted) {
    Shape shape = array.shape().without_batch();
    if (wanted) {
        if (static_cast<std::size_t>(wanted->elements()) != array.row_elements())
            throw Error(ErrorCode::invalid_argument,
                        "a sample has the shape " + shape.text() + ", which is not that of " +
                            wanted->text(),
                        array.place(), "Set 'shape' to one with as many numbers");
        return *wanted;
    }
    if (shape.rank() == 0) return {1};
    const bool pixels = array.format() == io::format_of(DType::uint8, array.format().order);
    return pixels && shape.rank() == 2 ? Shape{shape[0], shape[1], 1} : shape;
}

// A word for what a sample is: "images 28 x 28", "samples (4,)".
std::string samples_text(const Shape& shape, DType dtype) {
    const bool image =
        dtype == DType::uint8 && shape.rank() == 3 && (shape[2] == 1 || shape[2] == 3);
    if (!image) return "samples " + shape.text();
    return "images " + std::to_string(shape[0]) + " x " + std::to_string(shape[1]) +
           (shape[2] == 1 ? "" : " x 3");
}

bool are_classes(const Array& labels, const std::string& kind) {
    const bool one_whole = labels.format().whole() && labels.row_elements() == 1;
    if (kind == "classes" && !one_whole)
        throw Error(ErrorCode::invalid_argument,
                    "holds " + io::name_of(labels.format()) + " of shape " + labels.shape().text() +
                        ", not one class number a sample",
                    labels.place(), "Set 'label_kind' to values, or choose another array");
    return kind == "classes" || (kind == "auto" && one_whole);
}

std::vector<std::int64_t> whole_numbers(const Array& array) {
    const auto count = static_cast<std::size_t>(array.rows());
    std::vector<std::int64_t> rows(count), numbers(count);
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<std::byte> stored(count * array.row_bytes());
    array.read_rows(rows.data(), array.rows(), stored.data());
    io::to_int64(stored, array.format(), numbers.data());
    return numbers;
}

}  // namespace

ArraySource::ArraySource(std::shared_ptr<const Array> samples, std::shared_ptr<const Array> labels,
                         const Options& options)
    : place_(samples->place()), sample_shape_(shape_of_sample(*samples, options.shape)) {
    if (samples->rows() != labels->rows())
        throw Error(ErrorCode::invalid_argument,
                    counted(samples->rows(), "sample") + ", but " +
                        counted(labels->rows(), "label") + " in " + labels->place(),
                    place_, "Give the two arrays of the same part of the data");
    if (are_classes(*labels, options.label_kind)) {
        take_labels(*labels);
    } else {
        const Shape shape = labels->shape().without_batch();
        target_shape_ = shape.rank() == 0 ? Shape{1} : shape;
        values_ = std::make_unique<Column>(std::move(labels), DType::float32, options.cache);
    }
    const DType as = samples->format() == io::format_of(DType::uint8, samples->format().order)
                         ? DType::uint8
                         : DType::float32;
    samples_ = std::make_unique<Column>(std::move(samples), as, options.cache);
}

void ArraySource::take_labels(const Array& array) {
    const std::vector<std::int64_t> numbers = whole_numbers(array);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] >= 0 && numbers[i] <= largest_label) continue;
        throw Error(ErrorCode::invalid_argument,
                    "label " + std::to_string(numbers[i]) + " of sample " + std::to_string(i) +
                        " is outside 0.." + std::to_string(largest_label),
                    array.place(), "Number the classes from 0, or set 'label_kind' to values");
    }
    labels_.assign(numbers.begin(), numbers.end());
    classes_ = 1 + *std::max_element(labels_.begin(), labels_.end());
}

std::string ArraySource::description() const {
    const std::string text = grouped(size()) + " " + samples_text(sample_shape_, sample_dtype());
    if (values_) return text + ", values " + target_shape_.text();
    return text + ", " + counted(classes_, "class", "classes");
}

std::size_t ArraySource::memory_bytes() const {
    return samples_->memory_bytes() + labels_.size() * sizeof(std::int32_t) +
           (values_ ? values_->memory_bytes() : 0);
}

bool ArraySource::in_memory() const {
    return samples_->in_memory() && (!values_ || values_->in_memory());
}

void ArraySource::require_unchanged() const {
    samples_->require_unchanged();
    if (values_) values_->require_unchanged();
}

void ArraySource::require_inside(const std::int64_t* indices, std::int64_t n) const {
    for (std::int64_t i = 0; i < n; ++i)
        if (indices[i] < 0 || indices[i] >= size())
            throw Error(ErrorCode::internal,
                        "sample " + std::to_string(indices[i]) + " of " + std::to_string(size()) +
                            " was asked for",
                        place_);
}

void ArraySource::read(const std::int64_t* indices, std::int64_t n, void* out,
                       std::int32_t* labels) const {
    require_inside(indices, n);
    samples_->read(indices, n, out);
    if (values_) return;
    for (std::int64_t i = 0; i < n; ++i) labels[i] = labels_[static_cast<std::size_t>(indices[i])];
}

void ArraySource::read_targets(const std::int64_t* indices, std::int64_t n, float* out) const {
    if (!values_) return Source::read_targets(indices, n, out);
    require_inside(indices, n);
    values_->read(indices, n, out);
}

}  // namespace strata::data

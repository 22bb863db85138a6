// A source of two arrays: samples, and labels or values. Made by the descriptions of NPY, NPZ and
// HDF5.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/array.h"
#include "engine/data/column.h"
#include "engine/data/source_description.h"

namespace strata::data {

class ArraySource : public Source {
public:
    struct Options {
        bool cache = true;
        // "classes", "values", or "auto": classes where there is one whole number a sample.
        std::string label_kind = "auto";
        std::optional<Shape> shape;  // of a sample, in place of the file's
    };

    // uint8 samples stay uint8, all others become float32; uint8 samples (h, w) are given as
    // (h, w, 1). Throws Error{invalid_argument}: counts that differ, labels outside 0..65535 or of
    // the wrong kind, a shape of another size.
    ArraySource(std::shared_ptr<const Array> samples, std::shared_ptr<const Array> labels,
                const Options& options);

    std::int64_t size() const override { return samples_->rows(); }
    const Shape& sample_shape() const override { return sample_shape_; }
    DType sample_dtype() const override { return samples_->dtype(); }
    std::int64_t classes() const override { return classes_; }
    const std::vector<std::string>& class_names() const override { return class_names_; }
    std::string description() const override;
    std::size_t memory_bytes() const override;
    bool in_memory() const override;
    std::optional<ValueRange> value_range() const override { return samples_->range(); }
    void require_unchanged() const override;
    const Shape* target_shape() const override { return values_ ? &target_shape_ : nullptr; }
    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override;
    void read_targets(const std::int64_t* indices, std::int64_t n, float* out) const override;

private:
    void take_labels(const Array& array);
    void require_inside(const std::int64_t* indices, std::int64_t n) const;

    std::string place_;
    std::unique_ptr<Column> samples_, values_;
    Shape sample_shape_, target_shape_;
    std::vector<std::int32_t> labels_;
    std::int64_t classes_ = 0;
    std::vector<std::string> class_names_;  // none: arrays have no names
};

// The parameters label_kind and shape, and what they say.
std::vector<layers::ParamSpec> array_params();
ArraySource::Options array_options(const layers::Config& config, const OpenOptions& options);

// In a file of several arrays, those that hold samples and labels: what the user named, or else
// the usual names (x_train, train_images, x, ...) of that split.
layers::ParamSpec split_param();
layers::ParamSpec samples_name_param();
layers::ParamSpec labels_name_param();
struct ArrayNames {
    std::string samples, labels;
};
// Throws Error{invalid_argument} with the names that there are.
ArrayNames choose_arrays(const std::vector<std::string>& there, const layers::Config& config,
                         const std::string& file);

}  // namespace strata::data

// A pair of IDX files, images and labels, held in memory as they are (uint8 or float32).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/data/source.h"

namespace strata::data {

class IdxSource : public Source {
public:
    // Reads both files, plain or gzip. Throws Error: format (damaged, of another kind, empty), and
    // invalid_argument where the counts differ or a label is outside 0..65535 or
    // beyond the class names, where there are any.
    IdxSource(const std::filesystem::path& images, const std::filesystem::path& labels,
              std::vector<std::string> class_names);

    std::int64_t size() const override { return size_; }
    const Shape& sample_shape() const override { return sample_shape_; }
    DType sample_dtype() const override { return dtype_; }
    std::int64_t classes() const override { return classes_; }
    const std::vector<std::string>& class_names() const override { return class_names_; }
    std::string description() const override;
    std::size_t memory_bytes() const override;
    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override;

private:
    void read_images(const std::filesystem::path& path);
    void read_labels(const std::filesystem::path& path);

    std::string name_;  // of the images' file
    std::int64_t size_ = 0, classes_ = 0;
    Shape sample_shape_;
    DType dtype_ = DType::uint8;
    std::size_t sample_bytes_ = 0;
    std::vector<std::byte> images_;
    std::vector<std::int32_t> labels_;
    std::vector<std::string> class_names_;
};

}  // namespace strata::data

// A pair of IDX files, images (uint8 or float32) and labels. The labels are held in memory; the
// images, too, or they are read sample by sample.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/data/source_description.h"
#include "engine/io/file.h"
#include "engine/io/idx.h"

namespace strata::data {

// {"type": "idx", "images": path, "labels": path}, or a data set that a Debian package installs:
// {"type": "idx", "dataset": "fashion-mnist", "split": "train"} (or "test"), looked for in
// /usr/share/datasets or, where it is set, $STRATA_DATASETS.
const SourceDescription& idx();

class IdxSource : public Source {
public:
    // Reads both files, plain or gzip. cache: hold the images in memory; where false, uncompressed
    // images stay in their file, while compressed ones are held in any case. Throws Error: format
    // (damaged, of another kind, empty), and invalid_argument where the counts differ or a label is
    // outside 0..65535 or beyond the class names, where there are any.
    IdxSource(const std::filesystem::path& images, const std::filesystem::path& labels,
              std::vector<std::string> class_names, bool cache = true);

    std::int64_t size() const override { return size_; }
    const Shape& sample_shape() const override { return sample_shape_; }
    DType sample_dtype() const override { return dtype_; }
    std::int64_t classes() const override { return classes_; }
    const std::vector<std::string>& class_names() const override { return class_names_; }
    std::string description() const override;
    std::size_t memory_bytes() const override;
    bool in_memory() const override { return !file_; }
    void require_unchanged() const override;
    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override;

private:
    void read_images(const std::filesystem::path& path, bool cache);
    void take_shape(io::IdxType type, const Shape& shape);
    void read_sample(std::int64_t index, std::byte* out) const;
    void read_labels(const std::filesystem::path& path);

    std::string name_;  // of the images' file
    std::int64_t size_ = 0, classes_ = 0;
    Shape sample_shape_;
    DType dtype_ = DType::uint8;
    std::size_t sample_bytes_ = 0;
    std::vector<std::byte> images_;        // empty where they stay in file_
    std::unique_ptr<io::InputFile> file_;  // open in this case
    std::uint64_t data_offset_ = 0;        // bytes
    std::vector<std::int32_t> labels_;
    std::vector<std::string> class_names_;
};

}  // namespace strata::data

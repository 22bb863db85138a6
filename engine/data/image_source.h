// A folder of images, one subfolder a class, decoded when they are read.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "engine/data/image_folder.h"
#include "engine/data/source_description.h"
#include "engine/io/image.h"

namespace strata::data {

const SourceDescription& images();

class ImageSource : public Source {
public:
    struct Options {
        std::int64_t height = 64, width = 64, channels = 3;
        bool crop = false;  // to the target's shape before the size is changed
        std::uint64_t seed = 1;
    };

    // Files that are damaged or too large are left out and told by warnings(). The order is mixed
    // once by the seed, so that the last share of it holds images of all classes. Throws Error: as
    // list_images(); invalid_argument where no image is left.
    ImageSource(const std::filesystem::path& folder, const Options& options);

    std::int64_t size() const override { return static_cast<std::int64_t>(folder_.files.size()); }
    const Shape& sample_shape() const override { return shape_; }
    DType sample_dtype() const override { return DType::uint8; }
    std::int64_t classes() const override {
        return static_cast<std::int64_t>(folder_.classes.size());
    }
    const std::vector<std::string>& class_names() const override { return folder_.classes; }
    std::string description() const override;
    std::size_t memory_bytes() const override { return 0; }
    bool in_memory() const override { return false; }
    std::optional<ValueRange> value_range() const override { return ValueRange{0.0F, 255.0F}; }
    std::vector<std::string> warnings() const override;
    // By the names and sizes of the files: libraries differ in the last bits of a decoded pixel.
    Json identity() const override;
    // An image whose damage shows only now is replaced by the next whole one of its class, always
    // the same, and told by warnings().
    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override;

private:
    struct Desk {  // memory that is used again
        std::vector<std::byte> content;
        io::Image image;
    };

    void read_sample(std::size_t index, Desk& desk, std::uint8_t* out) const;
    bool try_sample(std::size_t index, Desk& desk, std::uint8_t* out) const;
    void note_damage(std::size_t index, const std::string& reason) const;

    std::filesystem::path path_;
    Options options_;
    Shape shape_;
    ImageFolder folder_;
    mutable std::mutex mutex_;
    mutable std::vector<LeftOut> replaced_;
};

}  // namespace strata::data

// Where samples come from. A source is opened once, then read by index from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/json.h"
#include "engine/core/tensor.h"

namespace strata::data {

struct ValueRange {
    float least = 0.0F, largest = 0.0F;
};

class Source {
public:
    virtual ~Source() = default;
    virtual std::int64_t size() const = 0;          // samples
    virtual const Shape& sample_shape() const = 0;  // IDX images (28, 28) are given as (28, 28, 1)
    virtual DType sample_dtype() const = 0;         // uint8 or float32
    // 1 + the largest label; 0 where targets are no labels
    virtual std::int64_t classes() const = 0;
    virtual const std::vector<std::string>& class_names() const = 0;  // may be empty
    virtual std::string description() const = 0;     // "60,000 images 28 x 28, 10 classes"
    virtual std::size_t memory_bytes() const = 0;    // that it holds
    virtual bool in_memory() const { return true; }  // whether read() reads no file
    // Of the samples, where it is known without reading all of them.
    virtual std::optional<ValueRange> value_range() const { return std::nullopt; }
    // What the user should know about the data: files that were left out, and why. One line each.
    virtual std::vector<std::string> warnings() const { return {}; }
    // Throws Error{io} that names a file which read() reads and which is no longer the one that was
    // opened. Asked at the start of each epoch. Nothing to do where read() sees it by itself.
    virtual void require_unchanged() const {}

    // What tells these data from others wherever they lie: the same files on another machine have
    // the same. It reads few samples, so it finds other data, not one sample that was changed.
    virtual Json identity() const;

    // The shape of one sample's float32 targets (regression); nullptr where targets are labels.
    virtual const Shape* target_shape() const { return nullptr; }
    bool has_labels() const { return target_shape() == nullptr; }

    // Copies samples by index into out (n rows), and their int32 labels where there are labels.
    // Thread-safe. Throws Error naming the file, or an index outside 0..size()-1.
    virtual void read(const std::int64_t* indices, std::int64_t n, void* out,
                      std::int32_t* labels) const = 0;
    // The same for n rows of targets; only where target_shape() is there.
    virtual void read_targets(const std::int64_t* indices, std::int64_t n, float* out) const;
};

// Source::identity() without what stands in the samples.
Json counts_of(const Source& source);

// Opens what `config` describes: {"type": one of catalogue()'s (source_description.h), and that
// type's parameters}. Relative paths are taken from `base`. `where` is the project's key
// ("data.source") for messages. cache: hold the samples in memory where there is a choice (the
// pipeline's stage of that name). Throws Error: invalid_argument for keys and for parts that do not
// fit together, not_found, and format naming a damaged file.
std::shared_ptr<Source> open_source(const Json& config, const std::string& base,
                                    const std::string& where, bool cache = true);

// The same checks of the keys without opening anything.
void check_source(const Json& config, const std::string& where);

// The keys of this source's type whose values are paths.
std::vector<std::string> path_keys(const Json& config);
// `config` with its paths made absolute: for a copy of the project that stands elsewhere.
Json with_absolute_paths(const Json& config, const std::string& base);

// What a user types: "fashion-mnist:test", a folder of images, "FILE.npz", "FILE.h5",
// "SAMPLES.npy,LABELS.npy", "IMAGES,LABELS" (IDX), a generator's name ("spirals"), or the JSON
// object itself. Where the text leaves `split` ("train" or "test") open, that part is taken.
Json source_from_text(const std::string& text, const std::string& split);

}  // namespace strata::data

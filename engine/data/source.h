// Where samples come from. A source is opened once, then read by (index) from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/json.h"
#include "engine/core/tensor.h"

namespace strata::data {

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
    // Throws Error{io} that names a file which read() reads and which is no longer the one that was
    // opened. Asked at the start of each epoch.
    virtual void require_unchanged() const {}
    // Copies samples by index into out (n rows). Labels are int32. Thread-safe. Throws Error naming
    // the file, or an index outside 0..size()-1.
    virtual void read(const std::int64_t* indices, std::int64_t n, void* out,
                      std::int32_t* labels) const = 0;
};

// From {"type": "idx", "images": path, "labels": path}, or a data set that a Debian package
// installs:
// {"type": "idx", "dataset": "fashion-mnist", "split": "train"} (or "test"), looked for in
// /usr/share/datasets or, where it is set, $STRATA_DATASETS. Relative paths are taken from `base`.
// `where` is the project's key ("data.source") for messages. Throws Error: not_found names the
// package of a data set that is not installed; format names a damaged file; counts that differ;
// negative labels.
// cache: hold the samples in memory where there is a choice (the pipeline's stage of that name).
std::shared_ptr<Source> open_source(const Json& config, const std::string& base,
                                    const std::string& where, bool cache = true);

// The same checks of the keys without opening anything.
void check_source(const Json& config, const std::string& where);
// The keys that a source may have.
const std::vector<std::string>& source_keys();

// `config` with its paths made absolute: for a copy of the project that stands elsewhere.
Json with_absolute_paths(const Json& config, const std::string& base);

// What a user types: "fashion-mnist:test", "IMAGES,LABELS" (two files), or the JSON object itself.
// A data set without a split takes `split`.
Json source_from_text(const std::string& text, const std::string& split);

}  // namespace strata::data

// From a source to batches: order (shuffle), batch, prefetch. The stream depends on (seed, epoch)
// alone, not on threads or timing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/data/source.h"

namespace strata::data {

struct Batch {
    std::vector<std::byte> samples;    // (size, sample shape) of the source's dtype
    std::vector<std::int32_t> labels;  // (size)
    std::int64_t size = 0;
    std::int64_t first_sample = 0;  // position of its first sample in the epoch's order
};

struct PipelineOptions {
    std::int64_t batch_size = 64;
    bool drop_remainder = false;
    bool shuffle = true;
    std::int64_t shuffle_buffer =
        0;  // 0: as large as the source (uniform over all orders); 1 keeps the order
    std::int64_t prefetch = 4;  // batches ready ahead; 0: read on the caller's thread
    std::uint64_t seed = 1;
};

// The rows of `source` that belong to a part: the split is made once, before shuffling.
struct Split {
    std::vector<std::int64_t> train, validation;
};
Split split_indices(std::int64_t size,
                    double validation_split);  // Keras: validation is the last share

// The epoch's order of `count` rows.
std::vector<std::int64_t> epoch_order(std::int64_t count, const PipelineOptions& options,
                                      std::int64_t epoch);

class Pipeline {
public:
    Pipeline(std::shared_ptr<const Source> source, std::vector<std::int64_t> rows,
             PipelineOptions options);
    ~Pipeline();

    std::int64_t batches_per_epoch() const;
    std::int64_t samples_per_epoch() const;
    std::int64_t last_batch_size() const;  // of an epoch
    // Begins an epoch (0, 1, ...) at a batch (resume in the middle). Ends what was running.
    void start_epoch(std::int64_t epoch, std::int64_t first_batch = 0);
    // The next batch, or nullptr at the epoch's end. Valid until the next call: buffers are reused,
    // nothing is allocated in the steady state. Rethrows a reader's Error.
    const Batch* next();
    double wait_seconds() const;  // time that next() waited in this epoch

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace strata::data

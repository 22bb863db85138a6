// From a source to batches: source, cache, order (shuffle), map (augmentation), batch, prefetch.
// The stream depends on (seed, epoch) alone, not on threads, caches or timing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/data/source.h"
#include "engine/data/stages.h"
#include "engine/layers/spec.h"

namespace strata::data {

struct Batch {
    std::vector<std::byte> samples;    // (size, sample shape) of the pipeline's dtype
    std::vector<std::int32_t> labels;  // (size)
    std::vector<float> targets;        // (size, target shape), where the source has no labels
    std::int64_t size = 0;
    // Position of its i-th sample in the epoch's order: first_sample + i * sample_stride.
    std::int64_t first_sample = 0, sample_stride = 1;
};

// What one of several processes takes of an epoch: the positions index, index + count, ... of its
// order. All of them together take each position once.
struct Shard {
    std::int64_t index = 0, count = 1;

    std::int64_t position(std::int64_t own) const { return index + own * count; }
    std::int64_t size(std::int64_t all) const {
        return all <= index ? 0 : (all - index + count - 1) / count;
    }
};

enum class CachePlace : std::uint8_t { memory, disk };

// An augmentation layer (engine/layers/augmentation.h) as a stage "map" has it.
struct MapLayer {
    std::string type;       // "RandomFlip"
    layers::Config config;  // checked
};

struct PipelineOptions {
    std::int64_t batch_size = 64;  // of the shard
    Shard shard;
    bool drop_remainder = false;
    bool shuffle = true;
    std::int64_t shuffle_buffer =
        0;  // 0: as large as the source (uniform over all orders); 1 keeps the order
    std::int64_t prefetch = 4;  // batches ready ahead; 0: none is made before it is asked for
    std::uint64_t seed = 1;

    bool cache = false;  // keep samples after they were read once; a source in memory needs none
    CachePlace cache_place = CachePlace::memory;
    // The cache holds samples as map gave them: each sample's augmentation is the same in all
    // epochs.
    bool cache_after_map = false;

    std::vector<MapLayer> map;  // one after the other; with any, samples become float32
    bool augment = true;        // false: map makes float32 and nothing else (validation)
    int map_threads = 0;        // that read and map; 0: as many as it takes (autotuned)

    bool autotune = false;                  // prefetch, too, is found while it runs
    std::size_t memory_bound = 512U << 20;  // bytes of batches; two batches are held in any case
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

    // Of all shards together: a batch is what they take at a time.
    std::int64_t batches_per_epoch() const;
    std::int64_t samples_per_epoch() const;
    std::int64_t rows() const;  // with those that drop_remainder leaves out
    // Of this shard alone, whose batches may end before those of others.
    std::int64_t own_samples_per_epoch() const;
    std::int64_t last_batch_size() const;
    DType sample_dtype() const;  // of the batches: float32 with map, else the source's
    // Begins an epoch (0, 1, ...) at a batch (resume in the middle). Ends what was running.
    void start_epoch(std::int64_t epoch, std::int64_t first_batch = 0);
    // The next batch, or nullptr at the epoch's end. Valid until the next call: buffers are reused,
    // nothing is allocated in the steady state. Rethrows a reader's Error.
    const Batch* next();
    bool ready() const;           // next() gives a batch that was made ahead, without a wait
    double wait_seconds() const;  // time that next() waited in this epoch

    // Of this epoch so far, in the order of the stages. From any thread.
    std::vector<StageStatistics> statistics() const;
    double wait_share() const;  // of the epoch's time so far; likewise

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace strata::data

// Fills parts of batches: reads samples of the source or the cache by the epoch's order, and maps
// them. Used by the pipeline, from several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/data/batch_queue.h"
#include "engine/data/cache.h"
#include "engine/data/map.h"
#include "engine/data/pipeline.h"

namespace strata::data {

class BatchFiller {
public:
    // Memory that one thread needs.
    struct Desk {
        std::vector<std::int64_t> rows;  // of the source
        std::vector<std::byte> raw;      // samples before map
        std::vector<float> map_scratch;
    };

    // Throws Error: a map layer does not take such samples, or there is no room for the cache.
    BatchFiller(std::shared_ptr<const Source> source, std::vector<std::int64_t> rows,
                const PipelineOptions& options);

    // Of all shards together.
    std::int64_t count() const { return static_cast<std::int64_t>(rows_.size()); }
    std::size_t sample_bytes() const { return sample_bytes_; }  // in the batches
    std::size_t targets() const { return targets_; }            // values a sample; 0: a label
    bool has_map() const { return map_.has_value(); }
    // Samples are copied from memory and nothing else: more threads would not be faster.
    bool is_cheap() const { return !map_ && source_->in_memory(); }
    const Source& source() const { return *source_; }

    // While nobody fills. Throws Error where a file of the source has changed.
    void start_epoch(std::int64_t epoch);
    void reset_meters();
    void prepare(Desk& desk, std::int64_t part_size) const;  // takes the memory that fill needs
    void fill(const BatchQueue::Part& part, Desk& desk);

    double busy_seconds() const;
    // Of source, cache, shuffle and map, in their order; given: samples of the epoch so far, of all
    // shards.
    std::vector<StageStatistics> statistics(int threads, double seconds, std::int64_t given) const;

private:
    // Where n samples go, and their labels or targets.
    struct Place {
        std::byte* samples;
        std::byte* notes;
    };

    bool is_frozen() const { return options_.cache_after_map && map_.has_value(); }
    // place: of the shard.
    std::int64_t at(std::int64_t place) const {
        return order_[static_cast<std::size_t>(options_.shard.position(place))];
    }
    Place offset(const Place& out, std::int64_t n, std::size_t bytes) const;
    template <typename Visit>
    void for_runs(std::int64_t first, std::int64_t n, const Visit& visit) const;
    void read_source(std::int64_t first, std::int64_t n, Desk& desk, const Place& out);
    void read_cached(std::int64_t first, std::int64_t n, std::size_t bytes, const Place& out);
    void keep(std::int64_t first, std::int64_t n, std::size_t bytes, const Place& samples);
    void read_raw(std::int64_t first, std::int64_t n, Desk& desk, const Place& out);
    void read_mapped(std::int64_t first, std::int64_t n, Desk& desk, const Place& out);
    StageStatistics cache_statistics(int threads, double seconds) const;

    std::shared_ptr<const Source> source_;
    std::vector<std::int64_t> rows_;
    PipelineOptions options_;
    std::size_t raw_bytes_ = 0, sample_bytes_ = 0;  // of a sample: of the source, of the batches
    std::size_t targets_ = 0, note_bytes_ = 0;
    std::optional<SampleMap> map_;
    std::unique_ptr<SampleCache> cache_;
    std::vector<std::int64_t> order_;  // places in rows_, of the running epoch
    std::int64_t epoch_ = 0;
    StageMeter source_meter_, cache_meter_, shuffle_meter_, map_meter_;
};

}  // namespace strata::data

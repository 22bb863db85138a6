// The batches between the threads that fill them and the one that takes them: which part is filled
// next, which batches are ready, and where the first fault was. Used by the pipeline.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "engine/data/pipeline.h"

namespace strata::data {

class BatchQueue {
public:
    // A part of a batch: samples [first, first + count) of the shard.
    struct Part {
        std::int64_t batch = 0, first = 0, count = 0;
        Batch* target = nullptr;
        std::int64_t offset = 0;  // of the part in the batch

        explicit operator bool() const { return count > 0; }
    };

    // samples: of the shard in an epoch. targets: values a sample, 0: it has a label. most_slots:
    // batches that there will ever be room for.
    BatchQueue(std::int64_t samples, std::int64_t batches, std::int64_t batch_size, Shard shard,
               std::size_t sample_bytes, std::size_t targets, std::int64_t most_slots);

    // ---- the consumer's thread; start while no other thread is there
    void start(std::int64_t first_batch);
    void grow(std::int64_t slots);  // room for so many batches; takes memory
    // Gives back the batch that was taken before and waits for the next one; adds to `waited`.
    // nullptr at the end. Rethrows the fault where the next batch could not be filled.
    const Batch* take(double& waited);
    bool ready() const;  // take() gives a batch at once
    void release();      // gives back the batch that was taken before
    void stop();         // claim() gives nothing any more

    // ---- the threads that fill
    // Waits until there is something to fill, and `worker` is below the number of active ones.
    // Nothing: the epoch is given out, or it was stopped.
    Part claim(int worker);
    void finish(const Part& part);
    void fail(std::int64_t batch);  // with the exception that is being handled
    void open(bool ready);          // false: claim() waits (there is no order yet)

    void set_part_size(std::int64_t samples) { part_size_ = samples; }
    std::int64_t part_size() const { return part_size_; }
    void set_active(int workers);

    struct State {
        std::int64_t slots = 0, given = 0, ready = 0, begun = 0;  // batches; begun: not yet ready
        std::int64_t filled = 0, wanted = 0;                      // samples of those begun
    };
    State state() const;
    std::int64_t slots() const { return static_cast<std::int64_t>(batches_.size()); }
    std::int64_t given() const { return given_; }  // on the consumer's thread
    std::int64_t size_of(std::int64_t batch) const;

private:
    void set_size(Batch& batch, std::int64_t size) const;
    bool may_claim(int worker) const;
    bool is_ready() const { return given_ < next_ && missing_[place(given_)] == 0; }
    bool is_over() const;
    std::size_t place(std::int64_t batch) const {
        return static_cast<std::size_t>(batch % most_slots_);
    }

    std::int64_t samples_, count_, batch_size_;
    Shard shard_;
    std::size_t sample_bytes_, targets_;
    std::int64_t most_slots_, part_size_;

    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable filled_, freed_;
    std::vector<Batch> batches_;               // most_slots_ reserved: addresses stay
    std::vector<std::size_t> free_;            // of batches_
    std::vector<std::size_t> slot_;            // by place(batch): its slot
    std::vector<std::int64_t> missing_;        // by place(batch): samples not yet filled
    std::int64_t given_ = 0;                   // the next batch that take() gives
    std::int64_t next_ = 0, next_offset_ = 0;  // what claim() gives next
    std::int64_t failed_ = 0;                  // the first batch that could not be filled
    std::exception_ptr failure_;
    bool holds_ = false, waits_ = false, open_ = false, stopping_ = false;
    int active_ = 1;
};

}  // namespace strata::data

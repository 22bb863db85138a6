#include "engine/data/batch_queue.h"

#include <algorithm>
#include <chrono>

namespace strata::data {

BatchQueue::BatchQueue(std::int64_t samples, std::int64_t batches, std::int64_t batch_size,
                       Shard shard, std::size_t sample_bytes, std::size_t targets,
                       std::int64_t most_slots)
    : samples_(samples),
      count_(batches),
      batch_size_(batch_size),
      shard_(shard),
      sample_bytes_(sample_bytes),
      targets_(targets),
      most_slots_(most_slots),
      part_size_(std::max<std::int64_t>(1, std::min(batch_size, samples))),
      slot_(static_cast<std::size_t>(most_slots)),
      missing_(static_cast<std::size_t>(most_slots)) {
    batches_.reserve(static_cast<std::size_t>(most_slots));
    free_.reserve(static_cast<std::size_t>(most_slots));
    given_ = next_ = failed_ = count_;  // nothing to give before start
}

std::int64_t BatchQueue::size_of(std::int64_t batch) const {
    return std::min(batch_size_, samples_ - batch * batch_size_);
}

void BatchQueue::start(std::int64_t first_batch) {
    const std::lock_guard lock(mutex_);
    given_ = next_ = first_batch;
    next_offset_ = 0;
    failed_ = count_;
    failure_ = nullptr;
    holds_ = waits_ = open_ = stopping_ = false;
    free_.clear();
    for (std::size_t i = batches_.size(); i-- > 0;) free_.push_back(i);
}

void BatchQueue::grow(std::int64_t slots) {
    const std::int64_t largest = std::min(batch_size_, samples_);
    while (this->slots() < std::min(slots, most_slots_)) {
        Batch batch;
        set_size(batch, largest);
        const std::lock_guard lock(mutex_);
        free_.push_back(batches_.size());
        batches_.push_back(std::move(batch));
        freed_.notify_all();
    }
}

void BatchQueue::set_size(Batch& batch, std::int64_t size) const {
    const auto n = static_cast<std::size_t>(size);
    batch.size = size;
    batch.samples.resize(n * sample_bytes_);
    batch.labels.resize(targets_ > 0 ? 0 : n);
    batch.targets.resize(n * targets_);
}

bool BatchQueue::is_over() const {
    return stopping_ || next_ >= count_ || next_ >= failed_;
}

bool BatchQueue::may_claim(int worker) const {
    return open_ && worker < active_ && (next_offset_ > 0 || !free_.empty());
}

BatchQueue::Part BatchQueue::claim(int worker) {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return is_over() || may_claim(worker); });
    if (is_over()) return {};
    const std::int64_t size = size_of(next_);
    if (next_offset_ == 0) {
        slot_[place(next_)] = free_.back();
        free_.pop_back();
        missing_[place(next_)] = size;
        Batch& batch = batches_[slot_[place(next_)]];
        batch.first_sample = shard_.position(next_ * batch_size_);
        batch.sample_stride = shard_.count;
        set_size(batch, size);
    }
    Part part;
    part.batch = next_;
    part.offset = next_offset_;
    part.first = next_ * batch_size_ + next_offset_;
    part.count = std::min(part_size_, size - next_offset_);
    part.target = &batches_[slot_[place(next_)]];
    next_offset_ += part.count;
    if (next_offset_ == size) {
        ++next_;
        next_offset_ = 0;
    }
    // So that the others help with this batch, or end.
    if (active_ > 1 && (part.offset == 0 || is_over())) freed_.notify_all();
    return part;
}

void BatchQueue::finish(const Part& part) {
    const std::lock_guard lock(mutex_);
    missing_[place(part.batch)] -= part.count;
    if (missing_[place(part.batch)] == 0 && part.batch == given_ && waits_) filled_.notify_one();
}

void BatchQueue::fail(std::int64_t batch) {
    const std::lock_guard lock(mutex_);
    if (batch >= failed_ && failure_) return;
    failed_ = batch;
    failure_ = std::current_exception();
    filled_.notify_one();
    freed_.notify_all();
}

void BatchQueue::open(bool ready) {
    const std::lock_guard lock(mutex_);
    open_ = ready;
    freed_.notify_all();
}

void BatchQueue::set_active(int workers) {
    const std::lock_guard lock(mutex_);
    active_ = workers;
    freed_.notify_all();
}

void BatchQueue::stop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    freed_.notify_all();
}

// The threads are woken when half of the slots are free, not for each of them: they then fill
// several in one go.
void BatchQueue::release() {
    const std::lock_guard lock(mutex_);
    if (holds_) free_.push_back(slot_[place(given_ - 1)]);
    holds_ = false;
    if (2 * free_.size() >= batches_.size()) freed_.notify_all();
}

bool BatchQueue::ready() const {
    const std::lock_guard lock(mutex_);
    return given_ < count_ && is_ready();
}

const Batch* BatchQueue::take(double& waited) {
    release();
    std::unique_lock lock(mutex_);
    if (given_ >= count_) return nullptr;
    if (!is_ready()) {
        const auto begin = std::chrono::steady_clock::now();
        waits_ = true;
        filled_.wait(lock, [&] { return is_ready() || (failure_ && given_ >= failed_); });
        waits_ = false;
        waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (!is_ready()) std::rethrow_exception(failure_);
    }
    holds_ = true;
    return &batches_[slot_[place(given_++)]];
}

BatchQueue::State BatchQueue::state() const {
    const std::lock_guard lock(mutex_);
    State state;
    state.slots = slots();
    state.given = given_;
    const std::int64_t end = next_ + (next_offset_ > 0 ? 1 : 0);
    for (std::int64_t batch = given_; batch < end; ++batch) {
        const std::int64_t missing = missing_[place(batch)];
        if (missing == 0) {
            ++state.ready;
            continue;
        }
        ++state.begun;
        state.wanted += size_of(batch);
        state.filled += size_of(batch) - missing;
    }
    return state;
}

}  // namespace strata::data

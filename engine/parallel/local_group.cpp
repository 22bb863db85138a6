#include "engine/parallel/local_group.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/parallel/short_wait.h"

namespace strata::parallel {
namespace {

// into[i] = the sum of sources[r][i] in the order of r. into may be one of the sources. In pieces
// that stay in the first-level cache.
template <typename T>
void add_up(T* into, const std::vector<void*>& sources, std::size_t begin, std::size_t end) {
    constexpr std::size_t piece = 1024;
    T sum[piece];
    for (std::size_t at = begin; at < end; at += piece) {
        const std::size_t n = std::min(piece, end - at);
        const T* first = static_cast<const T*>(sources[0]) + at;
        std::copy(first, first + n, sum);
        for (std::size_t r = 1; r < sources.size(); ++r) {
            const T* source = static_cast<const T*>(sources[r]) + at;
            for (std::size_t i = 0; i < n; ++i) sum[i] += source[i];
        }
        std::copy(sum, sum + n, into + at);
    }
}

double larger(double a, double b) {
    return std::isnan(a) || a > b ? a : b;
}

}  // namespace

class LocalGroup::Rank final : public Communicator {
public:
    Rank(LocalGroup& group, int rank) : group_(group), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return group_.size(); }
    std::chrono::milliseconds deadline() const override { return group_.deadline_; }

    void all_reduce(std::span<float> data) override { reduce_all(data); }
    void all_reduce(std::span<double> data) override { reduce_all(data); }

    void all_reduce_max(std::span<double> data) override {
        group_.show(rank_, data.data());
        std::vector<double> most(data.begin(), data.end());
        for (void* other : group_.data_)
            for (std::size_t i = 0; i < most.size(); ++i)
                most[i] = larger(most[i], static_cast<const double*>(other)[i]);
        group_.meet(rank_);
        std::copy(most.begin(), most.end(), data.begin());
    }

    void reduce_scatter(std::span<float> data) override {
        group_.show(rank_, data.data());
        add_up_share(data);
        group_.meet(rank_);
    }

    void all_gather(std::span<float> data) override {
        group_.show(rank_, data.data());
        fetch_shares(data);
        group_.meet(rank_);
    }

    void broadcast(std::span<std::byte> data, int root) override {
        group_.show(rank_, data.data());
        if (rank_ != root)
            std::memcpy(data.data(), group_.data_[static_cast<std::size_t>(root)], data.size());
        group_.meet(rank_);
    }

    void barrier() override { group_.meet(rank_); }
    void check() override {
        const std::lock_guard lock(group_.fate_->mutex);
        group_.require_no_failure();
    }
    Communicator& line(int number) override { return group_.line(number).rank(rank_); }

    void fail(const char* why) noexcept override {
        Fate& fate = *group_.fate_;
        try {
            const std::lock_guard lock(fate.mutex);
            group_.end("rank " + std::to_string(rank_) + " has ended: " + why);
        } catch (...) {  // no memory for the words: the flag says enough
            fate.failed = true;
            fate.changed.notify_all();
        }
    }

private:
    template <typename T>
    void reduce_all(std::span<T> data) {
        group_.show(rank_, data.data());
        add_up_share(data);
        group_.meet(rank_);
        fetch_shares(data);
        group_.meet(rank_);
    }

    // Reads this rank's share of all ranks' data, and writes there only in its own.
    template <typename T>
    void add_up_share(std::span<T> data) {
        const Share share = share_of(data.size(), rank_, size());
        add_up(data.data(), group_.data_, share.begin, share.end);
    }

    template <typename T>
    void fetch_shares(std::span<T> data) {
        for (int r = 0; r < size(); ++r) {
            if (r == rank_) continue;
            const Share share = share_of(data.size(), r, size());
            const T* source = static_cast<const T*>(group_.data_[static_cast<std::size_t>(r)]);
            std::copy(source + share.begin, source + share.end, data.data() + share.begin);
        }
    }

    LocalGroup& group_;
    int rank_;
};

LocalGroup::LocalGroup(int size, std::chrono::milliseconds deadline)
    : LocalGroup(size, deadline, std::make_shared<Fate>()) {}

LocalGroup::LocalGroup(int size, std::chrono::milliseconds deadline, std::shared_ptr<Fate> fate)
    : deadline_(deadline),
      data_(static_cast<std::size_t>(size), nullptr),
      meetings_(static_cast<std::size_t>(size)),
      fate_(std::move(fate)) {
    for (int rank = 0; rank < size; ++rank) ranks_.push_back(std::make_unique<Rank>(*this, rank));
}

LocalGroup::~LocalGroup() = default;

LocalGroup& LocalGroup::line(int number) {
    const std::lock_guard lock(fate_->mutex);
    std::unique_ptr<LocalGroup>& line = lines_[number];
    if (!line) line.reset(new LocalGroup(size(), deadline_, fate_));
    return *line;
}

bool LocalGroup::all_have_met(std::uint64_t times) const {
    return std::all_of(meetings_.begin(), meetings_.end(),
                       [&](const auto& meetings) { return meetings >= times; });
}

std::string LocalGroup::missing(std::uint64_t times) const {
    std::string text;
    for (std::size_t rank = 0; rank < meetings_.size(); ++rank)
        if (meetings_[rank] < times)
            text += (text.empty() ? "rank " : ", rank ") + std::to_string(rank);
    return text + " did not come";
}

void LocalGroup::show(int rank, void* data) {
    data_[static_cast<std::size_t>(rank)] = data;
    meet(rank);
}

void LocalGroup::meet(int rank) {
    const auto place = static_cast<std::size_t>(rank);
    const std::uint64_t times = meetings_[place].fetch_add(1) + 1;
    if (sleepers_ > 0) {
        const std::lock_guard lock(fate_->mutex);
        fate_->changed.notify_all();
    }
    if (soon([&] { return all_have_met(times) || fate_->failed; }) && !fate_->failed) return;
    std::unique_lock lock(fate_->mutex);
    wait(lock, times);
}

// In slices: where one is much longer than it was to be, the whole process stood still, stopped or
// without a processor, and the others begin to be waited for anew.
void LocalGroup::wait(std::unique_lock<std::mutex>& lock, std::uint64_t times) {
    using Clock = std::chrono::steady_clock;
    constexpr int slices = 3;
    const auto slice = std::chrono::duration_cast<Clock::duration>(deadline_) / slices;
    int waited = 0;
    auto begin = Clock::now();
    ++sleepers_;  // before it looks: who comes later sees it
    while (!fate_->failed && !all_have_met(times)) {
        if (fate_->changed.wait_until(lock, begin + slice) != std::cv_status::timeout ||
            fate_->failed || all_have_met(times))
            continue;
        const auto now = Clock::now();
        waited = now - std::exchange(begin, now) > 2 * slice ? 0 : waited + 1;
        if (waited < slices) continue;
        const auto seconds = std::chrono::duration<double>(deadline_).count();
        char text[32];
        std::snprintf(text, sizeof text, " within %g s", seconds);
        end(missing(times) + text);
    }
    --sleepers_;
    require_no_failure();
}

void LocalGroup::end(std::string why) {
    if (fate_->failure.empty()) fate_->failure = std::move(why);
    fate_->failed = true;
    fate_->changed.notify_all();
}

void LocalGroup::require_no_failure() const {
    if (!fate_->failed) return;
    const std::string& failure = fate_->failure;
    throw Error(ErrorCode::interrupted, failure.empty() ? "a rank has ended" : failure, "devices");
}

}  // namespace strata::parallel

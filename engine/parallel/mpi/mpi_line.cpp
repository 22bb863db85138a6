#include "engine/parallel/mpi/mpi_line.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/parallel/mpi/backoff.h"

namespace strata::parallel {
namespace {

using std::chrono::milliseconds;

// Of one message; larger ones are cut, so that copying, adding and sending go on side by side.
constexpr std::size_t piece_bytes = std::size_t{256} << 10;
// Where every rank may as well send everything to every other.
constexpr std::size_t small_bytes = 4096;
constexpr int few_ranks = 8;

double larger(double a, double b) {
    return std::isnan(a) || a > b ? a : b;
}

struct Maximum {
    void operator()(double* into, const double* other, std::size_t n) const {
        for (std::size_t i = 0; i < n; ++i) into[i] = larger(into[i], other[i]);
    }
};

struct Sum {
    template <typename T>
    void operator()(T* into, const T* other, std::size_t n) const {
        for (std::size_t i = 0; i < n; ++i) into[i] += other[i];
    }
};

}  // namespace

// Counts this line of the rank among those that wait, for the watch.
class MpiLine::Call {
public:
    explicit Call(MpiLine& line) : line_(line) {
        line.link_.require_whole();
        line.link_.watch().enter(line.number_);
    }
    ~Call() { line_.link_.watch().leave(line_.number_); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

private:
    MpiLine& line_;
};

// ---- waiting

void MpiLine::post_send(const void* data, std::size_t bytes, int to) {
    if (bytes == 0) return;
    requests_.push_back(link_.send(data, bytes, to, number_));
    peers_.push_back(to);
}

void MpiLine::post_receive(void* data, std::size_t bytes, int from) {
    if (bytes == 0) return;
    requests_.push_back(link_.receive(data, bytes, from, number_));
    peers_.push_back(from);
}

void MpiLine::finish() {
    Backoff backoff;
    const Watch& watch = link_.watch();
    const milliseconds timeout = link_.timeout();
    // The watch, which knows more, has the first word.
    const auto deadline = timeout + std::max(timeout / 10, milliseconds(500));
    auto last_look = Backoff::Clock::now();
    while (!link_.are_done(requests_)) {
        const auto now = Backoff::Clock::now();
        const bool stood_still = now - std::exchange(last_look, now) > timeout / 3;
        if (stood_still || watch.someone_is_busy()) backoff.begin_again();
        if (backoff.waited() > deadline) {
            std::vector<int> missing;
            for (std::size_t i = 0; i < requests_.size(); ++i)
                if (!link_.is_done(requests_[i])) missing.push_back(peers_[i]);
            if (!missing.empty()) link_.too_late(missing);
            continue;
        }
        backoff.pause();
    }
    requests_.clear();
    peers_.clear();
}

// ---- sums

// Everyone has everything: one message each.
template <typename T, typename Add>
void MpiLine::reduce_small(std::span<T> data, const Add& add) {
    const std::size_t n = data.size();
    scratch_.resize(static_cast<std::size_t>(size() + 1) * n * sizeof(T));
    T* slots = reinterpret_cast<T*>(scratch_.data());
    std::copy(data.begin(), data.end(), slots + static_cast<std::size_t>(rank()) * n);
    for (int k = 1; k < size(); ++k) {
        const int from = (rank() + size() - k) % size(), to = (rank() + k) % size();
        post_receive(slots + static_cast<std::size_t>(from) * n, n * sizeof(T), from);
        post_send(data.data(), n * sizeof(T), to);
    }
    finish();
    std::copy(slots, slots + n, data.begin());
    for (int r = 1; r < size(); ++r) add(data.data(), slots + static_cast<std::size_t>(r) * n, n);
}

// Each rank adds up its share, piece by piece; with `gather` the sum of a piece goes to all while
// the next one comes in.
template <typename T, typename Add>
void MpiLine::reduce(std::span<T> data, bool gather, const Add& add) {
    if (size() == 1) return;
    const Call call(*this);
    if (gather && size() <= few_ranks && data.size_bytes() <= small_bytes)
        return reduce_small(data, add);
    constexpr std::size_t piece = piece_bytes / sizeof(T);
    const std::size_t longest = share_of(data.size(), 0, size()).size();
    const auto part = [&](int rank, std::size_t begin) {
        const Share share = share_of(data.size(), rank, size());
        const std::size_t from = std::min(share.end, share.begin + begin);
        return data.subspan(from, std::min(share.end, from + piece) - from);
    };
    scratch_.resize(static_cast<std::size_t>(size()) * std::min(piece, longest) * sizeof(T));
    T* slots = reinterpret_cast<T*>(scratch_.data());
    const std::size_t slot = std::min(piece, longest);
    const std::size_t rounds = (longest + piece - 1) / piece;
    for (std::size_t round = 0; round < rounds + (gather ? 1 : 0); ++round) {
        const std::size_t begin = round * piece;
        for (int k = 1; k < size(); ++k) {
            const int from = (rank() + size() - k) % size(), to = (rank() + k) % size();
            if (round < rounds) {
                post_receive(slots + static_cast<std::size_t>(from) * slot,
                             part(rank(), begin).size_bytes(), from);
                post_send(part(to, begin).data(), part(to, begin).size_bytes(), to);
            }
            if (gather && round > 0) {
                const std::span<T> theirs = part(from, begin - piece),
                                   mine = part(rank(), begin - piece);
                post_receive(theirs.data(), theirs.size_bytes(), from);
                post_send(mine.data(), mine.size_bytes(), to);
            }
        }
        finish();
        if (round == rounds) break;
        const std::span<T> sum = part(rank(), begin);
        if (rank() > 0) {
            std::copy(sum.begin(), sum.end(), slots + static_cast<std::size_t>(rank()) * slot);
            std::copy(slots, slots + sum.size(), sum.begin());
        }
        for (int r = 1; r < size(); ++r)
            add(sum.data(), slots + static_cast<std::size_t>(r) * slot, sum.size());
    }
}

void MpiLine::all_reduce(std::span<float> data) {
    reduce(data, true, Sum{});
}
void MpiLine::all_reduce(std::span<double> data) {
    reduce(data, true, Sum{});
}
void MpiLine::all_reduce_max(std::span<double> data) {
    reduce(data, true, Maximum{});
}
void MpiLine::reduce_scatter(std::span<float> data) {
    reduce(data, false, Sum{});
}

// ---- copies

void MpiLine::all_gather(std::span<float> data) {
    if (size() == 1) return;
    const Call call(*this);
    const auto part = [&](int rank, std::size_t begin) {
        constexpr std::size_t piece = piece_bytes / sizeof(float);
        const Share share = share_of(data.size(), rank, size());
        const std::size_t from = std::min(share.end, share.begin + begin);
        return data.subspan(from, std::min(share.end, from + piece) - from);
    };
    const std::size_t longest = share_of(data.size(), 0, size()).size();
    for (std::size_t begin = 0; begin < longest; begin += piece_bytes / sizeof(float)) {
        for (int k = 1; k < size(); ++k) {
            const int from = (rank() + size() - k) % size(), to = (rank() + k) % size();
            post_receive(part(from, begin).data(), part(from, begin).size_bytes(), from);
            post_send(part(rank(), begin).data(), part(rank(), begin).size_bytes(), to);
        }
        finish();
    }
}

// Down a binomial tree, piece by piece.
void MpiLine::broadcast(std::span<std::byte> data, int root) {
    if (size() == 1) return;
    const Call call(*this);
    const int own = (rank() - root + size()) % size();
    const int low = own == 0 ? size() : own & -own;
    const auto rank_at = [&](int place) { return (place + root) % size(); };
    for (std::size_t begin = 0; begin < data.size(); begin += piece_bytes) {
        const auto piece = data.subspan(begin, std::min(piece_bytes, data.size() - begin));
        if (own != 0) {
            post_receive(piece.data(), piece.size(), rank_at(own - low));
            finish();
        }
        for (int child = 1; child < low && own + child < size(); child *= 2)
            post_send(piece.data(), piece.size(), rank_at(own + child));
        finish();
    }
}

void MpiLine::barrier() {
    double none = 0.0;
    all_reduce(std::span(&none, 1));
}

void MpiLine::fail(const char* why) noexcept {
    Watch& watch = link_.watch();
    try {
        watch.fail(watch.name_of(rank()) + " has ended: " + why);
    } catch (...) {  // no memory for the words
        watch.fail("a rank has ended");
    }
}

}  // namespace strata::parallel

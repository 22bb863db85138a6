#include "engine/parallel/mpi/mpi_group.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/parallel/mpi/backoff.h"

namespace strata::parallel {
namespace {

using std::chrono::milliseconds;

constexpr int tag = 0;

// Of one message; larger ones are cut, so that copying, adding and sending go on side by side.
constexpr std::size_t piece_bytes = std::size_t{256} << 10;
// Where every rank may as well send everything to every other.
constexpr std::size_t small_bytes = 4096;
constexpr int few_ranks = 8;
// In which the others print what they were told, before a launcher ends them for this one's sake.
constexpr milliseconds farewell{300}, longest_farewell{5000};

void check(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw Error(ErrorCode::interrupted, std::string("MPI failed in ") + call + ": " + text);
}

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

// Counts this rank among those that wait, for the watch.
class MpiGroup::Call {
public:
    explicit Call(MpiGroup& group) : group_(group) {
        if (group_.watch_->failed()) group_.give_up();
        group_.watch_->enter();
    }
    ~Call() { group_.watch_->leave(); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

private:
    MpiGroup& group_;
};

// ---- meeting

MpiGroup::MpiGroup(milliseconds timeout) : timeout_(timeout) {
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    if (provided < MPI_THREAD_SERIALIZED)
        throw Error(ErrorCode::unsupported, "this MPI library allows calls from one thread only");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "MPI_Comm_dup");
    check(MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(world_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(world_, &size_), "MPI_Comm_size");
    hosts_.assign(static_cast<std::size_t>(size_), "");
    watch_ = std::make_unique<Watch>(rank_, hosts_, timeout_);  // until the hosts are known
    share_hosts();
    begin_watch();
}

void MpiGroup::share_hosts() {
    using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
    std::vector<Name> names(hosts_.size(), Name{});
    int length = 0;
    check(MPI_Get_processor_name(names[static_cast<std::size_t>(rank_)].data(), &length),
          "MPI_Get_processor_name");
    for (int root = 0; root < size_; ++root) {
        Name& name = names[static_cast<std::size_t>(root)];
        broadcast(std::as_writable_bytes(std::span(name)), root);
        hosts_[static_cast<std::size_t>(root)] = name.data();
    }
}

void MpiGroup::begin_watch() {
    auto watch = std::make_unique<Watch>(rank_, hosts_, timeout_);
    WatchAddress address;
    if (rank_ == 0 && size_ > 1) address = watch->listen();
    broadcast(std::as_writable_bytes(std::span(&address, 1)), 0);
    std::vector<double> flags(hosts_.size(), 0.0);
    if (rank_ > 0 && watch->connect(address)) flags[static_cast<std::size_t>(rank_)] = 1.0;
    all_reduce(std::span(flags));
    watch->begin({flags.begin(), flags.end()});
    watch_ = std::move(watch);
}

MpiGroup::~MpiGroup() {
    if (closed_) return;
    // MPI_Finalize would wait for those that are gone.
    if (!watch_->failed()) fail("it has not finished its work");
    std::this_thread::sleep_for(farewell);
    // Rank 0 has files to close.
    const auto until = Backoff::Clock::now() + std::min(longest_farewell, timeout_ / 3);
    while (!watch_->lead_has_left() && Backoff::Clock::now() < until)
        std::this_thread::sleep_for(farewell / 10);
}

void MpiGroup::close() {
    barrier();
    watch_->finish();
    watch_.reset();
    closed_ = true;
    check(MPI_Comm_free(&world_), "MPI_Comm_free");
    check(MPI_Finalize(), "MPI_Finalize");
}

int MpiGroup::ranks_on_this_host() const {
    return static_cast<int>(std::count(hosts_.begin(), hosts_.end(), host(rank_)));
}

// ---- waiting

void MpiGroup::give_up() const {
    const std::string why = watch_->failure();
    throw Error(ErrorCode::interrupted, why.empty() ? "a rank has ended" : why, "",
                "--resume goes on from the last checkpoint");
}

void MpiGroup::too_late(std::vector<int> missing) {
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3g s", static_cast<double>(timeout_.count()) / 1e3);
    watch_->fail(watch_->names_of(missing) + " not answered for " + seconds);
    give_up();
}

void MpiGroup::post_send(const void* data, std::size_t bytes, int to) {
    if (bytes == 0) return;
    requests_.push_back(MPI_REQUEST_NULL);
    peers_.push_back(to);
    check(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, world_, &requests_.back()),
          "MPI_Isend");
}

void MpiGroup::post_receive(void* data, std::size_t bytes, int from) {
    if (bytes == 0) return;
    requests_.push_back(MPI_REQUEST_NULL);
    peers_.push_back(from);
    check(MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, world_, &requests_.back()),
          "MPI_Irecv");
}

void MpiGroup::finish() {
    Backoff backoff;
    // The watch, which knows more, has the first word.
    const auto deadline = timeout_ + std::max(timeout_ / 10, milliseconds(500));
    auto last_look = Backoff::Clock::now();
    for (int count = static_cast<int>(requests_.size());;) {
        int done = 0, index = 0;
        check(MPI_Testall(count, requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
        if (done != 0) break;
        if (watch_->failed()) give_up();
        const auto now = Backoff::Clock::now();
        const bool stood_still = now - std::exchange(last_look, now) > timeout_ / 3;
        if (stood_still || watch_->someone_is_busy()) backoff.begin_again();
        if (backoff.waited() > deadline) {
            std::vector<int> missing;
            for (std::size_t i = 0; i < requests_.size(); ++i) {
                check(MPI_Test(&requests_[i], &index, MPI_STATUS_IGNORE), "MPI_Test");
                if (index == 0) missing.push_back(peers_[i]);
            }
            if (!missing.empty()) too_late(missing);
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
void MpiGroup::reduce_small(std::span<T> data, const Add& add) {
    const std::size_t n = data.size();
    scratch_.resize(static_cast<std::size_t>(size_ + 1) * n * sizeof(T));
    T* slots = reinterpret_cast<T*>(scratch_.data());
    std::copy(data.begin(), data.end(), slots + static_cast<std::size_t>(rank_) * n);
    for (int k = 1; k < size_; ++k) {
        const int from = (rank_ + size_ - k) % size_, to = (rank_ + k) % size_;
        post_receive(slots + static_cast<std::size_t>(from) * n, n * sizeof(T), from);
        post_send(data.data(), n * sizeof(T), to);
    }
    finish();
    std::copy(slots, slots + n, data.begin());
    for (int r = 1; r < size_; ++r) add(data.data(), slots + static_cast<std::size_t>(r) * n, n);
}

// Each rank adds up its share, piece by piece; with `gather` the sum of a piece goes to all while
// the next one comes in.
template <typename T, typename Add>
void MpiGroup::reduce(std::span<T> data, bool gather, const Add& add) {
    if (size_ == 1) return;
    const Call call(*this);
    if (gather && size_ <= few_ranks && data.size_bytes() <= small_bytes)
        return reduce_small(data, add);
    constexpr std::size_t piece = piece_bytes / sizeof(T);
    const std::size_t longest = share_of(data.size(), 0, size_).size();
    const auto part = [&](int rank, std::size_t begin) {
        const Share share = share_of(data.size(), rank, size_);
        const std::size_t from = std::min(share.end, share.begin + begin);
        return data.subspan(from, std::min(share.end, from + piece) - from);
    };
    scratch_.resize(static_cast<std::size_t>(size_) * std::min(piece, longest) * sizeof(T));
    T* slots = reinterpret_cast<T*>(scratch_.data());
    const std::size_t slot = std::min(piece, longest);
    const std::size_t rounds = (longest + piece - 1) / piece;
    for (std::size_t round = 0; round < rounds + (gather ? 1 : 0); ++round) {
        const std::size_t begin = round * piece;
        for (int k = 1; k < size_; ++k) {
            const int from = (rank_ + size_ - k) % size_, to = (rank_ + k) % size_;
            if (round < rounds) {
                post_receive(slots + static_cast<std::size_t>(from) * slot,
                             part(rank_, begin).size_bytes(), from);
                post_send(part(to, begin).data(), part(to, begin).size_bytes(), to);
            }
            if (gather && round > 0) {
                const std::span<T> theirs = part(from, begin - piece),
                                   mine = part(rank_, begin - piece);
                post_receive(theirs.data(), theirs.size_bytes(), from);
                post_send(mine.data(), mine.size_bytes(), to);
            }
        }
        finish();
        if (round == rounds) break;
        const std::span<T> sum = part(rank_, begin);
        if (rank_ > 0) {
            std::copy(sum.begin(), sum.end(), slots + static_cast<std::size_t>(rank_) * slot);
            std::copy(slots, slots + sum.size(), sum.begin());
        }
        for (int r = 1; r < size_; ++r)
            add(sum.data(), slots + static_cast<std::size_t>(r) * slot, sum.size());
    }
}

void MpiGroup::all_reduce(std::span<float> data) {
    reduce(data, true, Sum{});
}
void MpiGroup::all_reduce(std::span<double> data) {
    reduce(data, true, Sum{});
}
void MpiGroup::all_reduce_max(std::span<double> data) {
    reduce(data, true, Maximum{});
}
void MpiGroup::reduce_scatter(std::span<float> data) {
    reduce(data, false, Sum{});
}

// ---- copies

void MpiGroup::all_gather(std::span<float> data) {
    if (size_ == 1) return;
    const Call call(*this);
    const auto part = [&](int rank, std::size_t begin) {
        constexpr std::size_t piece = piece_bytes / sizeof(float);
        const Share share = share_of(data.size(), rank, size_);
        const std::size_t from = std::min(share.end, share.begin + begin);
        return data.subspan(from, std::min(share.end, from + piece) - from);
    };
    const std::size_t longest = share_of(data.size(), 0, size_).size();
    for (std::size_t begin = 0; begin < longest; begin += piece_bytes / sizeof(float)) {
        for (int k = 1; k < size_; ++k) {
            const int from = (rank_ + size_ - k) % size_, to = (rank_ + k) % size_;
            post_receive(part(from, begin).data(), part(from, begin).size_bytes(), from);
            post_send(part(rank_, begin).data(), part(rank_, begin).size_bytes(), to);
        }
        finish();
    }
}

// Down a binomial tree, piece by piece.
void MpiGroup::broadcast(std::span<std::byte> data, int root) {
    if (size_ == 1) return;
    const Call call(*this);
    const int own = (rank_ - root + size_) % size_;
    const int low = own == 0 ? size_ : own & -own;
    const auto rank_at = [&](int place) { return (place + root) % size_; };
    for (std::size_t begin = 0; begin < data.size(); begin += piece_bytes) {
        const auto piece = data.subspan(begin, std::min(piece_bytes, data.size() - begin));
        if (own != 0) {
            post_receive(piece.data(), piece.size(), rank_at(own - low));
            finish();
        }
        for (int child = 1; child < low && own + child < size_; child *= 2)
            post_send(piece.data(), piece.size(), rank_at(own + child));
        finish();
    }
}

void MpiGroup::barrier() {
    double none = 0.0;
    all_reduce(std::span(&none, 1));
}

void MpiGroup::fail(const char* why) noexcept {
    try {
        watch_->fail(watch_->name_of(rank_) + " has ended: " + why);
    } catch (...) {  // no memory for the words
        watch_->fail("a rank has ended");
    }
}

}  // namespace strata::parallel

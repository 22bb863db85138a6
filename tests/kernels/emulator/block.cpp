#include "block.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace cuda_emulator {
namespace {

std::string text(const std::source_location& where) {
    const std::string file = where.file_name();
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(where.line());
}

std::string text(const uint3& v) {
    return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

}  // namespace

Fiber* Fibers::take() {
    if (idle_.empty()) {
        auto& fiber = all_.emplace_back();
        const std::size_t number = all_.size() - 1;
        fiber = std::make_unique<Fiber>([this, number] { run_current_block(all_[number].get()); });
        return fiber.get();
    }
    Fiber* const fiber = idle_.back();
    idle_.pop_back();
    return fiber;
}

void Fibers::clear() {
    idle_.clear();
    all_.clear();
}

// On 128 bytes, as the hardware's.
void* Block::shared() {
    constexpr std::uintptr_t line = 128;
    const auto address = reinterpret_cast<std::uintptr_t>(shared_.data());
    return reinterpret_cast<void*>((address + line - 1) / line * line);
}

void Block::begin(const Launch& launch, Order order, const std::function<void()>& thread,
                  const uint3& index) {
    const auto count = std::size_t{launch.block.x} * launch.block.y * launch.block.z;
    threads_.assign(count, Thread{});
    meetings_.clear();
    meetings_.resize((count + lanes - 1) / lanes);
    shared_.resize(launch.shared_bytes / sizeof(std::max_align_t) + 9);
    memory_.begin(shared(), launch.shared_bytes);
    products_.begin();
    kernel_ = &thread;
    order_ = order;
    index_ = blockIdx = index;
    started_ = done_ = at_barrier_ = 0;
    fault_.clear();
}

void Block::enter() {
    memory_.enter();
    blockIdx = index_;
}

bool Block::turn() {
    const bool started = start_more();
    return resume_ready() || started;
}

// Threads that never wait run to their end one after another on a single fiber; the loop needs
// another only where one was left suspended.
bool Block::start_more() {
    const bool any = started_ < static_cast<int>(threads_.size());
    while (started_ < static_cast<int>(threads_.size())) {
        running_ = fibers_.take();
        running_->enter();
        if (!fault_.empty()) throw_fault();
    }
    return any;
}

void Block::run_threads(Fiber* self) {
    for (int t = take_unstarted(); t >= 0; t = take_unstarted()) {
        make_current(t);
        (*kernel_)();
        threads_[static_cast<std::size_t>(current_)].state = State::done;
        ++done_;
    }
    fibers_.give_back(self);
}

int Block::take_unstarted() {
    const int count = static_cast<int>(threads_.size());
    if (started_ == count) return -1;
    const int next = started_++;
    return order_ == Order::forward ? next : count - 1 - next;
}

bool Block::resume_ready() {
    bool any = false;
    const int count = static_cast<int>(threads_.size());
    for (int k = 0; k < count; ++k) {
        const int t = order_ == Order::forward ? k : count - 1 - k;
        Thread& thread = threads_[static_cast<std::size_t>(t)];
        if (thread.state != State::ready) continue;
        any = true;
        make_current(t);
        running_ = thread.fiber;
        running_->enter();
        if (!fault_.empty()) throw_fault();
    }
    return any;
}

void Block::make_current(int thread) {
    current_ = thread;
    const auto t = static_cast<unsigned>(thread);
    threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / (blockDim.x * blockDim.y)};
    const std::uint64_t number =
        (std::uint64_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    set_watched_thread(number * threads_.size() + t);
}

void Block::suspend(State state, const std::source_location& where) {
    Thread& thread = threads_[static_cast<std::size_t>(current_)];
    thread.state = state;
    thread.where = where;
    thread.fiber = running_;
    running_->leave();
}

void Block::barrier(const std::source_location& where) {
    threads_[static_cast<std::size_t>(current_)].where = where;
    if (++at_barrier_ == static_cast<int>(threads_.size())) {
        threads_[static_cast<std::size_t>(current_)].state = State::at_barrier;
        release_barrier();
        return;
    }
    suspend(State::at_barrier, where);
}

void Block::release_barrier() {
    const std::source_location where = threads_[static_cast<std::size_t>(current_)].where;
    at_barrier_ = 0;
    memory_.pass_barrier();
    for (std::size_t t = 0; t < threads_.size(); ++t) {
        const std::source_location other = threads_[t].where;
        if (other.line() != where.line() ||
            std::strcmp(other.file_name(), where.file_name()) != 0) {
            fail("threads of a block meet at different barriers: " + describe(static_cast<int>(t)) +
                 ", ");
        }
        threads_[t].state = State::ready;
    }
}

std::uint64_t Block::exchange(WarpOp op, unsigned mask, std::uint64_t value, int source,
                              const std::source_location& where) {
    const int lane = current_ % lanes;
    const unsigned own = 1U << lane;
    threads_[static_cast<std::size_t>(current_)].where = where;
    if ((mask & own) == 0) {
        fail("a lane calls a warp function whose mask leaves it out: ");
    }
    if ((mask >> source & 1U) == 0) {
        fail("a shuffle reads lane " + std::to_string(source) + ", which the mask leaves out: ");
    }
    auto& meetings = meetings_[static_cast<std::size_t>(current_ / lanes)];
    Meeting* meeting = nullptr;
    for (auto& m : meetings) {
        if (m->mask == mask && m->readers == 0) meeting = m.get();
    }
    if (meeting == nullptr) {
        meeting = meetings.emplace_back(std::make_unique<Meeting>()).get();
        *meeting = {op, mask, 0, 0, where, {}};
    }
    if (meeting->op != op || meeting->where.line() != where.line()) {
        fail("lanes of a warp meet at different warp functions: " + text(meeting->where) + " and ");
    }
    meeting->values[static_cast<std::size_t>(lane)] = value;
    meeting->arrived |= own;
    if (meeting->arrived != mask) {
        suspend(State::in_meeting, where);
        return finish_meeting(*meeting, source);
    }
    const int first = current_ / lanes * lanes;
    for (int k = 0; k < lanes; ++k) {
        if ((mask >> k & 1U) == 0) continue;
        ++meeting->readers;
        if (k != lane) threads_[static_cast<std::size_t>(first + k)].state = State::ready;
    }
    return finish_meeting(*meeting, source);
}

std::uint64_t Block::finish_meeting(Meeting& meeting, int source) {
    std::uint64_t result = meeting.values[static_cast<std::size_t>(source)];
    if (meeting.op == WarpOp::ballot) {
        result = 0;
        for (std::size_t k = 0; k < lanes; ++k) {
            if ((meeting.mask >> k & 1U) != 0) result |= meeting.values[k] << k;
        }
    }
    if (--meeting.readers == 0) {
        auto& meetings = meetings_[static_cast<std::size_t>(current_ / lanes)];
        std::erase_if(meetings, [&](const auto& m) { return m.get() == &meeting; });
    }
    return result;
}

std::string Block::describe(int thread) const {
    const auto t = static_cast<unsigned>(thread);
    const uint3 index{t % blockDim.x, t / blockDim.x % blockDim.y, t / (blockDim.x * blockDim.y)};
    const std::source_location& where = threads_[t].where;
    return "thread " + text(index) + " of block " + text(blockIdx) +
           (where.line() == 0 ? "" : " at " + text(where));
}

void Block::throw_stuck() {
    std::string what = "threads wait for others that do not come:";
    int finished = 0;
    const char* separator = " ";
    constexpr std::pair<State, const char*> waits[] = {{State::at_barrier, " in __syncthreads"},
                                                       {State::in_meeting, " in a warp function"}};
    for (const auto& [state, place] : waits) {
        for (std::size_t t = 0; t < threads_.size(); ++t) {
            if (threads_[t].state != state) continue;
            what += separator + describe(static_cast<int>(t)) + place;
            separator = ", ";
            break;
        }
    }
    for (const Thread& thread : threads_) finished += thread.state == State::done ? 1 : 0;
    throw Fault(what + "; " + std::to_string(finished) + " of the block's " +
                std::to_string(threads_.size()) + " threads have ended");
}

// On a thread's fiber, which is never entered again: the scheduler throws.
void Block::fail(std::string what) {
    fault_ = what + describe(current_);
    std::string().swap(what);  // nobody returns to this stack
    running_->leave();
    std::abort();
}

void Block::fail_here(std::string what) {
    threads_[static_cast<std::size_t>(current_)].where = {};
    fail(std::move(what) + ": ");
}

void Block::throw_fault() {
    throw Fault(std::exchange(fault_, {}));
}

}  // namespace cuda_emulator

// The threads of a block, of which several blocks may be in the middle of their kernel. Used by
// grid.cpp alone.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cuda_runtime.h"
#include "fiber.h"
#include "grid.h"
#include "products.h"
#include "watch.h"

namespace cuda_emulator {

// What a fiber does: threads of the block that runs, again and again. In grid.cpp.
void run_current_block(Fiber* self);

// Stacks for threads, of all blocks that run: those that nobody is suspended on.
class Fibers {
public:
    Fiber* take();
    void give_back(Fiber* fiber) { idle_.push_back(fiber); }
    // The stacks of a grid that failed hold threads in the middle of the kernel.
    void clear();

private:
    std::vector<std::unique_ptr<Fiber>> all_;
    std::vector<Fiber*> idle_;
};

class Block {
public:
    explicit Block(Fibers& fibers) : fibers_(fibers) {}

    // The block is the one that runs from now on.
    void begin(const Launch& launch, Order order, const std::function<void()>& thread,
               const uint3& index);
    // Lets each thread that can go on run until it waits. False where none could.
    bool turn();
    bool is_done() const { return done_ == static_cast<int>(threads_.size()); }

    // Other blocks run between leave() and enter().
    void enter();
    void leave() { memory_.leave(); }

    [[noreturn]] void throw_stuck();
    const uint3& index() const { return index_; }

    // On the thread that runs.
    void run_threads(Fiber* self);
    void barrier(const std::source_location& where);
    std::uint64_t exchange(WarpOp op, unsigned mask, std::uint64_t value, int source,
                           const std::source_location& where);
    // Both name the thread behind `what`.
    [[noreturn]] void fail(std::string what);
    [[noreturn]] void fail_here(std::string what);
    int current() const { return current_; }
    void* shared();
    WarpProducts& products() { return products_; }

private:
    static constexpr int lanes = 32;

    // One meeting of the lanes of a warp.
    struct Meeting {
        WarpOp op{};
        unsigned mask = 0;
        unsigned arrived = 0;
        int readers = 0;  // lanes that have not yet fetched their value after all have arrived
        std::source_location where;
        std::array<std::uint64_t, lanes> values{};
    };

    enum class State : std::uint8_t { unstarted, ready, at_barrier, in_meeting, done };

    struct Thread {
        State state = State::unstarted;
        Fiber* fiber = nullptr;  // that it is suspended on
        std::source_location where;
    };

    int take_unstarted();
    bool start_more();
    bool resume_ready();
    void suspend(State state, const std::source_location& where);
    void make_current(int thread);
    void release_barrier();
    std::uint64_t finish_meeting(Meeting& meeting, int source);
    void throw_fault();
    std::string describe(int thread) const;

    Fibers& fibers_;
    std::vector<Thread> threads_;
    std::vector<std::vector<std::unique_ptr<Meeting>>> meetings_;  // of each warp
    std::vector<std::max_align_t> shared_;
    BlockMemory memory_;
    WarpProducts products_;
    const std::function<void()>* kernel_ = nullptr;
    Order order_ = Order::forward;
    uint3 index_{};
    Fiber* running_ = nullptr;
    int current_ = 0;
    int started_ = 0;
    int done_ = 0;
    int at_barrier_ = 0;
    std::string fault_;
};

}  // namespace cuda_emulator

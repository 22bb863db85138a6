#include "grid.h"

#include <algorithm>
#include <utility>

#include "block.h"

// None begins as zeros: among variables that do, what the device code touches is shared memory.
uint3 threadIdx{1, 1, 1};
uint3 blockIdx{1, 1, 1};
dim3 blockDim;
dim3 gridDim;

namespace cuda_emulator {
namespace {

Block* running = nullptr;  // the block that runs now

Fibers& fibers() {
    static Fibers instance;
    return instance;
}

// Kept from grid to grid, for their memory.
Block& place_of_block(std::size_t number) {
    static std::vector<std::unique_ptr<Block>> places;
    while (places.size() <= number) places.push_back(std::make_unique<Block>(fibers()));
    return *places[number];
}

struct WatchedGrid {
    explicit WatchedGrid(const Launch& launch) { begin_grid(launch); }
    ~WatchedGrid() {
        end_grid();
        running = nullptr;
    }
};

// The blocks that run at once, and those that wait for a place.
class Grid {
public:
    Grid(const Launch& launch, Order order, const std::function<void()>& thread)
        : launch_(launch),
          order_(order),
          thread_(thread),
          blocks_(std::uint64_t{gridDim.x} * gridDim.y * gridDim.z) {
        places_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(blocks_at_once(), blocks_)),
                       nullptr);
    }

    void run() {
        while (true) {
            bool any = false;
            bool went_on = false;
            for (std::size_t p = 0; p < places_.size(); ++p) {
                if (!occupy(p)) continue;
                any = true;
                went_on = places_[p]->turn() || went_on;
                if (places_[p]->is_done()) places_[p] = nullptr;
            }
            if (!any) return;
            if (!went_on) throw_stuck();
        }
    }

private:
    // The place's block runs next; false where none is left for it.
    bool occupy(std::size_t place) {
        Block& block = place_of_block(place);
        const bool begins = places_[place] == nullptr;
        if (begins && begun_ == blocks_) return false;
        if (places_.size() > 1 && running != nullptr && !running->is_done()) running->leave();
        running = &block;
        if (!begins) {
            if (places_.size() > 1) block.enter();
            return true;
        }
        const std::uint64_t number = order_ == Order::forward ? begun_ : blocks_ - 1 - begun_;
        ++begun_;
        block.begin(launch_, order_, thread_,
                    {static_cast<unsigned>(number % gridDim.x),
                     static_cast<unsigned>(number / gridDim.x % gridDim.y),
                     static_cast<unsigned>(number / gridDim.x / gridDim.y)});
        places_[place] = &block;
        return true;
    }

    void throw_stuck() {
        for (Block* block : places_) {
            if (block == nullptr) continue;
            blockIdx = block->index();
            block->throw_stuck();
        }
    }

    const Launch& launch_;
    Order order_;
    const std::function<void()>& thread_;
    std::uint64_t blocks_, begun_ = 0;
    std::vector<Block*> places_;
};

}  // namespace

void run_current_block(Fiber* self) {
    while (true) {
        running->run_threads(self);
        self->leave();
    }
}

void run_grid(const Launch& launch, Order order, const std::function<void()>& thread) {
    const WatchedGrid watched(launch);
    gridDim = launch.grid;
    blockDim = launch.block;
    try {
        Grid(launch, order, thread).run();
    } catch (const Fault&) {
        fibers().clear();
        throw;
    }
}

void fail_here(std::string what) {
    running->fail_here(std::move(what));
}

WarpProducts& running_products() {
    return running->products();
}

void* dynamic_shared_memory() {
    return running->shared();
}
void barrier(const std::source_location& where) {
    running->barrier(where);
}
int lane() {
    return running->current() % WarpProducts::lanes;
}
std::size_t thread_in_block() {
    return static_cast<std::size_t>(running->current());
}

std::uint64_t warp_exchange(WarpOp op, unsigned mask, std::uint64_t value, int source_lane,
                            const std::source_location& where) {
    return running->exchange(op, mask, value, source_lane, where);
}

}  // namespace cuda_emulator

// The processes that train one model together, as the trainer sees them: decisions that all take
// alike, faults that end all, and what rank 0 has for the others. One process alone is a world,
// too, and every call then costs nothing.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/graph/model_executor.h"
#include "engine/parallel/communicator.h"

namespace strata::train {

// The exception that is being handled.
Error current_fault();

class World {
public:
    World() = default;  // one process
    explicit World(parallel::Communicator& ranks) : ranks_(&ranks) {}

    int rank() const { return ranks_ == nullptr ? 0 : ranks_->rank(); }
    int size() const { return ranks_ == nullptr ? 1 : ranks_->size(); }
    bool leads() const { return rank() == 0; }  // rank 0 alone writes files and tells of the run
    parallel::Communicator* ranks() const { return ranks_; }  // null: one process

    // All ranks make the calls below in the same order. They throw Error{interrupted} where a rank
    // is lost.

    // Does `work`, which calls none of these, on every rank. Where it throws on any, all throw:
    // that rank its own fault, the others the same with the rank's name. sums: each becomes its sum
    // over the ranks, as it was after the work.
    void together(const std::function<void()>& work, std::span<double> sums = {});
    bool any(bool here) { return first(here) >= 0; }
    // The first rank that says yes; -1: none does.
    int first(bool here);
    // Each becomes the largest of all ranks.
    void largest(std::span<double> values);
    // Of rank 0, for all.
    void broadcast(std::string& text);
    // Of each rank, for all.
    std::vector<std::string> texts(std::string own);
    // Weights, optimizer's state and averages of rank 0, for all. read: what rank 0 has from a
    // file; its executor may hold a share of that alone.
    void share_state(graph::ModelExecutor& executor, std::span<const graph::HostTensor> read = {});

    // How many of the processes work on the same cores of the same machine as this one.
    int sharing_cores();
    // The processes of this machine, and this one's number among them.
    struct OnHost {
        int number = 0, count = 1;
    };
    OnHost on_host();
    // A number for each rank: equal where both machine and text are.
    std::vector<double> numbers_on_host(const std::string& text);

    // Ends the others' waiting: this rank goes with a fault, unless all have it.
    void fail(const Error& error) noexcept;
    // tell: gets the fault as soon as another rank is lost. A launcher may leave little time for
    // it.
    void on_loss(std::function<void(const Error&)> tell) { tell_ = std::move(tell); }
    // After a run: whether all ranks know how it ended, and may part in good order.
    bool is_whole() const { return !broken_; }
    // Whether the error that was thrown last is one that another rank tells the user.
    bool told_elsewhere() const { return told_elsewhere_; }

    // While it lives the others wait for this rank longer than usual: it writes a file, say.
    class Patience {
    public:
        explicit Patience(World& world);
        ~Patience();
        Patience(const Patience&) = delete;
        Patience& operator=(const Patience&) = delete;

    private:
        World& world_;
    };

private:
    void broadcast(std::string& text, int from);
    [[noreturn]] void tell(const std::optional<Error>& own);
    template <typename Call>
    void call(const Call& call);

    parallel::Communicator* ranks_ = nullptr;
    std::function<void(const Error&)> tell_;
    bool broken_ = false, agreed_ = false, told_elsewhere_ = false;
};

}  // namespace strata::train

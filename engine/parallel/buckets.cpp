#include "engine/parallel/buckets.h"

#include <algorithm>

namespace strata::parallel {
namespace {

using graph::Plan;
using graph::StateLayout;
using graph::VariablePlace;

constexpr std::size_t least = 8192;  // elements: 32 KiB
constexpr std::size_t most_buckets = 32;

// A variable with the alignment behind it.
struct Piece {
    std::size_t op = 0, begin = 0, end = 0;
};

std::size_t elements(std::size_t bytes) {
    return bytes / sizeof(float);
}

bool is_gradient_array(const ops::Value& value) {
    return value.persistent && value.base == ops::no_value &&
           value.category == device::Category::gradients;
}

std::size_t offset_in_root(const ops::Program& program, ops::ValueId id) {
    std::size_t offset = 0;
    for (; program[id].base != ops::no_value; id = program[id].base) offset += program[id].offset;
    return offset;
}

// With the alignment behind it.
std::size_t end_of(const VariablePlace& place) {
    const auto count = static_cast<std::size_t>(place.spec.shape.elements());
    return elements(place.offset) + elements(device::aligned(count * sizeof(float)));
}

// The last op that writes into [begin, end) elements of the gradients; 0 where none does.
std::size_t last_writer(const Plan& plan, std::size_t begin, std::size_t end) {
    const ops::Program& program = plan.program;
    for (std::size_t i = program.ops.size(); i-- > 0;)
        for (ops::ValueId id : program.ops[i].outputs) {
            if (!is_gradient_array(program[program.root(id)])) continue;
            const std::size_t at = elements(offset_in_root(program, id));
            if (at < end && begin < at + elements(program[id].bytes())) return i;
        }
    return 0;
}

bool makes(const Plan& plan, const std::string& layer) {
    return std::any_of(plan.program.ops.begin(), plan.program.ops.end(),
                       [&](const ops::Op& op) { return op.layer == layer; });
}

// Where no op makes a variable's gradient, it is the first stage's of the list.
std::vector<Piece> pieces_of(const StateLayout& state, const std::vector<StagePlan>& stages,
                             const StagePlan& stage) {
    std::vector<Piece> pieces;
    for (const VariablePlace& place : state.variables) {
        if (!place.spec.trainable || place.shared()) continue;
        const auto maker = std::find_if(stages.begin(), stages.end(), [&](const StagePlan& s) {
            return makes(*s.plan, place.layer);
        });
        const StagePlan& own = maker == stages.end() ? stages.front() : *maker;
        if (own.stage != stage.stage) continue;
        const std::size_t begin = elements(place.offset);
        const auto count = static_cast<std::size_t>(place.spec.shape.elements());
        pieces.push_back({last_writer(*stage.plan, begin, begin + count), begin, end_of(place)});
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.op < b.op; });
    return pieces;
}

}  // namespace

std::size_t smallest_bucket(const StateLayout& state) {
    return std::max(least, elements(state.trainable_bytes) / most_buckets);
}

std::vector<Bucket> make_buckets(const StateLayout& state, const std::vector<StagePlan>& stages,
                                 std::size_t smallest) {
    std::vector<Bucket> buckets;
    std::vector<StagePlan> last_first = stages;
    std::sort(last_first.begin(), last_first.end(),
              [](const StagePlan& a, const StagePlan& b) { return a.stage > b.stage; });
    for (const StagePlan& stage : last_first) {
        bool open = false;
        for (const Piece& piece : pieces_of(state, stages, stage)) {
            Bucket* last = open ? &buckets.back() : nullptr;
            if (last != nullptr && last->size() < smallest && piece.end == last->begin)
                last->begin = piece.begin;
            else if (last != nullptr && last->size() < smallest && piece.begin == last->end)
                last->end = piece.end;
            else
                buckets.push_back({stage.stage, piece.begin, piece.end});
            open = true;
        }
    }
    for (const VariablePlace& place : state.variables) {
        if (!place.spec.trainable || !place.shared()) continue;
        const std::size_t begin = elements(place.offset);
        // Copies, which do not count in norms, begin a bucket of their own.
        if (!buckets.empty() && buckets.back().shared && buckets.back().end == begin &&
            place.offset != state.counted_bytes)
            buckets.back().end = end_of(place);
        else
            buckets.push_back({stages.front().stage, begin, end_of(place), true});
    }
    return buckets;
}

std::vector<Completion> completions(const StateLayout& state, const StagePlan& stage,
                                    const std::vector<Bucket>& buckets) {
    std::vector<Completion> list;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        if (buckets[b].stage != stage.stage || buckets[b].shared) continue;
        std::size_t op = stage.plan->backward_begin;
        for (const VariablePlace& place : state.variables) {
            const std::size_t begin = elements(place.offset);
            if (!place.spec.trainable || begin < buckets[b].begin || begin >= buckets[b].end)
                continue;
            const auto count = static_cast<std::size_t>(place.spec.shape.elements());
            op = std::max(op, last_writer(*stage.plan, begin, begin + count));
        }
        list.push_back({op, b});
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const Completion& a, const Completion& b) { return a.op < b.op; });
    return list;
}

Share share_of_bucket(const Bucket& bucket, int rank, int local) {
    const Share share = share_of(bucket.size(), rank, local);
    return {bucket.begin + share.begin, bucket.begin + share.end};
}

Share share_of_bucket(const Bucket& bucket, int rank, int local, int process, int world) {
    const Share own = share_of_bucket(bucket, rank, local);
    const Share share = share_of(own.size(), process, world);
    return {own.begin + share.begin, own.begin + share.end};
}

}  // namespace strata::parallel

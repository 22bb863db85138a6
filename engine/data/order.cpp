// The split into training and validation, and the order of an epoch.
#include <cmath>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/data/pipeline.h"

namespace strata::data {
namespace {

constexpr std::uint32_t shuffle_stream = 0x5348464C;  // apart from the layers' numbers

// The k-th number in [0, bound) of an epoch.
std::uint64_t pick(std::uint64_t seed, std::int64_t epoch, std::int64_t k, std::uint64_t bound) {
    const auto words = random::draw(seed, shuffle_stream, static_cast<std::uint32_t>(epoch),
                                    static_cast<std::uint64_t>(k));
    return random::below(std::uint64_t{words[0]} << 32 | words[1], bound);
}

std::vector<std::int64_t> counted_from(std::int64_t first, std::int64_t end) {
    std::vector<std::int64_t> list(static_cast<std::size_t>(end - first));
    std::iota(list.begin(), list.end(), first);
    return list;
}

}  // namespace

Split split_indices(std::int64_t size, double validation_split) {
    if (!(validation_split >= 0.0 && validation_split < 1.0))
        throw Error(ErrorCode::invalid_argument, "must be at least 0 and below 1",
                    "data.validation_split", "0.1 keeps the last tenth of the data for validation");
    const auto train =
        static_cast<std::int64_t>(std::floor(static_cast<double>(size) * (1.0 - validation_split)));
    if (validation_split > 0.0 && (train == 0 || train == size))
        throw Error(ErrorCode::invalid_argument,
                    "leaves no sample for " + std::string(train == 0 ? "training" : "validation") +
                        " of the " + std::to_string(size) + " that there are",
                    "data.validation_split", "Set it to 0, or take more data");
    return {counted_from(0, train), counted_from(train, size)};
}

// A buffer of B slots: each sample comes from a random slot, which the next of the source refills;
// at the source's end the buffer shrinks. With B >= count this is Durstenfeld's form of Fisher and
// Yates.
std::vector<std::int64_t> epoch_order(std::int64_t count, const PipelineOptions& options,
                                      std::int64_t epoch) {
    const std::int64_t buffer = options.shuffle_buffer <= 0 || options.shuffle_buffer > count
                                    ? count
                                    : options.shuffle_buffer;
    if (!options.shuffle || buffer <= 1) return counted_from(0, count);
    std::vector<std::int64_t> slots = counted_from(0, buffer);
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::int64_t next = buffer;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::uint64_t slot = pick(options.seed, epoch, k, slots.size());
        order[static_cast<std::size_t>(k)] = slots[slot];
        if (next < count) {
            slots[slot] = next++;
        } else {
            slots[slot] = slots.back();
            slots.pop_back();
        }
    }
    return order;
}

}  // namespace strata::data

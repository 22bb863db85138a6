// Which evaluations have begun and are not finished, and where each has its place.
#pragma once

#include <cstddef>

#include "engine/core/error.h"

namespace strata::graph {

class EvaluationTurns {
public:
    static constexpr std::size_t most = 2;  // that are under way

    std::size_t under_way() const { return begun_ - finished_; }
    void require_none() const {
        if (under_way() > 0)
            throw Error(ErrorCode::internal, "an evaluation is under way", "executor");
    }
    // The place of the next; it counts from begin() on.
    std::size_t next() const {
        if (under_way() == most)
            throw Error(ErrorCode::internal, "too many evaluations are under way", "executor");
        return begun_ % most;
    }
    void begin() { ++begun_; }
    // The place of the earliest, which counts no more.
    std::size_t finish() {
        if (under_way() == 0)
            throw Error(ErrorCode::internal, "no evaluation is under way", "executor");
        return finished_++ % most;
    }

private:
    std::size_t begun_ = 0, finished_ = 0;
};

}  // namespace strata::graph

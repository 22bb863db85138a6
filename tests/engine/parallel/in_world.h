// Several processes as threads that share nothing but a communicator. For the tests of what they do
// together.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/error.h"
#include "engine/parallel/local_group.h"
#include "tests/engine/parallel/equality.h"

namespace strata::parallel::testing {

// body(communicator) on a thread for each process; what each has thrown.
inline std::vector<std::string> in_world(int processes,
                                         const std::function<void(Communicator&)>& body,
                                         std::chrono::milliseconds deadline = default_deadline) {
    LocalGroup group(processes, deadline);
    std::vector<std::string> messages(static_cast<std::size_t>(processes));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < processes; ++rank)
        threads.emplace_back([&, rank] {
            try {
                body(group.rank(rank));
            } catch (const Error& error) {
                messages[static_cast<std::size_t>(rank)] = error.what();
                group.rank(rank).fail(error.what());
            }
        });
    for (std::thread& thread : threads) thread.join();
    return messages;
}

inline void expect_no_errors(int processes, const std::function<void(Communicator&)>& body) {
    for (const std::string& message : in_world(processes, body)) EXPECT_EQ(message, "");
}

// The global batch's samples r, r + N, ... of process r.
inline Batch share_of_process(const Batch& all, std::int64_t n, int rank, int size) {
    const std::size_t sample = all.inputs.size() / static_cast<std::size_t>(n);
    Batch own;
    for (std::int64_t i = rank; i < n; i += size) {
        const auto begin = all.inputs.begin() + static_cast<std::ptrdiff_t>(sample) * i;
        own.inputs.insert(own.inputs.end(), begin, begin + static_cast<std::ptrdiff_t>(sample));
        own.labels.push_back(all.labels[static_cast<std::size_t>(i)]);
    }
    return own;
}

}  // namespace strata::parallel::testing

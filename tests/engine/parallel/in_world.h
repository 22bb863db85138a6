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

// The devices of all processes join, as a run's preparation has them do. Of a PlacedExecutor.
inline void join_others(PlacedExecutor& own, Communicator& world) {
    std::vector<std::byte> ids = own.make_group_ids();
    std::uint64_t size = ids.size();
    world.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
    ids.resize(size);
    if (size > 0) world.broadcast(ids, 0);
    own.join_others(ids);
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

struct WorldCase {
    std::string name;
    int processes;
    Layout layout;
    bool sharded = true;
};

// Of losses and norms relative, of the state in all.
struct Tolerances {
    double losses = 1e-5, norms = 1e-4, state = 2e-4;
};

// The processes' course and state are one device's, each of them on its samples of each batch, also
// where a batch is short and some have none. place: the devices of a process; by default the
// model's own.
inline void expect_world_as_one(
    const WorldCase& c, const graph::Model& model, const graph::TrainingSetup& setup,
    const Run& run, const Tolerances& within = {},
    const std::function<void(PlacementOptions&, int rank)>& place = nullptr) {
    graph::Executor one(on_one_device(model), &setup, one_thread(run.batch));
    const Course course = course_of(one, run);
    std::vector<std::vector<double>> losses(static_cast<std::size_t>(c.processes));
    std::vector<std::vector<graph::HostTensor>> states(losses.size());
    expect_no_errors(c.processes, [&](Communicator& world) {
        PlacementOptions placement = c.layout.placement;
        placement.sharded_optimizer = c.sharded;
        if (place) place(placement, world.rank());
        PlacedExecutor many(placed(model, c.layout), &setup, one_thread(run.batch), placement,
                            &world);
        join_others(many, world);
        many.initialize(5);
        const auto rank = static_cast<std::size_t>(world.rank());
        for (int step = 0; step < run.steps; ++step) {
            const std::int64_t n = size_of_step(step, run);
            const Batch own =
                share_of_process(batch_for(model, n, static_cast<std::uint64_t>(step % 4)), n,
                                 world.rank(), world.size());
            ops::StepScalars scalars = scalars_of_step(step, run);
            scalars.first_sample += world.rank();
            scalars.sample_stride = world.size();
            const auto result =
                many.train_step(own.inputs.data(), own.labels.data(),
                                static_cast<std::int64_t>(own.labels.size()), scalars);
            losses[rank].push_back(result.loss_sum / static_cast<double>(n));
            const double norm = course.norms[static_cast<std::size_t>(step)];
            EXPECT_NEAR(result.gradient_norm, norm, within.norms * (norm + 1e-3)) << step;
        }
        states[rank] = many.snapshot(true);
    });
    for (std::size_t step = 0; step < course.losses.size(); ++step) {
        double sum = 0.0;
        for (const auto& own : losses) sum += own.at(step);
        EXPECT_NEAR(sum, course.losses[step], within.losses * course.losses[step]) << step;
    }
    expect_close(states.front(), one.snapshot(true), within.state);
    for (const auto& state : states) expect_equal(state, states.front());
}

}  // namespace strata::parallel::testing

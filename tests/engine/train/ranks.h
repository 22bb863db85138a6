// Several ranks of a run as threads of one process: what mpirun would start, without it.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "engine/parallel/local_group.h"
#include "tests/engine/train/small_run.h"

namespace strata::train {

// What differs between the ranks of a run.
struct Difference {
    std::function<void(int rank, Json& project)> project = {};
    std::function<void(int rank, Recorder&, Control&)> watch = {};
    bool resume = false, doctor = true;
    std::chrono::milliseconds deadline{20'000};
};

class RanksRun : public SmallRun {
protected:
    struct Ended {
        std::vector<EndEvent> ends;       // by rank
        std::vector<Recorder> recorders;  // likewise
        std::vector<bool> told_elsewhere;

        const Recorder& lead() const { return recorders.front(); }
        void expect(RunState state) const {
            for (std::size_t r = 0; r < ends.size(); ++r)
                EXPECT_EQ(ends[r].state, state)
                    << "rank " << r << ": " << (ends[r].error ? ends[r].error->what() : "");
        }
    };
    Ended train_ranks(const Json& json, int ranks, const std::string& name,
                      const Difference& difference = {}) const {
        parallel::LocalGroup group(ranks, difference.deadline);
        const auto count = static_cast<std::size_t>(ranks);
        Ended ended{std::vector<EndEvent>(count), std::vector<Recorder>(count), {}};
        std::vector<char> told(count, 0);
        std::vector<std::thread> threads;
        for (int r = 0; r < ranks; ++r)
            threads.emplace_back([&, r] {
                const auto at = static_cast<std::size_t>(r);
                Json own = json;
                if (difference.project) difference.project(r, own);
                World world(group.rank(r));
                auto control = std::make_shared<Control>();
                if (difference.watch) difference.watch(r, ended.recorders[at], *control);
                RunOptions options;
                if (r == 0) options.run_directory = run_directory(name);
                options.resume = difference.resume;
                options.doctor = difference.doctor;
                options.world = &world;
                ended.ends[at] =
                    Trainer(config(own), options, ended.recorders[at].sink(), control).run();
                told[at] = world.told_elsewhere() ? 1 : 0;
            });
        for (std::thread& thread : threads) thread.join();
        ended.told_elsewhere.assign(told.begin(), told.end());
        return ended;
    }

    // `batch` samples of all ranks together at a time; normalized by no batch's statistics, so that
    // all cuts of a batch are alike.
    Json cut(int batch, int ranks) const {
        Json json = project();
        json["model"]["layers"].erase(4);
        json["data"]["pipeline"][1]["batch_size"] = batch / ranks;
        json["training"]["clipping"] = {{"type", "global_clipnorm"}, {"value", 0.5}};
        return json;
    }
};

inline void expect_same_steps(const std::vector<StepEvent>& a, const std::vector<StepEvent>& b,
                              double tolerance = 1e-5) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(a[i].loss, b[i].loss, tolerance * a[i].loss) << "step " << i;
        EXPECT_NEAR(a[i].gradient_norm, b[i].gradient_norm, 10 * tolerance * a[i].gradient_norm)
            << "step " << i;
        EXPECT_EQ(a[i].samples, b[i].samples) << "step " << i;
        EXPECT_EQ(a[i].update, b[i].update) << "step " << i;
    }
}

}  // namespace strata::train

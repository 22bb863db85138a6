// The doctor of a run of several ranks finds what that of one process does: the gradients of all
// are added up where each holds a share of them.
#include <algorithm>
#include <tuple>

#include "tests/engine/train/deep_layers.h"
#include "tests/engine/train/ranks.h"

namespace strata::train {
namespace {

using Kind = FindingEvent::Kind;

class RanksDoctor : public RanksRun {
protected:
    Json deep(int ranks, int replicas, bool sharded) const {
        Json json = cut(16, ranks * replicas);
        json["model"]["layers"] = with_ten_sigmoids(json["model"]["layers"]);
        json["training"]["epochs"] = 120;  // looks are rarer where they take long
        json["training"]["checkpoint"] = nullptr;
        json["placement"] = {
            {"threads", 1}, {"replicas", replicas}, {"sharded_optimizer", sharded}};
        return json;
    }
    static std::vector<std::string> vanished(const Recorder& recorder) {
        std::vector<std::string> layers;
        for (const FindingEvent& finding : recorder.all<FindingEvent>())
            if (finding.kind == Kind::vanishing_gradients) layers.push_back(finding.layer);
        std::sort(layers.begin(), layers.end());
        return layers;
    }
    // But for one layer at their end: the gradient fades gradually, and when the doctor looks at it
    // depends on how long a look takes.
    static void expect_alike(std::vector<std::string> found, std::vector<std::string> expected,
                             const std::string& name) {
        const std::size_t common = std::min(found.size(), expected.size());
        EXPECT_LE(std::max(found.size(), expected.size()), common + 1) << name;
        found.resize(common);
        expected.resize(common);
        EXPECT_EQ(found, expected) << name;
    }
};

TEST_F(RanksDoctor, FindsWhereTheGradientVanishes) {
    Recorder one;
    ASSERT_EQ(train_as(deep(1, 1, true), "one", one).state, RunState::finished);
    const std::vector<std::string> expected = vanished(one);
    ASSERT_GE(expected.size(), 3U);
    EXPECT_EQ(expected.front(), "deep_0");
    for (const auto& [ranks, replicas, sharded] :
         {std::tuple(2, 1, true), std::tuple(2, 1, false), std::tuple(3, 1, true),
          std::tuple(2, 2, true)}) {
        const std::string name = std::to_string(ranks) + "x" + std::to_string(replicas) +
                                 (sharded ? "-sharded" : "-whole");
        const Ended many = train_ranks(deep(ranks, replicas, sharded), ranks, name);
        many.expect(RunState::finished);
        expect_alike(vanished(many.lead()), expected, name);
        for (std::size_t r = 1; r < many.recorders.size(); ++r)
            EXPECT_TRUE(many.recorders[r].events.empty()) << name;
    }
}

TEST_F(RanksDoctor, ChangesNoResult) {
    const Json json = deep(2, 1, true);
    const Ended with = train_ranks(json, 2, "with");
    const Ended without = train_ranks(json, 2, "without", {.doctor = false});
    with.expect(RunState::finished);
    ASSERT_GE(with.lead().losses().size(), 150U) << "long enough for looks";
    EXPECT_EQ(with.lead().losses(), without.lead().losses());
    EXPECT_TRUE(without.lead().all<FindingEvent>().empty());
}

}  // namespace
}  // namespace strata::train

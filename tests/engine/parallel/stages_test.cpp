// Stages from the devices of layers.
#include "engine/parallel/stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strata::parallel {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Layers by name, device and inputs; all of them pass (8) on.
struct Node {
    const char* name;
    const char* device;
    std::vector<const char*> inputs;
};

graph::Model model_of(const std::vector<Node>& nodes) {
    Json layers = Json::array();
    for (const Node& node : nodes) {
        Json layer{{"name", node.name}, {"device", node.device}};
        if (node.inputs.empty()) {
            layer["type"] = "InputLayer";
            layer["config"] = {{"shape", {8}}};
        } else {
            layer["type"] = node.inputs.size() > 1 ? "Add" : "Activation";
            if (node.inputs.size() == 1) layer["config"] = {{"activation", "relu"}};
            for (const char* input : node.inputs) layer["inputs"].push_back(input);
        }
        layers.push_back(std::move(layer));
    }
    return graph::Model::from_json({{"layers", std::move(layers)}});
}

Stages stages_of(const std::vector<Node>& nodes) {
    const graph::Model model = model_of(nodes);
    return find_stages(model, graph::require_valid(model));
}

TEST(Stages, OneDeviceIsOneStage) {
    const Stages stages = stages_of({{"a", "cpu:0", {}}, {"b", "cpu:0", {"a"}}});
    EXPECT_THAT(stages.devices, ElementsAre("cpu:0"));
    EXPECT_THAT(stages.layers, ElementsAre(ElementsAre(0, 1)));
    EXPECT_THAT(stages.graph.reads, ElementsAre(IsEmpty()));
    EXPECT_EQ(stages.input, 0);
    EXPECT_EQ(stages.output, 0);
}

TEST(Stages, ConsecutiveLayersOfADeviceAreAStage) {
    const Stages stages = stages_of({{"a", "cpu:1", {}},
                                     {"b", "cpu:1", {"a"}},
                                     {"c", "cpu:0", {"b"}},
                                     {"d", "cpu:1", {"c"}},
                                     {"e", "cpu:0", {"d"}}});
    EXPECT_THAT(stages.devices, ElementsAre("cpu:1", "cpu:0"));
    EXPECT_THAT(stages.layers,
                ElementsAre(ElementsAre(0, 1), ElementsAre(2), ElementsAre(3), ElementsAre(4)));
    EXPECT_THAT(stages.graph.device, ElementsAre(0, 1, 0, 1));
    EXPECT_EQ(stages.graph.chunks(), 2) << "can be interleaved";
    EXPECT_EQ(stages.output, 3);
}

// The skip connection ends in the stage of the sum; the branch on the other device lies between.
TEST(Stages, BranchesAndSkips) {
    const Stages stages = stages_of({{"in", "cpu:0", {}},
                                     {"left", "cpu:0", {"in"}},
                                     {"right", "cpu:1", {"in"}},
                                     {"right2", "cpu:1", {"right"}},
                                     {"sum", "cpu:0", {"left", "right2", "in"}},
                                     {"out", "cpu:0", {"sum"}}});
    EXPECT_THAT(stages.layers,
                ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5)));
    EXPECT_THAT(stages.graph.reads, ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(0, 1)));
    EXPECT_THAT(stages.of_layer, ElementsAre(0, 0, 1, 1, 2, 2));
}

// Two ways between the same two devices, crosswise: as two stages for each device they would wait
// for each other if the devices' layers were one stage.
TEST(Stages, NeverWaitInACircle) {
    const Stages stages = stages_of({{"in", "cpu:0", {}},
                                     {"a0", "cpu:0", {"in"}},
                                     {"b1", "cpu:1", {"in"}},
                                     {"a1", "cpu:1", {"a0"}},
                                     {"b0", "cpu:0", {"b1"}},
                                     {"sum", "cpu:0", {"a1", "b0"}}});
    for (int stage = 0; stage < stages.graph.stages(); ++stage)
        for (int source : stages.graph.reads[static_cast<std::size_t>(stage)])
            EXPECT_LT(source, stage);
    const Schedule schedule = make_schedule(ScheduleKind::one_f_one_b, stages.graph, 4);
    EXPECT_EQ(schedule.size(), 2u);
}

}  // namespace
}  // namespace strata::parallel

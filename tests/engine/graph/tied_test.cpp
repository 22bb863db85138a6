// Layers that share weights: counted once, trained as PyTorch trains them, and every fault named.
#include <gtest/gtest.h>

#include <functional>

#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/layers/error_of.h"

namespace strata::graph {
namespace {

using strata::testing::error_of;
using testing::layer;
using testing::model_of;
using testing::sharing;
using testing::tied;

TEST(TiedWeights, AreCountedAtTheirOwner) {
    const Model model = tied();
    const ModelReport report = require_valid(model);
    const std::int64_t conv = 3 * 3 * 2 * 2 + 2, proj = 32 * 5 + 5, mid = 5 * 5 + 5, out = 15 + 3;
    EXPECT_EQ(report.parameters, conv + proj + mid + out);
    EXPECT_EQ(report.trainable_parameters, report.parameters);
    const auto of = [&](const char* name) {
        return report.layers[static_cast<std::size_t>(model.index_of(name))];
    };
    EXPECT_EQ(of("mid").parameters, mid);
    EXPECT_EQ(of("mid").owner, -1);
    for (const char* name : {"mid_again", "mid_beside"}) {
        EXPECT_EQ(of(name).parameters, 0);
        EXPECT_EQ(of(name).owner, model.index_of("mid"));
        EXPECT_TRUE(of(name).variables.empty());
        EXPECT_EQ(of(name).flops, of("mid").flops);
    }
}

TEST(TiedWeights, TakeOverTheOwnersConfiguration) {
    const Json json = tied().to_json();
    const Model again = Model::from_json(json);
    EXPECT_EQ(again.to_json(), json);
    EXPECT_EQ(again.layer("mid_beside").config.json(), again.layer("mid").config.json());
    for (const Json& entry : json["layers"])
        EXPECT_FALSE(entry.contains("shares") && entry.contains("config")) << entry;
    Json equal = json;
    for (Json& entry : equal["layers"])
        if (entry["name"] == "mid_again")
            entry["config"] = {{"units", 5}, {"activation", "tanh"}, {"use_bias", true}};
    EXPECT_EQ(Model::from_json(equal).to_json(), json);
}

std::vector<float> floats(const Json& list) {
    std::vector<float> values;
    for (const Json& value : list) values.push_back(value.get<float>());
    return values;
}

class TiedTraining : public ::testing::TestWithParam<bool> {};

// Also where an update has one micro-batch of several that could be.
TEST_P(TiedTraining, FollowsPyTorch) {
    const Json reference = strata::testing::read_reference("tied.json");
    const std::vector<float> inputs = floats(reference["inputs"]);
    const auto labels = reference["labels"].get<std::vector<std::int32_t>>();
    const auto batch = static_cast<std::int64_t>(labels.size());
    for (const Json& entry : reference["cases"]) {
        const Json& optimizer = entry["optimizer"];
        SCOPED_TRACE(optimizer.dump());
        TrainingSetup setup =
            testing::setup_of(optimizer["class_name"].get<std::string>(), optimizer["config"]);
        setup.accumulates = GetParam();
        Executor executor(tied(), &setup, testing::options_of(batch));
        executor.initialize(reference["seed"].get<std::uint64_t>());
        const auto rate = optimizer["config"]["learning_rate"].get<float>();
        for (std::size_t step = 0; step < entry["losses"].size(); ++step) {
            const BatchResult result =
                executor.train_step(inputs.data(), labels.data(), batch,
                                    testing::scalars_of(rate, static_cast<int>(step) + 1));
            const auto loss = entry["losses"][step].get<double>();
            EXPECT_NEAR(result.loss_sum / static_cast<double>(batch), loss, 1e-5 * loss) << step;
            const auto norm = entry["gradient_norms"][step].get<double>();
            EXPECT_NEAR(result.gradient_norm, norm, 1e-5 * norm) << step;
        }
        const std::vector<HostTensor> weights = executor.snapshot(false);
        ASSERT_EQ(weights.size(), entry["weights"].size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            EXPECT_EQ(weights[i].layer, entry["weights"][i]["layer"]);
            EXPECT_EQ(weights[i].role, entry["weights"][i]["role"]);
            EXPECT_LE(
                strata::testing::distance(weights[i].values, floats(entry["weights"][i]["value"])),
                2e-6);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Accumulates, TiedTraining, ::testing::Bool());

// Two micro-batches of a window give what both give together.
TEST(TiedWeights, AddUpOverAWindow) {
    TrainingSetup setup = testing::setup_of("SGD", {{"momentum", 0.9}});
    Executor whole(tied(), &setup, testing::options_of(6));
    setup.accumulates = true;
    Executor parts(tied(), &setup, testing::options_of(4));
    const Json reference = strata::testing::read_reference("tied.json");
    const std::vector<float> inputs = floats(reference["inputs"]);
    const auto labels = reference["labels"].get<std::vector<std::int32_t>>();
    whole.initialize(2);
    parts.initialize(2);
    for (int step = 1; step <= 3; ++step) {
        ops::StepScalars scalars = testing::scalars_of(0.1F, step);
        whole.train_step(inputs.data(), labels.data(), 6, scalars);
        parts.accumulate(inputs.data(), labels.data(), 4, scalars);
        scalars.first_in_window = false;
        scalars.first_sample = 4;
        parts.accumulate(inputs.data() + 4 * 32, labels.data() + 4, 2, scalars);
        parts.update(6, scalars);
    }
    const std::vector<HostTensor> expected = whole.snapshot(true), found = parts.snapshot(true);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_LE(strata::testing::distance(found[i].values, expected[i].values), 2e-6)
            << expected[i].layer;
}

TEST(TiedWeights, WorkInSixteenBitsAndRecomputed) {
    const Json reference = strata::testing::read_reference("tied.json");
    const std::vector<float> inputs = floats(reference["inputs"]);
    const auto labels = reference["labels"].get<std::vector<std::int32_t>>();
    const auto last_loss = [&](const char* precision, bool recompute) {
        TrainingSetup setup = testing::setup_of("SGD", {{"momentum", 0.9}});
        setup.precision = precision;
        Model model = tied();
        for (LayerNode& node : model.layers) node.recompute = recompute;
        Executor executor(model, &setup, testing::options_of(6));
        executor.initialize(reference["seed"].get<std::uint64_t>());
        double loss = 0.0;
        for (int step = 1; step <= 12; ++step)
            loss =
                executor
                    .train_step(inputs.data(), labels.data(), 6, testing::scalars_of(0.05F, step))
                    .loss_sum /
                6.0;
        return loss;
    };
    const auto expected = reference["cases"][0]["losses"].back().get<double>();
    EXPECT_EQ(last_loss("float32", true), last_loss("float32", false));
    EXPECT_NEAR(last_loss("mixed_bfloat16", false), expected, 0.05 * expected);
    EXPECT_NEAR(last_loss("mixed_float16", false), expected, 0.01 * expected);
}

// ---- what cannot be shared

struct Fault {
    std::string what;
    std::function<void(Json& layers)> make;
    std::string said;  // a part of the message
};

Json& entry_of(Json& layers, const std::string& name) {
    for (Json& entry : layers)
        if (entry["name"] == name) return entry;
    throw Error(ErrorCode::not_found, name, "test");
}

std::vector<Fault> faults() {
    const auto set = [](const char* layer, const char* key, Json value) {
        return [=](Json& layers) { entry_of(layers, layer)[key] = value; };
    };
    return {
        {"nobody", set("mid_again", "shares", "midd"), "there is no layer 'midd'"},
        {"itself", set("mid_again", "shares", "mid_again"), "cannot share its own weights"},
        {"another_type", set("mid_again", "shares", "conv"), "is a Dense, 'conv' is a Conv2D"},
        {"other_parameters", set("mid_again", "config", {{"units", 5}, {"activation", "relu"}}),
         "its parameters are not those of 'mid'"},
        {"a_sharer", set("mid_beside", "shares", "mid_again"), "it shares those of 'mid'"},
        {"a_cycle",
         [](Json& layers) {
             entry_of(layers, "mid")["shares"] = "mid_again";
             entry_of(layers, "mid").erase("config");
         },
         "has no weights of its own"},
        {"a_later_sharer",
         [](Json& layers) {
             entry_of(layers, "proj")["shares"] = "mid_again";
             entry_of(layers, "proj").erase("config");
         },
         "it shares those of 'mid'"},
        {"precision", set("mid_again", "precision", "mixed_bfloat16"),
         "its precision is not that of 'mid'"},
        {"another_size",
         [](Json& layers) { entry_of(layers, "mid_beside")["inputs"] = {"flatten"}; },
         "for its input the kernel would be (32, 5), that of 'mid' is (5, 5)"},
        {"no_text", set("mid_again", "shares", 3), "expected a text"},
    };
}

TEST(TiedWeights, FaultsAreTheLayersThatShares) {
    for (const Fault& fault : faults()) {
        SCOPED_TRACE(fault.what);
        Json json = tied().to_json();
        fault.make(json["layers"]);
        const auto error = error_of([&] { require_valid(Model::from_json(json)); });
        EXPECT_NE(error.message().find(fault.said), std::string::npos) << error.message();
        EXPECT_FALSE(error.hint().empty() && fault.what != "no_text");
    }
}

// What the file says of a sharer, and what it says as null or not at all.
TEST(TiedWeights, GivenKeysAreComparedOneByOne) {
    Json json = tied().to_json();
    entry_of(json["layers"], "mid_again")["config"] = {{"units", 5}};
    entry_of(json["layers"], "mid_beside")["config"] = nullptr;
    entry_of(json["layers"], "gate")["shares"] = nullptr;
    EXPECT_EQ(Model::from_json(json).to_json(), tied().to_json());
    entry_of(json["layers"], "mid")["precision"] = "mixed_float16";
    EXPECT_EQ(Model::from_json(json).layer("mid_again").precision, "mixed_float16");
}

// A use more costs one temporary gradient, not one for each use.
TEST(TiedWeights, UsesTakeTurnsWithOneTemporary) {
    const auto gradient_bytes = [](int uses) {
        std::vector<Json> all{layer("input", "InputLayer", {{"shape", {256}}}),
                              layer("owner", "Dense", {{"units", 256}})};
        for (int i = 2; i <= uses; ++i)
            all.push_back(sharing("use_" + std::to_string(i), "Dense", "owner",
                                  i == 2 ? "owner" : "use_" + std::to_string(i - 1)));
        all.push_back(layer("output", "Dense", {{"units", 3}, {"activation", "softmax"}}));
        const TrainingSetup setup = testing::setup_of();
        return Executor(model_of(all), &setup, testing::options_of(8))
            .memory()[device::Category::gradients];
    };
    EXPECT_EQ(gradient_bytes(4), gradient_bytes(2));
    EXPECT_LE(gradient_bytes(2), 2 * gradient_bytes(1));
}

TEST(TiedWeights, MovingAveragesAndNothingAreNotShared) {
    const auto shared = [](const char* type, const Json& config) {
        return model_of({layer("input", "InputLayer", {{"shape", {4}}}),
                         layer("owner", type, config), sharing("other", type, "owner", "owner")});
    };
    const auto message = [&](const char* type, const Json& config) {
        return error_of([&] { require_valid(shared(type, config)); }).message();
    };
    EXPECT_NE(message("BatchNormalization", Json::object()).find("moving_mean"), std::string::npos);
    EXPECT_NE(message("Dropout", {{"rate", 0.5}}).find("'owner' has no weights"),
              std::string::npos);
    EXPECT_NO_THROW(require_valid(shared("Dense", {{"units", 4}})));
}

}  // namespace
}  // namespace strata::graph

// The project file: what is written is read again, keys are checked, `--set` finds its place.
#include <gtest/gtest.h>

#include <limits>

#include "engine/core/error.h"
#include "engine/train/best_metric.h"
#include "engine/train/run_config.h"

namespace strata::train {
namespace {

std::string error_of(const Json& json) {
    try {
        project_from_json(json, "p.strata");
    } catch (const Error& error) {
        return error.where() + ": " + error.message() + ". " + error.hint();
    }
    return {};
}

TEST(ProjectTest, TemplatesAreReadAsTheyAreWritten) {
    ASSERT_GE(templates().size(), 2U);
    for (const Template& entry : templates()) {
        const Json json = project_to_json(make_template(entry.name));
        EXPECT_EQ(project_to_json(project_from_json(json, "p.strata")).dump(), json.dump());
        EXPECT_NO_THROW(graph::require_valid(make_template(entry.name).model));
    }
}

TEST(ProjectTest, EveryKeySurvives) {
    Json json = project_to_json(make_template("classic"));
    json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"momentum", 0.9}}}};
    json["training"].erase("checkpoint");
    json["training"]["initial_weights"] = "w.h5";
    json["training"]["checkpoint"] = nullptr;
    json["data"]["pipeline"] = {{{"stage", "shuffle"}, {"buffer_size", 100}},
                                {{"stage", "batch"}, {"batch_size", 7}, {"drop_remainder", true}}};
    json["placement"] = {{"threads", 3}};
    const RunConfig config = project_from_json(json, "p.strata");
    EXPECT_EQ(config.training.optimizer, "SGD");
    EXPECT_FALSE(config.training.checkpoint.enabled);
    EXPECT_EQ(config.data.pipeline.shuffle_buffer, 100);
    EXPECT_EQ(config.data.pipeline.batch_size, 7);
    EXPECT_TRUE(config.data.pipeline.drop_remainder);
    EXPECT_EQ(config.data.pipeline.prefetch, 0);
    EXPECT_FALSE(config.data.cache);
    EXPECT_EQ(config.placement.threads, 3);
    EXPECT_EQ(project_to_json(config).dump(), json.dump());
}

TEST(ProjectTest, BatchStatisticsAreANamedChoice) {
    Json json = project_to_json(make_template("classic"));
    EXPECT_FALSE(json["training"].contains(batch_statistics_key)) << "the default is not written";
    json["training"][batch_statistics_key] = "deferred";
    const RunConfig config = project_from_json(json, "p.strata");
    EXPECT_EQ(config.training.batch_statistics, BatchStatistics::deferred);
    EXPECT_EQ(project_to_json(config)["training"][batch_statistics_key], "deferred");
    json["training"][batch_statistics_key] = "defered";
    const std::string error = error_of(json);
    EXPECT_NE(error.find("training.batch_normalization_statistics"), std::string::npos) << error;
    EXPECT_NE(error.find("Did you mean 'deferred'?"), std::string::npos) << error;
}

// A file that people compare: a layer is a line.
TEST(ProjectTest, IsWrittenToBeRead) {
    const std::string text = pretty_json(project_to_json(make_template("classic")));
    EXPECT_NE(text.find("\n      {\"name\": \"flatten\", \"type\": \"Flatten\", \"inputs\": "
                        "[\"rescaling\"]},\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(parse_json(text, ""), project_to_json(make_template("classic")));
    EXPECT_EQ(pretty_json(Json::object()), "{}\n");
}

TEST(ProjectTest, FaultsNameTheKey) {
    Json json = project_to_json(make_template("classic"));
    json["trainig"] = 1;
    EXPECT_NE(error_of(json).find("Did you mean 'training'?"), std::string::npos);
    json.erase("trainig");
    json["strata"] = project_version + 1;
    EXPECT_NE(error_of(json).find("newer"), std::string::npos);
    json["strata"] = 1;
    json["data"]["pipeline"] = {{{"stage", "batch"}}, {{"stage", "shuffle"}}};
    EXPECT_NE(error_of(json).find("order"), std::string::npos);
    json["data"].erase("pipeline");
    json["placement"] = {{"threads", "two"}};
    EXPECT_NE(error_of(json).find("placement.threads"), std::string::npos);
}

TEST(OverrideTest, ReachesLayersStagesAndSections) {
    Json json = project_to_json(make_template("classic"));
    apply_override(json, "training.epochs=3");
    apply_override(json, "model.layers.hidden.config.units=64");
    apply_override(json, "data.pipeline.batch.batch_size=32");
    apply_override(json, "training.optimizer=SGD");
    apply_override(json, "training.optimizer.config.learning_rate=0.02");
    apply_override(json, "name=two = three");
    const RunConfig config = project_from_json(json, "p.strata");
    EXPECT_EQ(config.training.epochs, 3);
    EXPECT_EQ(config.model.layer("hidden").config.integer("units"), 64);
    EXPECT_EQ(config.data.pipeline.batch_size, 32);
    EXPECT_EQ(config.training.optimizer, "SGD");
    EXPECT_EQ(config.training.optimizer_config.at("learning_rate"), 0.02);
    EXPECT_EQ(config.name, "two = three");
    EXPECT_THROW(apply_override(json, "model.layers.nobody.config.units=1"), Error);
    EXPECT_THROW(apply_override(json, "training.epochs.x=1"), Error);
    EXPECT_THROW(apply_override(json, "=1"), Error);
    EXPECT_THROW(apply_override(json, "training..epochs=1"), Error);
}

BestMetric metric(const std::string& monitor, const std::string& mode = "auto") {
    CheckpointConfig config;
    config.monitor = monitor;
    config.mode = mode;
    return BestMetric(config, {"accuracy"}, true);
}

std::vector<bool> saved(BestMetric metric_of_run, const std::vector<double>& values) {
    std::vector<bool> result;
    for (double value : values)
        result.push_back(metric_of_run.improves({{metric_of_run.monitor(), value}}));
    return result;
}

// SEMANTICS "Checkpoints": NaN never becomes best; [NaN, 0.5, 0.7] with mode max saves at 2 and 3.
TEST(BestMetricTest, FollowsTheRules) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(saved(metric("val_accuracy", "max"), {nan, 0.5, 0.7}),
              (std::vector<bool>{false, true, true}));
    EXPECT_EQ(saved(metric("val_accuracy"), {0.5, 0.5, 0.4, 0.6}),
              (std::vector<bool>{true, false, false, true}));
    EXPECT_EQ(saved(metric("val_loss"), {1.0, nan, 1.0, 0.5}),
              (std::vector<bool>{true, false, false, true}));
    EXPECT_EQ(saved(metric("loss", "max"), {1.0, 0.5, 2.0}),
              (std::vector<bool>{true, false, true}));
    EXPECT_THROW(metric("val_f1"), Error);
    CheckpointConfig config;
    EXPECT_EQ(BestMetric(config, {}, false).monitor(), "loss");
}

TEST(ProjectTest, NamesHoldNoControlCharacters) {
    const auto named = [](const std::string& name) {
        return error_of({{"strata", 1}, {"name", name}});
    };
    EXPECT_EQ(named("কাপড় 👕 é"), "");
    EXPECT_EQ(named("two\nlines").find("p.strata, name: "), 0U) << named("two\nlines");
    EXPECT_NE(named("two\nlines").find("U+000A"), std::string::npos);
    EXPECT_NE(named(std::string("a\0b", 3)).find("U+0000"), std::string::npos);
    EXPECT_NE(named("\xC2\x85").find("U+0085"), std::string::npos);
}

TEST(ProjectTest, APrecisionIsSuggestedByItsEnd) {
    const std::string error = error_of({{"strata", 1}, {"training", {{"precision", "bfloat16"}}}});
    EXPECT_NE(error.find("Did you mean 'mixed_bfloat16'?"), std::string::npos) << error;
}

TEST(ProjectTest, Tf32IsAskedFor) {
    Json json = {{"strata", 1}};
    EXPECT_FALSE(project_from_json(json, "p.strata").training.allow_tf32);
    apply_override(json, "training.allow_tf32=true");
    const RunConfig config = project_from_json(json, "p.strata");
    EXPECT_TRUE(config.training.allow_tf32);
    EXPECT_EQ(project_to_json(config)["training"]["allow_tf32"], true);
    EXPECT_FALSE(project_to_json(RunConfig{})["training"].contains("allow_tf32"));
    EXPECT_NE(error_of({{"strata", 1}, {"training", {{"allow_tf32", "yes"}}}}), "");
}

TEST(ProjectTest, WhatBeginsAsJsonIsNoText) {
    Json json = {{"strata", 1}};
    for (const char* text : {"training.clipping={type:x", "training.metrics=[accuracy]", "name=\"a",
                             "training.clipping= {\"a\": }"}) {
        try {
            apply_override(json, text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
            EXPECT_NE(error.message().find("not valid JSON"), std::string::npos) << error.what();
            EXPECT_NE(error.where().find("--set "), std::string::npos);
        }
    }
    apply_override(json, "name=plain {text}");
    EXPECT_EQ(json["name"], "plain {text}");
}

}  // namespace
}  // namespace strata::train

// The pipeline's stages in a project file: what is read, written again and refused.
#include "engine/train/pipeline_json.h"

#include <gtest/gtest.h>
#include "tests/engine/layers/error_of.h"

namespace strata::train {
namespace {

using strata::testing::error_of;

DataConfig read(const char* text) {
    DataConfig data;
    read_pipeline(parse_json(text, "test"), data);
    return data;
}

constexpr const char* full = R"([
    {"stage": "cache", "where": "disk"}, {"stage": "shuffle", "buffer_size": 1000},
    {"stage": "map", "layers": [
        {"type": "RandomFlip", "config": {"mode": "horizontal"}},
        {"type": "RandomRotation", "config": {"factor": 0.1}}], "threads": 3},
    {"stage": "batch", "batch_size": 32},
    {"stage": "prefetch", "buffer_size": "auto", "memory_mib": 64}])";

TEST(PipelineJson, EachStageSurvives) {
    const DataConfig data = read(full);
    EXPECT_TRUE(data.cache);
    EXPECT_EQ(data.pipeline.cache_place, data::CachePlace::disk);
    EXPECT_FALSE(data.pipeline.cache_after_map);
    ASSERT_EQ(data.pipeline.map.size(), 2U);
    EXPECT_EQ(data.pipeline.map[0].config.text("mode"), "horizontal");
    EXPECT_EQ(data.pipeline.map_threads, 3);
    EXPECT_TRUE(data.pipeline.autotune);
    EXPECT_EQ(data.pipeline.memory_bound, 64U << 20);
    EXPECT_EQ(pipeline_to_json(data).dump(), parse_json(full, "test").dump());
}

TEST(PipelineJson, TheCacheStandsOnEitherSideOfMap) {
    const DataConfig data = read(R"([{"stage": "map", "layers": [{"type": "RandomFlip"}]},
        {"stage": "cache"}, {"stage": "batch"}])");
    EXPECT_TRUE(data.pipeline.cache_after_map);
    EXPECT_FALSE(source_in_memory(data)) << "the source's samples are needed once";
    EXPECT_EQ(pipeline_to_json(data)[1]["stage"], "cache");
    EXPECT_EQ(pipeline_warnings(data).size(), 1U) << "the augmentation is frozen";
    EXPECT_TRUE(pipeline_warnings(read(full)).empty());
    EXPECT_TRUE(source_in_memory(read(R"([{"stage": "cache"}, {"stage": "batch"}])")));
    EXPECT_FALSE(source_in_memory(read(R"([{"stage": "batch"}])")));
    EXPECT_FALSE(source_in_memory(read(full)));
}

TEST(PipelineJson, ValidationIsNotAugmented) {
    const data::PipelineOptions training = training_pipeline(read(full));
    const data::PipelineOptions validation = evaluation_pipeline(read(full));
    EXPECT_TRUE(training.cache && training.shuffle && training.augment);
    EXPECT_TRUE(validation.cache);
    EXPECT_FALSE(validation.shuffle || validation.augment || validation.drop_remainder);
    EXPECT_EQ(validation.map.size(), 2U) << "its samples have another type";
}

struct Refused {
    const char *stages, *where;
};

TEST(PipelineJson, NamesTheStageThatIsWrong) {
    const Refused all[] = {
        {R"([{"stage": "batch"}, {"stage": "map", "layers": [{"type": "RandomFlip"}]}])",
         "data.pipeline[1]"},
        {R"([{"stage": "cache"}, {"stage": "map", "layers": [{"type": "RandomFlip"}]},
             {"stage": "cache"}, {"stage": "batch"}])",
         "data.pipeline[2]"},
        {R"([{"stage": "shuffle"}, {"stage": "cache"}, {"stage": "batch"}])", "data.pipeline[1]"},
        {R"([{"stage": "cache", "where": "tape"}, {"stage": "batch"}])", "data.pipeline[0].where"},
        {R"([{"stage": "map"}, {"stage": "batch"}])", "data.pipeline[0].layers"},
        {R"([{"stage": "map", "layers": []}, {"stage": "batch"}])", "data.pipeline[0].layers"},
        {R"([{"stage": "map", "layers": [{"type": "Dense"}]}, {"stage": "batch"}])",
         "data.pipeline[0].layers[0], type"},
        {R"([{"stage": "map", "layers": [{"type": "RandomRotation", "config": {"factor": 2}}]},
             {"stage": "batch"}])",
         "data.pipeline[0].layers[0], factor"},
        {R"([{"stage": "map", "layers": [{"type": "RandomFlip"}], "threads": -1},
             {"stage": "batch"}])",
         "data.pipeline[0].threads"},
        {R"([{"stage": "batch"}, {"stage": "prefetch", "buffer_size": 0}])",
         "data.pipeline[1].buffer_size"},
        {R"([{"stage": "batch"}, {"stage": "prefetch", "buffer_size": "many"}])",
         "data.pipeline[1].buffer_size"},
        {R"([{"stage": "cache"}])", "data.pipeline"}};
    for (const Refused& each : all) {
        const Error error = error_of([&] { read(each.stages); });
        EXPECT_EQ(error.where(), each.where) << error.what();
    }
}

}  // namespace
}  // namespace strata::train

// A project: what NAME.strata holds and what a run is made from. Plain data; knows no device and
// runs nothing. Keys are those of ARCHITECTURE.md "What is on disk".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/data/pipeline.h"
#include "engine/graph/model.h"
#include "engine/parallel/placement.h"
#include "engine/train/techniques.h"

namespace strata::train {

inline constexpr int project_version = 1;

struct DataConfig {
    Json source;  // {"type": "idx", ...}; null: none chosen yet
    Json test;    // likewise, optional
    double validation_split = 0.1;
    data::PipelineOptions pipeline;
    bool cache = true;
};

struct TrainingConfig {
    std::int64_t epochs = 5;
    std::uint64_t seed = 1;
    std::string loss = "sparse_categorical_crossentropy";
    std::vector<std::string> metrics{"accuracy"};
    std::string optimizer = "Adam";
    Json optimizer_config = Json::object();  // only what differs from the defaults
    std::string initial_weights;  // path of an .h5 to start from ("strata import"), relative to the
                                  // project; "" = initializers
    std::string precision = "float32";             // float32, mixed_bfloat16, mixed_float16
    bool allow_tf32 = false;                       // of float32 products on GPUs
    LossScaleConfig loss_scale;                    // of mixed_float16
    std::int64_t gradient_accumulation_steps = 1;  // micro-batches an update
    BatchStatistics batch_statistics = BatchStatistics::each_micro_batch;
    ClippingConfig clipping;
    Json schedule = Json();  // learning_rate_schedule; null: constant
    RateScalingConfig rate_scaling;
    EmaConfig ema;
    RecomputationConfig recomputation;
    EarlyStoppingConfig early_stopping;
    CheckpointConfig checkpoint;
};

struct RunConfig {
    std::string name = "untitled";
    graph::Model model;
    DataConfig data;
    TrainingConfig training;
    parallel::PlacementOptions placement;
    std::string base;  // directory of the project file, for relative paths; not written
};

// Throws Error naming the key: unknown keys, wrong types, unknown layer, a newer version ("this
// project was written by a newer Strata Studio (version 2; this one reads up to 1)").
RunConfig project_from_json(const Json& json, const std::string& where);
Json project_to_json(const RunConfig& config);
RunConfig load_project(const std::string& path);
void save_project(const RunConfig& config, const std::string& path);  // atomically

// "training.epochs=3", "model.layers.hidden.config.units=64", "data.pipeline.batch.batch_size=32",
// "training.optimizer.config.learning_rate=0.01": the value is JSON, or else a text, which begins
// with none of { [ ". Throws Error naming key and nearest key.
void apply_override(Json& project, const std::string& assignment);
// Throws Error where that is no KEY=VALUE.
void check_override(const std::string& assignment);

// Templates that `strata new` and the studio's welcome page offer.
struct Template {
    std::string name;   // "classic"
    std::string title;  // "Fashion-MNIST classic"
    std::string doc;    // one sentence
};
const std::vector<Template>& templates();
RunConfig make_template(
    const std::string& name);  // throws Error{not_found} with the names that there are

}  // namespace strata::train

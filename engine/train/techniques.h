// The training techniques of a project, each a switch with its few options: keys of "training".
// Plain data; training_json reads and writes them, the trainer and the plan obey.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace strata::train {

// "loss_scale": "dynamic", a number (fixed), or {"initial", "growth_interval"}.
struct LossScaleConfig {
    bool dynamic = true;
    double initial = 32768.0;             // fixed: the scale
    std::int64_t growth_interval = 2000;  // finite updates in a row before it doubles
};

// "batch_normalization_statistics": when the moving averages of BatchNormalization follow the data
// of a window of "gradient_accumulation_steps" micro-batches. each_micro_batch: with each one that
// comes, as in Keras, also with those of a step that is then skipped. deferred: once an update,
// with mean and variance over all samples of the window; a skipped step leaves them alone. Training
// itself normalises by the micro-batch's own mean and variance either way.
enum class BatchStatistics : std::uint8_t { each_micro_batch, deferred };
const char* name_of(BatchStatistics statistics);  // "each_micro_batch", "deferred"
inline constexpr const char* batch_statistics_key = "batch_normalization_statistics";

enum class Clipping : std::uint8_t { none, value, norm, global_norm };
const char* name_of(Clipping clipping);  // Keras: "clipvalue", "clipnorm", "global_clipnorm"

// "clipping": null or {"type": "global_clipnorm", "value": 1.0}; also {"global_clipnorm": 1.0}.
struct ClippingConfig {
    Clipping type = Clipping::none;
    double value = 1.0;
};

// "scale_lr": none, linear or sqrt: the learning rate times the number of model copies that train
// together (replicas times processes), or its root. "warmup_epochs": it rises to that from the
// share of one copy.
enum class ScaleRate : std::uint8_t { none, linear, square_root };
const char* name_of(ScaleRate scale);  // "none", "linear", "sqrt"
inline constexpr const char* scale_rate_key = "scale_lr";
inline constexpr const char* warmup_epochs_key = "warmup_epochs";

struct RateScalingConfig {
    ScaleRate scale = ScaleRate::none;
    double warmup_epochs = 0.0;
};

// "ema": null or {"momentum": 0.99}: a moving average of the weights, kept beside them; validation
// and test use it.
struct EmaConfig {
    bool enabled = false;
    double momentum = 0.99;
};

// "recomputation": null (only the layers that the model marks) or {"memory_limit": bytes}: as few
// more as make the plan fit.
struct RecomputationConfig {
    std::int64_t memory_limit = 0;  // bytes of the arena; 0: none
};

// "early_stopping": null or an object; Keras's EarlyStopping.
struct EarlyStoppingConfig {
    bool enabled = false;
    std::string monitor = "val_loss";  // becomes "loss" in a run without validation, when not given
    std::string mode = "auto";         // auto, min, max
    double min_delta = 0.0;
    std::int64_t patience = 0;  // epochs
    std::optional<double> baseline;
    bool restore_best_weights = false;
    std::int64_t start_from_epoch = 0;
};

// "checkpoint": null (none but the one at the run's end) or an object; Keras's ModelCheckpoint.
struct CheckpointConfig {
    bool enabled = true;
    std::string monitor = "val_loss";  // becomes "loss" in a run without validation, when not given
    std::string mode = "auto";         // auto, min, max
    bool save_best_only = false;  // only best.h5 is written at an epoch's end; last.h5 at the run's
                                  // end in any case
    std::int64_t save_freq = 0;   // updates between two; 0: "epoch"
    double save_minutes = 1.0;    // also after so much time; 0: never
    std::int64_t keep_last = 1;   // 1: last.h5 is written over; n: the newest n of `filename`
    std::string filename;         // "checkpoint-{epoch:02d}-{val_loss:.3f}.h5"; "": by keep_last
};

}  // namespace strata::train

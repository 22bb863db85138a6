// The training doctor: finds from numbers what goes wrong in a run, says it with evidence, and what
// helps. Fed by the trainer; measures nothing itself (that is Examiner's).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/train/best_metric.h"
#include "engine/train/events.h"

namespace strata::train {

// What the doctor knows of the project, for its fixes.
struct DoctorSetup {
    double learning_rate = 0.0;  // of the optimizer's config; 0: unknown
    bool clips = false, stops_early = false;
    std::int64_t map_threads = 0;                    // fixed by the project; 0: found by itself
    bool fixed_prefetch = false;                     // a stage prefetch that is not autotuned
    std::map<std::string, std::string> activations;  // of the layers that have one
};

struct StepValues {
    std::int64_t update = 0, epoch = 0;  // from 1
    std::int64_t samples = 0;
    double loss = 0.0, gradient_norm = 0.0;
};

// A finding is told when its rule holds for the first time, and again only after it was over.
class Doctor {
public:
    Doctor(DoctorSetup setup, std::function<void(FindingEvent)> tell)
        : setup_(std::move(setup)), tell_(std::move(tell)) {}

    // learning_rate_too_high, in the first 200 updates of a run or after learning_rate_raised():
    // the mean loss of 8 updates is above twice the first loss; or the loss of 16 updates moves by
    // more than half of its mean from one to the next (batches of 16 samples or more) while the
    // mean is above 0.9 times the first loss. Over: the mean of 8 is below the first loss and the
    // swings are below a quarter.
    // exploding_gradients: the median norm of 8 updates is above 1 and 20 times the median of the
    // 8 to 64 before. Over: below 5 times that.
    void after_step(const StepValues& step);
    void learning_rate_raised();

    // vanishing_gradients: a layer's norm is below 1e-4 of the largest one in 3 looks in a row.
    // Over: above 1e-3.
    void layer_gradients(const std::vector<graph::GradientNorm>& norms);
    // dead_units: half of the units or more gave nothing but 0 in each of 3 looks in a row; a third
    // is usual for a few samples. Over: less than a quarter.
    void layer_activity(const std::vector<graph::LayerActivity>& activities);

    // starved_of_data: a quarter of 2 seconds or more went into waiting. Over: less than a tenth.
    // limit: a sentence that says which stage is slow; stage: its name.
    void data_wait(double waited, double seconds, const std::string& limit,
                   const std::string& stage);

    // overfitting from the epoch after the best val_loss: that is 3 epochs or more ago, val_loss is
    // 5 % above it and the training loss 5 % below the one of then. Over: a new best.
    // plateau: in the last 5 epochs neither the training loss nor val_loss came 0.5 % below its
    // best before, and it is no overfitting. Over: one did.
    void after_epoch(std::int64_t epoch, const EpochValues& values);

private:
    using Kind = FindingEvent::Kind;
    struct Words {
        std::string evidence, advice, fix;
        std::string layer;  // where the finding as such is of the whole run
    };

    void judge(Kind kind, const std::string& layer, bool ill, bool well,
               const std::function<Words()>& words);
    bool is_open(Kind kind) const { return open_.count({kind, ""}) > 0; }
    void check_learning_rate(const StepValues& step);
    void check_growth(double norm);
    Words explosion(double recent) const;
    bool check_overfitting(double loss);
    void check_plateau(double loss);
    std::string lower_rate(double divisor) const;

    DoctorSetup setup_;
    std::function<void(FindingEvent)> tell_;
    std::set<std::pair<Kind, std::string>> open_;
    std::int64_t update_ = 0, epoch_ = 0;

    std::deque<double> losses_;                   // the last 16
    double first_loss_ = 0.0;                     // mean of the first samples, 8 or more
    std::int64_t first_samples_ = 0, early_ = 0;  // updates that are still early
    bool begun_ = false;

    std::deque<double> norms_;  // the last 72
    double usual_norm_ = 0.0;   // before it grew
    std::vector<graph::GradientNorm> last_norms_;
    std::map<std::string, int> vanished_;                   // looks in a row
    std::map<std::string, std::deque<std::int64_t>> dead_;  // units of the last 3 looks

    double waited_ = 0.0, wait_seconds_ = 0.0;

    std::vector<double> epoch_losses_, val_losses_;
    std::int64_t first_epoch_ = 0;  // of epoch_losses_[0]
};

}  // namespace strata::train

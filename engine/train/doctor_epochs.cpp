// The doctor's findings that need whole epochs.
#include <algorithm>
#include <cmath>

#include "engine/core/text.h"
#include "engine/layers/text.h"
#include "engine/train/doctor.h"

namespace strata::train {
namespace {

using layers::number_text;

constexpr std::size_t overfitting_epochs = 3, plateau_epochs = 5;
constexpr double risen = 1.05, fallen = 0.95, better = 0.995;

// Whether the last epochs brought nothing that is better than all before.
bool stands_still(const std::vector<double>& values) {
    if (values.size() <= plateau_epochs) return values.empty();
    const auto split = values.end() - static_cast<std::ptrdiff_t>(plateau_epochs);
    return *std::min_element(split, values.end()) >
           better * *std::min_element(values.begin(), split);
}

}  // namespace

void Doctor::after_epoch(std::int64_t epoch, const EpochValues& values) {
    epoch_ = epoch;
    if (epoch_losses_.empty()) first_epoch_ = epoch;
    const double loss = values.at("loss");
    epoch_losses_.push_back(loss);
    bool overfits = false;
    if (const auto it = values.find("val_loss"); it != values.end()) {
        val_losses_.push_back(it->second);
        overfits = check_overfitting(loss);
    }
    if (!overfits) check_plateau(loss);
}

bool Doctor::check_overfitting(double loss) {
    const auto best = std::min_element(val_losses_.begin(), val_losses_.end());
    const auto at = static_cast<std::size_t>(best - val_losses_.begin());
    const double now = val_losses_.back();
    const bool ill = val_losses_.size() - 1 - at >= overfitting_epochs && now > risen * *best &&
                     loss < fallen * epoch_losses_[at];
    const std::int64_t best_epoch = first_epoch_ + static_cast<std::int64_t>(at);
    judge(Kind::overfitting, "", ill, best + 1 == val_losses_.end(), [&] {
        Words words;
        words.evidence = "from epoch " + std::to_string(best_epoch + 1) +
                         " on: val_loss rose from " + number_text(*best) + " in epoch " +
                         std::to_string(best_epoch) + " to " + number_text(now) + " in epoch " +
                         std::to_string(epoch_) + ", while the training loss fell from " +
                         number_text(epoch_losses_[at]) + " to " + number_text(loss);
        words.advice =
            "Stop at the best epoch, or use Dropout, augmentation, weight decay or more data";
        if (!setup_.stops_early)
            words.fix = R"(training.early_stopping={"monitor": "val_loss", "patience": 3, )"
                        R"("restore_best_weights": true})";
        return words;
    });
    return is_open(Kind::overfitting);
}

void Doctor::check_plateau(double loss) {
    const bool long_enough = epoch_losses_.size() > plateau_epochs;
    const bool still = stands_still(epoch_losses_) && stands_still(val_losses_);
    judge(Kind::plateau, "", long_enough && still && loss > 0.0, !still, [&] {
        const auto split = epoch_losses_.end() - static_cast<std::ptrdiff_t>(plateau_epochs);
        Words words;
        words.evidence = "the training loss was " +
                         number_text(*std::min_element(epoch_losses_.begin(), split)) +
                         " at best up to epoch " +
                         std::to_string(epoch_ - static_cast<std::int64_t>(plateau_epochs)) +
                         ", and " + number_text(*std::min_element(split, epoch_losses_.end())) +
                         " at best in the " + std::to_string(plateau_epochs) + " epochs since";
        words.advice = "Lower the learning rate, or end here; a larger model may learn more";
        words.fix = lower_rate(3.0);
        return words;
    });
}

}  // namespace strata::train

#include "ui/techniques/technique.h"

namespace strata::ui {
namespace {

constexpr std::int64_t usualWindow = 4, usualPatience = 3, usualLimit = std::int64_t{1} << 30;
constexpr int usualReplicas = 2, usualMicroBatches = 4, usualProcesses = 2;

}  // namespace

bool isOn(const train::RunConfig& config, Technique technique) {
    const train::TrainingConfig& training = config.training;
    switch (technique) {
        case Technique::precision:
            return training.precision != "float32";
        case Technique::tf32:
            return training.allow_tf32;
        case Technique::accumulation:
            return training.gradient_accumulation_steps > 1;
        case Technique::clipping:
            return training.clipping.type != train::Clipping::none;
        case Technique::schedule:
            return !training.schedule.is_null();
        case Technique::ema:
            return training.ema.enabled;
        case Technique::earlyStopping:
            return training.early_stopping.enabled;
        case Technique::checkpoints:
            return training.checkpoint.enabled;
        case Technique::recomputation:
            return training.recomputation.memory_limit > 0;
        case Technique::dataParallel:
            return config.placement.replicas > 1;
        case Technique::devicePipeline:
            return config.placement.micro_batches > 1;
        case Technique::distributed:
            return config.placement.ranks > 1;
    }
    return false;
}

void switchTechnique(train::RunConfig& config, Technique technique, bool on) {
    train::TrainingConfig& training = config.training;
    switch (technique) {
        case Technique::precision:
            training.precision = on ? "mixed_bfloat16" : "float32";
            break;
        case Technique::tf32:
            training.allow_tf32 = on;
            break;
        case Technique::accumulation:
            training.gradient_accumulation_steps = on ? usualWindow : 1;
            break;
        case Technique::clipping:
            training.clipping.type = on ? train::Clipping::global_norm : train::Clipping::none;
            break;
        case Technique::schedule:
            training.schedule = on ? Json{{"type", "CosineDecay"}} : Json();
            break;
        case Technique::ema:
            training.ema.enabled = on;
            break;
        case Technique::earlyStopping:
            training.early_stopping.enabled = on;
            if (on && training.early_stopping.patience == 0)
                training.early_stopping.patience = usualPatience;
            break;
        case Technique::checkpoints:
            training.checkpoint.enabled = on;
            break;
        case Technique::recomputation:
            training.recomputation.memory_limit = on ? usualLimit : 0;
            break;
        case Technique::dataParallel:
            config.placement.replicas = on ? usualReplicas : 1;
            config.placement.devices.clear();
            break;
        case Technique::devicePipeline:
            config.placement.micro_batches = on ? usualMicroBatches : 1;
            break;
        case Technique::distributed:
            config.placement.ranks = on ? usualProcesses : 0;
            break;
    }
}

}  // namespace strata::ui

// What a run does with the gradients of one window, as ops: accumulate, norm, clip, update,
// average.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/optimizers/optimizer.h"
#include "tests/engine/ops/op_runner.h"

namespace strata::optimizers::testing {

class UpdateChain {
public:
    struct Settings {
        std::string type = "SGD";
        Json config = Json::object();
        std::string clipping = {};  // Keras's name: "clipvalue", "clipnorm", "global_clipnorm"
        float limit = 0.0F;
        std::vector<std::int64_t> segments = {};  // elements of each variable
        std::optional<float> ema = {};
    };

    UpdateChain(const Settings& settings, const std::vector<float>& initial)
        : optimizer_(find_optimizer(settings.type)),
          config_(layers::Config::checked(optimizer_.params, settings.config)),
          n_(static_cast<std::int64_t>(initial.size())) {
        weights_ = runner_.add(Shape{n_});
        sum_ = runner_.add(Shape{n_});
        gradient_ = accumulator_.add(Shape{n_});
        accumulated_ = accumulator_.add(Shape{n_});
        accumulator_.compile(ops::AccumulateGradient{}, {accumulated_, gradient_}, {accumulated_});
        norm_ = runner_.add(Shape{}, DType::float64);
        runner_.emit(ops::SumOfSquares{}, {sum_}, {norm_});
        emit_clip_and_update(settings);
        if (settings.ema) {
            average_ = runner_.add(Shape{n_});
            runner_.emit(ops::EmaUpdate{*settings.ema}, {average_, weights_, norm_}, {average_});
        }
        runner_.compile();
        runner_.set(weights_, initial);
        if (settings.ema) runner_.set(average_, std::vector<float>(initial.size(), NAN));
        scalars_.learning_rate = static_cast<float>(config_.number("learning_rate"));
        scalars_.weight_decay = static_cast<float>(weight_decay(config_));
        scalars_.clip_limit = settings.limit;
    }

    // A micro-batch's sum of gradients.
    void accumulate(const std::vector<float>& gradient) {
        accumulator_.set(gradient_, gradient);
        accumulator_.run(scalars_);
        scalars_.first_in_window = false;
    }

    // Ends the window; gives whether it was applied. gradient_scale: 1 / (loss_scale * samples).
    bool update(double gradient_scale) {
        runner_.set(sum_, accumulator_.get<float>(accumulated_));
        scalars_.gradient_scale = gradient_scale;
        runner_.run(scalars_);
        scalars_.first_in_window = true;
        const bool applied = std::isfinite(runner_.get<double>(norm_)[0]);
        if (applied) ++scalars_.update;
        return applied;
    }

    std::vector<float> weights() const { return runner_.get<float>(weights_); }
    std::vector<float> average() const { return runner_.get<float>(average_); }
    std::vector<float> slot(std::size_t i) const { return runner_.get<float>(slots_.at(i)); }
    double norm() const {  // before clipping, as it is reported
        return std::sqrt(runner_.get<double>(norm_)[0]) * scalars_.gradient_scale;
    }
    std::int64_t next_update() const { return scalars_.update; }

private:
    void emit_clip_and_update(const Settings& settings) {
        auto clip = ops::ClipKind::none;
        if (settings.clipping == "clipvalue") clip = ops::ClipKind::value;
        if (settings.clipping == "global_clipnorm") clip = ops::ClipKind::global_norm;
        if (settings.clipping == "clipnorm") {
            ops::ClipByVariableNorm op;
            std::int64_t offset = 0;
            for (std::int64_t count : settings.segments) {
                op.segments.push_back({offset, count});
                offset += count;
            }
            runner_.emit(op, {sum_}, {sum_});
        }
        std::vector<ops::ValueId> inputs{weights_, sum_}, outputs{weights_};
        for (std::size_t i = 0; i < optimizer_.slots(config_).size(); ++i) {
            slots_.push_back(runner_.add(Shape{n_}));
            inputs.push_back(slots_.back());
            outputs.push_back(slots_.back());
        }
        inputs.push_back(norm_);
        runner_.emit(optimizer_.update(config_, clip), inputs, outputs);
    }

    const OptimizerDescription& optimizer_;
    layers::Config config_;
    std::int64_t n_;
    strata::testing::OpRunner runner_, accumulator_;
    ops::ValueId weights_ = 0, sum_ = 0, norm_ = 0, average_ = 0, gradient_ = 0, accumulated_ = 0;
    std::vector<ops::ValueId> slots_;
    ops::StepScalars scalars_;
};

}  // namespace strata::optimizers::testing

// A short training on the device in each precision beside the CPU's in float32.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/random.h"
#include "engine/selftest/checks.h"
#include "engine/selftest/steps.h"

namespace strata::selftest {
namespace {

constexpr std::int64_t side = 8, batch = 16;
constexpr int classes = 4, steps = 24, batches = 4;
constexpr int compared = 8;  // steps whose losses are compared
constexpr float rate = 0.01F;

// Pictures with one bright row among noise: its place is the class.
struct Pictures {
    std::vector<float> pixels;
    std::vector<std::int32_t> labels;
};

Pictures pictures(int number) {
    Pictures made;
    for (std::int64_t i = 0; i < batch; ++i) {
        const auto sample = static_cast<std::uint64_t>(number * batch + i);
        const int label = static_cast<int>(random::draw(31, 0, 0, sample)[0] % classes);
        made.labels.push_back(label);
        for (std::int64_t p = 0; p < side * side; ++p) {
            const auto words = random::draw(32, static_cast<std::uint32_t>(p), 0, sample);
            const bool bright = p / (2 * side) == label;
            made.pixels.push_back((bright ? 0.6F : 0.1F) + 0.3F * random::uniform(words[0]));
        }
    }
    return made;
}

graph::Model network() {
    const auto layer = [](const char* name, const char* type, const Json& config) {
        return Json{{"name", name}, {"type", type}, {"config", config}};
    };
    return graph::Model::from_json(
        {{"layers",
          {layer("input", "InputLayer", {{"shape", {side, side, 1}}}),
           layer("conv", "Conv2D",
                 {{"filters", 8}, {"kernel_size", 3}, {"padding", "same"}, {"activation", "relu"}}),
           layer("norm", "BatchNormalization", Json::object()),
           layer("pool", "MaxPooling2D", Json::object()),
           layer("flatten", "Flatten", Json::object()),
           layer("hidden", "Dense", {{"units", 16}, {"activation", "relu"}}),
           layer("drop", "Dropout", {{"rate", 0.1}}),
           layer("output", "Dense", {{"units", classes}, {"activation", "softmax"}})}}});
}

std::vector<double> losses_on(const std::string& device, const std::string& precision) {
    graph::TrainingSetup setup;
    setup.loss = &losses::find_loss("sparse_categorical_crossentropy");
    setup.optimizer = &optimizers::find_optimizer("Adam");
    setup.optimizer_config = layers::Config::checked(setup.optimizer->params, Json::object());
    setup.precision = precision;
    graph::ExecutorOptions options;
    options.device = device;
    options.batch = batch;
    graph::Executor executor(network(), &setup, options);
    executor.initialize(7);
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
        const Pictures data = pictures(step % batches);
        ops::StepScalars scalars;
        scalars.seed = 1;
        scalars.step = static_cast<std::uint32_t>(step);
        scalars.update = step + 1;
        scalars.first_sample = step * batch;
        scalars.learning_rate = rate;
        scalars.loss_scale = precision == "mixed_float16" ? 1024.0F : 1.0F;
        const graph::BatchResult result =
            executor.train_step(data.pixels.data(), data.labels.data(), batch, scalars);
        losses.push_back(result.loss_sum / static_cast<double>(batch));
    }
    return losses;
}

double mean(const std::vector<double>& values, std::size_t from, std::size_t count) {
    double sum = 0.0;
    for (std::size_t i = from; i < from + count; ++i) sum += values[i];
    return sum / static_cast<double>(count);
}

// Each step rounds what the one before gave, so that two trainings part: the losses of the first
// steps may be apart by as much as one step's results in this precision, of a loss that begins
// near log(4).
void compare(Line& line, const std::string& device, const std::vector<double>& cpu) {
    const std::vector<double> own = losses_on(device, line.precision);
    const double tolerance = tolerance_of(line.precision);
    double worst = 0.0;
    int where = 0;
    for (int i = 0; i < compared; ++i) {
        const auto step = static_cast<std::size_t>(i);
        const double error = std::fabs(own[step] - cpu[step]) / (1.0 + cpu[step]);
        if (error <= worst) continue;  // NaN is told below
        worst = error;
        where = i + 1;
    }
    const double first = mean(own, 0, batches), last = mean(own, steps - batches, batches);
    char text[96];
    std::snprintf(text, sizeof text, "loss %.3f to %.3f, %.1e of %.1e", first, last, worst,
                  tolerance);
    line.measured = text;
    line.figures = {
        {"first_loss", first}, {"last_loss", last}, {"error", worst}, {"allowed", tolerance}};
    if (!(last < 0.5 * first))
        fail(line, "the loss does not fall");
    else if (worst > tolerance)
        fail(line, "the loss of step " + std::to_string(where) + " is not the CPU's");
}

}  // namespace

void check_training(const Teller& teller) {
    std::vector<double> cpu;
    for (const std::string& precision : precisions())
        teller.line("a small convolutional network", precision, [&](Line& line) {
            if (cpu.empty()) cpu = losses_on("cpu:0", "float32");
            compare(line, teller.device(), cpu);
        });
}

}  // namespace strata::selftest

// `strata evaluate` and `strata predict`: a model file on data.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "app/cli/commands.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/data/source.h"
#include "engine/interop/keras_h5.h"
#include "engine/io/npy.h"
#include "engine/train/evaluation.h"

namespace strata::cli {
namespace {

struct Options {
    std::string model, data, input, output;
    std::int64_t batch_size = 256;
    int threads = 0;
    bool json = false;
};

void add_common(CLI::App& command, Options& options) {
    command.add_option("MODEL", options.model, "Whole-model .h5 file")->required();
    command.add_option("--batch-size", options.batch_size, "Samples at a time (256)")
        ->check(CLI::Range(1, 1 << 20));
    command.add_option("--threads", options.threads, "CPU threads (default: all cores)")
        ->check(CLI::Range(0, 1024));
}

void warn_of_nan(double loss, const Options& options) {
    if (std::isfinite(loss)) return;
    std::fprintf(stderr, "strata: warning: the loss is no finite number: %s or the data hold NaN\n",
                 options.model.c_str());
}

Shape input_of(const interop::KerasFile& file) {
    const graph::ModelReport report = graph::require_valid(file.model);
    return *report.layers[static_cast<std::size_t>(report.input)].output;
}

// The project's JSON says the size of its images; a folder's name does not, so there the model's
// input does.
Json evaluated_data(const Options& options) {
    Json source = data::source_from_text(options.data, "test");
    if (options.data.starts_with('{') || source.at("type") != "images") return source;
    const Shape input = input_of(interop::read_keras_h5(options.model));
    if (input.rank() != 3 || (input[2] != 1 && input[2] != 3))
        throw Error(ErrorCode::invalid_argument,
                    "images have the shape (height, width, 1) or (height, width, 3), the model's "
                    "input is " +
                        input.text(),
                    "--data", "Choose data of the model's shape");
    source["size"] = {input[0], input[1]};
    source["color_mode"] = input[2] == 1 ? "grayscale" : "rgb";
    return source;
}

int evaluate(const Options& options) {
    const auto source = data::open_source(evaluated_data(options), ".", "--data");
    const train::FileEvaluation evaluation =
        train::evaluate_file(options.model, *source, "--data", options.batch_size, options.threads);
    if (options.json) {
        Json json = {{"samples", evaluation.result.samples}, {"loss", evaluation.result.loss}};
        for (const auto& [name, value] : evaluation.result.metrics) json[name] = value;
        std::puts(json.dump().c_str());
        warn_of_nan(evaluation.result.loss, options);
        return exit_ok;
    }
    std::printf("Data      %s\n", source->description().c_str());
    for (const std::string& warning : source->warnings())
        std::printf("          %s\n", warning.c_str());
    std::printf("Loss      %s (%s)\n", fixed(evaluation.result.loss, 4).c_str(),
                evaluation.loss.c_str());
    for (const auto& [name, value] : evaluation.result.metrics)
        std::printf("%-9s %s\n", name.c_str(), fixed(value, 4).c_str());
    std::printf("Time      %s s\n", fixed(evaluation.seconds, 2).c_str());
    warn_of_nan(evaluation.result.loss, options);
    return exit_ok;
}

// Rows of the model's input: (N, input), or without trailing axes of 1.
std::int64_t require_rows(const io::Npy& samples, const Shape& input, const std::string& where) {
    if (samples.dtype != DType::float32 && samples.dtype != DType::uint8)
        throw Error(ErrorCode::unsupported, std::string("samples are ") + name_of(samples.dtype),
                    where, "Save them as float32 or uint8");
    if (samples.shape.rank() > 0 && samples.shape[0] > 0) {
        const std::int64_t n = samples.shape[0];
        Shape sample = samples.shape.without_batch();
        while (sample.rank() < input.rank() && input[sample.rank()] == 1) {
            std::vector<std::int64_t> dims = sample.to_vector();
            dims.push_back(1);
            sample = Shape(std::span<const std::int64_t>(dims));
        }
        if (sample == input) return n;
    }
    throw Error(ErrorCode::invalid_argument,
                "it has the shape " + samples.shape.text() + ", the model wants (N, " +
                    input.text().substr(1),
                where);
}

// The outputs never take the place of what they are made from, by whatever path.
void require_own_output(const Options& options) {
    const auto require_other = [&](const std::string& read, const std::string& name) {
        std::error_code ignored;
        if (options.output == read || std::filesystem::equivalent(options.output, read, ignored))
            throw CLI::ValidationError("--output", options.output + " is the same file as " + name +
                                                       ", which it would overwrite. Choose "
                                                       "another file");
    };
    require_other(options.input, "--input");
    require_other(options.model, "MODEL");
}

int predict(const Options& options) {
    const interop::KerasFile file = interop::read_keras_h5(options.model);
    const graph::ModelReport report = graph::require_valid(file.model);
    const Shape& input = *report.layers[static_cast<std::size_t>(report.input)].output;
    const Shape& output = *report.layers[static_cast<std::size_t>(report.output)].output;
    const io::Npy samples = io::read_npy(options.input);
    const std::int64_t n = require_rows(samples, input, options.input);
    const std::vector<float> values = train::predict_file(file, samples.bytes.data(), samples.dtype,
                                                          n, options.batch_size, options.threads);
    const Shape shape = output.with_batch(n);
    io::write_npy(options.output, DType::float32, shape, std::as_bytes(std::span(values)));
    std::printf("%s  %s float32\n", options.output.c_str(), shape.text().c_str());
    return exit_ok;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("evaluate", "Loss and metrics of a model on data");
    add_common(*command, *options);
    command
        ->add_option(
            "--data", options->data,
            "fashion-mnist (its test part), fashion-mnist:train, a folder with one subfolder "
            "of images a class, FILE.npz, FILE.h5, SAMPLES.npy,LABELS.npy, IMAGES,LABELS "
            "(IDX), spirals, moons, circles, noisy_sine, or the project's JSON")
        ->required();
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        "Examples:\n"
        "  strata evaluate runs/NAME/last.h5 --data fashion-mnist\n"
        "  strata evaluate runs/NAME/last.h5 --data FOLDER\n"
        "The images of a folder are brought to the size and channels of the model's input.");
    command->callback([options, &action] { action = [options] { return evaluate(*options); }; });
}

void add_predict(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("predict", "Run a model on the samples of a .npy file");
    add_common(*command, *options);
    command->add_option("--input", options->input, "Samples, .npy, float32 or uint8")->required();
    command->add_option("--output", options->output, "Where the outputs go, .npy")->required();
    command->footer("Example:\n  strata predict last.h5 --input images.npy --output classes.npy");
    command->callback([options, &action] {
        require_own_output(*options);
        action = [options] { return predict(*options); };
    });
}

}  // namespace strata::cli

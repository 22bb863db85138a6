// `strata inspect`: what a project or a model file holds, as tables.
#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/table.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/graph/executor.h"
#include "engine/interop/keras_h5.h"
#include "engine/io/file.h"
#include "engine/train/evaluation.h"
#include "engine/train/run_config.h"

namespace strata::cli {
namespace {

std::string inputs_text(const graph::LayerNode& node) {
    std::string text;
    for (const std::string& input : node.inputs) text += (text.empty() ? "" : ", ") + input;
    return text;
}

// Shared ones are counted at their owner.
std::string parameters_text(const graph::Model& model, const graph::LayerReport& entry) {
    return entry.owner < 0 ? grouped(entry.parameters)
                           : "of " + model.layers[static_cast<std::size_t>(entry.owner)].name;
}

void print_layers(const graph::Model& model, const graph::ModelReport& report) {
    Table table({"Layer", "Type", "Output shape", "Parameters", "FLOPs", "Reads", "Device"},
                {false, false, false, true, true, false, false});
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const graph::LayerNode& node = model.layers[i];
        const graph::LayerReport& entry = report.layers[i];
        table.row({node.name, node.type->spec.type, entry.output ? entry.output->text() : "?",
                   parameters_text(model, entry), grouped(entry.flops), inputs_text(node),
                   node.device});
    }
    std::fputs(table.text().c_str(), stdout);
    std::printf("Parameters  %s (%s trainable)\n", grouped(report.parameters).c_str(),
                grouped(report.trainable_parameters).c_str());
    std::printf("FLOPs       %s a sample, forward\n", grouped(report.flops).c_str());
}

void print_memory(const graph::Model& model, const train::TrainingConfig& training,
                  std::int64_t batch) {
    const graph::TrainingSetup setup = train::make_setup(training);
    graph::ExecutorOptions options;
    options.batch = batch;
    options.device = model.layers.front().device;
    options.input_dtype = DType::uint8;
    const graph::Executor executor(model, &setup, options);
    std::printf("Memory      %s to train with a batch of %s (8-bit input)\n",
                io::byte_text(executor.memory().total()).c_str(), grouped(batch).c_str());
    for (std::size_t i = 0; i < device::category_count; ++i)
        std::printf("  %-11s %s\n", device::name_of(static_cast<device::Category>(i)),
                    io::byte_text(executor.memory().bytes[i]).c_str());
}

int inspect_project(const std::string& path) {
    const train::RunConfig config = train::load_project(path);
    std::printf("Project     %s\n\n", config.name.c_str());
    const graph::ModelReport report = graph::analyze(config.model);
    print_layers(config.model, report);
    if (const auto error = report.first_error(config.model)) throw error->at(path);
    print_memory(config.model, config.training, config.data.pipeline.batch_size);
    return exit_ok;
}

void print_state(const interop::KerasFile& file) {
    if (file.compile.is_object()) std::printf("Compiled    %s\n", file.compile.dump().c_str());
    if (!file.optimizer.empty())
        std::printf("Optimizer   %s of state\n",
                    counted(std::ssize(file.optimizer), "tensor").c_str());
    const Json& state = file.training_state;
    if (!state.is_object()) return;
    std::printf("Training    %s and %s done, seed %s\n",
                counted(get_integer(state, "epoch", 0, "strata"), "epoch").c_str(),
                counted(get_integer(state, "update", 0, "strata"), "update").c_str(),
                std::to_string(get_integer(state, "seed", 0, "strata")).c_str());
}

int inspect_h5(const std::string& path) {
    const interop::KerasFile file = interop::read_keras_h5(path);
    std::printf("Model file  %s\n\n", path.c_str());
    print_layers(file.model, graph::require_valid(file.model));
    print_state(file);
    return exit_ok;
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
    auto file = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "inspect", "Layers, shapes, parameters and memory of a project or model");
    command->add_option("FILE", *file, "Project (.strata) or model (.h5)")->required();
    command->footer(
        "Examples:\n  strata inspect fashion.strata\n  strata inspect runs/NAME/best.h5");
    command->callback([file, &action] {
        action = [file] {
            const bool h5 = file->ends_with(".h5") || file->ends_with(".hdf5");
            return h5 ? inspect_h5(*file) : inspect_project(*file);
        };
    });
}

}  // namespace strata::cli

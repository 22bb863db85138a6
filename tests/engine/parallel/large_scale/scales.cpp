// Three models at 8, 64, 512 and 4096 devices.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/engine/parallel/large_scale/tables.h"

namespace strata::parallel::large_scale {
namespace {

constexpr std::array scales{8, 64, 512, 4096};

// A model whose replicas are one device each.
struct Replicated {
    const char* name;
    double parameters;
    double sample_seconds;    // forward and backward of one, alone on a device
    double activation_bytes;  // of one sample
    double input_bytes;       // of one sample, as it is read
    double largest_batch;     // that has been shown to train
    double own_batch;         // of a device, where that allows it
};

Transformer bert() {
    return {24, 1024, 16, 30522, 512};
}

Transformer gpt3() {
    return {96, 12288, 96, 51200, 2048};
}

Replicated resnet50() {
    // 11.1 million activations of convolutions (arXiv 2003.13678), kept before and after
    // normalisation in 16 bits.
    return {"ResNet-50", 25.56e6, 1.0 / 2470.0, 2.0 * 2.0 * 11.1e6, 110e3, 32768.0, 256.0};
}

Replicated bert_large() {
    const Transformer model = bert();
    const StepCost cost = step_of(model, {1, 1, 1, 1, 16, 16, 4.0, false}, calibrated_cluster());
    return {"BERT-large",
            transformer_parameters(model),
            (cost.products + cost.memory * 4.0 / 6.0) / 16.0,  // nothing is repeated
            24.0 * transformer_activation_bytes(512, 1, 1024, 16, false),
            512.0 * 4.0,
            32768.0,
            16.0};
}

Table replicated(const std::string& name, const Replicated& model) {
    const Cluster cluster = calibrated_cluster();
    Table table{name,
                "| Devices | Batch of a device | Memory of a device | Computing | Flat ring | "
                "of it latency | By nodes | Trees | Step, flat ring | Step, best and hidden | "
                "Efficiency of the two |\n|---|---|---|---|---|---|---|---|---|---|---|\n"};
    for (const int devices : scales) {
        const double own = std::min(model.own_batch, model.largest_batch / devices);
        const double bytes = 4.0 * model.parameters, computing = own * model.sample_seconds;
        // A flat ring crosses the nodes' borders and is as slow as they are.
        const Link flat = devices > cluster.node ? cluster.outer : cluster.inner;
        const double ring = all_reduce_seconds(bytes, devices, flat);
        const double latency = all_reduce_seconds(0.0, devices, flat);
        const double nodes = hierarchical_all_reduce_seconds(bytes, devices, cluster.node,
                                                             cluster.inner, cluster.outer);
        const double trees =
            2.0 * reduce_scatter_seconds(bytes, cluster.node, cluster.inner) +
            tree_all_reduce_seconds(bytes / cluster.node, devices / cluster.node, cluster.outer);
        const double best = std::min({ring, nodes, trees});
        // The sum can begin when the first gradients exist: behind two thirds of the computing.
        const double hidden = std::max(computing, computing / 3.0 + best);
        const double memory =
            model.parameters * adam_bytes_per_parameter(true, false, devices).total() +
            own * model.activation_bytes;
        table.text += text(
            "| %d | %.0f | %.1f GB | %.2f ms | %.2f ms | %.2f ms | %.2f ms | %.2f ms | %.2f ms | "
            "%.2f ms | %.0f %%, %.0f %% |\n",
            devices, own, memory / 1e9, 1e3 * computing, 1e3 * ring, 1e3 * latency, 1e3 * nodes,
            1e3 * trees, 1e3 * (computing + ring), 1e3 * hidden,
            100.0 * computing / (computing + ring), 100.0 * computing / hidden);
    }
    return table;
}

// GPT-3 175B in 1536 sequences a step. Tensor ranks fill a node; the pipeline is as short as the
// memory allows.
std::vector<Division> divisions() {
    return {{8, 8, 1, 1, 1, 1536, 4.0, true},
            {64, 8, 8, 1, 1, 1536, 4.0, true},
            {512, 8, 8, 2, 1, 1536, 4.0, true},
            {4096, 8, 8, 6, 1, 1536, 4.0, true}};
}

Table gpt_memory() {
    const Cluster cluster = calibrated_cluster();
    Table table{"gpt_memory",
                "| Devices | t x p x d | State | State, ZeRO-1 | Activations | Sum, ZeRO-1 | Of 80 "
                "GB |\n|---|---|---|---|---|---|---|\n"};
    for (const Division& division : divisions()) {
        const MemoryCost plain = memory_of(gpt3(), division, false);
        const MemoryCost sharded = memory_of(gpt3(), division, true);
        table.text += text("| %d | %d x %d x %d | %.1f GB | %.1f GB | %.1f GB | %.1f GB | %s |\n",
                           division.devices, division.tensor, division.pipeline,
                           division.replicas(), plain.state / 1e9, sharded.state / 1e9,
                           sharded.activations / 1e9, sharded.total() / 1e9,
                           sharded.total() <= cluster.memory ? "fits" : "does not fit");
    }
    return table;
}

Table gpt_step() {
    const Cluster cluster = calibrated_cluster();
    Table table{"gpt_step",
                "| Devices | v | m | Computing | Tensor sums | Transfers | Idle | Idle share | "
                "All-reduce | Step | TFLOP/s of a device | 300 billion tokens |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|---|\n"};
    for (const Division& division : divisions()) {
        if (memory_of(gpt3(), division, true).total() > cluster.memory) continue;
        const StepCost cost = step_of(gpt3(), division, cluster);
        const double seconds = cost.total();
        table.text += text(
            "| %d | %d | %.0f | %.2f s | %.2f s | %.2f s | %.2f s | %.1f %% | %.2f s | %.2f s | "
            "%.0f | %.0f days |\n",
            division.devices, division.chunks, division.micro_batches(),
            cost.products + cost.memory, cost.tensor, cost.transfers, cost.idle,
            100.0 * cost.idle / (seconds - cost.all_reduce), cost.all_reduce, seconds,
            achieved(gpt3(), division, seconds) / 1e12,
            300e9 / (1536.0 * 2048.0) * seconds / 86400.0);
    }
    return table;
}

// Schedules at 4096 devices: what the pipeline's length and chunks do to the idle share.
Table gpt_schedules() {
    const Cluster cluster = calibrated_cluster();
    Table table{"gpt_schedules",
                "| p | v | m | Idle share | Step | Activations |\n|---|---|---|---|---|---|\n"};
    for (const auto& [p, v] :
         {std::pair{8, 1}, {8, 2}, {8, 6}, {16, 1}, {16, 6}, {32, 1}, {32, 3}}) {
        const Division division{4096, 8, p, v, 1, 1536, 4.0, true};
        const StepCost cost = step_of(gpt3(), division, cluster);
        const double seconds = cost.total();
        table.text +=
            text("| %d | %d | %.0f | %.1f %% | %.2f s | %.1f GB |\n", p, v,
                 division.micro_batches(), 100.0 * cost.idle / (seconds - cost.all_reduce), seconds,
                 memory_of(gpt3(), division, true).activations / 1e9);
    }
    return table;
}

Table failures() {
    const Cluster cluster;
    Table table{
        "failures",
        "| Devices | Between failures | Model | Checkpoint | Writing by all | Every | Lost | "
        "Writing by rank 0 | Every | Lost |\n|---|---|---|---|---|---|---|---|---|---|\n"};
    constexpr double one_writer = 5e9;  // bytes/s
    struct Model {
        const char* name;
        double parameters;
    };
    for (const int devices : scales)
        for (const Model& model : {Model{"ResNet-50", resnet50().parameters},
                                   Model{"BERT-large", bert_large().parameters},
                                   Model{"GPT-3 175B", transformer_parameters(gpt3())}}) {
            if (devices == 8 && model.parameters > 1e11) continue;
            const double between = seconds_between_failures(cluster.device_seconds, devices);
            const AdamBytes adam = adam_bytes_per_parameter(true, false, 1);
            const double bytes = (adam.weights + adam.moments) * model.parameters;
            const double together = bytes / std::min(cluster.storage_rate, devices * one_writer);
            const double alone = bytes / one_writer;
            table.text += text(
                "| %d | %.1f h | %s | %.1f GB | %.2f s | %.1f min | %.2f %% | %.1f s | %.1f min | "
                "%.2f %% |\n",
                devices, between / 3600.0, model.name, bytes / 1e9, together,
                checkpoint_interval_seconds(together, between) / 60.0,
                100.0 * lost_share(together, between), alone,
                checkpoint_interval_seconds(alone, between) / 60.0,
                100.0 * lost_share(alone, between));
        }
    return table;
}

Table loading() {
    Table table{"loading",
                "| Devices | ResNet-50 | read | decoded | BERT-large | read | GPT-3 175B | read |\n"
                "|---|---|---|---|---|---|---|---|\n"};
    const Cluster cluster = calibrated_cluster();
    const auto divided = divisions();
    for (std::size_t i = 0; i < scales.size(); ++i) {
        const double images = scales[i] / resnet50().sample_seconds;
        const double sequences = scales[i] / bert_large().sample_seconds;
        const bool fits = memory_of(gpt3(), divided[i], true).total() <= cluster.memory;
        const double long_ones = 1536.0 / step_of(gpt3(), divided[i], cluster).total();
        table.text += text(
            "| %d | %.0f images/s | %.2f GB/s | %.0f cores | %.0f sequences/s | %.2f MB/s | %s | "
            "%s "
            "|\n",
            scales[i], images, images * resnet50().input_bytes / 1e9, images / 100.0, sequences,
            sequences * bert_large().input_bytes / 1e6,
            fits ? text("%.1f sequences/s", long_ones).c_str() : "does not fit",
            fits ? text("%.2f MB/s", long_ones * 2048.0 * 4.0 / 1e6).c_str() : "");
    }
    return table;
}

}  // namespace

std::vector<Table> scale_tables() {
    return {replicated("resnet", resnet50()),
            replicated("bert", bert_large()),
            gpt_memory(),
            gpt_step(),
            gpt_schedules(),
            failures(),
            loading()};
}

}  // namespace strata::parallel::large_scale

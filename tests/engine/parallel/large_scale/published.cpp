// The formulas against figures that others have measured.
#include <array>
#include <cmath>

#include "tests/engine/parallel/large_scale/tables.h"

namespace strata::parallel::large_scale {
namespace {

constexpr std::int64_t vocabulary = 51200, sequence = 2048;

// arXiv 2104.04473, table 1; micro-batches and chunks by the authors' script for it.
struct Row {
    const char* name;
    std::int64_t layers, width, heads;
    int tensor, pipeline, chunks, devices;
    double micro_batch, batch, teraflops;

    Transformer model() const { return {layers, width, heads, vocabulary, sequence}; }
    // Gradients of 2 bytes, as that software sums them.
    Division division() const {
        return {devices, tensor, pipeline, chunks, micro_batch, batch, 2.0, true};
    }
};

constexpr std::array<Row, 10> rows{{
    {"1.7B", 24, 2304, 24, 1, 1, 1, 32, 16, 512, 137},
    {"3.6B", 30, 3072, 32, 2, 1, 1, 64, 16, 512, 138},
    {"7.5B", 36, 4096, 32, 4, 1, 1, 128, 16, 512, 142},
    {"18.4B", 40, 6144, 48, 8, 1, 1, 256, 8, 1024, 135},
    {"39.1B", 48, 8192, 64, 8, 2, 1, 512, 4, 1536, 138},
    {"76.1B", 60, 10240, 80, 8, 4, 3, 1024, 2, 1792, 140},
    {"145.6B", 80, 12288, 96, 8, 8, 2, 1536, 2, 2304, 148},
    {"310.1B", 96, 16384, 128, 8, 16, 2, 1920, 1, 2160, 155},
    {"529.6B", 105, 20480, 128, 8, 35, 3, 2520, 1, 2520, 163},
    {"1008.0B", 128, 25600, 160, 8, 64, 1, 3072, 1, 3072, 163},
}};

double measured_seconds(const Row& row) {
    return transformer_flops(row.model(), row.batch, true) / row.devices / (row.teraflops * 1e12);
}

std::string deviation(double predicted, double measured) {
    return text("%+.1f %%", 100.0 * (predicted / measured - 1.0));
}

Table megatron() {
    const Cluster cluster = calibrated_cluster();
    Table table{
        "megatron",
        "| Model | Devices | t x p x d | Step predicted | Step measured | TFLOP/s predicted "
        "| measured | Deviation |\n|---|---|---|---|---|---|---|---|\n"};
    double sum = 0.0;
    for (const Row& row : rows) {
        const Division division = row.division();
        const double seconds = step_of(row.model(), division, cluster).total();
        const double predicted = achieved(row.model(), division, seconds) / 1e12;
        table.text +=
            text("| %s | %d | %d x %d x %d | %.2f s | %.2f s | %.0f | %.0f | %s |\n", row.name,
                 row.devices, row.tensor, row.pipeline, division.replicas(), seconds,
                 measured_seconds(row), predicted, row.teraflops,
                 &row == &rows.front() ? "fitted" : deviation(predicted, row.teraflops).c_str());
        if (&row != &rows.front()) sum += std::abs(predicted / row.teraflops - 1.0);
    }
    table.text += text("| mean of the nine | | | | | | | %.1f %% |\n", 100.0 * sum / 9.0);
    return table;
}

// Where a step of the largest and of the fitted model goes.
Table parts() {
    const Cluster cluster = calibrated_cluster();
    Table table{"parts",
                "| Model | Products | Activations' memory | Tensor sums | Transfers | Idle | "
                "All-reduce |\n|---|---|---|---|---|---|---|\n"};
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{6}, std::size_t{9}}) {
        const StepCost cost = step_of(rows[i].model(), rows[i].division(), cluster);
        const auto share = [&](double part) { return 100.0 * part / cost.total(); };
        table.text +=
            text("| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n",
                 rows[i].name, share(cost.products), share(cost.memory), share(cost.tensor),
                 share(cost.transfers), share(cost.idle), share(cost.all_reduce));
    }
    return table;
}

Table others() {
    Table table{"others", "| Figure | Predicted | Published | Deviation |\n|---|---|---|---|\n"};
    const auto row = [&](const std::string& name, const std::string& predicted,
                         const std::string& measured, const std::string& off) {
        table.text += "| " + name + " | " + predicted + " | " + measured + " | " + off + " |\n";
    };
    // 90 epochs of 1.28 million images in 29 hours on 8 devices; then 32 nodes by 50 Gbit/s.
    const double parameters = 25.56e6, images = 256.0;
    const double alone = images / (90.0 * 1.28e6 / (29.0 * 3600.0));
    const double sum = hierarchical_all_reduce_seconds(4.0 * parameters, 256, 8, {16e9, 10e-6},
                                                       {50e9 / 8.0, 50e-6});
    const double efficiency = alone / (alone + sum);
    row("ResNet-50, 8 to 256 devices, share of 32 times the speed; no overlap",
        text("%.1f %%", 100.0 * efficiency), "about 90 %", deviation(efficiency, 0.9));
    row("The same with the whole sum hidden behind the backward pass",
        text("%.1f %%", 100.0 * alone / std::max(alone, alone / 3.0 + sum)), "about 90 %",
        deviation(alone / std::max(alone, alone / 3.0 + sum), 0.9));
    const Cluster cluster;
    const double step = 256.0 / 2470.0;
    const double in_node = step / (step + all_reduce_seconds(4.0 * parameters, 8, cluster.inner));
    row("ResNet-50, 1 to 8 devices of a node, images/s", text("%.0f", 8.0 * 2470.0 * in_node),
        "16621", deviation(8.0 * 2470.0 * in_node, 16621.0));
    const double checkpoint = transformer_parameters(rows.back().model()) *
                              (adam_bytes_per_parameter(true, false, 1).total() - 4.0) / 1e12;
    row("Checkpoint of the 1008.0B model, TB", text("%.1f", checkpoint), "13.8",
        deviation(checkpoint, 13.8));
    const Transformer gpt3{96, 12288, 96, vocabulary, sequence};
    const Division division{1024, 8, 8, 1, 1, 1536, 2.0, true};
    const double days = 300e9 / (1536.0 * sequence) *
                        step_of(gpt3, division, calibrated_cluster()).total() / 86400.0;
    row("GPT-3 175B, 300 billion tokens on 1024 devices, days", text("%.1f", days), "34",
        deviation(days, 34.0));
    return table;
}

}  // namespace

Cluster calibrated_cluster() {
    Cluster cluster;
    const Row& row = rows.front();
    cluster.product_share =
        fitted_product_share(row.model(), row.division(), cluster, measured_seconds(row));
    return cluster;
}

std::vector<Table> published_tables() {
    return {megatron(), parts(), others()};
}

}  // namespace strata::parallel::large_scale

#include "app/cli/plan_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/table.h"
#include "engine/core/text.h"
#include "engine/core/time_text.h"
#include "engine/io/file.h"

namespace strata::cli {
namespace {

using device::Category;
using parallel::DevicePlan;
using parallel::PlacementPlan;

std::string short_bytes(std::size_t bytes) {
    return bytes == 0 ? "0" : io::byte_text(bytes);
}

std::string percent(double share) {
    return fixed(100.0 * share, 0) + " %";
}

// "12.5 M", to stand before "FLOPs".
std::string flops_text(double flops) {
    for (const auto& [unit, size] : {std::pair{"T", 1e12}, {"G", 1e9}, {"M", 1e6}})
        if (flops >= size) return fixed(flops / size, 1) + " " + unit;
    return grouped(static_cast<std::int64_t>(flops)) + " ";
}

void print_devices(const PlacementPlan& plan) {
    Table work({"Device", "Copy", "Layers", "FLOPs", "Work", "Idle", "Memory", "Limit"},
               {false, true, true, true, true, true, true, true});
    for (const DevicePlan& d : plan.devices)
        work.row({d.device, std::to_string(d.replica + 1), std::to_string(d.layers.size()),
                  flops_text(d.flops), percent(d.work_share),
                  plan.timed ? percent(d.idle_share) : "-", io::byte_text(d.memory.total()),
                  d.memory_limit == 0 ? "-" : io::byte_text(d.memory_limit)});
    std::fputs(work.text().c_str(), stdout);
    std::puts("");
    // One row a category, so that many devices stay narrow enough; of a replica, for the others
    // are alike.
    std::vector<std::string> header{"Memory"};
    std::vector<bool> right{false};
    std::vector<const DevicePlan*> shown;
    constexpr std::size_t most = 5;
    for (const DevicePlan& d : plan.devices)
        if (d.replica == 0 && shown.size() < most) shown.push_back(&d);
    for (const DevicePlan* d : shown) {
        header.push_back(d->device);
        right.push_back(true);
    }
    Table memory(header, right);
    for (std::size_t c = 0; c < device::category_count; ++c) {
        std::vector<std::string> row{device::name_of(static_cast<Category>(c))};
        for (const DevicePlan* d : shown) row.push_back(short_bytes(d->memory.bytes[c]));
        memory.row(std::move(row));
    }
    std::fputs(memory.text().c_str(), stdout);
}

void print_layers(const PlacementPlan& plan) {
    if (plan.stages < 2) return;
    std::puts("");
    for (const DevicePlan& device : plan.devices) {
        if (device.replica > 0) continue;
        std::string names;
        for (const std::string& name : device.layers) names += (names.empty() ? "" : ", ") + name;
        print_wrapped(device.device + "  ", names);
    }
}

void print_transfers(const PlacementPlan& plan) {
    if (!plan.edges.empty()) {
        Table table({"Edge", "From", "To", "Forward", "Backward"},
                    {false, false, false, true, true});
        for (const parallel::EdgePlan& edge : plan.edges)
            table.row({edge.from_layer + " > " + edge.to_layer, edge.from_device, edge.to_device,
                       edge.shared ? "same copy" : io::byte_text(edge.forward_bytes),
                       edge.shared ? "" : short_bytes(edge.backward_bytes)});
        std::printf("\n%s", table.text().c_str());
    }
    if (plan.links.empty()) return;
    Table table({"Link", "For", "Bytes an update", "Time"}, {false, false, true, true});
    for (const parallel::LinkPlan& link : plan.links)
        table.row({link.from_device + " > " + link.to_device,
                   link.sums ? "sum of the gradients" : "outputs and gradients",
                   io::byte_text(link.bytes), plan.timed ? time_text(link.seconds) : "-"});
    std::printf("\n%s", table.text().c_str());
}

void print_time(const PlacementPlan& plan) {
    std::puts("");
    std::printf("Update      %s samples, %sFLOPs\n", grouped(plan.samples).c_str(),
                flops_text(plan.flops).c_str());
    if (!plan.timed) return;
    std::printf("Time        %s: forward and backward %s, sum %s, update %s\n",
                time_text(plan.step.total()).c_str(), time_text(plan.step.batches).c_str(),
                time_text(plan.step.all_reduce).c_str(), time_text(plan.step.update).c_str());
    std::printf("            %s a sample, %s samples/s\n",
                time_text(plan.seconds_per_sample()).c_str(),
                grouped(static_cast<std::int64_t>(1.0 / plan.seconds_per_sample())).c_str());
    if (plan.stages > 1)
        std::printf("Idle        %s of a batch (%s), by the formula of equal stages %s\n",
                    percent(plan.idle_share).c_str(), parallel::name_of(plan.schedule),
                    percent(plan.idle_share_formula).c_str());
}

// A warning of another device before it whose fixes are the same; null: none.
const parallel::PlanWarning* with_same_fixes(const PlacementPlan& plan,
                                             const parallel::PlanWarning& warning) {
    const auto same = [](const parallel::PlanFix& a, const parallel::PlanFix& b) {
        return a.text == b.text;
    };
    for (const parallel::PlanWarning& before : plan.warnings) {
        if (&before == &warning) return nullptr;
        if (!before.fixes.empty() && std::equal(before.fixes.begin(), before.fixes.end(),
                                                warning.fixes.begin(), warning.fixes.end(), same))
            return &before;
    }
    return nullptr;
}

// Of shares as they are shown: what rounding makes equal has not changed.
std::string waiting_text(const std::string& before, const std::string& then, bool rises) {
    if (before == then) return "waiting stays at " + then;
    return (rises ? "waiting rises from " : "waiting falls from ") + before + " to " + then;
}

std::string slowdown_text(double slowdown) {
    const std::string by = percent(std::abs(slowdown - 1.0));
    if (by == percent(0.0)) return "as much time a sample";
    return by + (slowdown > 1.0 ? " more" : " less") + " time a sample";
}

void print_warnings(const PlacementPlan& plan) {
    for (const parallel::PlanWarning& warning : plan.warnings) {
        std::puts("");
        print_wrapped("Warning     ",
                      (warning.device.empty() ? "" : warning.device + " ") + warning.text);
        if (const auto* before = with_same_fixes(plan, warning)) {
            print_wrapped("  - ", "the same helps as on " + before->device);
            continue;
        }
        for (const parallel::PlanFix& fix : warning.fixes) {
            std::string text = fix.text;
            if (warning.too_much > 0)
                text += ": " + io::byte_text(fix.bytes) + (fix.fits ? ", fits" : ", too much");
            if (warning.idle_share > 0.0)
                text += ": " + waiting_text(percent(warning.idle_share), percent(fix.idle_share),
                                            fix.idle_share > warning.idle_share);
            if (plan.timed) text += ", " + slowdown_text(fix.slowdown);
            print_wrapped("  - ", text);
        }
        if (warning.too_much > 0 && warning.fixes.empty())
            std::puts(
                "  No other setting on these devices needs less: use more devices or a smaller "
                "model");
    }
}

Json memory_json(const device::MemoryBudget& memory) {
    Json json = Json::object();
    for (std::size_t i = 0; i < device::category_count; ++i)
        json[device::name_of(static_cast<Category>(i))] = memory.bytes[i];
    json["total"] = memory.total();
    return json;
}

Json change_json(const parallel::PlanChange& change) {
    Json json = Json::object();
    if (change.batch_size) json["data.pipeline.batch.batch_size"] = *change.batch_size;
    if (change.accumulation) json["training.gradient_accumulation_steps"] = *change.accumulation;
    if (change.precision) json["training.precision"] = *change.precision;
    if (change.micro_batches) json["placement.micro_batches"] = *change.micro_batches;
    if (change.sharded_optimizer) json["placement.sharded_optimizer"] = *change.sharded_optimizer;
    for (const std::string& layer : change.recompute)
        json["model.layers." + layer + ".recompute"] = true;
    for (const auto& [layer, device] : change.devices)
        json["model.layers." + layer + ".device"] = device;
    return json;
}

Json warnings_json(const PlacementPlan& plan) {
    Json all = Json::array();
    for (const parallel::PlanWarning& warning : plan.warnings) {
        Json fixes = Json::array();
        for (const parallel::PlanFix& fix : warning.fixes)
            fixes.push_back({{"text", fix.text},
                             {"set", change_json(fix.change)},
                             {"bytes", fix.bytes},
                             {"fits", fix.fits},
                             {"relative_time", fix.slowdown}});
        if (warning.idle_share > 0.0)
            for (std::size_t i = 0; i < fixes.size(); ++i)
                fixes[i]["idle_share"] = warning.fixes[i].idle_share;
        all.push_back({{"device", warning.device},
                       {"text", warning.text},
                       {"too_much", warning.too_much},
                       {"fixes", std::move(fixes)}});
    }
    return all;
}

Json devices_json(const PlacementPlan& plan) {
    Json all = Json::array();
    for (const DevicePlan& d : plan.devices)
        all.push_back({{"device", d.device},
                       {"replica", d.replica},
                       {"number", d.number},
                       {"threads", d.threads},
                       {"memory", memory_json(d.memory)},
                       {"memory_limit", d.memory_limit},
                       {"fits", d.fits()},
                       {"layers", d.layers},
                       {"flops", d.flops},
                       {"work_share", d.work_share},
                       {"busy_seconds", d.busy_seconds},
                       {"idle_share", d.idle_share}});
    return all;
}

Json timeline_json(const parallel::Timeline& timeline) {
    Json all = Json::array();
    for (std::size_t device = 0; device < timeline.devices.size(); ++device)
        for (const parallel::TimelineBlock& block : timeline.devices[device])
            all.push_back({{"device", device},
                           {"stage", block.task.stage},
                           {"micro_batch", block.task.micro_batch},
                           {"backward", block.task.backward},
                           {"begin", block.begin},
                           {"end", block.end}});
    return all;
}

}  // namespace

void print_plan(const std::string& name, const parallel::AutoPlacement& chosen,
                const std::string& note, const std::string& written) {
    const PlacementPlan& plan = chosen.plan;
    std::printf("Project     %s\n", name.c_str());
    std::printf("Placement   %s of %s, %s\n", counted(plan.replicas, "replica").c_str(),
                counted(plan.stages, "stage").c_str(),
                counted(plan.micro_batches, "micro-batch", "micro-batches").c_str());
    if (const int processes = chosen.request.sharing; processes > 1)
        print_wrapped("Processes   ",
                      std::to_string(processes) + " on this machine; of one of them, " +
                          counted(plan.devices.front().threads, "thread") + " a device:");
    for (const std::string& reason : chosen.reasons) print_wrapped("  - ", reason);
    if (!note.empty()) print_wrapped("Note        ", note);
    if (!written.empty()) print_wrapped("Written     ", written);
    std::puts("");
    print_devices(plan);
    print_layers(plan);
    print_transfers(plan);
    print_time(plan);
    print_warnings(plan);
}

Json plan_json(const std::string& name, const parallel::AutoPlacement& chosen,
               const std::string& note) {
    const PlacementPlan& plan = chosen.plan;
    Json json = {{"project", name},
                 {"replicas", plan.replicas},
                 {"stages", plan.stages},
                 {"micro_batches", plan.micro_batches},
                 {"ranks", chosen.request.sharing},
                 {"schedule", parallel::name_of(plan.schedule)},
                 {"samples", plan.samples},
                 {"flops", plan.flops},
                 {"devices", devices_json(plan)}};
    json["edges"] = Json::array();
    for (const parallel::EdgePlan& edge : plan.edges)
        json["edges"].push_back({{"from_layer", edge.from_layer},
                                 {"to_layer", edge.to_layer},
                                 {"from_device", edge.from_device},
                                 {"to_device", edge.to_device},
                                 {"forward_bytes", edge.forward_bytes},
                                 {"backward_bytes", edge.backward_bytes},
                                 {"shared", edge.shared}});
    json["links"] = Json::array();
    for (const parallel::LinkPlan& link : plan.links)
        json["links"].push_back({{"from_device", link.from_device},
                                 {"to_device", link.to_device},
                                 {"bytes", link.bytes},
                                 {"sums", link.sums},
                                 {"seconds", link.seconds}});
    if (plan.timed) {
        json["step_seconds"] = {{"total", plan.step.total()},
                                {"batches", plan.step.batches},
                                {"all_reduce", plan.step.all_reduce},
                                {"update", plan.step.update}};
        json["seconds_per_sample"] = plan.seconds_per_sample();
        json["idle_share"] = plan.idle_share;
        json["idle_share_formula"] = plan.idle_share_formula;
        json["timeline"] = timeline_json(plan.timeline);
    }
    json["warnings"] = warnings_json(plan);
    if (!note.empty()) json["note"] = note;
    if (chosen.candidates.empty()) return json;
    json["reasons"] = chosen.reasons;
    json["candidates"] = Json::array();
    for (const parallel::AutoCandidate& candidate : chosen.candidates)
        json["candidates"].push_back({{"replicas", candidate.replicas},
                                      {"stages", candidate.stages},
                                      {"micro_batches", candidate.micro_batches},
                                      {"seconds_per_sample", candidate.seconds_per_sample},
                                      {"fits", candidate.fits},
                                      {"text", candidate.text}});
    return json;
}

}  // namespace strata::cli

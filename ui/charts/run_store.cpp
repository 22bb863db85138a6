#include "ui/charts/run_store.h"

#include <algorithm>
#include <limits>

namespace strata::ui {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double found(const std::map<std::string, double>& values, const std::string& name) {
    const auto it = values.find(name);
    return it == values.end() ? missing : it->second;
}

}  // namespace

void Table::truncate(std::size_t rows) {
    for (Column& column : x) column.truncate(rows);
    for (Series& line : lines) line.truncate(rows);
}

void RunStore::clear() {
    const std::size_t next = m_generation + 1;
    *this = RunStore();
    m_generation = next;
}

void RunStore::start(const train::PlanEvent& plan) {
    const Column& updates = m_steps.axis(XAxis::update);
    const bool goesOn = plan.first_update > 0 && m_metrics == plan.metrics && !updates.empty() &&
                        updates.last() >= static_cast<double>(plan.first_update) &&
                        updates[0] <= static_cast<double>(plan.first_update);
    if (goesOn)
        cut(plan.first_update);
    else
        clear();
    m_plan = plan;
    m_metrics = plan.metrics;
    setDevices(plan);
    m_steps.lines.resize(metric + m_metrics.size());
    m_epochs.lines.resize(epoch_metric + 2 * m_metrics.size());
    if (plan.first_update > 0) m_marks.push_back({Mark::Kind::resumed, plan.first_update});
}

// What follows `update` is done again by the resumed run, with the same values.
void RunStore::cut(std::int64_t update) {
    const auto last = static_cast<double>(update);
    m_steps.truncate(m_steps.axis(XAxis::update).upperBound(last));
    m_epochs.truncate(m_epochs.axis(XAxis::update).upperBound(last));
    m_devices.truncate(m_devices.axis(XAxis::update).upperBound(last));
    std::erase_if(m_marks, [&](const Mark& mark) { return mark.update > update; });
    ++m_generation;
}

void RunStore::add(const train::StepEvent& step) {
    if (m_steps.lines.empty()) m_steps.lines.resize(metric);
    if (m_steps.rows() == 0 && m_devices.rows() == 0) m_startTime = step.wall_time;
    // By samples: updates are of another size where a run has gone on with other replicas.
    const double perEpoch = m_plan ? static_cast<double>(m_plan->train_samples) : 0.0;
    const auto samples = static_cast<double>(step.samples);
    m_steps.x[0].append(static_cast<double>(step.update));
    m_steps.x[1].append(perEpoch > 0.0 ? samples / perEpoch : static_cast<double>(step.epoch));
    m_steps.x[2].append(samples);
    m_steps.x[3].append(step.wall_time - m_startTime);
    m_steps.lines[loss].append(step.loss);
    m_steps.lines[learning_rate].append(step.learning_rate);
    m_steps.lines[gradient_norm].append(step.gradient_norm);
    m_steps.lines[throughput].append(step.samples_per_s);
    m_steps.lines[process_bytes].append(static_cast<double>(step.process_bytes));
    m_steps.lines[loss_scale].append(step.loss_scale);
    m_steps.lines[clip_limit].append(step.clip_limit > 0.0 ? step.clip_limit : missing);
    m_hasLossScale = m_hasLossScale || step.loss_scale != 1.0;
    m_hasClipLimit = m_hasClipLimit || step.clip_limit > 0.0;
    if (step.skipped) m_marks.push_back({Mark::Kind::skipped, step.update});
    for (std::size_t i = 0; metric + i < m_steps.lines.size(); ++i)
        m_steps.lines[metric + i].append(i < step.metrics.size() ? step.metrics[i] : missing);
}

// A run that goes on may do so on other devices: their measurements begin anew.
void RunStore::setDevices(const train::PlanEvent& plan) {
    std::vector<std::string> names;
    for (const train::PlanEvent::Device& device : plan.devices)
        if (std::find(names.begin(), names.end(), device.name) == names.end())
            names.push_back(device.name);
    if (names.empty() && !plan.device.empty()) names.push_back(plan.device);
    if (names == m_deviceNames) return;
    m_deviceNames = std::move(names);
    m_devices = Table();
    m_devices.lines.resize(m_deviceNames.size() * device_lines);
    ++m_generation;
}

void RunStore::add(const train::MonitorEvent& monitor) {
    if (m_deviceNames.empty()) return;  // no plan yet
    if (m_steps.rows() == 0 && m_devices.rows() == 0) m_startTime = monitor.wall_time;
    for (const XAxis axis : {XAxis::update, XAxis::epoch, XAxis::samples})
        m_devices.x[static_cast<std::size_t>(axis)].append(position(monitor.update, axis));
    m_devices.x[static_cast<std::size_t>(XAxis::time)].append(monitor.wall_time - m_startTime);
    for (std::size_t i = 0; i < m_deviceNames.size(); ++i) {
        const auto told =
            std::find_if(monitor.devices.begin(), monitor.devices.end(),
                         [&](const auto& each) { return each.name == m_deviceNames[i]; });
        const device::Reading none;
        const device::Reading& reading = told == monitor.devices.end() ? none : told->reading;
        const auto put = [&](DeviceLine line, const auto& figure, double scale = 1.0) {
            m_devices.lines[i * device_lines + line].append(
                figure ? static_cast<double>(*figure) * scale : missing);
        };
        put(used_bytes, reading.used_bytes);
        put(free_bytes, reading.free_bytes);
        put(program_bytes, reading.program_bytes);
        put(utilisation, reading.utilisation, 100.0);
        put(temperature, reading.temperature);
        put(power, reading.power);
    }
}

bool RunStore::isTold(std::size_t device, DeviceLine line) const {
    const std::size_t i = device * device_lines + line;
    return i < m_devices.lines.size() &&
           !m_devices.lines[i].extent(0, m_devices.lines[i].size()).empty();
}

void RunStore::add(const train::EpochEvent& epoch) {
    if (m_epochs.lines.empty()) m_epochs.lines.resize(epoch_metric);
    for (std::size_t axis = 0; axis < 4; ++axis)
        m_epochs.x[axis].append(axis == 0 ? static_cast<double>(epoch.update)
                                          : position(epoch.update, static_cast<XAxis>(axis)));
    m_epochs.lines[epoch_loss].append(epoch.loss);
    m_epochs.lines[val_loss].append(epoch.val_loss.value_or(missing));
    for (std::size_t i = 0; i < m_metrics.size(); ++i) {
        m_epochs.lines[epoch_metric + 2 * i].append(found(epoch.metrics, m_metrics[i]));
        m_epochs.lines[epoch_metric + 2 * i + 1].append(found(epoch.val_metrics, m_metrics[i]));
    }
}

void RunStore::add(const train::CheckpointEvent& checkpoint) {
    using Kind = Mark::Kind;
    const Kind kind = checkpoint.failure ? Kind::failed
                      : checkpoint.best  ? Kind::best
                                         : Kind::checkpoint;
    m_marks.push_back({kind, checkpoint.update});
}

// The plan tells of a resumed run already, and the scale has a curve of its own.
void RunStore::add(const train::MarkEvent& mark) {
    using Kind = train::MarkEvent::Kind;
    switch (mark.kind) {
        case Kind::learning_rate:
            m_marks.push_back({Mark::Kind::learningRate, mark.update, mark.value});
            break;
        case Kind::clip_limit:
            m_marks.push_back({Mark::Kind::clipLimit, mark.update, mark.value});
            break;
        case Kind::weight_decay:
            m_marks.push_back({Mark::Kind::weightDecay, mark.update, mark.value});
            break;
        case Kind::early_stop:
            m_marks.push_back({Mark::Kind::earlyStop, mark.update});
            break;
        case Kind::resumed:
        case Kind::loss_scale:
        case Kind::paused:
            break;
    }
}

double RunStore::position(std::int64_t update, XAxis axis) const {
    const Column& updates = m_steps.axis(XAxis::update);
    if (axis == XAxis::update || updates.empty()) return static_cast<double>(update);
    const std::size_t row = updates.lowerBound(static_cast<double>(update));
    return m_steps.axis(axis)[std::min(row, updates.size() - 1)];
}

}  // namespace strata::ui

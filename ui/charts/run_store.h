// All values of a run, as they came: what the charts draw and what is exported. Knows no widgets.
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/train/events.h"
#include "ui/charts/series.h"

namespace strata::ui {

enum class XAxis { update, epoch, samples, time };  // time: seconds since the run's first update

struct Mark {
    enum class Kind {
        checkpoint,
        best,
        failed,
        resumed,
        skipped,
        learningRate,
        clipLimit,
        weightDecay,
        earlyStop
    } kind = Kind::checkpoint;
    std::int64_t update = 0;
    double value = 0.0;  // the new one, of what was changed
};

// Which of the run's tables a line is in.
enum class Rows { steps, epochs, devices };

// Values that arrive together: a row each update, each epoch or each measurement of the devices.
struct Table {
    std::array<Column, 4> x;  // by XAxis
    std::vector<Series> lines;

    std::size_t rows() const { return x[0].size(); }
    const Column& axis(XAxis a) const { return x[static_cast<std::size_t>(a)]; }
    void truncate(std::size_t rows);
};

class RunStore {
public:
    // Lines of steps(); metric i of the plan is at `metric + i`.
    enum StepLine : std::size_t {
        loss,
        learning_rate,
        gradient_norm,
        throughput,
        process_bytes,
        loss_scale,
        clip_limit,  // NaN where there is none
        metric
    };
    // Lines of epochs(): train and validation of metric i are at `epoch_metric + 2 i` and the next.
    enum EpochLine : std::size_t { epoch_loss, val_loss, epoch_metric };
    // Lines of devices(), a row each measurement: those of device i of deviceNames() begin at
    // `i * device_lines`. NaN where it was not told.
    enum DeviceLine : std::size_t {
        used_bytes,
        free_bytes,
        program_bytes,
        utilisation,  // per cent
        temperature,  // degrees Celsius
        power,        // watts
        device_lines
    };

    void clear();
    void start(const train::PlanEvent& plan);
    void add(const train::StepEvent& step);
    void add(const train::EpochEvent& epoch);
    void add(const train::CheckpointEvent& checkpoint);
    void add(const train::MarkEvent& mark);
    void add(const train::MonitorEvent& monitor);

    const std::optional<train::PlanEvent>& plan() const { return m_plan; }
    const Table& steps() const { return m_steps; }
    const Table& epochs() const { return m_epochs; }
    const Table& table(Rows rows) const {
        return rows == Rows::steps ? m_steps : rows == Rows::epochs ? m_epochs : m_devices;
    }
    const Table& devices() const { return m_devices; }
    const std::vector<std::string>& deviceNames() const { return m_deviceNames; }  // each once
    bool isTold(std::size_t device, DeviceLine line) const;  // by any measurement
    const std::vector<Mark>& marks() const { return m_marks; }
    const std::vector<std::string>& metrics() const { return m_metrics; }
    bool hasLossScale() const { return m_hasLossScale; }  // one that is not 1
    bool hasClipLimit() const { return m_hasClipLimit; }
    std::size_t generation() const { return m_generation; }  // grows when values are taken away

    // Where an update stands on an axis: exact for one that is stored.
    double position(std::int64_t update, XAxis axis) const;

private:
    void cut(std::int64_t update);
    void setDevices(const train::PlanEvent& plan);

    std::optional<train::PlanEvent> m_plan;
    Table m_steps, m_epochs, m_devices;
    std::vector<std::string> m_deviceNames;
    std::vector<Mark> m_marks;
    std::vector<std::string> m_metrics;
    double m_startTime = 0.0;
    bool m_hasLossScale = false, m_hasClipLimit = false;
    std::size_t m_generation = 0;
};

// One row an update with all values and, in the row of an epoch's last update, the epoch's. Numbers
// are written so that reading them gives the same bits. Throws strata::Error (disk full). Quick to
// copy the store, slow to write: not for the window's thread.
void writeCsv(const RunStore& store, const QString& path);
// The same; what went wrong, in words, or "".
QString csvFault(const RunStore& store, const QString& path);

}  // namespace strata::ui

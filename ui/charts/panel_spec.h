// What a chart panel shows: its title, its lines and how the values are scaled. One function a
// quantity.
#pragma once

#include <QColor>
#include <QString>
#include <vector>

#include "ui/charts/run_store.h"

namespace strata::ui {

enum class Quantity {
    loss,
    metric,
    learningRate,
    gradientNorm,
    lossScale,
    throughput,
    memory,
    process,
    deviceMemory,
    utilisation,
    temperature,
    power
};

struct LineSpec {
    QString name;  // "train"
    QColor color;
    Rows rows = Rows::steps;  // values of epochs are drawn with dots
    std::size_t line = 0;     // RunStore::StepLine, EpochLine or DeviceLine
    bool smoothed = false;    // the slider applies
};

struct PanelSpec {
    QString title;  // with the unit: "Throughput, samples/s"
    std::vector<LineSpec> lines;
    bool fromZero = false;  // the axis always begins at 0
    bool bytes = false;     // the axis is scaled to KiB, MiB or GiB
    double top = 0.0;       // the axis always ends there; 0: where the values do
};

// In the studio's language and colours. metric: which of the run's; of memory which of the devices,
// from 1, or 0 for all of them; of deviceMemory which of the store's device names, from 0.
PanelSpec panelSpec(Quantity quantity, const RunStore& store, std::size_t metric = 0);
// Whether two devices have one memory: CPUs of one process, whose readings are the machine's and
// the program's.
bool shareMemory(const std::string& a, const std::string& b);
// Whose memory deviceMemory shows, from the first of those that share it: "cpu:0 to cpu:3".
QString memoryOwners(const RunStore& store, std::size_t device);
// Whether the run has a device that may tell temperature and power.
bool hasGpu(const RunStore& store);
// Whether the panel shows what devices tell of themselves.
bool isMeasured(Quantity quantity);

struct ByteUnit {
    QString name;
    double scale = 1.0;  // bytes -> unit
};
ByteUnit byteUnit(double largest);

QString axisText(XAxis axis, bool longTime = false);
QString markText(const Mark& mark);
// The colour made darker or lighter until text in it has a contrast of 4.5 to 1.
QColor readable(QColor color, const QColor& background);
QColor mixed(const QColor& a, const QColor& b, double share);  // share of a

}  // namespace strata::ui

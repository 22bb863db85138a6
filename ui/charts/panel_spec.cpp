#include "ui/charts/panel_spec.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ui/widgets/device_mark.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("strata::ui::Charts", text);
}

QString metricTitle(const std::string& name) {
    if (name == "accuracy") return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Accuracy"));
    QString title = nameText(name);
    if (!title.isEmpty()) title[0] = title[0].toUpper();
    return title;
}

LineSpec train(std::size_t line) {
    return {words(QT_TRANSLATE_NOOP("strata::ui::Charts", "train")), Theme::train(), Rows::steps,
            line, true};
}

LineSpec validation(std::size_t line) {
    return {words(QT_TRANSLATE_NOOP("strata::ui::Charts", "validation")), Theme::validation(),
            Rows::epochs, line, false};
}

LineSpec single(const char* name, std::size_t line, bool smoothed) {
    return {words(name), Theme::train(), Rows::steps, line, smoothed};
}

// Of "rank1/cpu:0", a device of one process of several, what that process calls it.
std::string inItsProcess(const std::string& device) {
    return device.substr(device.rfind('/') + 1);
}

// Devices of several processes go on where those of the first would end.
QColor colorOf(const std::string& device) {
    const int rank = device.starts_with("rank") ? std::atoi(device.c_str() + 4) : 0;
    return Theme::device(rank + deviceIndex(QString::fromStdString(device)));
}

// In use and free; of a CPU's memory, which all programs share, first what this one has.
PanelSpec deviceMemory(const RunStore& store, std::size_t device) {
    PanelSpec spec{
        words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Memory in use and free")), {}, true, true};
    if (device >= store.deviceNames().size()) return spec;
    const Colors& colors = Theme::instance().colors();
    const auto add = [&](const char* name, const QColor& color, RunStore::DeviceLine line) {
        if (store.isTold(device, line))
            spec.lines.push_back(
                {words(name), color, Rows::devices, device * RunStore::device_lines + line, false});
    };
    const QColor own = colorOf(store.deviceNames()[device]);
    const bool shared = store.isTold(device, RunStore::program_bytes);
    add(QT_TRANSLATE_NOOP("strata::ui::Charts", "this program"), own, RunStore::program_bytes);
    add(shared ? QT_TRANSLATE_NOOP("strata::ui::Charts", "all programs")
               : QT_TRANSLATE_NOOP("strata::ui::Charts", "in use"),
        shared ? colors.secondary : own, RunStore::used_bytes);
    add(QT_TRANSLATE_NOOP("strata::ui::Charts", "free"), colors.good, RunStore::free_bytes);
    return spec;
}

// A line for each device that tells it.
PanelSpec eachDevice(const char* title, const RunStore& store, RunStore::DeviceLine line,
                     double top = 0.0) {
    PanelSpec spec{words(title), {}, true, false, top};
    for (std::size_t i = 0; i < store.deviceNames().size(); ++i)
        if (store.isTold(i, line))
            spec.lines.push_back({QString::fromStdString(store.deviceNames()[i]),
                                  colorOf(store.deviceNames()[i]), Rows::devices,
                                  i * RunStore::device_lines + line, false});
    return spec;
}

}  // namespace

bool shareMemory(const std::string& a, const std::string& b) {
    const auto process = [](const std::string& device) {
        return device.substr(0, device.find('/') + 1);
    };
    return inItsProcess(a).starts_with("cpu") && inItsProcess(b).starts_with("cpu") &&
           process(a) == process(b);
}

QString memoryOwners(const RunStore& store, std::size_t device) {
    const std::vector<std::string>& names = store.deviceNames();
    if (device >= names.size()) return {};
    QString first = QString::fromStdString(names[device]);
    const auto last = std::find_if(names.rbegin(), names.rend(), [&](const std::string& name) {
        return shareMemory(names[device], name);
    });
    if (last == names.rend() || *last == names[device]) return first;
    return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "%1 to %2"))
        .arg(first, QString::fromStdString(inItsProcess(*last)));
}

bool hasGpu(const RunStore& store) {
    return std::any_of(
        store.deviceNames().begin(), store.deviceNames().end(),
        [](const std::string& name) { return !inItsProcess(name).starts_with("cpu"); });
}

PanelSpec panelSpec(Quantity quantity, const RunStore& store, std::size_t metric) {
    switch (quantity) {
        case Quantity::loss:
            return {words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Loss")),
                    {train(RunStore::loss), validation(RunStore::val_loss)}};
        case Quantity::metric: {
            const bool known = metric < store.metrics().size();
            return {known ? metricTitle(store.metrics()[metric]) : metricTitle("accuracy"),
                    {train(RunStore::metric + metric),
                     validation(RunStore::epoch_metric + 2 * metric + 1)}};
        }
        case Quantity::learningRate:
            return {words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Learning rate")),
                    {single(QT_TRANSLATE_NOOP("strata::ui::Charts", "rate"),
                            RunStore::learning_rate, false)}};
        case Quantity::gradientNorm: {
            PanelSpec spec{
                words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Gradient norm (all weights)")),
                {single(QT_TRANSLATE_NOOP("strata::ui::Charts", "norm"), RunStore::gradient_norm,
                        true)}};
            if (store.hasClipLimit())
                spec.lines.push_back({words(QT_TRANSLATE_NOOP("strata::ui::Charts", "limit")),
                                      Theme::instance().colors().warning, Rows::steps,
                                      RunStore::clip_limit, false});
            return spec;
        }
        case Quantity::lossScale:
            return {words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Loss scale")),
                    {single(QT_TRANSLATE_NOOP("strata::ui::Charts", "scale"), RunStore::loss_scale,
                            false)},
                    true};
        case Quantity::throughput:
            return {words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Throughput, samples/s")),
                    {single(QT_TRANSLATE_NOOP("strata::ui::Charts", "training"),
                            RunStore::throughput, true)},
                    true};
        case Quantity::memory:
            return {
                words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Planned memory")), {}, true, true};
        case Quantity::process:
            return {
                words(QT_TRANSLATE_NOOP("strata::ui::Charts", "Measured memory of the program")),
                {single(QT_TRANSLATE_NOOP("strata::ui::Charts", "measured"),
                        RunStore::process_bytes, false)},
                true,
                true};
        case Quantity::deviceMemory:
            return deviceMemory(store, metric);
        case Quantity::utilisation:
            return eachDevice(store.deviceNames().empty() || hasGpu(store)
                                  ? QT_TRANSLATE_NOOP("strata::ui::Charts", "Utilisation, %")
                                  : QT_TRANSLATE_NOOP("strata::ui::Charts",
                                                      "Use of the cores by this program, %"),
                              store, RunStore::utilisation, 100.0);
        case Quantity::temperature:
            return eachDevice(QT_TRANSLATE_NOOP("strata::ui::Charts", "Temperature, °C"), store,
                              RunStore::temperature);
        case Quantity::power:
            return eachDevice(QT_TRANSLATE_NOOP("strata::ui::Charts", "Power, W"), store,
                              RunStore::power);
    }
    return {};
}

bool isMeasured(Quantity quantity) {
    return quantity == Quantity::deviceMemory || quantity == Quantity::utilisation ||
           quantity == Quantity::temperature || quantity == Quantity::power;
}

ByteUnit byteUnit(double largest) {
    if (largest >= 1024.0 * 1024.0 * 1024.0)
        return {QStringLiteral("GiB"), 1.0 / (1024.0 * 1024.0 * 1024.0)};
    if (largest >= 1024.0 * 1024.0) return {QStringLiteral("MiB"), 1.0 / (1024.0 * 1024.0)};
    return {QStringLiteral("KiB"), 1.0 / 1024.0};
}

QString axisText(XAxis axis, bool longTime) {
    switch (axis) {
        case XAxis::update:
            return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "update"));
        case XAxis::epoch:
            return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "epoch"));
        case XAxis::samples:
            return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "samples"));
        case XAxis::time:
            return longTime ? words(QT_TRANSLATE_NOOP("strata::ui::Charts", "time, h:min:s"))
                            : words(QT_TRANSLATE_NOOP("strata::ui::Charts", "time, s"));
    }
    return {};
}

QColor readable(QColor color, const QColor& background) {
    const bool darkBackground = background.lightnessF() < 0.5F;
    for (int i = 0; i < 20 && contrast(color, background) < 4.5; ++i)
        color = darkBackground ? mixed(color, Qt::white, 0.92) : mixed(color, Qt::black, 0.92);
    return color;
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [&](int x, int y) {
        return static_cast<int>(std::lround(x * share + y * (1.0 - share)));
    };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace strata::ui

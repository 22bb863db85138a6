// The run as a table: one row an update. Called by Charts on another thread.
#include <QSaveFile>
#include <array>
#include <charconv>
#include <cmath>

#include "ui/charts/run_store.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

constexpr qsizetype flushAt = 1 << 20;

void addNumber(double value, QByteArray& row) {
    row += ',';
    if (std::isnan(value)) {
        row += "nan";
        return;
    }
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    row.append(text.data(), end - text.data());
}

// A name with a comma or a quote, as RFC 4180 wants it.
QByteArray quoted(const std::string& name) {
    QByteArray text = QByteArray::fromStdString(name);
    if (!text.contains(',') && !text.contains('"')) return text;
    return '"' + text.replace("\"", "\"\"") + '"';
}

QByteArray header(const RunStore& store) {
    QByteArray row =
        "update,epoch,samples,elapsed_s,loss,learning_rate,gradient_norm,samples_per_s,process_"
        "bytes,loss_scale,clip_limit";
    for (const std::string& metric : store.metrics()) row += ',' + quoted(metric);
    row += ",epoch_loss,val_loss";
    for (const std::string& metric : store.metrics())
        row += ',' + quoted("epoch_" + metric) + ',' + quoted("val_" + metric);
    return row + '\n';
}

void addStep(const RunStore& store, std::size_t i, QByteArray& out) {
    const Table& steps = store.steps();
    out += QByteArray::number(static_cast<qlonglong>(steps.x[0][i]));
    addNumber(steps.x[1][i], out);
    addNumber(steps.x[2][i], out);
    addNumber(steps.x[3][i], out);
    for (const Series& line : steps.lines) addNumber(line[i], out);
}

void addEpoch(const RunStore& store, std::size_t i, QByteArray& out) {
    for (const Series& line : store.epochs().lines) {
        if (std::isnan(line[i]))
            out += ',';
        else
            addNumber(line[i], out);
    }
}

[[noreturn]] void refuse(const QSaveFile& file) {
    throw Error(ErrorCode::io, "the table cannot be written: " + file.errorString().toStdString(),
                file.fileName().toStdString(), "Choose another folder or free some space");
}

}  // namespace

void writeCsv(const RunStore& store, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) refuse(file);
    const Column& epochUpdates = store.epochs().axis(XAxis::update);
    const QByteArray noEpoch(static_cast<qsizetype>(store.epochs().lines.size()), ',');
    QByteArray out = header(store);
    std::size_t epoch = 0;
    for (std::size_t i = 0; i < store.steps().rows(); ++i) {
        addStep(store, i, out);
        const double update = store.steps().x[0][i];
        while (epoch < epochUpdates.size() && epochUpdates[epoch] < update) ++epoch;
        if (epoch < epochUpdates.size() && epochUpdates[epoch] == update)
            addEpoch(store, epoch++, out);  // once, should a skipped step follow
        else
            out += noEpoch;
        out += '\n';
        if (out.size() < flushAt) continue;
        if (file.write(out) != out.size()) refuse(file);
        out.clear();
    }
    if (file.write(out) != out.size() || !file.commit()) refuse(file);
}

QString csvFault(const RunStore& store, const QString& path) {
    try {
        writeCsv(store, path);
        return {};
    } catch (const Error& error) {
        return errorText(error);
    }
}

}  // namespace strata::ui

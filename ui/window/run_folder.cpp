#include "ui/window/run_folder.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include "engine/io/paths.h"

namespace strata::ui {
namespace {

bool goesBeside(const Document& document) {
    return !document.path().isEmpty() &&
           QFileInfo(QFileInfo(document.path()).absolutePath()).isWritable();
}

QString runsOf(const Document& document) {
    return (goesBeside(document)
                ? QFileInfo(document.path()).absolutePath()
                : QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)) +
           "/runs";
}

QString safeName(const Document& document) {
    return QString::fromStdString(io::safe_file_name(document.config().name));
}

}  // namespace

QString runFolder(const Document& document) {
    if (goesBeside(document)) return {};
    return runsOf(document) + '/' + QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss") + '-' +
           safeName(document);
}

bool holdsCheckpoint(const QString& folder) {
    return !folder.isEmpty() &&
           (QFileInfo(folder + "/last.h5").isFile() || QFileInfo(folder + "/best.h5").isFile());
}

QString lastRunFolder(const Document& document) {
    if (document.path().isEmpty()) return {};
    const QDir runs(runsOf(document));
    // Two runs of one second: the later one ends in -2.
    const QRegularExpression pattern(QRegularExpression::anchoredPattern(
        "(\\d{8}-\\d{6})-" + QRegularExpression::escape(safeName(document)) + "(?:-(\\d+))?"));
    QString newest;
    std::pair<QString, int> best;
    for (const QString& name : runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QRegularExpressionMatch match = pattern.match(name);
        const std::pair<QString, int> rank{match.captured(1), match.captured(2).toInt()};
        if (!match.hasMatch() || rank < best || !holdsCheckpoint(runs.filePath(name))) continue;
        best = rank;
        newest = runs.filePath(name);
    }
    return newest;
}

}  // namespace strata::ui

#include "ui/window/run_folder.h"

#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace strata::ui {

QString runFolder(const Document& document) {
    if (!document.path().isEmpty() &&
        QFileInfo(QFileInfo(document.path()).absolutePath()).isWritable())
        return {};
    static const QRegularExpression unsafe("[^A-Za-z0-9]+");
    QString name = QString::fromStdString(document.config().name).toLower().replace(unsafe, "-");
    if (name.startsWith('-')) name.remove(0, 1);
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/runs/" +
           QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss") + "-" + name;
}

}  // namespace strata::ui

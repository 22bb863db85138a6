// Opening and saving of projects with their dialogs, the question on unsaved changes, and the list
// of recent projects.
#pragma once

#include <QObject>
#include <QStringList>

#include "ui/document/document.h"

namespace strata::ui {

class ProjectFiles : public QObject {
    Q_OBJECT

public:
    ProjectFiles(Document& document, QWidget* window);

    // Each first asks what becomes of unsaved changes; false where the person cancels or it fails
    // (then failed() tells).
    bool openDialog();
    bool openPath(const QString& path);
    bool newFromTemplate(const QString& name);
    bool save();
    bool saveAs();
    bool mayDiscard();  // true when nothing is lost: saved, or given up by the person
    QStringList recent() const;

Q_SIGNALS:
    void opened();
    void failed(const QString& message);
    void recentChanged();

private:
    bool saveTo(const QString& path);
    void remember(const QString& path);
    QString startFolder() const;

    Document& m_document;
    QWidget* m_window;
};

}  // namespace strata::ui

// One open project: its configuration, undo history, selection and analysis. Knows no widgets and
// runs nothing.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <functional>
#include <optional>

#include "engine/train/run_config.h"

namespace strata::ui {

class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);

    // Relative paths are taken from its base, the folder of path().
    const train::RunConfig& config() const { return m_config; }
    const graph::Model& model() const { return m_config.model; }
    const graph::ModelReport& report() const { return m_report; }
    // Why the loss cannot read the model: no single output, or one of another shape.
    const std::optional<Error>& lossFault() const { return m_lossFault; }
    std::optional<Error> fault() const;  // the first of the layers, or the loss's
    QUndoStack& undoStack() { return m_undo; }

    QString path() const { return m_path; }  // empty while never saved
    QString title() const;                   // name without the modified marker
    bool isModified() const { return !m_undo.isClean(); }

    // Replace the whole project; the undo history starts fresh. Throw strata::Error.
    void open(const QString& path);
    void setProject(const train::RunConfig& config);
    // In another folder, relative paths are rewritten to name the same files.
    void save(const QString& path);

    // One named, undoable change. mergeKey: successive changes with the same non-empty key are one
    // entry (typing a number). The edit may throw; then nothing changes.
    void edit(const QString& name, const std::function<void(train::RunConfig&)>& change,
              const QString& mergeKey = {});

    QStringList selection() const { return m_selection; }  // names of layers
    void select(const QStringList& names);

Q_SIGNALS:
    void changed();  // configuration and report
    void selectionChanged();
    void titleChanged();
    void replaced();  // another project

private:
    friend class SwapCommand;
    void replace(const train::RunConfig& config, const QString& path);
    void swapConfig(train::RunConfig& other);
    void refresh();
    void analyze();

    train::RunConfig m_config;
    graph::ModelReport m_report;
    std::optional<Error> m_lossFault;
    QUndoStack m_undo;
    QString m_path;
    QStringList m_selection;
};

}  // namespace strata::ui

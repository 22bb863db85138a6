#include "ui/document/document.h"

#include <QFileInfo>
#include <QUndoCommand>

#include "engine/losses/loss.h"
#include "ui/document/rebase.h"

namespace strata::ui {

// Holds the other of two configurations; undo and redo swap it with the document's.
class SwapCommand : public QUndoCommand {
public:
    SwapCommand(Document& document, const QString& name, train::RunConfig after,
                const QString& mergeKey)
        : QUndoCommand(name),
          m_document(document),
          m_other(std::move(after)),
          m_mergeKey(mergeKey) {}

    void redo() override { m_document.swapConfig(m_other); }
    void undo() override { m_document.swapConfig(m_other); }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }

    // The newer command has already swapped: what it holds is the state between, which nobody
    // needs.
    bool mergeWith(const QUndoCommand* newer) override {
        return static_cast<const SwapCommand*>(newer)->m_mergeKey == m_mergeKey;
    }

private:
    Document& m_document;
    train::RunConfig m_other;
    QString m_mergeKey;
};

Document::Document(QObject* parent) : QObject(parent) {
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::titleChanged);
    analyze();
}

QString Document::title() const {
    return m_path.isEmpty() ? QString::fromStdString(m_config.name)
                            : QFileInfo(m_path).completeBaseName();
}

void Document::open(const QString& path) {
    replace(train::load_project(path.toStdString()), path);
}

void Document::setProject(const train::RunConfig& config) {
    replace(config, {});
}

void Document::replace(const train::RunConfig& config, const QString& path) {
    m_path = path;
    m_undo.clear();
    m_selection.clear();
    m_config = config;
    refresh();
    Q_EMIT replaced();
    Q_EMIT selectionChanged();
    Q_EMIT titleChanged();
}

void Document::save(const QString& path) {
    train::RunConfig config = m_config;
    const bool moved = rebase(config, QFileInfo(path).absolutePath().toStdString());
    train::save_project(config, path.toStdString());
    m_config = std::move(config);
    m_path = path;
    m_undo.setClean();
    if (moved) refresh();
    Q_EMIT titleChanged();
}

void Document::edit(const QString& name, const std::function<void(train::RunConfig&)>& change,
                    const QString& mergeKey) {
    train::RunConfig after = m_config;
    change(after);
    m_undo.push(new SwapCommand(*this, name, std::move(after), mergeKey));
}

void Document::select(const QStringList& names) {
    if (names == m_selection) return;
    m_selection = names;
    Q_EMIT selectionChanged();
}

void Document::swapConfig(train::RunConfig& other) {
    // The other one may be from before a Save As.
    rebase(other, m_config.base);
    std::swap(m_config, other);
    refresh();
}

void Document::analyze() {
    m_report = graph::analyze(m_config.model);
    m_lossFault = m_report.error;
    if (m_lossFault || m_report.output < 0) return;
    const auto& output = m_report.layers[static_cast<std::size_t>(m_report.output)].output;
    if (!output) return;  // the fault is at a layer
    try {
        losses::find_loss(m_config.training.loss).check(*output);
    } catch (const Error& error) {
        m_lossFault = Error(error.code(), error.message(), "training.loss", error.hint());
    }
}

std::optional<Error> Document::fault() const {
    const auto error = m_report.first_error(m_config.model);
    return error ? error : m_lossFault;
}

void Document::refresh() {
    analyze();
    QStringList kept;
    for (const QString& name : m_selection)
        if (m_config.model.index_of(name.toStdString()) >= 0) kept.push_back(name);
    const bool lost = kept != m_selection;
    m_selection = kept;
    Q_EMIT changed();
    if (lost) Q_EMIT selectionChanged();
}

}  // namespace strata::ui

// Rows of settings of the open project: a label, an editor, help and a place for an error each.
// Base of the training panel's sections; makes the undo commands.
#pragma once

#include <QHash>
#include <QWidget>

#include "ui/document/document.h"

class QBoxLayout;
class QLabel;
class QVBoxLayout;

namespace strata::ui {

class SettingsForm : public QWidget {
    Q_OBJECT

public:
    explicit SettingsForm(Document& document, QWidget* parent = nullptr);

    // Keys are the project's: "training.epochs".
    void setError(const QString& key, const QString& message);
    void clearError(const QString& key) { setError(key, {}); }
    void clearErrors();
    bool hasRow(const QString& key) const { return m_rows.contains(key); }
    QString labelText(const QString& key) const;
    QStringList keys() const { return m_rows.keys(); }
    QWidget* editor(const QString& key) const { return m_rows.value(key).editor; }
    // Without the place: it stands at its field.
    static QString fieldText(const Error& error);
    virtual void retranslate() = 0;
    virtual void refresh() = 0;  // shows the document's values; makes no edits

protected:
    void addHeading(const QString& key);
    // wide: the editor has a line of its own.
    void addRow(const QString& key, QWidget* editor, bool wide = false);
    // The row of a switch for the whole form: its label is a heading, the editor stands at the
    // right.
    void addHeader(const QString& key, QWidget* editor);
    void addWidget(QWidget* widget);
    // Rows added from now on tell their help by tooltip alone.
    void setCompact(bool on) { m_compact = on; }
    void setHeading(const QString& key, const QString& text);
    // The row's label (and the editor's accessible name) and one line of help (and tooltip).
    void setText(const QString& key, const QString& label, const QString& help);
    void setRowVisible(const QString& key, bool visible);
    // One undoable change; an Error stands at the row. Changes of one key are one entry while
    // `merge` is on.
    void edit(const QString& key, const QString& name,
              const std::function<void(train::RunConfig&)>& change, bool merge = false);

    const train::RunConfig& config() const { return m_document.config(); }
    Document& m_document;

private:
    void insertRow(const QString& key, QWidget* editor, QBoxLayout* line, bool help);

    struct Row {
        QWidget *whole = nullptr, *editor = nullptr;
        QLabel *label = nullptr, *help = nullptr, *error = nullptr;
    };
    QVBoxLayout* m_layout;
    bool m_compact = false;
    QHash<QString, Row> m_rows;
    QHash<QString, QLabel*> m_headings;
};

}  // namespace strata::ui

#include "ui/training/settings_form.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"

namespace strata::ui {

SettingsForm::SettingsForm(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
}

void SettingsForm::addHeading(const QString& key) {
    QLabel* label = makeLabel("heading");
    label->setContentsMargins(0, m_layout->isEmpty() ? 0 : 8, 0, 2);
    m_layout->addWidget(label);
    m_headings.insert(key, label);
}

void SettingsForm::addRow(const QString& key, QWidget* editor, bool wide) {
    auto* line = new QBoxLayout(wide ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    line->setSpacing(wide ? 4 : fieldGap);
    insertRow(key, editor, line, !m_compact);
    line->addWidget(m_rows.value(key).label, 2);
    line->addWidget(editor, 3);
}

void SettingsForm::addHeader(const QString& key, QWidget* editor) {
    auto* line = new QHBoxLayout;
    line->setSpacing(fieldGap);
    insertRow(key, editor, line, true);
    QLabel* label = m_rows.value(key).label;
    label->setProperty("heading", true);
    line->addWidget(label, 1);
    line->addWidget(editor, 0, Qt::AlignTop);
}

void SettingsForm::insertRow(const QString& key, QWidget* editor, QBoxLayout* line, bool help) {
    Row row{new QWidget, editor, new QLabel, makeLabel("secondary"), makeLabel("bad")};
    auto* box = new QVBoxLayout(row.whole);
    box->setContentsMargins(0, 0, 0, help ? 4 : 0);
    box->setSpacing(2);
    guardWheel(editor);
    row.label->setBuddy(editor);
    row.label->setWordWrap(true);
    box->addLayout(line);
    box->addWidget(row.help);
    box->addWidget(row.error);
    row.help->setVisible(help);
    row.error->hide();
    m_layout->addWidget(row.whole);
    m_rows.insert(key, row);
}

void SettingsForm::clearErrors() {
    for (const Row& row : std::as_const(m_rows)) row.error->hide();
}

QString SettingsForm::labelText(const QString& key) const {
    const QLabel* label = m_rows.value(key).label;
    return label == nullptr ? QString() : label->text();
}

QString SettingsForm::fieldText(const Error& error) {
    return errorText(Error(error.code(), error.message(), {}, error.hint()));
}

void SettingsForm::addWidget(QWidget* widget) {
    m_layout->addWidget(widget);
}

void SettingsForm::setHeading(const QString& key, const QString& text) {
    m_headings.value(key)->setText(text);
}

void SettingsForm::setText(const QString& key, const QString& label, const QString& help) {
    const Row row = m_rows.value(key);
    row.label->setText(label);
    row.label->setToolTip(help);
    row.help->setText(help);
    row.editor->setAccessibleName(label);
    row.editor->setAccessibleDescription(help);
    row.editor->setToolTip(help);
}

void SettingsForm::setRowVisible(const QString& key, bool visible) {
    m_rows.value(key).whole->setVisible(visible);
}

void SettingsForm::setError(const QString& key, const QString& message) {
    QLabel* label = m_rows.value(key).error;
    if (label == nullptr) return;
    label->setText(message);
    label->setVisible(!message.isEmpty());
}

void SettingsForm::edit(const QString& key, const QString& name,
                        const std::function<void(train::RunConfig&)>& change, bool merge) {
    clearError(key);
    try {
        m_document.edit(name, change, merge ? key : QString());
    } catch (const Error& error) {
        setError(key, fieldText(error));
    }
}

}  // namespace strata::ui

#include "ui/data/data_panel.h"

#include <QEvent>
#include <QVBoxLayout>

#include "ui/data/data_form.h"
#include "ui/data/preview_view.h"

namespace strata::ui {

DataPanel::DataPanel(Document& document, QWidget* parent)
    : QScrollArea(parent), m_form(new DataForm(document)), m_preview(new PreviewView(document)) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(12);
    column->addWidget(m_form);
    column->addWidget(m_preview);
    column->addStretch(1);
    setWidget(content);
    connect(&document, &Document::changed, m_form, &SettingsForm::refresh);
    retranslate();
}

void DataPanel::retranslate() {
    setAccessibleName(tr("Data"));
    m_form->retranslate();
    m_form->refresh();
    m_preview->retranslate();
}

bool DataPanel::showError(const Error& error) {
    QString key = QString::fromStdString(error.where());
    if (key.startsWith("data.test") && !m_form->hasRow(key)) key = QStringLiteral("data.source");
    if (key.startsWith("data.source.") && !m_form->hasRow(key)) key = QStringLiteral("data.source");
    if (!m_form->hasRow(key)) return false;
    m_form->setError(key, SettingsForm::fieldText(error));
    ensureWidgetVisible(m_form->editor(key));
    return true;
}

void DataPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

}  // namespace strata::ui

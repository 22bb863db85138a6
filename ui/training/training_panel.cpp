#include "ui/training/training_panel.h"

#include <QEvent>
#include <QVBoxLayout>

#include "ui/training/optimizer_form.h"
#include "ui/training/run_form.h"
#include "ui/widgets/param_form.h"

namespace strata::ui {

TrainingPanel::TrainingPanel(Document& document, QWidget* parent)
    : QScrollArea(parent),
      m_document(document),
      m_optimizer(new OptimizerForm(document)),
      m_run(new RunForm(document)) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(12);
    for (SettingsForm* form : std::initializer_list<SettingsForm*>{m_optimizer, m_run})
        column->addWidget(form);
    column->addStretch(1);
    setWidget(content);
    connect(&m_document, &Document::changed, this, &TrainingPanel::refresh);
    retranslate();
}

void TrainingPanel::retranslate() {
    setAccessibleName(tr("Training"));
    for (SettingsForm* form : std::initializer_list<SettingsForm*>{m_optimizer, m_run}) {
        form->retranslate();
        form->refresh();
    }
}

void TrainingPanel::refresh() {
    for (SettingsForm* form : std::initializer_list<SettingsForm*>{m_optimizer, m_run})
        form->refresh();
}

bool TrainingPanel::showError(const Error& error) {
    QString key = QString::fromStdString(error.where());
    if (key == "batch_size") key = QStringLiteral("data.pipeline");
    const QString prefix = QStringLiteral("training.optimizer.config.");
    if (key.startsWith(prefix) &&
        m_optimizer->params()->editor(key.mid(prefix.size())) != nullptr) {
        m_optimizer->params()->setError(key.mid(prefix.size()), SettingsForm::fieldText(error));
        ensureWidgetVisible(m_optimizer->params()->editor(key.mid(prefix.size())));
        return true;
    }
    for (SettingsForm* form : std::initializer_list<SettingsForm*>{m_optimizer, m_run}) {
        if (!form->hasRow(key)) continue;
        form->setError(key, SettingsForm::fieldText(error));
        ensureWidgetVisible(form->editor(key));
        return true;
    }
    return false;
}

void TrainingPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

}  // namespace strata::ui

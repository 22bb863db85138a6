#include "ui/techniques/control_deck.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <cmath>

#include "engine/optimizers/optimizer.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/format.h"

namespace strata::ui {

ControlDeck::ControlDeck(QWidget* parent)
    : QWidget(parent),
      m_title(makeLabel("heading")),
      m_sentence(makeLabel("secondary")),
      m_error(makeLabel("bad")),
      m_apply(new QPushButton) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setHorizontalSpacing(fieldGap);
    grid->addWidget(m_title, 0, 0, 1, 2);
    grid->addWidget(m_sentence, 1, 0, 1, 2);
    for (int i = 0; i < settingCount; ++i) {
        m_labels[i] = new QLabel;
        m_labels[i]->setWordWrap(true);
        m_fields[i] = new QLineEdit;
        m_labels[i]->setBuddy(m_fields[i]);
        grid->addWidget(m_labels[i], 2 + i, 0);
        grid->addWidget(m_fields[i], 2 + i, 1);
        connect(m_fields[i], &QLineEdit::returnPressed, this, &ControlDeck::apply);
    }
    grid->addWidget(m_error, 2 + settingCount, 0, 1, 2);
    grid->addWidget(m_apply, 3 + settingCount, 1);
    grid->setColumnStretch(0, 2);
    grid->setColumnStretch(1, 3);
    m_error->hide();
    connect(m_apply, &QPushButton::clicked, this, &ControlDeck::apply);
    retranslate();
}

void ControlDeck::retranslate() {
    m_title->setText(tr("While it runs"));
    m_sentence->setText(tr("A checkpoint is saved first; the curves get a mark."));
    const QString labels[] = {tr("learning rate"), tr("clipping limit"), tr("weight decay")};
    const QString helps[] = {
        tr("The learning rate from the next step on; a schedule goes on from it"),
        tr("The clipping limit from the next step on"),
        tr("The weight decay from the next step on; 0 for none")};
    for (int i = 0; i < settingCount; ++i) {
        m_labels[i]->setText(labels[i]);
        m_fields[i]->setAccessibleName(labels[i]);
        m_fields[i]->setToolTip(helps[i]);
        m_labels[i]->setToolTip(helps[i]);
    }
    m_apply->setText(tr("Apply"));
    m_apply->setToolTip(tr("Apply what was changed to the running training"));
}

void ControlDeck::begin(const train::RunConfig& config) {
    m_clips = config.training.clipping.type != train::Clipping::none;
    m_error->hide();
    for (int i = 0; i < settingCount; ++i) {
        const bool open = isOpen(static_cast<Setting>(i));
        m_labels[i]->setVisible(open);
        m_fields[i]->setVisible(open);
        m_fields[i]->setModified(false);
    }
    const auto& optimizer = optimizers::find_optimizer(config.training.optimizer);
    const layers::Config values =
        layers::Config::checked(optimizer.params, config.training.optimizer_config);
    const auto decay = values.json().find("weight_decay");
    showValue(learningRate, values.number("learning_rate"));
    showValue(clipLimit, config.training.clipping.value);
    showValue(weightDecay,
              decay != values.json().end() && decay->is_number() ? decay->get<double>() : 0.0);
}

void ControlDeck::setState(train::RunState state) {
    using train::RunState;
    const bool open =
        state == RunState::running || state == RunState::paused || state == RunState::pausing;
    m_apply->setEnabled(open);
    for (QLineEdit* field : m_fields) field->setEnabled(open);
    Q_EMIT visibilityChanged(open || state == RunState::preparing || state == RunState::stopping);
}

void ControlDeck::addSteps(const QVector<train::StepEvent>& steps) {
    if (steps.isEmpty()) return;
    showValue(learningRate, steps.last().learning_rate);
    if (m_clips) showValue(clipLimit, steps.last().clip_limit);
}

// What is being typed stays.
void ControlDeck::showValue(Setting setting, double value) {
    QLineEdit* field = m_fields[setting];
    if (field->isModified() || field->hasFocus()) return;
    const QString text = localDigits(QString::number(value, 'g', 6));
    if (field->text() != text) field->setText(text);
}

void ControlDeck::apply() {
    m_error->hide();
    for (int i = 0; i < settingCount; ++i) {
        const auto setting = static_cast<Setting>(i);
        if (!m_fields[i]->isModified() || !isOpen(setting)) continue;
        bool number = false;
        const double value = plainDigits(m_fields[i]->text().trimmed()).toDouble(&number);
        const bool good =
            number && std::isfinite(value) && (setting == clipLimit ? value > 0.0 : value >= 0.0);
        if (!good) {
            m_error->setText(setting == clipLimit
                                 ? tr("%1: type a number above 0.").arg(m_labels[i]->text())
                                 : tr("%1: type a number, 0 or more.").arg(m_labels[i]->text()));
            m_error->show();
            continue;
        }
        m_fields[i]->setModified(false);
        Q_EMIT applied(setting, value);
    }
}

void ControlDeck::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

}  // namespace strata::ui

#include "ui/techniques/technique_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <cmath>

#include "ui/widgets/controls.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"

namespace strata::ui {

TechniqueCard::TechniqueCard(Document& document, const QString& key,
                             std::optional<Technique> technique)
    : SettingsForm(document), m_key(key), m_technique(technique), m_effect(makeLabel("good")) {
    setCompact(true);
    if (m_technique) {
        m_switch = new QCheckBox;
        addHeader(key, m_switch);
        connect(m_switch, &QCheckBox::toggled, this, &TechniqueCard::turn);
    } else {
        addHeader(key, new QWidget);
    }
}

void TechniqueCard::finish() {
    m_effect->hide();
    addWidget(m_effect);
}

bool TechniqueCard::on() const {
    return !m_technique || isOn(config(), *m_technique);
}

void TechniqueCard::turn(bool on) {
    edit(m_key, (on ? tr("Turn on: %1") : tr("Turn off: %1")).arg(title()),
         [&](Config& c) { switchTechnique(c, *m_technique, on); });
}

void TechniqueCard::retranslate() {
    setText(m_key, title(), sentence());
}

void TechniqueCard::refresh() {
    clearErrors();
    m_hidden.clear();
    if (m_switch != nullptr) showCheck(m_switch, on());
    showOptions(config());
    for (const QString& key : std::as_const(m_options))
        setRowVisible(key, on() && !m_hidden.contains(key));
    updateEffect();
}

void TechniqueCard::setOptionVisible(const QString& key, bool visible) {
    if (!visible) m_hidden << key;
}

void TechniqueCard::setPrediction(const TechniquePrediction& prediction) {
    m_prediction = prediction;
    refresh();
}

void TechniqueCard::updateEffect() {
    QString text = effect(), parts;
    if (m_technique) {
        const QString time = stepTimeEffect(m_prediction, *m_technique, on());
        if (!time.isEmpty()) text += (text.isEmpty() ? QString() : QStringLiteral(" · ")) + time;
        parts = stepTimeParts(m_prediction, *m_technique, on());
    }
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    m_effect->setToolTip(parts);
    m_effect->setAccessibleDescription(parts);
    if (m_effect->text() != text) m_effect->setText(text);
    m_effect->setVisible(!text.isEmpty());
}

QString TechniqueCard::effectParts() const {
    return m_effect->toolTip();
}

QString TechniqueCard::effectText() const {
    return m_effect->isHidden() ? QString() : m_effect->text();
}

// "training.early_stopping.monitor", or the nearest key above it that has a row; "" for none.
QString TechniqueCard::faultKey(const Error& error) const {
    QString key = QString::fromStdString(error.where()).replace(", ", ".");
    while (!key.isEmpty() && !hasRow(key))
        key = key.left(std::max<qsizetype>(key.lastIndexOf('.'), 0));
    return key;
}

bool TechniqueCard::showFault(const Error& error) {
    const QString key = faultKey(error);
    if (!key.isEmpty()) setError(key, fieldText(error));
    return !key.isEmpty();
}

QWidget* TechniqueCard::faultEditor(const Error& error) const {
    return editor(faultKey(error));
}

QString TechniqueCard::changeName(const QString& key) const {
    return tr("%1: change %2", "technique: option").arg(title(), labelText(key));
}

void TechniqueCard::change(const QString& key, const std::function<void(Config&)>& set,
                           bool merge) {
    edit(
        key, changeName(key),
        [&](Config& c) {
            set(c);
            checkTraining(c);
        },
        merge);
}

void TechniqueCard::addOption(const QString& key, QWidget* editor) {
    addRow(key, editor);
    m_options << key;
}

QSpinBox* TechniqueCard::addSpin(const QString& key, int minimum, int maximum,
                                 std::function<void(Config&, int)> set) {
    QSpinBox* box = makeSpin(minimum, maximum);
    addOption(key, box);
    connect(box, &QSpinBox::valueChanged, this, [this, key, set = std::move(set)](int value) {
        change(
            key, [&](Config& c) { set(c, value); }, true);
    });
    return box;
}

QLineEdit* TechniqueCard::addNumber(const QString& key,
                                    std::function<void(Config&, std::optional<double>)> set,
                                    bool optional) {
    auto* field = new QLineEdit;
    addOption(key, field);
    connect(field, &QLineEdit::editingFinished, this,
            [this, key, field, optional, set = std::move(set)] {
                if (!field->isModified()) return;
                field->setModified(false);
                const QString text = plainDigits(field->text().trimmed());
                bool number = false;
                const double value = text.toDouble(&number);
                if (text.isEmpty() && optional)
                    change(key, [&](Config& c) { set(c, {}); });
                else if (number && std::isfinite(value))
                    change(key, [&](Config& c) { set(c, value); });
                else
                    setError(key, tr("Type a number, such as 0.5 or 1e-4."));
            });
    return field;
}

QLineEdit* TechniqueCard::addText(const QString& key,
                                  std::function<void(Config&, const std::string&)> set) {
    auto* field = new QLineEdit;
    addRow(key, field, true);
    m_options << key;
    connect(field, &QLineEdit::editingFinished, this, [this, key, field, set = std::move(set)] {
        if (!field->isModified()) return;
        field->setModified(false);
        change(key, [&](Config& c) { set(c, field->text().trimmed().toStdString()); });
    });
    return field;
}

QComboBox* TechniqueCard::addChoice(const QString& key, const QStringList& values,
                                    std::function<void(Config&, const std::string&)> set) {
    auto* box = new QComboBox;
    for (const QString& value : values) box->addItem(value, value);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    addOption(key, box);
    connect(box, &QComboBox::activated, this, [this, key, box, set = std::move(set)](int index) {
        change(key, [&](Config& c) { set(c, box->itemData(index).toString().toStdString()); });
    });
    return box;
}

QCheckBox* TechniqueCard::addCheck(const QString& key, std::function<void(Config&, bool)> set) {
    auto* box = new QCheckBox;
    addOption(key, box);
    connect(box, &QCheckBox::toggled, this, [this, key, set = std::move(set)](bool on) {
        change(key, [&](Config& c) { set(c, on); });
    });
    return box;
}

QComboBox* TechniqueCard::addMonitor(const QString& key,
                                     std::function<void(Config&, const std::string&)> set) {
    return addChoice(key, {}, std::move(set));
}

void TechniqueCard::showSpin(QSpinBox* box, std::int64_t value) {
    const QSignalBlocker quiet(box);
    box->setValue(
        static_cast<int>(std::clamp<std::int64_t>(value, box->minimum(), box->maximum())));
}

void TechniqueCard::showNumber(QLineEdit* field, std::optional<double> value) {
    if (field->isModified()) return;
    field->setText(value ? localDigits(QString::number(*value, 'g', QLocale::FloatingPointShortest))
                         : QString());
}

void TechniqueCard::showChoice(QComboBox* box, const std::string& value) {
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(box->findData(QString::fromStdString(value)));
}

void TechniqueCard::showCheck(QCheckBox* box, bool on) {
    const QSignalBlocker quiet(box);
    box->setChecked(on);
}

// The values that an epoch of this project will have, and the one that is chosen.
void TechniqueCard::showMonitor(QComboBox* box, const std::string& value) {
    const QSignalBlocker quiet(box);
    QStringList names{"loss"};
    for (const std::string& metric : config().training.metrics)
        names << QString::fromStdString(metric);
    QStringList all;
    if (config().data.validation_split > 0.0)
        for (const QString& name : std::as_const(names)) all << "val_" + name;
    all += names;
    const QString chosen = QString::fromStdString(value);
    if (!all.contains(chosen)) all << chosen;
    box->clear();
    for (const QString& name : std::as_const(all)) box->addItem(name, name);
    box->setCurrentText(chosen);
}

void TechniqueCard::showText(QLineEdit* field, const std::string& value) {
    if (!field->isModified()) field->setText(QString::fromStdString(value));
}

}  // namespace strata::ui

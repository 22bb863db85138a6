// One card of the techniques panel: a switch, a sentence, a few options and what the technique is
// predicted to change. Base of all cards; the panel owns them and tells them of predictions.
#pragma once

#include "engine/train/events.h"
#include "ui/techniques/technique_prediction.h"
#include "ui/training/settings_form.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace strata::ui {

class TechniqueCard : public SettingsForm {
    Q_OBJECT

public:
    // key: the project's, of the switch. Without a technique the card has none.
    TechniqueCard(Document& document, const QString& key, std::optional<Technique> technique);

    void retranslate() override;
    void refresh() final;
    void setPrediction(const TechniquePrediction& prediction);
    // Shows the fault at the row that it names; false where it is none of this card's.
    virtual bool showFault(const Error& error);
    // The editor at which showFault() shows it.
    virtual QWidget* faultEditor(const Error& error) const;
    virtual void addSteps(const QVector<train::StepEvent>&) {}
    QCheckBox* toggle() const { return m_switch; }
    QString effectText() const;
    QString effectParts() const;  // its tooltip: what the step time is made of

protected:
    using Config = train::RunConfig;

    virtual void showOptions(const train::RunConfig& config) = 0;  // the options' values
    virtual QString effect() const = 0;                            // one line, "" for none

    virtual QString title() const = 0;
    virtual QString sentence() const = 0;
    void finish();  // after the last option

    void addOption(const QString& key, QWidget* editor);
    // Options; each change is a named, undoable edit.
    QSpinBox* addSpin(const QString& key, int minimum, int maximum,
                      std::function<void(Config&, int)> set);
    // A real number; nothing typed is allowed where `optional`.
    QLineEdit* addNumber(const QString& key,
                         std::function<void(Config&, std::optional<double>)> set,
                         bool optional = false);
    QLineEdit* addText(const QString& key, std::function<void(Config&, const std::string&)> set);
    // values: what the project has; their words come from retranslate().
    QComboBox* addChoice(const QString& key, const QStringList& values,
                         std::function<void(Config&, const std::string&)> set);
    QCheckBox* addCheck(const QString& key, std::function<void(Config&, bool)> set);
    QComboBox* addMonitor(const QString& key, std::function<void(Config&, const std::string&)> set);
    void change(const QString& key, const std::function<void(Config&)>& set, bool merge = false);
    QString changeName(const QString& key) const;

    void showSpin(QSpinBox* box, std::int64_t value);
    void showNumber(QLineEdit* field, std::optional<double> value);
    void showChoice(QComboBox* box, const std::string& value);
    void showCheck(QCheckBox* box, bool on);
    void showMonitor(QComboBox* box, const std::string& value);
    void showText(QLineEdit* field, const std::string& value);
    // Only while the technique is on.
    void setOptionVisible(const QString& key, bool visible);

    bool on() const;
    const TechniquePrediction& prediction() const { return m_prediction; }
    void updateEffect();

private:
    void turn(bool on);
    QString faultKey(const Error& error) const;

    QString m_key;
    std::optional<Technique> m_technique;
    QCheckBox* m_switch = nullptr;
    QLabel* m_effect;
    QStringList m_options, m_hidden;
    TechniquePrediction m_prediction;
};

}  // namespace strata::ui

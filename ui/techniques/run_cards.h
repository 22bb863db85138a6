// The cards of what happens between epochs: early stopping and checkpoints. Made by the techniques
// panel.
#pragma once

#include "ui/techniques/technique_card.h"

namespace strata::ui {

class EarlyStoppingCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit EarlyStoppingCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Early stopping"); }
    QString sentence() const override {
        return tr("Ends the run when a value stops getting better.");
    }

private:
    QComboBox *m_monitor, *m_mode;
    QSpinBox *m_patience, *m_start;
    QLineEdit *m_minDelta, *m_baseline;
    QCheckBox* m_restore;
};

class CheckpointCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit CheckpointCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Checkpoints"); }
    QString sentence() const override {
        return tr("Saves the run as it goes, so that it survives a power cut.");
    }

private:
    QComboBox *m_monitor, *m_mode;
    QCheckBox* m_bestOnly;
    QSpinBox *m_every, *m_keep;
    QLineEdit *m_minutes, *m_name;
};

}  // namespace strata::ui

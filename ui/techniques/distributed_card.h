// The card of runs with several processes, on this machine or others. Made by the techniques panel.
#pragma once

#include "ui/techniques/technique_card.h"

namespace strata::ui {

class DistributedCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit DistributedCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Distributed"); }
    QString sentence() const override {
        return tr("Several processes, on this machine or others, train one model together.");
    }

private:
    QSpinBox* m_processes;
    QLineEdit *m_hosts, *m_warmup;
    QComboBox* m_scaling;
    QLabel* m_note;
};

}  // namespace strata::ui

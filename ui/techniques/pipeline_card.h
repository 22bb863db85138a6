// The card of the input pipeline: shuffling, cache and reading ahead. Made by the techniques panel.
#pragma once

#include "ui/techniques/technique_card.h"

namespace strata::ui {

class PipelineCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit PipelineCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Input pipeline"); }
    QString sentence() const override {
        return tr("Makes batches ready while the model computes.");
    }

private:
    QCheckBox *m_shuffle, *m_cache, *m_auto;
    QSpinBox *m_buffer, *m_prefetch;
    QComboBox* m_place;
};

}  // namespace strata::ui

// The cards of several devices: copies of the model, and its layers in a pipeline. Made by the
// techniques panel.
#pragma once

#include "ui/techniques/technique_card.h"

namespace strata::ui {

class DataParallelCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit DataParallelCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Data parallel"); }
    QString sentence() const override {
        return tr("Copies of the model share each batch; their gradients are averaged.");
    }

private:
    QSpinBox* m_replicas;
    QCheckBox* m_sharded;
    QLabel* m_note;
};

class DevicePipelineCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit DevicePipelineCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Pipeline over devices"); }
    QString sentence() const override {
        return tr("Layers work on the device of their lane; micro-batches keep all of them busy.");
    }

private:
    bool isPlaced() const;  // on two devices or more

    QComboBox* m_schedule;
    QSpinBox* m_microBatches;
    QLabel* m_note;
};

}  // namespace strata::ui

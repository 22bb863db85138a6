// The cards of what happens in a step: precision, TF32, accumulation, clipping, the weights'
// average and recomputation. Made by the techniques panel.
#pragma once

#include <deque>

#include "ui/techniques/technique_card.h"

class QDoubleSpinBox;

namespace strata::ui {

class PrecisionCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit PrecisionCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Mixed precision"); }
    QString sentence() const override {
        return tr("Layers compute in 16 bits; the weights keep 32.");
    }

private:
    QComboBox *m_policy, *m_scaling;
    QLineEdit* m_scale;
    QSpinBox* m_interval;
};

class Tf32Card : public TechniqueCard {
    Q_OBJECT

public:
    explicit Tf32Card(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig&) override {}
    QString effect() const override;
    QString title() const override { return tr("TF32 on GPUs"); }
    QString sentence() const override {
        return tr(
            "Products of float32 round their factors to 11 significant bits: several times as "
            "fast.");
    }
};

class AccumulationCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit AccumulationCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Gradient accumulation"); }
    QString sentence() const override {
        return tr("One update is made from the gradients of several batches.");
    }

private:
    bool normalizes() const;  // the model has a BatchNormalization layer

    QSpinBox* m_window;
    QComboBox* m_statistics;
    QLabel* m_note;
};

class ClippingCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit ClippingCard(Document& document);
    void retranslate() override;
    void addSteps(const QVector<train::StepEvent>& steps) override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Gradient clipping"); }
    QString sentence() const override { return tr("Keeps exploding gradients in bounds."); }

private:
    QComboBox* m_type;
    QLineEdit* m_limit;
    std::deque<bool> m_clipped;  // of the newest updates
    std::int64_t m_lastUpdate = 0;
};

class EmaCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit EmaCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Average of the weights"); }
    QString sentence() const override {
        return tr("Validation and test use a moving average of the weights, which is calmer.");
    }

private:
    QLineEdit* m_momentum;
};

class RecomputationCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit RecomputationCard(Document& document);
    void retranslate() override;

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Recomputation"); }
    QString sentence() const override {
        return tr("Computes activations again instead of keeping them, until the plan fits.");
    }

private:
    QDoubleSpinBox* m_limit;  // in MiB, exact to the byte
};

}  // namespace strata::ui

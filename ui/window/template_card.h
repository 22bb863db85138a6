// A template as a large button: its stack, its title and one sentence. Used by the welcome page.
#pragma once

#include <QAbstractButton>

#include "engine/train/run_config.h"

namespace strata::ui {

class TemplateCard : public QAbstractButton {
    Q_OBJECT

public:
    explicit TemplateCard(const train::Template& entry, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    train::Template m_entry;
    graph::Model m_model;
};

}  // namespace strata::ui

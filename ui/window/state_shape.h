// The state of a run as a shape: read without colour. Used by the run bar.
#pragma once

#include <QWidget>

#include "engine/train/events.h"

namespace strata::ui {

class StateShape : public QWidget {
public:
    explicit StateShape(QWidget* parent = nullptr);
    void setState(train::RunState state);
    static QColor color(train::RunState state);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    train::RunState m_state = train::RunState::ready;
};

}  // namespace strata::ui

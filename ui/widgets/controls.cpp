#include "ui/widgets/controls.h"

#include <QLabel>
#include <QSpinBox>
#include <limits>

namespace strata::ui {

QLabel* makeLabel(const char* property) {
    auto* label = new QLabel;
    label->setProperty(property, true);
    label->setWordWrap(true);
    return label;
}

QSpinBox* makeSpin(int minimum) {
    return makeSpin(minimum, std::numeric_limits<int>::max());
}

QSpinBox* makeSpin(int minimum, int maximum) {
    auto* box = new QSpinBox;
    box->setRange(minimum, maximum);
    return box;
}

}  // namespace strata::ui

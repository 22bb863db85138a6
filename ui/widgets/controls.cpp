#include "ui/widgets/controls.h"

#include <QAbstractSpinBox>
#include <QEvent>
#include <QLabel>
#include <QSpinBox>
#include <limits>

namespace strata::ui {
namespace {

class WheelGuard : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel) return false;
        const auto* number = qobject_cast<QAbstractSpinBox*>(watched);
        if (number != nullptr && number->hasFocus()) return false;
        event->ignore();  // goes on to the scroll area
        return true;
    }
};

}  // namespace

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

void guardWheel(QWidget* field) {
    if (field->focusPolicy() == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);
    field->installEventFilter(new WheelGuard(field));
}

}  // namespace strata::ui

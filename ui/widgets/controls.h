// Small controls made the same way on every form. Used by the inspector and the training panel.
#pragma once

class QLabel;
class QSpinBox;
class QWidget;

namespace strata::ui {

// property: the style sheet's word for its look, such as "heading", "secondary" or "bad".
QLabel* makeLabel(const char* property);
QSpinBox* makeSpin(int minimum);  // upwards without a limit
QSpinBox* makeSpin(int minimum, int maximum);

// Between a label and its field.
inline constexpr int fieldGap = 8;

// A wheel turned over the field scrolls the panel; only a number that has the focus takes it. For
// fields that stand in a scroll area.
void guardWheel(QWidget* field);

}  // namespace strata::ui

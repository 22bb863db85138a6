// Small controls made the same way on every form. Used by the inspector and the training panel.
#pragma once

class QLabel;
class QSpinBox;

namespace strata::ui {

// property: the style sheet's word for its look, such as "heading", "secondary" or "bad".
QLabel* makeLabel(const char* property);
QSpinBox* makeSpin(int minimum);  // upwards without a limit
QSpinBox* makeSpin(int minimum, int maximum);

}  // namespace strata::ui

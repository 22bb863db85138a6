// The controls of all charts: smoothing, axes, follow, back, fit, export. Holds no charts; Charts
// connects it.
#pragma once

#include <QWidget>

#include "ui/charts/run_store.h"

class QAction;
class QLabel;
class QMenu;
class QSlider;
class QToolButton;

namespace strata::ui {

class ChartTools : public QWidget {
    Q_OBJECT

public:
    explicit ChartTools(QWidget* parent = nullptr);
    void setCanStepBack(bool can);
    double smoothing() const;
    void retranslate();
    // Hides what matters least until the rest fits; the width that is then needed.
    int fitInto(int width);

Q_SIGNALS:
    void smoothingChanged(double weight);
    void xAxisChosen(strata::ui::XAxis axis);
    void logXToggled(bool on);
    void logYToggled(bool on);
    void followToggled(bool on);
    void backClicked();
    void fitClicked();
    void exportClicked(const QString& ending);  // "png", "svg", "pdf", "csv"

private:
    QToolButton* makeButton(const char* name, bool checkable);
    void makeMenus();
    void showAxis(XAxis axis);
    void showSmoothing(int percent);

    QLabel *m_smoothLabel, *m_smoothValue;
    QSlider* m_smooth;
    QToolButton *m_axis, *m_logY, *m_follow, *m_back, *m_fit, *m_export;
    QMenu *m_axisMenu, *m_exportMenu;
    std::vector<QAction*> m_axes, m_exports;
    QAction* m_logX = nullptr;
    XAxis m_chosen = XAxis::update;
};

}  // namespace strata::ui

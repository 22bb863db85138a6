// The page of what a run's devices tell of themselves: memory of each, and the figures that all
// share.
#pragma once

#include <functional>

#include "ui/charts/panel_page.h"
#include "ui/charts/panel_spec.h"

namespace strata::ui {

class DevicePage : public PanelPage {
    Q_OBJECT

public:
    using MakePanel = std::function<ChartPanel*(Quantity quantity, std::size_t metric)>;

    // store: outlives the page. make: a panel as the other pages have them.
    DevicePage(const RunStore& store, MakePanel make);

    void showDevices();  // those of the store's plan
    void showTold();     // a figure that a device tells for the first time gets its line

private:
    const RunStore& m_store;
    MakePanel m_make;
    std::size_t m_told = 0;  // lines of devices that have a value
};

}  // namespace strata::ui

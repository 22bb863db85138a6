#include "ui/charts/device_page.h"

#include <algorithm>
#include <utility>

#include "ui/charts/chart_panel.h"

namespace strata::ui {

DevicePage::DevicePage(const RunStore& store, MakePanel make)
    : m_store(store), m_make(std::move(make)) {
    showDevices();
}

void DevicePage::showDevices() {
    std::vector<ChartPanel*> panels;
    const std::vector<std::string>& names = m_store.deviceNames();
    for (std::size_t i = 0; i < std::max<std::size_t>(names.size(), 1); ++i) {
        const auto own = names.begin() + static_cast<std::ptrdiff_t>(std::min(i, names.size()));
        if (std::none_of(names.begin(), own,
                         [&](const std::string& earlier) { return shareMemory(earlier, *own); }))
            panels.push_back(m_make(Quantity::deviceMemory, i));
    }
    panels.push_back(m_make(Quantity::utilisation, 0));
    if (hasGpu(m_store))
        for (const Quantity quantity : {Quantity::temperature, Quantity::power})
            panels.push_back(m_make(quantity, 0));
    setPanels(panels);
    m_told = 0;
}

void DevicePage::showTold() {
    std::size_t told = 0;
    for (std::size_t i = 0; i < m_store.deviceNames().size(); ++i)
        for (std::size_t line = 0; line < RunStore::device_lines; ++line)
            told += m_store.isTold(i, static_cast<RunStore::DeviceLine>(line)) ? 1 : 0;
    if (told == m_told) return;
    m_told = told;
    for (ChartPanel* panel : panels()) panel->rebuild();
}

}  // namespace strata::ui

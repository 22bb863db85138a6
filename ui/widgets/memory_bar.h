// A device's memory as a stacked bar by category against its limit, with its parts in words below.
#pragma once

#include <QWidget>

#include "engine/device/arena.h"

namespace strata::ui {

class MemoryBar : public QWidget {
public:
    explicit MemoryBar(QWidget* parent = nullptr);
    void setMemory(const device::MemoryBudget& memory, std::size_t limit);  // limit: 0 = unknown
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString amount() const;

    device::MemoryBudget m_memory;
    std::size_t m_limit = 0;
};

}  // namespace strata::ui

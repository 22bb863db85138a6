// A small curve of the learning rate over the run's epochs. Used by the schedule's card.
#pragma once

#include <QWidget>
#include <vector>

namespace strata::ui {

class RateCurve : public QWidget {
    Q_OBJECT

public:
    explicit RateCurve(QWidget* parent = nullptr);
    void setRates(const std::vector<double>& rates, std::int64_t epochs);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_rates;
    std::int64_t m_epochs = 0;
};

}  // namespace strata::ui

// How many samples there are of each class: a bar with name and count each, or a row of columns
// where the classes are many. Used by the data preview.
#pragma once

#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <vector>

namespace strata::ui {

class ClassBars : public QWidget {
    Q_OBJECT

public:
    explicit ClassBars(QWidget* parent = nullptr);
    void setCounts(const QStringList& names, const std::vector<std::int64_t>& counts);
    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool isLong() const;  // columns in place of bars
    int rowHeight() const;
    QString textOf(std::size_t index) const;
    void paintBars(QPainter& painter) const;
    void paintColumns(QPainter& painter) const;

    QStringList m_names;
    std::vector<std::int64_t> m_counts;
};

}  // namespace strata::ui

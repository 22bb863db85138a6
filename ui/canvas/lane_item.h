// A device's lane: its ground behind the cards and its header, which stays in sight while the
// canvas scrolls. Paint plain data; the scene owns them.
#pragma once

#include <QGraphicsItem>
#include <QString>
#include <optional>
#include <vector>

namespace strata::ui {

struct LaneData {
    // The same layers in a further copy of the model.
    struct Copy {
        QString device;
        std::uint64_t bytes = 0, limit = 0;
        bool over() const { return limit > 0 && bytes > limit; }
    };

    QString device;
    bool isNew = false;   // nothing stands there yet
    bool ofCopy = false;  // a new one: a further copy works there, and would go on
    int replicas = 1;     // of the project; the first stands on `device`
    // Of the plan, where there is one.
    std::optional<double> share;         // of the work, 0 to 1
    std::uint64_t bytes = 0, limit = 0;  // limit: 0 = unknown
    bool planned = false;
    std::vector<Copy> copies;  // behind the first

    bool over() const { return limit > 0 && bytes > limit; }
};

class LaneItem : public QGraphicsItem {
public:
    LaneItem(const LaneData& data, const QRectF& rect);
    const QString& device() const { return m_device; }
    void setTarget(bool on);  // what is dragged would go here
    bool isTarget() const { return m_target; }
    QRectF boundingRect() const override { return m_rect.adjusted(-2, -2, 2, 2); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QString m_device;
    QRectF m_rect;
    double m_header;  // the height of its header
    bool m_new, m_ofCopy, m_target = false;
};

class LaneHeaderItem : public QGraphicsItem {
public:
    LaneHeaderItem(const LaneData& data, double width);
    const LaneData& data() const { return m_data; }
    void setData(const LaneData& data);
    QString words() const;  // all that it may show, as one line
    struct Shown {
        QString share, memory;
    };
    Shown shownTexts() const;
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintMemory(QPainter* painter, const QRectF& line, double left, const QString& device,
                     std::uint64_t bytes, std::uint64_t limit, const QString& text) const;
    void paintCopies(QPainter* painter) const;
    LaneData m_data;
    double m_width;
};

}  // namespace strata::ui

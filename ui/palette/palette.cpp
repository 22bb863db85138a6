#include "ui/palette/palette.h"

#include <QEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/layers/catalogue.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int typeRole = Qt::UserRole;
constexpr int categoryRole = Qt::UserRole + 1;
constexpr int iconRole = Qt::UserRole + 2;

class LayerList : public QListWidget {
public:
    using QListWidget::QListWidget;

protected:
    QMimeData* mimeData(const QList<QListWidgetItem*>& items) const override {
        auto* mime = new QMimeData;
        if (!items.isEmpty())
            mime->setData(layerMimeType, items[0]->data(typeRole).toString().toUtf8());
        return mime;
    }
};

// A row is a small card with its category's stripe, or a category's heading.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {0, Theme::px(index.data(typeRole).isNull() ? 28 : 32)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Colors& colors = Theme::instance().colors();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (index.data(typeRole).isNull()) {
            painter->setFont(Theme::heading());
            painter->setPen(colors.secondary);
            painter->drawText(option.rect.adjusted(4, 4, 0, 0), Qt::AlignVCenter,
                              index.data().toString());
            painter->restore();
            return;
        }
        const QRectF card = QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -2.5);
        const bool marked = option.state & (QStyle::State_Selected | QStyle::State_MouseOver);
        painter->setPen(
            QPen(option.state & QStyle::State_Selected ? colors.accent : colors.border, 1));
        painter->setBrush(marked ? colors.canvas : colors.panel);
        painter->drawRoundedRect(card, 5, 5);
        const auto category = static_cast<layers::LayerCategory>(index.data(categoryRole).toInt());
        painter->setPen(Qt::NoPen);
        painter->setBrush(Theme::layer(category));
        painter->drawRoundedRect(QRectF(card.left(), card.top(), 4, card.height()), 2, 2);
        painter->drawPixmap(
            QPointF(card.left() + 12, card.center().y() - 8),
            iconPixmap(index.data(iconRole).toString(), 16, Theme::onPanel(Theme::layer(category)),
                       painter->device()->devicePixelRatioF()));
        painter->setPen(colors.text);
        painter->setFont(Theme::text());
        painter->drawText(card.adjusted(36, 0, -6, 0), Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight,
                                                            static_cast<int>(card.width()) - 42));
        painter->restore();
    }
};

bool matches(const layers::LayerSpec& spec, const QString& words) {
    if (words.isEmpty()) return true;
    QStringList names{QString::fromStdString(spec.type), QString::fromStdString(spec.doc),
                      catalogueText(spec.doc)};
    for (const std::string& alias : spec.aliases) names.push_back(QString::fromStdString(alias));
    return names.join(' ').contains(words, Qt::CaseInsensitive);
}

}  // namespace

Palette::Palette(QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit), m_list(new LayerList) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_search);
    layout->addWidget(m_list);
    m_search->setClearButtonEnabled(true);
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setDragEnabled(true);
    m_list->setMouseTracking(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setStyleSheet("QListWidget { border: none; }");
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(m_search, &QLineEdit::textChanged, this, &Palette::fill);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        for (int row = 0; row < m_list->count(); ++row)
            if (const QVariant type = m_list->item(row)->data(typeRole); !type.isNull()) {
                Q_EMIT chosen(type.toString());
                return;
            }
    });
    connect(m_list, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        if (!item->data(typeRole).isNull()) Q_EMIT chosen(item->data(typeRole).toString());
    });
    fill();
}

// Wide enough for the longest layer.
QSize Palette::sizeHint() const {
    constexpr int aroundText = 36 + 6 + 3, aroundList = 10 + 8 + 16;  // row; margins, scroll bar
    const QFontMetrics metrics(Theme::text());
    int widest = 0;
    for (const layers::LayerDescription* layer : layers::catalogue())
        widest =
            std::max(widest, metrics.horizontalAdvance(QString::fromStdString(layer->spec.type)));
    return {widest + aroundText + aroundList, QWidget::sizeHint().height()};
}

void Palette::focusSearch() {
    m_search->setFocus();
    m_search->selectAll();
}

void Palette::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) fill();
    QWidget::changeEvent(event);
}

void Palette::fill() {
    m_search->setPlaceholderText(tr("Find a layer"));
    m_search->setAccessibleName(tr("Find a layer"));
    m_search->setToolTip(
        tr("Type a part of a layer's name or purpose; Return inserts the first one"));
    m_list->setAccessibleName(tr("Layers"));
    m_list->setToolTip(
        tr("Drag a layer onto the canvas, or double-click to insert it after the selection"));
    m_list->clear();
    int shown = -1;
    for (const layers::LayerDescription* layer : layers::catalogue()) {
        const layers::LayerSpec& spec = layer->spec;
        if (!matches(spec, m_search->text().trimmed())) continue;
        if (const int category = static_cast<int>(spec.category); category != shown) {
            shown = category;
            auto* heading = new QListWidgetItem(categoryText(spec.category), m_list);
            heading->setFlags(Qt::NoItemFlags);
        }
        auto* item = new QListWidgetItem(QString::fromStdString(spec.type), m_list);
        item->setData(typeRole, QString::fromStdString(spec.type));
        item->setData(categoryRole, static_cast<int>(spec.category));
        item->setToolTip(catalogueText(spec.doc));
        item->setData(iconRole, QString::fromStdString(spec.icon));
    }
    if (m_list->count() == 0) {
        auto* none = new QListWidgetItem(tr("No layer of that name"), m_list);
        none->setFlags(Qt::NoItemFlags);
    }
}

}  // namespace strata::ui

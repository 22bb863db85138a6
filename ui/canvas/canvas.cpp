#include "ui/canvas/canvas.h"

#include <QApplication>
#include <QEvent>
#include <QGraphicsScene>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "engine/losses/loss.h"
#include "ui/canvas/card_item.h"
#include "ui/canvas/edge_item.h"
#include "ui/canvas/layout.h"
#include "ui/document/model_edits.h"
#include "ui/document/sharing_edits.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

CardData cardData(const graph::Model& model, const graph::LayerNode& node,
                  const graph::LayerReport& report) {
    CardData data;
    data.name = QString::fromStdString(node.name);
    data.title = QString::fromStdString(node.type->spec.type);
    if (node.type->summary) data.summary = summaryText(node.type->summary(node.config));
    if (report.output) data.shape = formatShape(*report.output);
    if (report.parameters > 0) data.count = formatCount(report.parameters);
    data.category = node.type->spec.category;
    data.icon = QString::fromStdString(node.type->spec.icon);
    data.device = QString::fromStdString(node.device);
    data.shares = QString::fromStdString(node.shares);
    for (const std::string& sharer : sharersOf(model, node.name))
        data.sharers << QString::fromStdString(sharer);
    if (report.error) data.error = errorTextAtLayer(*report.error);
    return data;
}

constexpr double lossRoom = 50;  // of the loss's card, and below it

QString lossText(const std::string& loss) {
    return nameText(loss);
}

}  // namespace

Canvas::Canvas(Document& document, QWidget* parent) : QGraphicsView(parent), m_document(document) {
    setScene(&m_scene);
    setAcceptDrops(true);
    setDragMode(RubberBandDrag);
    setFrameShape(NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(MinimalViewportUpdate);
    setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    setTransformationAnchor(AnchorUnderMouse);
    connect(&m_document, &Document::changed, this, [this] {
        m_failedLayer.clear();
        rebuild();
    });
    connect(&m_document, &Document::selectionChanged, this, &Canvas::showSelection);
    connect(&m_document, &Document::replaced, this, [this] {
        resetZoom();
        verticalScrollBar()->setValue(verticalScrollBar()->minimum());
        showFirstLane();
    });
    connect(&m_scene, &QGraphicsScene::selectionChanged, this, &Canvas::takeSelection);
    connect(&m_scene, &QGraphicsScene::selectionChanged, this, &Canvas::edgeSelectionChanged);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        rebuild();
        viewport()->update();
    });
    rebuild();
    resetZoom();
}

// The scene deselects its cards while it deletes them, and a view of it would scroll.
Canvas::~Canvas() {
    m_scene.disconnect(this);
    setScene(nullptr);
}

void Canvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) rebuild();
    QGraphicsView::changeEvent(event);
}

void Canvas::describe() {
    setAccessibleName(tr("Model"));
    QStringList lines{
        tr("The stack of layers. Up and Down select, with Shift several, Delete "
           "removes, Space searches a layer to add")};
    for (const LaneHeaderItem* header : m_headers)
        if (!header->data().isNew) lines << header->words();
    setAccessibleDescription(lines.join(QStringLiteral(". ")));
}

void Canvas::rebuild() {
    cancelLink();
    const graph::Model& model = m_document.model();
    const graph::ModelReport& report = m_document.report();
    m_widths = m_lanes ? laneWidths(model, report, laneRoom()) : LaneWidths();
    std::vector<CardData> cards;
    std::vector<double> extra;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        cards.push_back(cardData(model, model.layers[i], report.layers[i]));
        if (cards.back().name == m_failedLayer) cards.back().error = m_failedText;
        cards.back().width = m_widths.card;
        extra.push_back(CardItem::errorHeight(cards.back().error, m_widths.card));
    }
    const LaneLayout layout = m_lanes ? layOutLanes(model, report, extra, m_widths)
                                      : LaneLayout{{}, layOut(model, report, extra)};
    const std::vector<CardPlace>& places = layout.places;
    QSignalBlocker quiet(&m_scene);
    QHash<QString, CardItem*> old;
    old.swap(m_cards);
    double bottom = 0;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const CardData& card = cards[i];
        CardItem* item = old.take(card.name);
        if (item == nullptr) {
            item = new CardItem(card);
            m_scene.addItem(item);
        }
        item->setData(card);
        item->setPos(places[i].x, places[i].y);
        bottom = std::max(bottom, places[i].y + rowPitch + extra[i]);
        m_cards.insert(card.name, item);
    }
    qDeleteAll(old);
    if (m_loss == nullptr) {
        CardData empty;
        empty.isLoss = true;
        m_scene.addItem(m_loss = new CardItem(empty));
    }
    CardData loss;
    loss.isLoss = true;
    loss.width = m_widths.card;
    loss.title = tr("Loss");
    loss.icon = QStringLiteral("loss");
    loss.summary = lossText(m_document.config().training.loss);
    if (const auto& fault = m_document.lossFault())
        loss.error = errorText(Error(fault->code(), fault->message(), {}, fault->hint()));
    m_loss->setData(loss);
    m_loss->setVisible(!m_cards.isEmpty());
    const int output = report.output;
    m_loss->setPos(output < 0 ? 0 : places[static_cast<std::size_t>(output)].x, bottom);
    rebuildLanes(layout.lanes, bottom + lossRoom);
    rebuildEdges(places);
    showPlan();
    const double margin = m_lanes ? laneGap : 40;
    const auto resize = [&] {
        quiet.unblock();  // the view must hear of it
        m_scene.setSceneRect(
            m_scene.itemsBoundingRect().adjusted(-margin, m_lanes ? -margin : -24, margin, margin));
        quiet.reblock();
    };
    if (m_lanes)
        keepCorner(resize);
    else
        resize();
    holdHeaders();
    showSelection();
}

void Canvas::rebuildEdges(std::vector<CardPlace> places) {
    qDeleteAll(m_edges);
    m_edges.clear();
    m_insertion = nullptr;
    const graph::Model& model = m_document.model();
    int skips = 0;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        for (const std::string& input : model.layers[i].inputs) {
            const int source = model.index_of(input);
            if (source >= 0) addEdge(places, static_cast<std::size_t>(source), i, skips);
        }
    }
    const int output = m_document.report().output;
    if (output < 0) return;
    const auto source = static_cast<std::size_t>(output);
    CardPlace loss = places[source];
    for (const CardPlace& place : places) loss.row = std::max(loss.row, place.row + 1);
    places.push_back(loss);
    addEdge(places, source, model.layers.size(), skips);
}

void Canvas::addEdge(const std::vector<CardPlace>& places, std::size_t source, std::size_t target,
                     int& skips) {
    const auto& layers = m_document.model().layers;
    const auto& shape = m_document.report().layers[source].output;
    const bool toLoss = target == layers.size();
    const QString from = QString::fromStdString(layers[source].name),
                  to = toLoss ? QString() : QString::fromStdString(layers[target].name);
    const auto rectOf = [](const CardItem* card) {
        return card->cardRect().translated(card->pos());
    };
    const QRectF upper = rectOf(m_cards.value(from)),
                 lower = rectOf(toLoss ? m_loss : m_cards.value(to));
    auto* edge = new EdgeItem(from, to, shape ? formatShape(*shape) : QString());
    edge->setCardWidth(upper.width());
    if (m_lanes && deviceOf(from) != deviceOf(to)) {
        edge->setCrossing(upper, lower, deviceOf(to));
    } else if (const auto way = sideWay(places, source, target, skips)) {
        edge->setSides(upper, lower, *way);
        ++skips;
    } else {
        edge->setEnds({upper.center().x(), upper.bottom()}, {lower.center().x(), lower.top()});
    }
    m_scene.addItem(edge);
    m_edges.push_back(edge);
}

void Canvas::drawBackground(QPainter* painter, const QRectF& rect) {
    const Colors& colors = Theme::instance().colors();
    painter->fillRect(rect, colors.canvas);
    if (!m_cards.isEmpty()) return;
    painter->setPen(colors.secondary);
    painter->setFont(Theme::text());
    painter->resetTransform();
    painter->drawText(
        viewport()->rect(), Qt::AlignCenter,
        tr("Drag an InputLayer from the left to begin,\nor choose a template in File, New."));
}

void Canvas::takeSelection() {
    if (m_syncing) return;
    QStringList names;
    for (const graph::LayerNode& node : m_document.model().layers) {
        const QString name = QString::fromStdString(node.name);
        if (const CardItem* item = m_cards.value(name); item != nullptr && item->isSelected())
            names.push_back(name);
    }
    m_document.select(names);
}

void Canvas::showSelection() {
    m_syncing = true;
    const QStringList names = m_document.selection();
    for (auto it = m_cards.cbegin(); it != m_cards.cend(); ++it)
        it.value()->setSelected(names.contains(it.key()));
    m_syncing = false;
    viewport()->update();
}

QString Canvas::selectedLayer() const {
    return m_document.selection().isEmpty() ? QString() : m_document.selection().last();
}

void Canvas::moveSelection(int by, bool extend) {
    const auto& layers = m_document.model().layers;
    if (layers.empty()) return;
    const int now = selectedLayer().isEmpty()
                        ? (by > 0 ? -1 : static_cast<int>(layers.size()))
                        : m_document.model().index_of(selectedLayer().toStdString());
    const int next = std::clamp(now + by, 0, static_cast<int>(layers.size()) - 1);
    const QString name = QString::fromStdString(layers[static_cast<std::size_t>(next)].name);
    QStringList names{name};
    if (extend) {
        names = m_document.selection();
        names.removeAll(name);
        names << name;  // from here it goes on
    }
    m_document.select(names);
    if (CardItem* item = m_cards.value(name)) ensureVisible(item, 20, m_lanes ? 60 : 30);
}

void Canvas::tryEdit(const QString& name, const std::function<void(graph::Model&)>& change) {
    try {
        m_document.edit(name, [&](train::RunConfig& config) { change(config.model); });
    } catch (const Error& error) {
        Q_EMIT failed(errorText(error));
    } catch (const std::exception& error) {  // must not leave a slot
        Q_EMIT failed(errorText(Error(ErrorCode::internal, error.what())));
    }
}

void Canvas::zoomBy(double factor) {
    const double scale = transform().m11() * factor;
    if (scale < 0.2 || scale > 4.0) return;
    this->scale(factor, factor);
    holdHeaders();
}

void Canvas::resetZoom() {
    resetTransform();
    scale(Theme::scale(), Theme::scale());
    centerOn(m_scene.sceneRect().center().x(), 0);
    holdHeaders();
}

void Canvas::fitModel() {
    fitInView(m_scene.sceneRect(), Qt::KeepAspectRatio);
    if (transform().m11() > Theme::scale()) resetZoom();
    holdHeaders();
}

void Canvas::showRunError(const QString& layer, const QString& text) {
    m_failedLayer = layer;
    m_failedText = text;
    rebuild();
    m_document.select({layer});
    if (CardItem* item = m_cards.value(layer)) ensureVisible(item, 20, 40);
}

}  // namespace strata::ui

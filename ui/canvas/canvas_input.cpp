// The canvas's mouse, keys and drag and drop.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDrag>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <algorithm>
#include <limits>

#include "engine/layers/catalogue.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/card_item.h"
#include "ui/canvas/edge_item.h"
#include "ui/canvas/layout.h"
#include "ui/document/model_edits.h"
#include "ui/palette/palette.h"

namespace strata::ui {
namespace {

constexpr const char* moveMimeType = "application/x-strata-move";
constexpr const char* layersMimeType = "application/x-strata-layers";

std::vector<std::string> toStd(const QStringList& names) {
    std::vector<std::string> out;
    for (const QString& name : names) out.push_back(name.toStdString());
    return out;
}

// Of the layers that are dragged; none where it is a new layer's type.
QStringList namesIn(const QMimeData* mime) {
    if (!mime->hasFormat(moveMimeType)) return {};
    return QString::fromUtf8(mime->data(moveMimeType)).split('\n', Qt::SkipEmptyParts);
}

}  // namespace

void Canvas::insert(const QString& type) {
    std::string name;
    tryEdit(tr("Insert %1").arg(type), [&](graph::Model& model) {
        name = insertLayer(model, type.toStdString(), selectedLayer().toStdString());
    });
    if (!name.empty()) m_document.select({QString::fromStdString(name)});
}

void Canvas::removeSelected() {
    const QStringList names = m_document.selection();
    if (names.isEmpty()) {
        removeSelectedEdges();
        return;
    }
    tryEdit(names.size() == 1 ? tr("Delete %1").arg(names.first())
                              : tr("Delete %n layers", nullptr, static_cast<int>(names.size())),
            [&](graph::Model& model) { removeLayers(model, toStd(names)); });
}

void Canvas::duplicateSelected() {
    std::vector<std::string> made;
    const QStringList names = m_document.selection();
    if (names.isEmpty()) return;
    tryEdit(names.size() == 1 ? tr("Duplicate %1").arg(names.first())
                              : tr("Duplicate %n layers", nullptr, static_cast<int>(names.size())),
            [&](graph::Model& model) { made = duplicateLayers(model, toStd(names)); });
    QStringList selected;
    for (const std::string& name : made) selected.push_back(QString::fromStdString(name));
    if (!selected.isEmpty()) m_document.select(selected);
}

void Canvas::copySelected() {
    const QStringList names = m_document.selection();
    if (names.isEmpty()) return;
    auto* mime = new QMimeData;
    const QByteArray text =
        QByteArray::fromStdString(copyLayers(m_document.model(), toStd(names)).dump(1));
    mime->setData(layersMimeType, text);
    mime->setText(QString::fromUtf8(text));
    QApplication::clipboard()->setMimeData(mime);
}

void Canvas::cutSelected() {
    copySelected();
    removeSelected();
}

void Canvas::paste() {
    const QMimeData* mime = QApplication::clipboard()->mimeData();
    if (mime == nullptr || !mime->hasFormat(layersMimeType)) return;
    tryEdit(tr("Paste layers"), [&](graph::Model& model) {
        pasteLayers(model, parse_json(mime->data(layersMimeType).toStdString(), "clipboard"),
                    selectedLayer().toStdString());
    });
}

void Canvas::selectAllLayers() {
    QStringList names;
    for (const auto& node : m_document.model().layers)
        names.push_back(QString::fromStdString(node.name));
    m_document.select(names);
}

void Canvas::mergeSelected(const QString& type) {
    const QStringList names = m_document.selection();
    if (names.size() < 2) {
        Q_EMIT failed(tr("Select two or more layers to merge them."));
        return;
    }
    tryEdit(tr("Merge with %1").arg(type),
            [&](graph::Model& model) { mergeLayers(model, type.toStdString(), toStd(names)); });
}

void Canvas::addBranch(const QString& type) {
    const std::string source = selectedLayer().toStdString();
    if (source.empty()) return;
    tryEdit(tr("Branch with %1").arg(type),
            [&](graph::Model& model) { branchFrom(model, type.toStdString(), source); });
}

void Canvas::markInsertion(const QPoint& position, const QString& device) {
    const QPointF at = mapToScene(position);
    EdgeItem* nearest = nullptr;
    QPointF place;
    double best = std::numeric_limits<double>::max();
    for (EdgeItem* edge : m_edges) {
        const bool begins = deviceOf(edge->from()) == device, ends = deviceOf(edge->to()) == device;
        if (!device.isEmpty() && !begins && !ends) continue;
        const QPointF middle = edge->crosses() ? edge->anchor(ends) : edge->middle();
        const QPointF way = middle - at;
        const double distance = std::abs(way.y()) + 0.2 * std::abs(way.x());
        if (distance < best) {
            best = distance;
            nearest = edge;
            place = middle;
        }
    }
    if (nearest == m_insertion) return;
    clearInsertion();
    m_insertion = nearest;
    if (m_insertion != nullptr) m_insertion->setInsertion(true, place);
}

void Canvas::clearInsertion() {
    if (m_insertion != nullptr) m_insertion->setInsertion(false);
    m_insertion = nullptr;
}

void Canvas::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(layerMimeType) || event->mimeData()->hasFormat(moveMimeType))
        event->acceptProposedAction();
}

// In lanes a card that comes from another lane only changes its device; one that stays in its lane
// changes its place in the model.
void Canvas::dragMoveEvent(QDragMoveEvent* event) {
    const QPoint position = event->position().toPoint();
    LaneItem* lane = laneItemAt(position);
    const QString device = lane == nullptr ? QString() : lane->device();
    const QStringList names = namesIn(event->mimeData());
    const bool moves = lane != nullptr && std::any_of(names.begin(), names.end(), [&](auto& name) {
                           return deviceOf(name) != device;
                       });
    setDropLane(moves || (lane != nullptr && names.isEmpty()) ? lane : nullptr);
    if (moves || names.size() > 1)
        clearInsertion();
    else
        markInsertion(position, device);
    event->acceptProposedAction();
}

void Canvas::dragLeaveEvent(QDragLeaveEvent*) {
    clearInsertion();
    setDropLane(nullptr);
}

void Canvas::dropEvent(QDropEvent* event) {
    const std::string from = m_insertion == nullptr ? "" : m_insertion->from().toStdString();
    const std::string to = m_insertion == nullptr ? "" : m_insertion->to().toStdString();
    const QString device = m_dropLane == nullptr ? QString() : m_dropLane->device();
    clearInsertion();
    setDropLane(nullptr);
    event->acceptProposedAction();
    if (event->mimeData()->hasFormat(moveMimeType))
        dropLayers(namesIn(event->mimeData()), device, from, to);
    else
        dropType(QString::fromUtf8(event->mimeData()->data(layerMimeType)), device, from, to);
}

void Canvas::dropLayers(const QStringList& names, const QString& device, const std::string& from,
                        const std::string& to) {
    if (!device.isEmpty()) {
        m_document.select(names);
        placeSelected(device);
        return;
    }
    if (names.size() != 1) return;
    const std::string name = names.first().toStdString();
    if (!from.empty() && name != from && name != to)
        tryEdit(tr("Move %1").arg(names.first()),
                [&](graph::Model& model) { moveLayer(model, name, from, to); });
}

void Canvas::dropType(const QString& type, const QString& device, const std::string& from,
                      const std::string& to) {
    std::string name;
    tryEdit(tr("Insert %1").arg(type), [&](graph::Model& model) {
        name = to.empty() ? insertLayer(model, type.toStdString(), from)
                          : insertOnEdge(model, type.toStdString(), from, to);
        if (!device.isEmpty())
            model.layers[static_cast<std::size_t>(model.index_of(name))].device =
                device.toStdString();
    });
    if (!name.empty()) m_document.select({QString::fromStdString(name)});
    setFocus();
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    if (event->button() == Qt::LeftButton && pressHeader(event->pos())) return;
    if (event->button() == Qt::LeftButton && beginLink(event->pos())) return;
    const auto* item = dynamic_cast<CardItem*>(itemAt(event->pos()));
    m_pressedCard = item == nullptr || item->data().isLoss ? QString() : item->data().name;
    QGraphicsView::mousePressEvent(event);
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_link != nullptr) {
        moveLink(event->pos());
        return;
    }
    const bool drags =
        (event->buttons() & Qt::LeftButton) && !m_pressedCard.isEmpty() &&
        (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
    if (!drags) {
        QGraphicsView::mouseMoveEvent(event);
        return;
    }
    beginDrag();
}

// All that is selected, where the pressed card is.
QStringList Canvas::draggedLayers() const {
    const QStringList selected = m_document.selection();
    return selected.contains(m_pressedCard) ? selected : QStringList{m_pressedCard};
}

void Canvas::beginDrag() {
    const QStringList names = draggedLayers();
    auto* mime = new QMimeData;
    mime->setData(moveMimeType, names.join('\n').toUtf8());
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    if (const CardItem* card = m_cards.value(m_pressedCard)) {
        const QRect rect = mapFromScene(card->mapRectToScene(card->cardRect())).boundingRect();
        drag->setPixmap(viewport()->grab(rect));
        drag->setHotSpot(m_pressed - rect.topLeft());
    }
    m_pressedCard.clear();
    drag->exec(Qt::MoveAction);
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    if (m_link != nullptr) {
        endLink(event->pos());
        return;
    }
    QGraphicsView::mouseReleaseEvent(event);
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto* item = dynamic_cast<CardItem*>(itemAt(event->pos()));
    if (item == nullptr) {
        Q_EMIT searchRequested();
    } else {
        Q_EMIT renameRequested();
    }
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Up:
            moveSelection(-1, event->modifiers() & Qt::ShiftModifier);
            return;
        case Qt::Key_Down:
            moveSelection(1, event->modifiers() & Qt::ShiftModifier);
            return;
        case Qt::Key_Space:
            Q_EMIT searchRequested();
            return;
        case Qt::Key_Escape:
            cancelLink();
            m_scene.clearSelection();
            m_document.select({});
            return;
        default:
            QGraphicsView::keyPressEvent(event);
    }
}

void Canvas::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ControlModifier) {
        zoomBy(event->angleDelta().y() > 0 ? 1.15 : 1.0 / 1.15);
        event->accept();
        return;
    }
    QGraphicsView::wheelEvent(event);
}

void Canvas::contextMenuEvent(QContextMenuEvent* event) {
    if (auto* edge = dynamic_cast<EdgeItem*>(itemAt(event->pos())); edge != nullptr) {
        showEdgeMenu(*edge, event->globalPos());
        return;
    }
    const auto* item = dynamic_cast<CardItem*>(itemAt(event->pos()));
    if (item != nullptr && !item->data().isLoss &&
        !m_document.selection().contains(item->data().name))
        m_document.select({item->data().name});
    const int selected = static_cast<int>(m_document.selection().size());
    QMenu menu(this);
    QMenu* place = menu.addMenu(tr("Place on"));
    fillPlaceMenu(*place);
    place->setEnabled(selected > 0);
    menu.addSeparator();
    QMenu* branch = menu.addMenu(tr("Branch with"));
    branch->setEnabled(selected == 1);
    for (const layers::LayerDescription* layer : layers::catalogue())
        if (layer->spec.max_inputs == 1) {
            const QString type = QString::fromStdString(layer->spec.type);
            branch->addAction(type, this, [this, type] { addBranch(type); });
        }
    menu.addAction(tr("Merge with Add"), this, [this] { mergeSelected("Add"); })
        ->setEnabled(selected >= 2);
    menu.addAction(tr("Merge with Concatenate"), this, [this] { mergeSelected("Concatenate"); })
        ->setEnabled(selected >= 2);
    menu.addSeparator();
    menu.addAction(tr("Duplicate"), this, [this] { duplicateSelected(); })
        ->setEnabled(selected > 0);
    menu.addAction(tr("Delete"), this, [this] { removeSelected(); })->setEnabled(selected > 0);
    menu.exec(event->globalPos());
}

}  // namespace strata::ui

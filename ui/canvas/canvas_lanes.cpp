// The canvas's devices: placing the selected layers, and the lanes with what the plan says of them.
#include <QMenu>
#include <QScrollBar>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "ui/canvas/canvas.h"
#include "ui/canvas/card_item.h"
#include "ui/canvas/edge_item.h"
#include "ui/document/placement_edits.h"
#include "ui/widgets/device_mark.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

// The plan's edge between two layers, of the loss's (to "") none.
const parallel::EdgePlan* edgeOf(const parallel::PlacementPlan& plan, const EdgeItem& edge) {
    for (const parallel::EdgePlan& each : plan.edges)
        if (each.from_layer == edge.from().toStdString() &&
            each.to_layer == edge.to().toStdString())
            return &each;
    return nullptr;
}

}  // namespace

QStringList Canvas::placeTargets() const {
    QStringList targets;
    for (const std::string& device : devicesOf(m_document.model()))
        targets << QString::fromStdString(device);
    return targets << QString::fromStdString(nextDevice(m_document.model()));
}

void Canvas::placeSelected(const QString& device) {
    const QStringList names = m_document.selection();
    std::vector<std::string> moved;
    for (const QString& name : names)
        if (deviceOf(name) != device) moved.push_back(name.toStdString());
    if (moved.empty()) return;
    const QString title =
        moved.size() == 1 ? tr("Place %1 on %2").arg(QString::fromStdString(moved.front()), device)
                          : tr("Place %1 layers on %2").arg(formatCount(std::ssize(moved)), device);
    try {
        m_document.edit(title, [&](train::RunConfig& config) {
            placeLayers(config, moved, device.toStdString());
        });
    } catch (const Error& error) {
        Q_EMIT failed(errorText(error));
    }
}

void Canvas::fillPlaceMenu(QMenu& menu) {
    menu.clear();
    const QStringList targets = placeTargets();
    const QStringList selected = m_document.selection();
    for (const QString& device : targets) {
        const bool fresh = device == targets.last();
        const bool copys = fresh && isOfCopy(m_document.config(), device.toStdString());
        QAction* action = menu.addAction(deviceIcon(device),
                                         copys   ? tr("New device: %1, now a copy's").arg(device)
                                         : fresh ? tr("New device: %1").arg(device)
                                                 : device,
                                         this, [this, device] { placeSelected(device); });
        action->setToolTip(tr("Place the selected layers on %1").arg(device));
        const bool there = !selected.isEmpty() &&
                           std::all_of(selected.begin(), selected.end(),
                                       [&](auto& name) { return deviceOf(name) == device; });
        action->setEnabled(!selected.isEmpty() && !there);
        if (there) action->setText(tr("%1 (now)").arg(device));
    }
}

void Canvas::showPlaceMenu() {
    const CardItem* card = m_cards.value(selectedLayer());
    if (card == nullptr) return;
    ensureVisible(card, 20, 60);
    QMenu menu(this);
    fillPlaceMenu(menu);
    const QPointF corner = card->mapToScene(card->cardRect().bottomLeft());
    for (QAction* action : menu.actions())
        if (action->isEnabled()) {
            menu.setActiveAction(action);
            break;
        }
    menu.exec(viewport()->mapToGlobal(mapFromScene(corner)));
}

QString Canvas::deviceOf(const QString& layer) const {
    const graph::Model& model = m_document.model();
    const int index =
        layer.isEmpty() ? m_document.report().output : model.index_of(layer.toStdString());
    if (index < 0) return {};
    return QString::fromStdString(model.layers[static_cast<std::size_t>(index)].device);
}

void Canvas::setLanes(bool on) {
    if (on == m_lanes) return;
    m_lanes = on;
    rebuild();
    resetZoom();
    showFirstLane();
    verticalScrollBar()->setValue(verticalScrollBar()->minimum());
    Q_EMIT lanesChanged(on);
}

// As if there were a vertical scroll bar: one that comes and goes would change the widths.
double Canvas::laneRoom() const {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2;
    constexpr double edges = 2 * laneGap + 4;  // of the scene
    return (contentsRect().width() - bar) / Theme::scale() - edges;
}

void Canvas::showFirstLane() {
    if (m_lanes) horizontalScrollBar()->setValue(horizontalScrollBar()->minimum());
}

// What shows the scene's corner goes on to do so, whatever Qt centres on and wherever the scene
// begins: one that fits stands at 0.
void Canvas::keepCorner(const std::function<void()>& change) {
    const bool atTop = verticalScrollBar()->value() <= verticalScrollBar()->minimum() + 1;
    const bool atLeft = horizontalScrollBar()->value() <= horizontalScrollBar()->minimum() + 1;
    change();
    if (atLeft) showFirstLane();
    if (atTop) verticalScrollBar()->setValue(verticalScrollBar()->minimum());
}

void Canvas::resizeEvent(QResizeEvent* event) {
    keepCorner([&] {
        QGraphicsView::resizeEvent(event);
        if (m_lanes && laneWidths(m_document.model(), m_document.report(), laneRoom()) != m_widths)
            rebuild();
    });
}

void Canvas::showEvent(QShowEvent* event) {
    keepCorner([&] { QGraphicsView::showEvent(event); });
}

void Canvas::rebuildLanes(const std::vector<Lane>& lanes, double bottom) {
    setDropLane(nullptr);
    qDeleteAll(m_grounds);
    qDeleteAll(m_headers);
    m_grounds.clear();
    m_headers.clear();
    m_laneList = lanes;
    const double top = headersTop();
    for (const Lane& lane : lanes) {
        LaneData shown;
        shown.device = QString::fromStdString(lane.device);
        shown.isNew = lane.isNew;
        shown.replicas = m_document.config().placement.replicas;
        shown.ofCopy = lane.isNew && isOfCopy(m_document.config(), lane.device);
        m_grounds.push_back(new LaneItem(shown, QRectF(lane.left, top, lane.width, bottom - top)));
        m_scene.addItem(m_grounds.back());
        m_headers.push_back(new LaneHeaderItem(shown, lane.width));
        m_headers.back()->setPos(lane.left, top);
        m_scene.addItem(m_headers.back());
    }
}

void Canvas::setPlan(std::optional<parallel::PlacementPlan> plan) {
    m_plan = std::move(plan);
    showPlan();
}

double Canvas::headersTop() const {
    return -laneHeaderHeight(m_document.config().placement.replicas) - laneGap;
}

// The device of the first copy, and those of the others with the same layers.
LaneData Canvas::plannedLane(const LaneHeaderItem& header) const {
    LaneData shown;
    shown.device = header.data().device;
    shown.isNew = header.data().isNew;
    shown.ofCopy = header.data().ofCopy;
    shown.replicas = header.data().replicas;
    if (!m_plan) return shown;
    const auto first = std::find_if(
        m_plan->devices.begin(), m_plan->devices.end(), [&](const parallel::DevicePlan& device) {
            return device.replica == 0 && device.device == shown.device.toStdString();
        });
    if (first == m_plan->devices.end()) return shown;
    shown.planned = true;
    shown.share = first->work_share;
    shown.bytes = first->memory.total();
    shown.limit = first->memory_limit;
    // A plan from before a change may be of more copies than the header has room for.
    if (m_plan->replicas != shown.replicas) return shown;
    for (const parallel::DevicePlan& device : m_plan->devices)
        if (device.replica > 0 && device.number == first->number)
            shown.copies.push_back({QString::fromStdString(device.device), device.memory.total(),
                                    device.memory_limit});
    return shown;
}

void Canvas::showPlan() {
    for (LaneHeaderItem* header : m_headers) header->setData(plannedLane(*header));
    for (EdgeItem* edge : m_edges) {
        if (!edge->crosses()) continue;
        const parallel::EdgePlan* planned = m_plan ? edgeOf(*m_plan, *edge) : nullptr;
        if (planned == nullptr) {
            edge->setLabel({}, {});
        } else if (planned->shared) {
            edge->setLabel({}, tr("Its bytes cross once, with another connection of this layer"));
        } else {
            edge->setLabel(
                tr("%1 a step").arg(formatBytes(planned->forward_bytes + planned->backward_bytes)),
                tr("Each step: %1 of outputs to %2, %3 of gradients back")
                    .arg(formatBytes(planned->forward_bytes),
                         QString::fromStdString(planned->to_device),
                         formatBytes(planned->backward_bytes)));
        }
    }
    describe();
}

void Canvas::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    holdHeaders();
}

void Canvas::holdHeaders() {
    if (m_headers.empty()) return;
    const double top = headersTop();
    const double seen = mapToScene(0, 0).y();
    for (LaneHeaderItem* header : m_headers) header->setY(std::max(top, seen));
}

LaneItem* Canvas::laneItemAt(const QPoint& position) const {
    const Lane* lane = laneAt(m_laneList, mapToScene(position).x());
    if (lane == nullptr) return nullptr;
    return m_grounds[static_cast<std::size_t>(lane - m_laneList.data())];
}

void Canvas::setDropLane(LaneItem* lane) {
    if (lane == m_dropLane) return;
    if (m_dropLane != nullptr) m_dropLane->setTarget(false);
    m_dropLane = lane;
    if (m_dropLane != nullptr) m_dropLane->setTarget(true);
}

bool Canvas::pressHeader(const QPoint& position) {
    const auto* header = dynamic_cast<LaneHeaderItem*>(itemAt(position));
    if (header == nullptr) return false;
    const QString device = header->data().device;
    if (header->data().isNew) {
        if (m_document.selection().isEmpty())
            Q_EMIT failed(tr("Select the layers that shall stand on %1 first.").arg(device));
        placeSelected(device);
        return true;
    }
    QStringList names;
    for (const graph::LayerNode& node : m_document.model().layers)
        if (node.device == device.toStdString()) names << QString::fromStdString(node.name);
    m_document.select(names);
    return true;
}

}  // namespace strata::ui

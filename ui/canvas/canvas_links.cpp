// The canvas's connections: drawn from the port below a card to the card that shall read it,
// selected and taken away.
#include <QMenu>

#include "ui/canvas/canvas.h"
#include "ui/canvas/card_item.h"
#include "ui/canvas/edge_item.h"
#include "ui/canvas/link_item.h"
#include "ui/document/model_edits.h"

namespace strata::ui {

bool Canvas::hasSelectedEdge() const {
    return std::any_of(m_edges.begin(), m_edges.end(),
                       [](const EdgeItem* edge) { return edge->isSelected(); });
}

void Canvas::removeSelectedEdges() {
    std::vector<std::pair<std::string, std::string>> ends;
    for (const EdgeItem* edge : m_edges)
        if (edge->isSelected())
            ends.emplace_back(edge->from().toStdString(), edge->to().toStdString());
    if (ends.empty()) return;
    tryEdit(ends.size() == 1 ? tr("Delete the connection")
                             : tr("Delete %n connections", nullptr, static_cast<int>(ends.size())),
            [&](graph::Model& model) {
                for (const auto& [from, to] : ends) disconnectLayers(model, from, to);
            });
}

void Canvas::showEdgeMenu(EdgeItem& edge, const QPoint& position) {
    if (edge.to().isEmpty()) return;
    m_document.select({});
    m_scene.clearSelection();
    edge.setSelected(true);
    QMenu menu(this);
    menu.addAction(tr("Delete the connection"), this, [this] { removeSelectedEdges(); });
    menu.exec(position);
}

bool Canvas::beginLink(const QPoint& position) {
    const QPointF at = mapToScene(position);
    const auto found = std::find_if(m_cards.cbegin(), m_cards.cend(), [&](const CardItem* card) {
        return card->portRect().contains(card->mapFromScene(at));
    });
    if (found == m_cards.cend()) return false;
    const CardItem* card = found.value();
    m_link = new LinkItem(found.key(), card->mapToScene(card->portRect().center()));
    m_scene.addItem(m_link);
    return true;
}

CardItem* Canvas::linkTarget(const QPoint& position) const {
    for (QGraphicsItem* item : items(position)) {
        auto* card = dynamic_cast<CardItem*>(item);
        if (card != nullptr && !card->data().isLoss && card->data().name != m_link->from())
            return card;
    }
    return nullptr;
}

void Canvas::moveLink(const QPoint& position) {
    m_link->setEnd(mapToScene(position));
    m_link->setTarget(linkTarget(position));
}

void Canvas::endLink(const QPoint& position) {
    const CardItem* target = linkTarget(position);
    const std::string from = m_link->from().toStdString();
    const std::string to = target == nullptr ? "" : target->data().name.toStdString();
    cancelLink();
    if (to.empty()) return;
    tryEdit(tr("Connect %1 to %2").arg(QString::fromStdString(from), QString::fromStdString(to)),
            [&](graph::Model& model) { connectLayers(model, from, to); });
}

void Canvas::cancelLink() {
    if (m_link == nullptr) return;
    m_link->setTarget(nullptr);
    delete m_link;
    m_link = nullptr;
}

}  // namespace strata::ui

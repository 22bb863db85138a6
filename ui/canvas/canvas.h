// The stack of layers: cards from top (input) to bottom (loss), laid out by the program; drag and
// drop, selection, keys. Shows the document and edits it by named commands; runs nothing.
#pragma once

#include <QGraphicsView>
#include <QHash>
#include <optional>
#include <vector>

#include "engine/parallel/planner.h"
#include "ui/canvas/lane_item.h"
#include "ui/canvas/lanes.h"
#include "ui/document/document.h"

class QMenu;

namespace strata::ui {

class CardItem;
class EdgeItem;
class LinkItem;

class Canvas : public QGraphicsView {
    Q_OBJECT

public:
    explicit Canvas(Document& document, QWidget* parent = nullptr);
    ~Canvas() override;

    void insert(const QString& type);  // behind the selection, or at the end
    void removeSelected();             // layers, or where none is selected connections
    void duplicateSelected();
    void copySelected();
    void cutSelected();
    void paste();
    void selectAllLayers();
    void mergeSelected(const QString& type);  // "Add", "Concatenate"
    void addBranch(const QString& type);      // from the selected layer
    // Names of devices that the selection may go to; the last one is new.
    QStringList placeTargets() const;
    void placeSelected(const QString& device);
    void fillPlaceMenu(QMenu& menu);
    void showPlaceMenu();  // at the selection
    // A column a device instead of one stack; the same cards.
    void setLanes(bool on);
    bool showsLanes() const { return m_lanes; }
    // What the lanes' headers and the edges between them tell; empty where nothing is planned.
    void setPlan(std::optional<parallel::PlacementPlan> plan);
    const std::vector<LaneHeaderItem*>& laneHeaders() const { return m_headers; }
    void zoomBy(double factor);
    void fitModel();
    void resetZoom();
    bool hasSelectedEdge() const;
    CardItem* lossCard() const { return m_loss; }
    CardItem* card(const QString& name) const { return m_cards.value(name); }
    int cardCount() const { return static_cast<int>(m_cards.size()); }
    const std::vector<EdgeItem*>& edges() const { return m_edges; }
    // Marks a layer that a run's error names; cleared by the next edit.
    void showRunError(const QString& layer, const QString& text);

Q_SIGNALS:
    void failed(const QString& message);  // an edit that cannot be
    void searchRequested();               // Space or double-click on empty canvas
    void renameRequested();
    void edgeSelectionChanged();
    void lanesChanged(bool on);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();
    void describe();
    void rebuildLanes(const std::vector<Lane>& lanes, double bottom);
    double headersTop() const;
    LaneData plannedLane(const LaneHeaderItem& header) const;
    void showPlan();          // in the lanes' headers and on the edges
    double laneRoom() const;  // of all lanes, scene units
    void showFirstLane();
    void keepCorner(const std::function<void()>& change);
    void holdHeaders();  // in sight
    LaneItem* laneItemAt(const QPoint& position) const;
    void setDropLane(LaneItem* lane);
    bool pressHeader(const QPoint& position);
    QStringList draggedLayers() const;
    void beginDrag();
    void dropLayers(const QStringList& names, const QString& device, const std::string& from,
                    const std::string& to);
    void dropType(const QString& type, const QString& device, const std::string& from,
                  const std::string& to);
    QString deviceOf(const QString& layer) const;  // "" for the loss: that of the output
    void rebuildEdges(std::vector<CardPlace> places);
    // Indices of places; behind the layers' stands the loss's. skips: edges beside cards so far.
    void addEdge(const std::vector<CardPlace>& places, std::size_t source, std::size_t target,
                 int& skips);
    void takeSelection();  // scene -> document
    void showSelection();  // document -> scene
    void moveSelection(int by, bool extend);
    void markInsertion(const QPoint& position, const QString& device);  // "": of any
    void clearInsertion();
    void removeSelectedEdges();
    void showEdgeMenu(EdgeItem& edge, const QPoint& position);
    // A connection that is drawn from a card's port to another card.
    bool beginLink(const QPoint& position);
    void moveLink(const QPoint& position);
    void endLink(const QPoint& position);
    void cancelLink();
    CardItem* linkTarget(const QPoint& position) const;
    QString selectedLayer() const;  // the last one in the model's order, or ""
    void tryEdit(const QString& name, const std::function<void(graph::Model&)>& change);

    Document& m_document;
    QGraphicsScene m_scene;
    QHash<QString, CardItem*> m_cards;
    CardItem* m_loss = nullptr;
    std::vector<EdgeItem*> m_edges;
    EdgeItem* m_insertion = nullptr;
    LinkItem* m_link = nullptr;
    QPoint m_pressed;
    QString m_pressedCard;
    QString m_failedLayer, m_failedText;
    bool m_lanes = false;
    LaneWidths m_widths;
    std::vector<Lane> m_laneList;
    std::vector<LaneItem*> m_grounds;
    std::vector<LaneHeaderItem*> m_headers;
    LaneItem* m_dropLane = nullptr;
    std::optional<parallel::PlacementPlan> m_plan;
    bool m_syncing = false;
};

}  // namespace strata::ui

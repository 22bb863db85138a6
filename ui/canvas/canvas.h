// The stack of layers: cards from top (input) to bottom (loss), laid out by the program; drag and
// drop, selection, keys. Shows the document and edits it by named commands; runs nothing.
#pragma once

#include <QGraphicsView>
#include <QHash>
#include <vector>

#include "ui/canvas/layout.h"
#include "ui/document/document.h"

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

private:
    void rebuild();
    void rebuildEdges(std::vector<CardPlace> places);
    // Indices of places; behind the layers' stands the loss's. skips: edges beside cards so far.
    void addEdge(const std::vector<CardPlace>& places, std::size_t source, std::size_t target,
                 int& skips);
    void takeSelection();  // scene -> document
    void showSelection();  // document -> scene
    void moveSelection(int by);
    void markInsertion(const QPoint& position);
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
    bool m_syncing = false;
    bool m_fitted = false;
};

}  // namespace strata::ui

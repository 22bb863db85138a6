// Parameters and costs of the selected layer, made from its spec; with nothing selected, the
// model's summary table.
#pragma once

#include <QScrollArea>

#include "ui/document/document.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace strata::ui {

class ParamForm;

class Inspector : public QScrollArea {
    Q_OBJECT

public:
    explicit Inspector(Document& document, QWidget* parent = nullptr);
    void focusName();
    ParamForm* form() const { return m_form; }
    QComboBox* deviceBox() const { return m_device; }
    QComboBox* sharesBox() const { return m_shares; }
    QString sharedNote() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void showSelection();  // another layer: new widgets
    void refresh();        // the same layer: new values
    void retranslate();
    void applyParam(const QString& key, const Json& value);
    void applyName();
    void applyDevice(int index);
    void showDevice(const std::string& device);
    void applyShares(int index);
    void showShares(const graph::LayerNode& node, const graph::LayerReport& report);
    void showCosts(const graph::LayerNode& node, const graph::LayerReport& report);
    void showSummary();

    Document& m_document;
    QString m_layer;  // "" = summary
    QWidget* m_layerPage;
    QLabel *m_title, *m_doc, *m_nameLabel, *m_deviceLabel, *m_sharesLabel, *m_sharedNote, *m_error,
        *m_costs;
    QLineEdit* m_name;
    QComboBox *m_device, *m_shares;
    ParamForm* m_form;
    QWidget* m_summaryPage;
    QLabel *m_summaryTitle, *m_summaryTotals;
    QTableWidget* m_table;
};

}  // namespace strata::ui

// Widgets for a list of parameters, made from their specs: spin box, switch, list, text field, each
// with help. Used by the inspector (layers) and the training panel (optimizers).
#pragma once

#include <QHash>
#include <QWidget>
#include <vector>

#include "engine/layers/spec.h"

class QFormLayout;
class QLabel;
class QLineEdit;

namespace strata::ui {

// Lets a row's stretch factors alone decide its columns, so that rows of different forms line up.
void alignRow(QWidget* label, QWidget* editor);

class ParamForm : public QWidget {
    Q_OBJECT

public:
    explicit ParamForm(QWidget* parent = nullptr);

    // Makes the widgets. Values are a complete Config's JSON.
    void setParams(const std::vector<layers::ParamSpec>& params, const Json& values);
    // Shows new values without edits; a field that the person is typing in stays.
    void setValues(const Json& values);
    // The message below a field; "" removes it. An unknown key shows it below the first field.
    void setError(const QString& key, const QString& message);
    void clearErrors();
    QString error(const QString& key) const;  // what stands below a field, or ""
    QWidget* editor(const QString& key) const { return m_editors.value(key); }

Q_SIGNALS:
    void edited(const QString& key, const strata::Json& value);

private:
    QWidget* makeEditor(const layers::ParamSpec& param);
    QWidget* makeInteger(const layers::ParamSpec& param);
    QWidget* makeText(const layers::ParamSpec& param);
    void addBrowser(const layers::ParamSpec& param, QLineEdit* field);
    void show(const layers::ParamSpec& param, QWidget* editor, const Json& value);
    void updateVisibility(const Json& values);

    std::vector<layers::ParamSpec> m_params;
    QHash<QString, QWidget*> m_editors;
    QHash<QString, QWidget*> m_rows;
    QHash<QString, QLabel*> m_errors;
};

}  // namespace strata::ui

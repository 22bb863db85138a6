// The parameters of one kind of data source. Gives the source's JSON as soon as nothing is missing;
// until then it is a draft that no project holds.
#pragma once

#include <QWidget>

#include "engine/data/source_description.h"

namespace strata::ui {

class ParamForm;

class SourceParams : public QWidget {
    Q_OBJECT

public:
    explicit SourceParams(QWidget* parent = nullptr);

    // A kind was chosen: its defaults, complete where it needs no file.
    void begin(const data::SourceDescription& description);
    // What the project has; makes no edits.
    void setSource(const data::SourceDescription& description, const Json& source);
    void retranslate();
    ParamForm* form() const { return m_form; }

Q_SIGNALS:
    void completed(const strata::Json& source);

private:
    void show(const data::SourceDescription& description, const Json& source);
    void apply(const QString& key, const Json& value);
    Json values() const;  // of all parameters; null where one is missing

    ParamForm* m_form;
    const data::SourceDescription* m_description = nullptr;
    Json m_source;
};

}  // namespace strata::ui

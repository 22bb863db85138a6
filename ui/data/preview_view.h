// What the project's data look like: first samples, classes, values, split, warnings. Reads them on
// another thread whenever what they depend on changes; the newest wish alone counts.
#pragma once

#include <QFutureWatcher>
#include <QTimer>
#include <QWidget>
#include <memory>

#include "ui/bridge/data_preview.h"
#include "ui/document/document.h"

class QGridLayout;
class QLabel;
class QTableWidget;

namespace strata::ui {

class ClassBars;
class SampleGrid;

class PreviewView : public QWidget {
    Q_OBJECT

public:
    enum class State { empty, reading, shown, failed };

    explicit PreviewView(Document& document, QWidget* parent = nullptr);
    ~PreviewView() override;

    State state() const { return m_state; }
    const std::optional<DataPreview>& preview() const { return m_preview; }
    SampleGrid* grid() const { return m_grid; }
    QTableWidget* table() const { return m_table; }
    void retranslate();

Q_SIGNALS:
    void stateChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Result {
        std::optional<DataPreview> preview;
        std::optional<Error> fault;
    };

    QLabel* addLabel(const char* property);
    void refresh();
    void ask();
    void take();
    void setState(State state);
    void showState();  // what was read, or why there is nothing
    void showFacts();
    void showSamples();
    void showClasses();
    void showWarnings();
    QString labelOf(const PreviewSample& sample) const;

    Document& m_document;
    State m_state = State::empty;
    std::string m_key;  // of what is shown or being read
    QTimer m_delay;     // typing asks once
    QFutureWatcher<Result> m_watcher;
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    std::optional<DataPreview> m_preview;
    std::optional<Error> m_fault;

    QLabel *m_message, *m_error, *m_warnings;
    QLabel *m_samplesHead, *m_mapHead, *m_classesHead, *m_classesNote;
    QWidget* m_facts;
    QGridLayout* m_factGrid;
    SampleGrid *m_grid, *m_augmented;
    QTableWidget* m_table;
    ClassBars* m_bars;
};

}  // namespace strata::ui

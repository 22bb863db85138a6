// What a run learns from: a data set of the system, IDX files or any other source of the engine's
// catalogue, and the share for validation. Used by the data panel.
#pragma once

#include "ui/training/settings_form.h"

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QPushButton;

namespace strata::ui {

class SourceParams;

class DataForm : public SettingsForm {
    Q_OBJECT

public:
    explicit DataForm(Document& document, QWidget* parent = nullptr);
    void retranslate() override;
    void refresh() override;
    SourceParams* params() const { return m_params; }

private:
    enum Kind { none, fashionMnist, files, firstOther };  // the others follow the catalogue
    enum File { trainImages, trainLabels, testImages, testLabels, fileCount };

    void makeFileRow(File file);
    void chooseKind(int kind);
    void browse(File file);
    void useFile(File file);
    void suggestPartners(const QString& images);
    void applyFiles();
    void applyOther(const Json& source);
    int kindOf(const Json& source) const;
    void showKind(int kind);
    void checkInstalled();
    QString shortened(
        const QString& path) const;  // relative to the project where it stands beside it

    QComboBox* m_kind;
    QLineEdit* m_paths[fileCount];
    QPushButton* m_browse[fileCount];
    QDoubleSpinBox* m_split;
    SourceParams* m_params;  // of the other sources
    struct Seen {
        Json source, test;
    };
    Seen m_seen;               // of the project, when it was last shown
    bool m_choosing = false;   // files were chosen, the project has none yet
    int m_chosen = files;      // while m_choosing: which kind
    bool m_draftTest = false;  // one of the test files is given, the project has neither
};

}  // namespace strata::ui

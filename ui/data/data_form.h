// What a run learns from: a data set of the system or IDX files, the share for validation, and the
// batches.
#pragma once

#include "ui/training/settings_form.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace strata::ui {

class DataForm : public SettingsForm {
    Q_OBJECT

public:
    explicit DataForm(Document& document, QWidget* parent = nullptr);
    void retranslate() override;
    void refresh() override;

private:
    enum Kind { none, fashionMnist, files };
    enum File { trainImages, trainLabels, testImages, testLabels, fileCount };

    void makeFileRow(File file);
    void chooseKind(int kind);
    void browse(File file);
    void useFile(File file);
    void suggestPartners(const QString& images);
    void applyFiles();
    void showKind(Kind kind);
    void checkInstalled();
    QString shortened(
        const QString& path) const;  // relative to the project where it stands beside it

    QComboBox* m_kind;
    QLineEdit* m_paths[fileCount];
    QPushButton* m_browse[fileCount];
    QDoubleSpinBox* m_split;
    QSpinBox* m_batch;
    QCheckBox* m_remainder;
    struct Seen {
        Json source, test;
    };
    Seen m_seen;               // of the project, when it was last shown
    bool m_choosing = false;   // "files" was chosen, the project has none yet
    bool m_draftTest = false;  // one of the test files is given, the project has neither
};

}  // namespace strata::ui

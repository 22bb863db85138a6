// What the studio shows without a project: templates with a picture of their stack, and recent
// projects.
#pragma once

#include <QScrollArea>
#include <QStringList>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace strata::ui {

class WelcomePage : public QScrollArea {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);
    void setRecent(const QStringList& paths);

Q_SIGNALS:
    void templateChosen(const QString& name);
    void projectChosen(const QString& path);
    void openRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void addTemplates(QVBoxLayout* column);
    void retranslate();
    void fillRecent();

    QLabel *m_title, *m_intro, *m_templates, *m_recentTitle, *m_none;
    QVBoxLayout* m_recent;
    QPushButton* m_open;
    QStringList m_paths;
};

}  // namespace strata::ui

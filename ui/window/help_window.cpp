#include "ui/window/help_window.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <cmath>

#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

QString rangeOf(const layers::ParamSpec& param) {
    QStringList choices;
    for (const std::string& choice : param.choices) choices << QString::fromStdString(choice);
    if (!choices.isEmpty()) return choices.join(", ");
    const bool low = std::isfinite(param.minimum), high = std::isfinite(param.maximum);
    if (low && high)
        return HelpWindow::tr("%1 to %2")
            .arg(formatNumber(param.minimum), formatNumber(param.maximum));
    return low ? HelpWindow::tr("%1 or more").arg(formatNumber(param.minimum)) : QString();
}

QString parameterRow(const layers::ParamSpec& param) {
    const QString standard = param.default_value.is_null()
                                 ? QStringLiteral("–")
                                 : QString::fromStdString(param.default_value.dump());
    return QStringLiteral(
               "<tr><td><code>%1</code></td><td>%2</td><td><code>%3</code></td><td>%4</td></tr>")
        .arg(QString::fromStdString(param.key), catalogueText(param.doc).toHtmlEscaped(),
             standard.toHtmlEscaped(), rangeOf(param).toHtmlEscaped());
}

}  // namespace

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent), m_browser(new QTextBrowser) {
    setAttribute(Qt::WA_DeleteOnClose);
    resize(680, 520);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_browser);
    auto* buttons = new QDialogButtonBox;
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setToolTip(tr("Close the help (Esc)"));
    close->setAccessibleName(close->text());
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_browser->setAccessibleName(tr("Help"));
    m_browser->setToolTip(tr("Help on the selection"));
    m_browser->setFrameShape(QFrame::NoFrame);
}

void HelpWindow::showLayer(const layers::LayerDescription& layer) {
    const layers::LayerSpec& spec = layer.spec;
    setWindowTitle(tr("Help: %1").arg(QString::fromStdString(spec.type)));
    QString html = QStringLiteral("<h2>%1</h2><p>%2</p><p><i>%3</i></p>")
                       .arg(QString::fromStdString(spec.type),
                            catalogueText(spec.doc).toHtmlEscaped(), categoryText(spec.category));
    if (!spec.params.empty()) {
        html += QStringLiteral(
                    "<table cellpadding='6' width='100%'><tr><th align='left'>%1</th><th "
                    "align='left'>%2</th>"
                    "<th align='left'>%3</th><th align='left'>%4</th></tr>")
                    .arg(tr("Parameter"), tr("Meaning"), tr("Default"), tr("Values"));
        for (const layers::ParamSpec& param : spec.params) html += parameterRow(param);
        html += "</table>";
    }
    m_browser->setHtml(html);
}

void HelpWindow::showGeneral() {
    setWindowTitle(tr("Help"));
    m_browser->setHtml(
        tr("<h2>First steps</h2>"
           "<ol><li>Choose a template, or drag layers from the left onto the stack.</li>"
           "<li>Select a layer to change its parameters on the right.</li>"
           "<li>Choose data, loss and optimizer under Training.</li>"
           "<li>Press Train. The curves below grow while it learns; Pause and Stop answer after "
           "the step.</li></ol>") +
        tr("<h2>Branches</h2>"
           "<p>Draw from the dot below a card to the card that shall read it: Add and Concatenate "
           "read several layers. Click a line and press Delete to take the connection away.</p>") +
        tr("<h2>Keys</h2>"
           "<p>Ctrl+Return trains or pauses, Ctrl+. stops. Up and Down select a layer, Space "
           "searches a layer to add, "
           "Delete removes, Ctrl+D duplicates, F2 renames, F1 explains the selected layer. Ctrl "
           "and the wheel zoom.</p>"));
}

QString HelpWindow::text() const {
    return m_browser->toPlainText();
}

}  // namespace strata::ui

// A page of charts as PNG, SVG or PDF. Called by Charts.
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "engine/core/error.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/panel_page.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double pngScale = 2.0;

void paintPanels(const PanelPage& page, QPaintDevice& device, bool vectors) {
    QCPPainter painter;
    if (!painter.begin(&device)) return;
    if (vectors) painter.setMode(QCPPainter::pmVectorized);
    painter.fillRect(page.sheet().rect(), Theme::instance().colors().panel);
    for (ChartPanel* panel : page.shownPanels()) {
        panel->hideReadout();
        panel->clearFocus();
        panel->refresh();
        painter.save();
        painter.translate(panel->pos());
        panel->toPainter(&painter, panel->width(), panel->height());
        painter.restore();
    }
    painter.end();
}

void writePng(const PanelPage& page, QIODevice& file) {
    QImage image((QSizeF(page.sheet().size()) * pngScale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(pngScale);
    paintPanels(page, image, false);
    image.save(&file, "PNG");
}

void writeSvg(const PanelPage& page, QIODevice& file, const QString& title) {
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(page.sheet().size());
    svg.setViewBox(page.sheet().rect());
    svg.setTitle(title);
    paintPanels(page, svg, true);
}

void writePdf(const PanelPage& page, QIODevice& file, const QString& title) {
    QPdfWriter pdf(&file);
    constexpr int resolution = 96;
    pdf.setResolution(resolution);
    pdf.setPageSize(QPageSize(QSizeF(page.sheet().size()) / resolution, QPageSize::Inch));
    pdf.setPageMargins(QMarginsF());
    pdf.setTitle(title);
    paintPanels(page, pdf, true);
}

}  // namespace

void exportPanels(const PanelPage& page, const QString& path, const QString& title) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending != "png" && ending != "svg" && ending != "pdf")
        throw Error(ErrorCode::invalid_argument,
                    "charts are not written as '" + ending.toStdString() + "'", path.toStdString(),
                    "End the name in .png, .svg or .pdf");
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        if (ending == "png")
            writePng(page, file);
        else if (ending == "svg")
            writeSvg(page, file, title);
        else
            writePdf(page, file, title);
        if (file.commit()) return;
    }
    throw Error(ErrorCode::io, "the picture cannot be written: " + file.errorString().toStdString(),
                path.toStdString(), "Choose another folder or free some space");
}

}  // namespace strata::ui

#include "engine/interop/curve_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/interop/curve_axis.h"
#include "engine/interop/svg.h"
#include "engine/io/atomic_file.h"
#include "engine/metrics/metric.h"

namespace strata::interop {
namespace {

constexpr const char* ink = "fill=\"#1A1A1A\"";
constexpr const char* grey = "fill=\"#555555\"";
constexpr double head = 64, foot = 52, left = 66, right = 96, panel_title = 24;

std::string colour_of(Curve::Role role) {
    return role == Curve::Role::train ? "#0072B2" : "#D55E00";
}

std::string font(const char* colour, int size, const char* more = "") {
    return std::string(colour) + " font-size=\"" + std::to_string(size) + "\"" + more;
}

// Where a panel's data lies on the picture.
struct Frame {
    double x, y, width, height;
    Axis horizontal, vertical;

    double px(double value) const { return x + width * horizontal.share(value); }
    double py(double value) const { return y + height * (1.0 - vertical.share(value)); }
};

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

bool is_drawn(const Curve& curve, std::size_t i) {
    return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]);
}

Frame frame_of(const CurvePanel& panel, double x, double y, double width, double height) {
    Range across, up;
    bool whole = true;
    for (const Curve& curve : panel.curves)
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            if (!is_drawn(curve, i)) continue;
            across.add(curve.x[i]);
            up.add(curve.y[i]);
            whole = whole && curve.x[i] == std::floor(curve.x[i]);
        }
    const int x_ticks = std::max(2, static_cast<int>(width / 70));
    const int y_ticks = std::max(2, static_cast<int>(height / 45));
    return {x,
            y,
            width,
            height,
            tight_axis(across.low, across.high, x_ticks, whole),
            round_axis(up.low, up.high, y_ticks)};
}

void draw_axes(SvgWriter& svg, const CurvePanel& panel, const Frame& frame) {
    const std::string grid = R"(stroke="#E3E3E3" stroke-width="1")";
    const std::string axis = R"(stroke="#777777" stroke-width="1")";
    const double bottom = frame.y + frame.height;
    for (const double tick : frame.vertical.ticks) {
        const double y = frame.py(tick);
        svg.line(frame.x, y, frame.x + frame.width, y, grid);
        svg.text(frame.x - 8, y + 4, frame.vertical.label(tick), font(grey, 12), SvgAnchor::end);
    }
    for (const double tick : frame.horizontal.ticks) {
        const double x = frame.px(tick);
        svg.line(x, bottom, x, bottom + 5, axis);
        svg.text(x, bottom + 19, frame.horizontal.label(tick), font(grey, 12), SvgAnchor::middle);
    }
    svg.line(frame.x, bottom, frame.x + frame.width, bottom, axis);
    svg.line(frame.x, frame.y, frame.x, bottom, axis);
    svg.text(frame.x + frame.width / 2, bottom + 40, panel.x_label, font(grey, 12),
             SvgAnchor::middle);
    svg.text(frame.x - 50, frame.y + frame.height / 2, panel.y_label, font(grey, 12),
             SvgAnchor::middle, true);
    svg.text(frame.x, frame.y - 10, panel.title, font(ink, 14, " font-weight=\"600\""));
}

// The path's data: of the points in one pixel column only the lowest and the highest, in order.
std::string path_data(const Curve& curve, const Frame& frame) {
    std::string data;
    bool pen_down = false;
    const auto to = [&](std::size_t i) {
        data += (pen_down ? "L" : "M") + svg_number(frame.px(curve.x[i])) + " " +
                svg_number(frame.py(curve.y[i]));
        pen_down = true;
    };
    for (std::size_t i = 0; i < curve.x.size();) {
        if (!is_drawn(curve, i)) {
            pen_down = false;
            ++i;
            continue;
        }
        const double column = std::floor(frame.px(curve.x[i]));
        std::size_t low = i, high = i, end = i;
        for (; end < curve.x.size() && is_drawn(curve, end) &&
               std::floor(frame.px(curve.x[end])) == column;
             ++end) {
            if (curve.y[end] < curve.y[low]) low = end;
            if (curve.y[end] > curve.y[high]) high = end;
        }
        to(std::min(low, high));
        if (low != high) to(std::max(low, high));
        i = end;
    }
    return data;
}

struct EndLabel {
    double x, y;
    const Curve* curve;
};

void draw_curves(SvgWriter& svg, const CurvePanel& panel, const Frame& frame) {
    std::vector<EndLabel> labels;
    for (const Curve& curve : panel.curves) {
        const std::string stroke = "stroke=\"" + colour_of(curve.role) +
                                   "\" stroke-width=\"1.6\" "
                                   "stroke-linejoin=\"round\" stroke-linecap=\"round\"";
        svg.path(path_data(curve, frame), stroke);
        const std::string fill = "fill=\"" + colour_of(curve.role) + "\"";
        std::size_t drawn = 0, last = 0;
        for (std::size_t i = 0; i < curve.x.size(); ++i)
            if (is_drawn(curve, i)) {
                ++drawn;
                last = i;
            }
        if (drawn == 0) continue;
        if (drawn <= 60 || curve.role == Curve::Role::validation)
            for (std::size_t i = 0; i < curve.x.size() && drawn <= 200; ++i)
                if (is_drawn(curve, i))
                    svg.circle(frame.px(curve.x[i]), frame.py(curve.y[i]), 2.6, fill);
        labels.push_back({frame.px(curve.x[last]), frame.py(curve.y[last]), &curve});
    }
    // Labels that would cover each other are moved apart downwards.
    std::sort(labels.begin(), labels.end(),
              [](const EndLabel& a, const EndLabel& b) { return a.y < b.y; });
    for (std::size_t i = 1; i < labels.size(); ++i)
        labels[i].y = std::max(labels[i].y, labels[i - 1].y + 15);
    for (const EndLabel& label : labels)
        svg.text(label.x + 7, label.y + 4, label.curve->label,
                 "fill=\"" + colour_of(label.curve->role) + R"(" font-size="12")");
}

void draw_legend(SvgWriter& svg, const CurvePicture& picture) {
    double x = picture.width - 16;
    for (const Curve::Role role : {Curve::Role::validation, Curve::Role::train}) {
        bool used = false;
        for (const CurvePanel& panel : picture.panels)
            for (const Curve& curve : panel.curves) used = used || curve.role == role;
        if (!used) continue;
        svg.text(x, 30, role == Curve::Role::train ? "training" : "validation", font(ink, 13),
                 SvgAnchor::end);
        x -= role == Curve::Role::train ? 58 : 68;
        svg.line(x - 28, 26, x - 4, 26, "stroke=\"" + colour_of(role) + R"(" stroke-width="2.5")");
        x -= 48;
    }
}

Curve curve_of(const RunLog& log, const std::string& tag, Curve::Role role) {
    Curve curve;
    curve.label = tag;
    curve.role = role;
    const auto found = log.find(tag);
    if (found == log.end()) return curve;
    const Series& series = found->second;
    curve.x.assign(series.steps.begin(), series.steps.end());
    curve.y.assign(series.values.begin(), series.values.end());
    return curve;
}

CurvePanel panel_of(const RunLog& log, const std::string& tag, const std::string& title,
                    const std::string& y_label) {
    CurvePanel panel{title, "update", y_label, {}};
    for (const Curve::Role role : {Curve::Role::train, Curve::Role::validation}) {
        Curve curve = curve_of(log, role == Curve::Role::train ? tag : "val_" + tag, role);
        if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
    }
    return panel;
}

// The first metric of the catalogue that the log holds, or "".
std::string metric_of(const RunLog& log) {
    for (const metrics::MetricDescription* metric : metrics::catalogue())
        if (log.count(metric->name) || log.count("val_" + metric->name)) return metric->name;
    return "";
}

std::string last_value(const RunLog& log, const std::string& tag, int decimals) {
    const auto found = log.find(tag);
    if (found == log.end() || found->second.values.empty()) return "";
    return tag + " " + fixed(static_cast<double>(found->second.values.back()), decimals);
}

}  // namespace

std::string draw_svg(const CurvePicture& picture) {
    SvgWriter svg(picture.width, picture.height, picture.title);
    svg.text(16, 30, picture.title, font(ink, 18, " font-weight=\"600\""));
    svg.text(16, 50, picture.subtitle, font(grey, 13));
    draw_legend(svg, picture);
    const double each = picture.width / std::max(1.0, static_cast<double>(picture.panels.size()));
    double x = 0;
    for (const CurvePanel& panel : picture.panels) {
        const Frame frame =
            frame_of(panel, x + left, head + panel_title, std::max(20.0, each - left - right),
                     std::max(20.0, picture.height - head - panel_title - foot));
        draw_axes(svg, panel, frame);
        draw_curves(svg, panel, frame);
        x += each;
    }
    return svg.finish();
}

CurvePicture picture_of_run(const RunLog& log, const std::string& title) {
    CurvePicture picture;
    picture.title = title;
    const std::string metric = metric_of(log);
    picture.panels.push_back(panel_of(log, "loss", "Loss", "loss (mean over samples)"));
    if (!metric.empty()) {
        std::string name = metric;
        name[0] = static_cast<char>(name[0] - ('a' <= name[0] && name[0] <= 'z' ? 32 : 0));
        std::replace(name.begin(), name.end(), '_', ' ');
        picture.panels.push_back(panel_of(log, metric, name, "share of samples (0 to 1)"));
    }
    for (const std::string& tag : {std::string("loss"), std::string("val_loss"), metric,
                                   metric.empty() ? metric : "val_" + metric}) {
        const std::string text = last_value(log, tag, 4);
        if (text.empty()) continue;
        picture.subtitle += (picture.subtitle.empty() ? "At the end: " : " · ") + text;
    }
    return picture;
}

std::filesystem::path write_curve_picture(const std::filesystem::path& run_directory,
                                          const std::string& title) {
    const RunLog log = read_run_log(run_directory);
    if (!log.count("loss") && !log.count("val_loss"))
        throw Error(ErrorCode::not_found, "the log holds no loss to draw", run_directory.string(),
                    "Train for at least one update");
    std::filesystem::path path = run_directory / "curves.svg";
    io::write_file(path, draw_svg(picture_of_run(log, title)));
    return path;
}

}  // namespace strata::interop

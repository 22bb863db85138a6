// Draws a run's curves as a self-contained SVG file. The headless run ends with the path of this
// picture.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/interop/run_log_reader.h"

namespace strata::interop {

struct Curve {
    enum class Role { train, validation };  // #0072B2, #D55E00

    std::string label;  // stands at the line's end
    Role role = Role::train;
    std::vector<double> x,
        y;  // of one length; x ascending; points that are not finite break the line
};

struct CurvePanel {
    std::string title, x_label, y_label;
    std::vector<Curve> curves;
};

struct CurvePicture {
    std::string title, subtitle;  // UTF-8
    std::vector<CurvePanel> panels;
    int width = 960, height = 420;  // px; the panels share the width
};

// The SVG text. Long series are decimated by minimum and maximum to two points a pixel column.
std::string draw_svg(const CurvePicture& picture);

// Loss on the left; on the right the first metric that the log holds, accuracy first. Tags are
// Keras's: "loss", "val_loss", "accuracy", "val_accuracy", ...
CurvePicture picture_of_run(const RunLog& log, const std::string& title);

// Reads the log in `run_directory`, writes `<run_directory>/curves.svg` and returns its path.
// Throws Error{not_found} where the log holds no loss.
std::filesystem::path write_curve_picture(const std::filesystem::path& run_directory,
                                          const std::string& title);

}  // namespace strata::interop

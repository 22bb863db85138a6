// Writes SVG elements as text: escaping, numbers without locale. Used by the picture of the curves.
#pragma once

#include <string>
#include <string_view>

namespace strata::interop {

// Escapes markup; what is no UTF-8 or not allowed in XML becomes U+FFFD.
std::string svg_text(std::string_view text);

// At most two decimals, no exponent, "." in every locale.
std::string svg_number(double value);

enum class SvgAnchor { start, middle, end };

class SvgWriter {
public:
    SvgWriter(int width, int height, const std::string& title);

    void line(double x1, double y1, double x2, double y2, const std::string& style);
    // One path; `data` is made by move_to and line_to.
    void path(const std::string& data, const std::string& style);
    void circle(double x, double y, double radius, const std::string& style);
    // turned: rotated by -90 degrees about (x, y).
    void text(double x, double y, std::string_view text, const std::string& style,
              SvgAnchor anchor = SvgAnchor::start, bool turned = false);

    std::string finish();

private:
    std::string out_;
};

}  // namespace strata::interop

#include "engine/interop/svg.h"

#include <array>
#include <cmath>

#include "engine/core/text.h"

namespace strata::interop {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Bytes of a character that XML allows at the start of `text`, 0 where there is none.
std::size_t valid_bytes(std::string_view text) {
    const auto at = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const unsigned first = at(0);
    if (first < 0x80) return first >= ' ' || first == '\t' || first == '\n' ? 1 : 0;
    const std::size_t n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    unsigned code = first & (0xFFu >> (n + 1));
    for (std::size_t i = 1; i < n; ++i) {
        if ((at(i) & 0xC0) != 0x80) return 0;
        code = code << 6 | (at(i) & 0x3F);
    }
    constexpr std::array<unsigned, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    const bool refused = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return first < 0xC2 || first > 0xF4 || code < least[n] || surrogate || refused ? 0 : n;
}

}  // namespace

std::string svg_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t n = valid_bytes(text);
        switch (n == 1 ? text[0] : '\0') {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += n == 0 ? replacement : text.substr(0, n);
        }
        text.remove_prefix(n == 0 ? 1 : n);
    }
    return out;
}

std::string svg_number(double value) {
    std::string text = fixed(value, 2);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" || text.empty() ? "0" : text;
}

SvgWriter::SvgWriter(int width, int height, const std::string& title) {
    const std::string w = std::to_string(width), h = std::to_string(height);
    out_ =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "width=\"" +
        w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h +
        "\" font-family=\"'Noto Sans', 'DejaVu Sans', sans-serif\">\n<title>" + svg_text(title) +
        "</title>\n<rect width=\"" + w + "\" height=\"" + h + "\" fill=\"#FFFFFF\"/>\n";
}

void SvgWriter::line(double x1, double y1, double x2, double y2, const std::string& style) {
    out_ += "<line x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) + "\" x2=\"" +
            svg_number(x2) + "\" y2=\"" + svg_number(y2) + "\" " + style + "/>\n";
}

void SvgWriter::path(const std::string& data, const std::string& style) {
    out_ += "<path d=\"" + data + R"(" fill="none" )" + style + "/>\n";
}

void SvgWriter::circle(double x, double y, double radius, const std::string& style) {
    out_ += "<circle cx=\"" + svg_number(x) + "\" cy=\"" + svg_number(y) + "\" r=\"" +
            svg_number(radius) + "\" " + style + "/>\n";
}

void SvgWriter::text(double x, double y, std::string_view text, const std::string& style,
                     SvgAnchor anchor, bool turned) {
    const std::string place = svg_number(x) + "\" y=\"" + svg_number(y) + "\"";
    out_ += "<text x=\"" + place + " " + style;
    if (anchor != SvgAnchor::start)
        out_ += anchor == SvgAnchor::end ? " text-anchor=\"end\"" : " text-anchor=\"middle\"";
    if (turned) out_ += " transform=\"rotate(-90 " + svg_number(x) + " " + svg_number(y) + ")\"";
    out_ += ">" + svg_text(text) + "</text>\n";
}

std::string SvgWriter::finish() {
    return out_ + "</svg>\n";
}

}  // namespace strata::interop

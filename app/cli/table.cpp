#include "app/cli/table.h"

#include <algorithm>
#include <cstdio>

namespace strata::cli {
namespace {

constexpr std::size_t terminal_width = 80;

}  // namespace

std::size_t text_width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

Table::Table(std::vector<std::string> header, std::vector<bool> right) : right_(std::move(right)) {
    rows_.push_back(std::move(header));
}

void Table::row(std::vector<std::string> cells) {
    cells.resize(rows_.front().size());
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    const std::size_t columns = rows_.front().size();
    std::vector<std::size_t> widths(columns, 0);
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < columns; ++c)
            widths[c] = std::max(widths[c], text_width(row[c]));
    std::string out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            const std::string space(widths[c] - text_width(rows_[r][c]), ' ');
            line += (c > 0 ? "  " : "") + (right_[c] ? space + rows_[r][c] : rows_[r][c] + space);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
        if (r > 0) continue;
        std::size_t total = 2 * (columns - 1);
        for (std::size_t width : widths) total += width;
        for (std::size_t i = 0; i < total; ++i) out += "─";
        out += "\n";
    }
    return out;
}

void print_wrapped(const std::string& first, const std::string& text) {
    std::string line = first;
    const std::string indent(text_width(first), ' ');
    std::size_t begin = 0;
    bool empty = true;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!empty && text_width(line) + 1 + text_width(word) > terminal_width) {
            std::puts(line.c_str());
            line = indent;
            empty = true;
        }
        line += (empty ? "" : " ") + word;
        empty = false;
        begin = end + 1;
    }
    std::puts(line.c_str());
}

}  // namespace strata::cli

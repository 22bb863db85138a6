// Columns of text that line up. Used by the commands that print lists.
#pragma once

#include <string>
#include <vector>

namespace strata::cli {

class Table {
public:
    // right: columns whose cells stand at the right, such as numbers.
    Table(std::vector<std::string> header, std::vector<bool> right);

    void row(std::vector<std::string> cells);
    std::string text() const;  // with a rule below the header

private:
    std::vector<std::vector<std::string>> rows_;
    std::vector<bool> right_;
};

std::size_t text_width(const std::string& text);  // UTF-8 characters

// At the width of a terminal, further lines indented to the end of `first`.
void print_wrapped(const std::string& first, const std::string& text);

}  // namespace strata::cli

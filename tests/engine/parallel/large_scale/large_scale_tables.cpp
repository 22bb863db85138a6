// Prints the tables of engine/parallel/large_scale.md; with --check FILE says which of them the
// document shows otherwise, with --write FILE puts them into it.
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/engine/parallel/large_scale/tables.h"

namespace strata::parallel::large_scale {

std::string text(const char* format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return line;
}

namespace {

std::vector<Table> all_tables() {
    std::vector<Table> tables = published_tables();
    for (Table& table : scale_tables()) tables.push_back(std::move(table));
    const Cluster cluster = calibrated_cluster();
    tables.insert(tables.begin(),
                  {"fitted", text("Fitted: matrix products reach %.1f %% of the peak.\n",
                                  100.0 * cluster.product_share)});
    return tables;
}

// Between the marks <!-- table NAME --> and <!-- end --> of the document.
struct Place {
    std::size_t begin = std::string::npos, end = std::string::npos;
    bool found() const { return begin != std::string::npos && end != std::string::npos; }
};

Place place_of(const Table& table, const std::string& document) {
    const std::string mark = "<!-- table " + table.name + " -->\n";
    const std::size_t at = document.find(mark);
    if (at == std::string::npos) return {};
    return {at + mark.size(), document.find("<!-- end -->", at)};
}

int check(const std::string& document) {
    int faults = 0;
    for (const Table& table : all_tables()) {
        const Place place = place_of(table, document);
        if (!place.found()) {
            std::cout << "table " << table.name << " is missing\n";
            ++faults;
        } else if (document.substr(place.begin, place.end - place.begin) != table.text) {
            std::cout << "table " << table.name << " should be\n" << table.text;
            ++faults;
        }
    }
    std::cout << faults << " tables differ\n";
    return faults == 0 ? 0 : 1;
}

int run(const std::string& mode, const std::string& file) {
    if (mode.empty()) {
        for (const Table& table : all_tables())
            std::cout << table.name << "\n\n" << table.text << "\n";
        return 0;
    }
    std::ifstream in(file);
    std::ostringstream read;
    read << in.rdbuf();
    if (!in || (mode != "--check" && mode != "--write")) {
        std::cerr << "usage: large_scale_tables [--check FILE | --write FILE]\n";
        return 2;
    }
    std::string document = read.str();
    if (mode == "--check") return check(document);
    for (const Table& table : all_tables())
        if (const Place place = place_of(table, document); place.found())
            document.replace(place.begin, place.end - place.begin, table.text);
    std::ofstream(file) << document;
    return check(document);
}

}  // namespace
}  // namespace strata::parallel::large_scale

int main(int count, char** arguments) {
    return strata::parallel::large_scale::run(count > 1 ? arguments[1] : "",
                                              count > 2 ? arguments[2] : "");
}

// The child's side of Hdf5Reader: lists the arrays of a file and reads their rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/child_process.h"
#include "engine/io/hdf5_handle.h"

namespace strata::io {

// What follows the request's head: `rows` numbers of rows, int64.
struct Hdf5RowsRequest {
    std::uint64_t dataset = 0, rows = 0;
};

class Hdf5Rows {
public:
    explicit Hdf5Rows(std::string path) : path_(std::move(path)) {}

    // An empty request opens the file and is answered by the list of arrays, in JSON; others are a
    // Hdf5RowsRequest, answered by the rows.
    void serve(std::string_view request, const Answer& answer);

private:
    struct Dataset {
        Handle handle;
        hid_t memory_type = -1;
        std::vector<hsize_t> extents;
        std::size_t row_bytes = 0;
    };

    std::string open();
    void read(const Dataset& dataset, const std::int64_t* rows, std::size_t n,
              const Answer& answer) const;
    void read_run(const Dataset& dataset, std::int64_t first, std::size_t n, char* out) const;

    std::string path_;
    std::optional<Hdf5File> file_;
    std::vector<Dataset> datasets_;
};

}  // namespace strata::io

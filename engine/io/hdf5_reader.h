// The arrays of a foreign HDF5 file, row by row. The HDF5 library parses it in a child process that
// lives as long as the reader; what lies in one piece is read from the file without the library.
// Used by the data source.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/shape.h"
#include "engine/io/child_process.h"
#include "engine/io/file.h"
#include "engine/io/number_format.h"

namespace strata::io {

struct Hdf5Dataset {
    std::string name;  // "train/x"
    Shape shape;
    NumberFormat
        format;  // as read_rows() gives it, or as it lies in the file where offset is there
    std::optional<std::uint64_t> offset;  // of its data in the file, where they lie in one piece
};

class Hdf5Reader {
public:
    // Throws Error: not_found, io, and format for what is no HDF5 file, is damaged, reaches beyond
    // the file or is beyond the limits (RELIABILITY of foreign files; hdf5_scan.h).
    explicit Hdf5Reader(const std::filesystem::path& path);

    const std::vector<Hdf5Dataset>& datasets() const { return datasets_; }
    const std::shared_ptr<const InputFile>& file() const { return file_; }

    // n rows of a dataset, one after the other. Thread-safe; one thread at a time is served.
    void read_rows(std::size_t dataset, const std::int64_t* rows, std::int64_t n, std::byte* out);

private:
    void take_list(const std::string& text);

    std::shared_ptr<const InputFile> file_;
    std::unique_ptr<ChildProcess> child_;
    std::vector<Hdf5Dataset> datasets_;
};

}  // namespace strata::io

#include "engine/io/hdf5_reader.h"

#include <cstring>

#include "engine/core/error.h"
#include "engine/core/json.h"
#include "engine/io/hdf5_handle.h"
#include "engine/io/hdf5_rows.h"

namespace strata::io {
namespace {

constexpr std::size_t longest_list = 64 << 20;

[[noreturn]] void damaged(const InputFile& file) {
    throw Error(ErrorCode::format, "is damaged: its arrays cannot be listed or read",
                file.path().string(), "Download or copy the file again");
}

// The child has read a foreign file: what it says is checked like the file itself.
Hdf5Dataset dataset_from(const Json& entry, const InputFile& file) {
    Hdf5Dataset dataset;
    dataset.name = entry.at("name").get<std::string>();
    const auto dims = entry.at("shape").get<std::vector<std::int64_t>>();
    dataset.shape = Shape(std::span<const std::int64_t>(dims));
    const int kind = entry.at("kind").get<int>();
    const int bytes = entry.at("bytes").get<int>();
    const bool floating = kind == static_cast<int>(NumberKind::floating);
    if (kind < 0 || kind > 2 ||
        (bytes != 2 && bytes != 4 && bytes != 8 && (bytes != 1 || floating)))
        damaged(file);
    dataset.format = {static_cast<NumberKind>(kind), static_cast<std::uint8_t>(bytes),
                      entry.at("big").get<bool>() ? std::endian::big : std::endian::little};
    std::uint64_t size = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(dataset.shape.elements()),
                               static_cast<std::uint64_t>(bytes), &size))
        damaged(file);
    if (!entry.contains("offset")) return dataset;
    dataset.offset = entry.at("offset").get<std::uint64_t>();
    if (*dataset.offset > file.size() || size > file.size() - *dataset.offset) damaged(file);
    return dataset;
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::filesystem::path& path)
    : file_(std::make_shared<const InputFile>(path)) {
    {
        // No other thread may be within the library while it is copied.
        const Hdf5Lock lock;
        Hdf5Rows rows(path.string());
        child_ = std::make_unique<ChildProcess>(
            path, ChildLimits{}, [&rows](std::string_view request, const Answer& answer) {
                rows.serve(request, answer);
            });
    }
    std::string list;
    child_->ask({}, [&](std::string_view part) {
        if (list.size() + part.size() > longest_list) damaged(*file_);
        list += part;
    });
    take_list(list);
    file_->require_unchanged();
}

void Hdf5Reader::take_list(const std::string& text) {
    try {
        for (const Json& entry : parse_json(text, file_->path().string()))
            datasets_.push_back(dataset_from(entry, *file_));
    } catch (const Json::exception&) {
        damaged(*file_);
    }
}

void Hdf5Reader::read_rows(std::size_t dataset, const std::int64_t* rows, std::int64_t n,
                           std::byte* out) {
    const Hdf5Dataset& from = datasets_.at(dataset);
    const Hdf5RowsRequest head{dataset, static_cast<std::uint64_t>(n)};
    std::string request(sizeof head + head.rows * sizeof(std::int64_t), '\0');
    std::memcpy(request.data(), &head, sizeof head);
    std::memcpy(request.data() + sizeof head, rows, head.rows * sizeof(std::int64_t));
    std::size_t left = head.rows * from.format.bytes *
                       static_cast<std::size_t>(from.shape.elements() / from.shape[0]);
    child_->ask(request, [&](std::string_view part) {
        if (part.size() > left) damaged(*file_);
        std::memcpy(out, part.data(), part.size());
        out += part.size();
        left -= part.size();
    });
    if (left != 0) damaged(*file_);
}

}  // namespace strata::io

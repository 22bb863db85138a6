#include "engine/io/npy.h"

#include <array>
#include <cstring>

#include "engine/core/error.h"
#include "engine/io/atomic_file.h"
#include "engine/io/byte_order.h"
#include "engine/io/file.h"
#include "engine/io/npy_header.h"

namespace strata::io {
namespace {

// numpy leaves room so that the first extent can grow to 21 digits without moving the data.
constexpr std::size_t growth_digits = 21;
constexpr std::size_t alignment = 64;

DType dtype_of(const NpyHeader& header, const std::string& where) {
    if (const std::optional<DType> dtype = dtype_of(header.format)) return *dtype;
    throw Error(ErrorCode::unsupported,
                "holds " + name_of(header.format) + " numbers, which have no use here", where,
                "Save float32, float64, int32, int64 or uint8 (array.astype)");
}

Npy finish(const NpyHeader& header, DType dtype, std::vector<std::byte> data) {
    const std::size_t size = header.format.bytes;
    convert_order(data, size, header.format.order);
    if (header.fortran_order && header.shape.rank() > 1) data = row_major(data, header.shape, size);
    return {dtype, header.shape, std::move(data)};
}

std::string shape_text(const Shape& shape) {
    std::string text = "(";
    for (int i = 0; i < shape.rank(); ++i)
        text += (i == 0 ? "" : " ") + std::to_string(shape[i]) +
                (i + 1 < shape.rank() || shape.rank() == 1 ? "," : "");
    return text + ")";
}

}  // namespace

std::vector<std::byte> row_major(std::span<const std::byte> data, const Shape& shape,
                                 std::size_t element_bytes) {
    const std::size_t size = element_bytes;
    const int rank = shape.rank();
    std::array<std::int64_t, Shape::max_rank> stride{}, index{};
    std::int64_t step = 1;
    for (int i = 0; i < rank; ++i) {
        stride[static_cast<std::size_t>(i)] = step;
        step *= shape[i];
    }
    std::vector<std::byte> out(data.size());
    std::int64_t from = 0;
    for (std::size_t to = 0; to + size <= out.size(); to += size) {
        std::memcpy(out.data() + to, data.data() + static_cast<std::size_t>(from) * size, size);
        for (int axis = rank - 1; axis >= 0; --axis) {
            const auto a = static_cast<std::size_t>(axis);
            from += stride[a];
            if (++index[a] < shape[axis]) break;
            from -= stride[a] * shape[axis];
            index[a] = 0;
        }
    }
    return out;
}

Npy read_npy(const std::filesystem::path& path, std::uint64_t max_bytes) {
    const InputFile file(path);
    if (file.size() > max_bytes)
        throw Error(
            ErrorCode::format,
            "has " + byte_text(file.size()) + ", more than the limit of " + byte_text(max_bytes),
            path.string(), "Is this the right file?");
    const NpyHeader header = read_npy_header(file, 0, file.size(), path.string());
    const DType dtype = dtype_of(header, path.string());
    std::vector<std::byte> data(file.size() - header.data_offset);
    file.read_at(header.data_offset, data);
    return finish(header, dtype, std::move(data));
}

Npy parse_npy(std::span<const std::byte> content, const std::string& where) {
    const NpyHeader header = parse_npy_header(content, content.size(), where);
    const auto data = content.subspan(header.data_offset);
    return finish(header, dtype_of(header, where), {data.begin(), data.end()});
}

std::vector<std::byte> npy_bytes(DType dtype, const Shape& shape, std::span<const std::byte> data) {
    if (data.size() != static_cast<std::size_t>(shape.elements()) * size_of(dtype))
        throw Error(ErrorCode::internal, "the data's size is not that of the shape", "npy");
    std::string text = "{'descr': '" + npy_descr(dtype) +
                       "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
    if (shape.rank() > 0) {
        const std::size_t digits = std::to_string(shape[0]).size();
        text.append(growth_digits - std::min(growth_digits, digits), ' ');
    }
    text.append(alignment - (10 + text.size() + 1) % alignment, ' ');
    text += '\n';
    std::string head = npy_magic();
    head += '\1';
    head += '\0';
    head += static_cast<char>(text.size() & 0xff);
    head += static_cast<char>(text.size() >> 8);
    head += text;
    std::vector<std::byte> content(head.size() + data.size());
    std::memcpy(content.data(), head.data(), head.size());
    if (!data.empty()) std::memcpy(content.data() + head.size(), data.data(), data.size());
    convert_order(std::span(content).subspan(head.size()), size_of(dtype), std::endian::little);
    return content;
}

void write_npy(const std::filesystem::path& path, DType dtype, const Shape& shape,
               std::span<const std::byte> data) {
    write_file(path, std::span<const std::byte>(npy_bytes(dtype, shape, data)));
}

}  // namespace strata::io

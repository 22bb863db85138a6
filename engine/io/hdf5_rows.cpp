#include "engine/io/hdf5_rows.h"

#include <algorithm>
#include <cstring>

#include "engine/core/json.h"
#include "engine/io/hdf5_scan.h"
#include "engine/io/number_format.h"

namespace strata::io {
namespace {

constexpr std::size_t chunk_cache_bytes = 64 << 20;
constexpr std::size_t chunk_cache_slots = 10'007;
constexpr std::size_t part_bytes = 4 << 20;
// Rows are read by position: a data set may be larger than memory, and the expansion is bounded.
constexpr std::uint64_t most_data_bytes = std::uint64_t{1} << 44;

bool is_half(hid_t type) {
    std::size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
    H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits);
    return H5Tget_size(type) == 2 && sign == 15 && exponent == 10 && exponent_bits == 5 &&
           mantissa == 0 && mantissa_bits == 10 && H5Tget_ebias(type) == 15;
}

// Nothing for numbers of a form that no usual program writes.
std::optional<NumberFormat> floating_format(hid_t type) {
    if (H5Tequal(type, H5T_IEEE_F32LE) > 0) return {{NumberKind::floating, 4, std::endian::little}};
    if (H5Tequal(type, H5T_IEEE_F32BE) > 0) return {{NumberKind::floating, 4, std::endian::big}};
    if (H5Tequal(type, H5T_IEEE_F64LE) > 0) return {{NumberKind::floating, 8, std::endian::little}};
    if (H5Tequal(type, H5T_IEEE_F64BE) > 0) return {{NumberKind::floating, 8, std::endian::big}};
    if (!is_half(type)) return std::nullopt;
    const bool big = H5Tget_order(type) == H5T_ORDER_BE;
    return {{NumberKind::floating, 2, big ? std::endian::big : std::endian::little}};
}

std::optional<NumberFormat> format_of_type(hid_t type) {
    if (H5Tget_class(type) == H5T_ENUM) return format_of_type(Handle(H5Tget_super(type)).get());
    if (H5Tget_class(type) == H5T_FLOAT) return floating_format(type);
    const std::size_t size = H5Tget_size(type);
    const bool usual = (size == 1 || size == 2 || size == 4 || size == 8) &&
                       H5Tget_precision(type) == 8 * size && H5Tget_offset(type) == 0;
    if (!usual) return std::nullopt;
    return {{H5Tget_sign(type) == H5T_SGN_NONE ? NumberKind::unsigned_integer : NumberKind::integer,
             static_cast<std::uint8_t>(size),
             H5Tget_order(type) == H5T_ORDER_BE ? std::endian::big : std::endian::little}};
}

// The same numbers as this machine has them; it has no halves.
hid_t memory_type_of(NumberFormat& format) {
    format.order = std::endian::native;
    if (!format.whole()) {
        format.bytes = std::max<std::uint8_t>(format.bytes, 4);
        return format.bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    }
    const bool with_sign = format.kind == NumberKind::integer;
    switch (format.bytes) {
        case 1:
            return with_sign ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
        case 2:
            return with_sign ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
        case 4:
            return with_sign ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
        default:
            return with_sign ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
    }
}

Json description(const std::string& name, const std::vector<hsize_t>& extents,
                 const NumberFormat& format, haddr_t offset) {
    Json entry = {{"name", name},
                  {"shape", extents},
                  {"kind", static_cast<int>(format.kind)},
                  {"bytes", format.bytes},
                  {"big", format.order == std::endian::big}};
    if (offset != HADDR_UNDEF) entry["offset"] = offset;
    return entry;
}

std::vector<hsize_t> extents_of(const Hdf5File& file, hid_t dataset, const std::string& name) {
    const Handle space = file.own(H5Dget_space(dataset), "read the shape of '" + name + "'");
    const int rank = H5Sget_simple_extent_ndims(space.get());
    file.check(rank, "read the shape of '" + name + "'");
    std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
    if (rank > 0) H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    return extents;
}

}  // namespace

void Hdf5Rows::serve(std::string_view request, const Answer& answer) {
    if (request.empty()) return answer(open());
    Hdf5RowsRequest head;
    std::memcpy(&head, request.data(), sizeof head);
    std::vector<std::int64_t> rows(head.rows);
    std::memcpy(rows.data(), request.data() + sizeof head, rows.size() * sizeof(std::int64_t));
    read(datasets_.at(head.dataset), rows.data(), rows.size(), answer);
}

std::string Hdf5Rows::open() {
    file_.emplace(Hdf5File::open(path_));
    Hdf5Limits limits;
    limits.data_bytes = most_data_bytes;
    limits.texts = true;
    const Handle access = file_->own(H5Pcreate(H5P_DATASET_ACCESS), "open its arrays");
    H5Pset_chunk_cache(access.get(), chunk_cache_slots, chunk_cache_bytes,
                       H5D_CHUNK_CACHE_W0_DEFAULT);
    Json list = Json::array();
    for (const std::string& name : require_harmless(*file_, limits)) {
        Dataset dataset;
        dataset.handle =
            file_->own(H5Dopen2(file_->id(), name.c_str(), access.get()), "open '" + name + "'");
        const Handle type = file_->own(H5Dget_type(dataset.handle.get()), "read '" + name + "'");
        const std::optional<NumberFormat> stored = format_of_type(type.get());
        dataset.extents = extents_of(*file_, dataset.handle.get(), name);
        if (!stored || dataset.extents.empty()) continue;
        NumberFormat in_memory = *stored;
        dataset.memory_type = memory_type_of(in_memory);
        dataset.row_bytes = in_memory.bytes;
        for (std::size_t i = 1; i < dataset.extents.size(); ++i)
            dataset.row_bytes *= static_cast<std::size_t>(dataset.extents[i]);
        const haddr_t offset = H5Dget_offset(dataset.handle.get());
        H5Eclear2(H5E_DEFAULT);
        list.push_back(description(name, dataset.extents,
                                   offset == HADDR_UNDEF ? in_memory : *stored, offset));
        datasets_.push_back(std::move(dataset));
    }
    return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void Hdf5Rows::read(const Dataset& dataset, const std::int64_t* rows, std::size_t n,
                    const Answer& answer) const {
    const std::size_t most =
        std::max<std::size_t>(1, part_bytes / std::max<std::size_t>(1, dataset.row_bytes));
    std::vector<char> buffer;
    for (std::size_t i = 0; i < n;) {
        std::size_t run = 1;
        while (i + run < n && run < most &&
               rows[i + run] == rows[i] + static_cast<std::int64_t>(run))
            ++run;
        buffer.resize(run * dataset.row_bytes);
        read_run(dataset, rows[i], run, buffer.data());
        answer({buffer.data(), buffer.size()});
        i += run;
    }
}

void Hdf5Rows::read_run(const Dataset& dataset, std::int64_t first, std::size_t n,
                        char* out) const {
    const std::string action = "read row " + std::to_string(first);
    std::vector<hsize_t> start(dataset.extents.size(), 0), count = dataset.extents;
    start[0] = static_cast<hsize_t>(first);
    count[0] = n;
    const Handle space = file_->own(H5Dget_space(dataset.handle.get()), action);
    const auto rank = static_cast<int>(count.size());
    const Handle memory = file_->own(H5Screate_simple(rank, count.data(), nullptr), action);
    file_->check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr,
                                     count.data(), nullptr),
                 action);
    file_->check(H5Dread(dataset.handle.get(), dataset.memory_type, memory.get(), space.get(),
                         H5P_DEFAULT, out),
                 action);
}

}  // namespace strata::io

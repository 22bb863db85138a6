#include "engine/interop/hdf5_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

#include "engine/io/crc32.h"

namespace strata::interop {
namespace {

constexpr std::size_t list_bytes = 64'512;   // Keras's limit on count times longest name
constexpr std::size_t list_entries = 4'000;  // HDF5's: 16 bytes an entry in a header of 64 KiB
constexpr hsize_t most_entries = 100'000;
constexpr std::size_t longest_text = 64 << 20;

io::Handle text_type(const io::Hdf5File& file) {
    io::Handle type = file.own(H5Tcopy(H5T_C_S1), "make a text type");
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

io::Handle link_list(const io::Hdf5File& file) {
    io::Handle list = file.own(H5Pcreate(H5P_LINK_CREATE), "make a link");
    H5Pset_create_intermediate_group(list.get(), 1);
    H5Pset_char_encoding(list.get(), H5T_CSET_UTF8);
    return list;
}

void write_list(const io::Hdf5File& file, hid_t object, const std::string& name,
                const std::string* begin, std::size_t count) {
    const std::string action = "write the attribute '" + name + "'";
    const io::Handle type = text_type(file);
    const hsize_t dims = count;
    const io::Handle space = file.own(H5Screate_simple(1, &dims, nullptr), action);
    const io::Handle attribute = file.own(
        H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
        action);
    std::vector<const char*> pointers;
    for (std::size_t i = 0; i < count; ++i) pointers.push_back(begin[i].c_str());
    file.check(H5Awrite(attribute.get(), type.get(), pointers.data()), action);
}

// The pointers that HDF5 allocates for variable-length texts.
class VariableTexts {
public:
    VariableTexts(hid_t type, hid_t space, std::size_t count)
        : type_(type), space_(space), pointers_(count, nullptr) {}
    VariableTexts(const VariableTexts&) = delete;
    VariableTexts& operator=(const VariableTexts&) = delete;
    ~VariableTexts() { H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, pointers_.data()); }

    std::vector<char*>& pointers() { return pointers_; }

private:
    hid_t type_, space_;
    std::vector<char*> pointers_;
};

std::vector<std::string> read_fixed(const io::Hdf5File& file, hid_t attribute, hid_t type,
                                    std::size_t count, const std::string& action) {
    const std::size_t size = H5Tget_size(type);
    if (size == 0 || size > longest_text / std::max<std::size_t>(count, 1))
        file.refuse(action, "is impossibly large");
    std::vector<char> bytes(size * count);
    file.check(H5Aread(attribute, type, bytes.data()), action);
    const char pad = H5Tget_strpad(type) == H5T_STR_SPACEPAD ? ' ' : '\0';
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
        std::string text(bytes.data() + i * size, size);
        text.resize(std::min(text.size(), text.find('\0')));
        while (pad == ' ' && !text.empty() && text.back() == ' ') text.pop_back();
        texts.push_back(std::move(text));
    }
    return texts;
}

// The texts of one attribute, scalar or list, or nothing where it is absent.
std::optional<std::vector<std::string>> read_attribute(const io::Hdf5File& file, hid_t object,
                                                       const std::string& name) {
    const std::string action = "read the attribute '" + name + "'";
    const htri_t exists = H5Aexists(object, name.c_str());
    file.check(exists, action);
    if (exists == 0) return std::nullopt;
    const io::Handle attribute = file.own(H5Aopen(object, name.c_str(), H5P_DEFAULT), action);
    const io::Handle type = file.own(H5Aget_type(attribute.get()), action);
    const io::Handle space = file.own(H5Aget_space(attribute.get()), action);
    const hssize_t points = H5Sget_simple_extent_npoints(space.get());
    file.check(points, action);
    if (static_cast<hsize_t>(points) > most_entries) file.refuse(name, "has too many entries");
    if (points == 0) return std::vector<std::string>();
    if (H5Tget_class(type.get()) != H5T_STRING) file.refuse(name, "is not a text");
    const auto count = static_cast<std::size_t>(points);
    if (H5Tis_variable_str(type.get()) <= 0)
        return read_fixed(file, attribute.get(), type.get(), count, action);
    VariableTexts read(type.get(), space.get(), count);
    file.check(H5Aread(attribute.get(), type.get(), read.pointers().data()), action);
    std::vector<std::string> texts;
    std::size_t total = 0;
    for (const char* pointer : read.pointers()) {
        const std::size_t length = pointer ? std::strlen(pointer) : 0;
        total += length;
        if (total > longest_text) file.refuse(name, "is impossibly large");
        texts.emplace_back(pointer ? pointer : "", length);
    }
    return texts;
}

io::Handle space_of(const io::Hdf5File& file, const std::string& path, const Shape& shape) {
    std::vector<hsize_t> dims;
    for (const std::int64_t dim : shape.dims()) dims.push_back(static_cast<hsize_t>(dim));
    return file.own(dims.empty()
                        ? H5Screate(H5S_SCALAR)
                        : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                    "write '" + path + "'");
}

Shape shape_of(const io::Hdf5File& file, hid_t dataset, const std::string& action) {
    const io::Handle space = file.own(H5Dget_space(dataset), action);
    std::array<hsize_t, H5S_MAX_RANK> extents{};
    const int rank = H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    file.check(rank, action);
    const std::vector<std::int64_t> dims(extents.begin(), extents.begin() + rank);
    return Shape(std::span<const std::int64_t>(dims));
}

void write_scalar(const io::Hdf5File& file, hid_t parent, const std::string& path, hid_t file_type,
                  hid_t memory_type, hid_t space, const void* values) {
    const std::string action = "write '" + path + "'";
    const io::Handle links = link_list(file);
    const io::Handle dataset = file.own(
        H5Dcreate2(parent, path.c_str(), file_type, space, links.get(), H5P_DEFAULT, H5P_DEFAULT),
        action);
    file.check(H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), action);
}

}  // namespace

std::string crc32_text(const void* data, std::size_t bytes) {
    return crc32_text(io::crc32(0, {static_cast<const std::byte*>(data), bytes}));
}

std::string crc32_text(std::uint32_t crc) {
    std::array<char, 12> text{};
    std::snprintf(text.data(), text.size(), "%08x", crc);
    return text.data();
}

void write_text(const io::Hdf5File& file, hid_t object, const char* name, const std::string& text) {
    const std::string action = std::string("write the attribute '") + name + "'";
    const io::Handle type = text_type(file);
    const io::Handle space = file.own(H5Screate(H5S_SCALAR), action);
    const io::Handle attribute = file.own(
        H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), action);
    const char* pointer = text.c_str();
    file.check(H5Awrite(attribute.get(), type.get(), &pointer), action);
}

void write_texts(const io::Hdf5File& file, hid_t object, const std::string& name,
                 const std::vector<std::string>& texts) {
    if (texts.empty()) {
        const std::string action = "write the attribute '" + name + "'";
        const hsize_t dims = 0;
        const io::Handle space = file.own(H5Screate_simple(1, &dims, nullptr), action);
        const io::Handle attribute = file.own(
            H5Acreate2(object, name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
            action);
        return;
    }
    std::size_t longest = 1;
    for (const std::string& text : texts) longest = std::max(longest, text.size());
    const std::size_t each = std::clamp<std::size_t>(list_bytes / longest, 1, list_entries);
    if (texts.size() <= each) return write_list(file, object, name, texts.data(), texts.size());
    for (std::size_t part = 0, from = 0; from < texts.size(); ++part, from += each)
        write_list(file, object, name + std::to_string(part), texts.data() + from,
                   std::min(each, texts.size() - from));
}

std::optional<std::string> read_text(const io::Hdf5File& file, hid_t object,
                                     const std::string& name) {
    const auto texts = read_attribute(file, object, name);
    if (!texts) return std::nullopt;
    if (texts->size() != 1) file.refuse(name, "is not one text");
    return texts->front();
}

std::optional<std::vector<std::string>> read_texts(const io::Hdf5File& file, hid_t object,
                                                   const std::string& name) {
    if (auto whole = read_attribute(file, object, name)) return whole;
    std::optional<std::vector<std::string>> all;
    for (std::size_t part = 0;; ++part) {
        const auto texts = read_attribute(file, object, name + std::to_string(part));
        if (!texts) return all;
        if (!all) all.emplace();
        all->insert(all->end(), texts->begin(), texts->end());
        if (all->size() > most_entries) file.refuse(name, "has too many entries");
    }
}

io::Handle make_group(const io::Hdf5File& file, hid_t parent, const std::string& name) {
    const io::Handle links = link_list(file);
    return file.own(H5Gcreate2(parent, name.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT),
                    "write the group '" + name + "'");
}

io::Handle open_group(const io::Hdf5File& file, hid_t parent, const std::string& name) {
    return file.own(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), "read the group '" + name + "'");
}

void write_floats(const io::Hdf5File& file, hid_t parent, const std::string& path,
                  const Shape& shape, const float* values) {
    const io::Handle space = space_of(file, path, shape);
    write_scalar(file, parent, path, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, space.get(), values);
}

std::uint64_t reserve_floats(const io::Hdf5File& file, hid_t parent, const std::string& path,
                             const Shape& shape) {
    const std::string action = "write '" + path + "'";
    const io::Handle space = space_of(file, path, shape);
    const io::Handle links = link_list(file);
    const io::Handle creation = file.own(H5Pcreate(H5P_DATASET_CREATE), action);
    file.check(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), action);
    file.check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), action);
    const io::Handle dataset =
        file.own(H5Dcreate2(parent, path.c_str(), H5T_IEEE_F32LE, space.get(), links.get(),
                            creation.get(), H5P_DEFAULT),
                 action);
    const haddr_t offset = H5Dget_offset(dataset.get());
    file.check(offset == HADDR_UNDEF ? -1 : 0, action);
    return offset;
}

void write_int64(const io::Hdf5File& file, hid_t parent, const std::string& path,
                 std::int64_t value) {
    const io::Handle space = file.own(H5Screate(H5S_SCALAR), "write '" + path + "'");
    write_scalar(file, parent, path, H5T_STD_I64LE, H5T_NATIVE_INT64, space.get(), &value);
}

Hdf5Tensor read_floats(const io::Hdf5File& file, hid_t parent, const std::string& path) {
    const std::string action = "read '" + path + "'";
    const io::Handle dataset = file.own(H5Dopen2(parent, path.c_str(), H5P_DEFAULT), action);
    Hdf5Tensor tensor{shape_of(file, dataset.get(), action), {}};
    tensor.values.resize(static_cast<std::size_t>(tensor.shape.elements()));
    file.check(H5Dread(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       tensor.values.data()),
               action);
    return tensor;
}

std::optional<Hdf5Extent> extent_of_floats(const io::Hdf5File& file, hid_t parent,
                                           const std::string& path) {
    if constexpr (std::endian::native != std::endian::little) return std::nullopt;
    const std::string action = "read '" + path + "'";
    const io::Handle dataset = file.own(H5Dopen2(parent, path.c_str(), H5P_DEFAULT), action);
    const io::Handle type = file.own(H5Dget_type(dataset.get()), action);
    const io::Handle creation = file.own(H5Dget_create_plist(dataset.get()), action);
    const haddr_t offset = H5Dget_offset(dataset.get());
    if (H5Tequal(type.get(), H5T_IEEE_F32LE) <= 0 ||
        H5Pget_layout(creation.get()) != H5D_CONTIGUOUS || offset == HADDR_UNDEF)
        return std::nullopt;
    Hdf5Extent extent{shape_of(file, dataset.get(), action), offset, 0};
    extent.bytes = static_cast<std::uint64_t>(extent.shape.elements()) * sizeof(float);
    if (H5Dget_storage_size(dataset.get()) != extent.bytes) return std::nullopt;
    return extent;
}

}  // namespace strata::interop

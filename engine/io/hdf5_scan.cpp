#include "engine/io/hdf5_scan.h"

#include <array>
#include <utility>

#include "engine/io/file.h"

namespace strata::io {
namespace {

constexpr std::uint64_t free_expansion_bytes = 16 << 20;

struct Link {
    std::string name;
    H5L_type_t type;
};

struct LinkList {
    std::vector<Link> links;
    bool out_of_memory = false;
};

// Called by HDF5 for each link; an exception must not pass through the library.
herr_t collect(hid_t, const char* name, const H5L_info_t* info, void* data) {
    auto* list = static_cast<LinkList*>(data);
    try {
        list->links.push_back({name, info->type});
        return 0;
    } catch (const std::exception&) {
        list->out_of_memory = true;
        return -1;
    }
}

class Scanner {
public:
    Scanner(const Hdf5File& file, const Hdf5Limits& limits) : file_(file), limits_(limits) {}

    std::vector<std::string> scan() {
        const Handle root = file_.own(H5Gopen2(file_.id(), "/", H5P_DEFAULT), "open its root");
        scan_group(root.get(), "", 1);
        return std::move(numbers_);
    }

private:
    void scan_group(hid_t group, const std::string& path, int depth) {
        if (depth > limits_.depth)
            file_.refuse(path, "lies more than " + std::to_string(limits_.depth) + " groups deep");
        H5G_info_t info{};
        file_.check(H5Gget_info(group, &info), "read the group '" + path + "'");
        if (info.nlinks > limits_.objects - objects_) too_many(path);
        LinkList list;
        hsize_t index = 0;
        const herr_t status =
            H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &index, collect, &list);
        if (list.out_of_memory)
            throw Error(ErrorCode::out_of_memory, "no memory to list its objects", file_.path());
        file_.check(status, "list the group '" + path + "'");
        for (const Link& link : list.links) {
            if (++objects_ > limits_.objects) too_many(path);
            scan_link(group, link, path + "/" + link.name, depth);
        }
    }

    [[noreturn]] void too_many(const std::string& path) const {
        file_.refuse(path.empty() ? "/" : path, "brings the file to more than " +
                                                    std::to_string(limits_.objects) + " objects");
    }

    void scan_link(hid_t group, const Link& link, const std::string& path, int depth) {
        if (link.type == H5L_TYPE_EXTERNAL)
            file_.refuse(path, "is a link into another file, which is not followed");
        if (link.type != H5L_TYPE_HARD)
            file_.refuse(path, "is a soft or user-defined link, which is not followed");
        const Handle object =
            file_.own(H5Oopen(group, link.name.c_str(), H5P_DEFAULT), "open '" + path + "'");
        switch (H5Iget_type(object.get())) {
            case H5I_GROUP:
                return scan_group(object.get(), path, depth + 1);
            case H5I_DATASET:
                return scan_dataset(object.get(), path);
            default:
                file_.refuse(path, "is a named type, which no weight file needs");
        }
    }

    void scan_dataset(hid_t dataset, const std::string& path) {
        const Handle plan =
            file_.own(H5Dget_create_plist(dataset), "read the layout of '" + path + "'");
        if (H5Pget_external_count(plan.get()) != 0)
            file_.refuse(path, "keeps its data in other files, which are not opened");
        const H5D_layout_t layout = H5Pget_layout(plan.get());
        if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT)
            file_.refuse(path, "is put together from other datasets (a virtual layout)");
        check_filters(plan.get(), path);
        const std::size_t size = check_type(dataset, path);
        if (layout == H5D_CHUNKED) check_chunk(plan.get(), size, path);
        add_data(dataset, size, layout == H5D_CHUNKED, path);
    }

    void check_filters(hid_t plan, const std::string& path) const {
        const int count = H5Pget_nfilters(plan);
        for (int i = 0; i < count; ++i) {
            unsigned flags = 0, config = 0;
            std::size_t values = 0;
            const H5Z_filter_t filter = H5Pget_filter2(plan, static_cast<unsigned>(i), &flags,
                                                       &values, nullptr, 0, nullptr, &config);
            if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
                filter != H5Z_FILTER_FLETCHER32)
                file_.refuse(path, "is packed with filter " + std::to_string(filter) +
                                       "; only deflate, shuffle and fletcher32 are read");
        }
    }

    std::size_t check_type(hid_t dataset, const std::string& path) {
        const Handle type = file_.own(H5Dget_type(dataset), "read the type of '" + path + "'");
        const H5T_class_t kind = H5Tget_class(type.get());
        const bool number = kind == H5T_FLOAT || kind == H5T_INTEGER;
        const bool allowed = limits_.texts && (kind == H5T_STRING || kind == H5T_ENUM);
        if (!number && !allowed) file_.refuse(path, "holds something other than plain numbers");
        if (H5Tcommitted(type.get()) > 0) file_.refuse(path, "uses a named type");
        if (kind != H5T_STRING) numbers_.push_back(path.substr(1));
        return H5Tget_size(type.get());
    }

    void check_chunk(hid_t plan, std::size_t size, const std::string& path) const {
        std::array<hsize_t, H5S_MAX_RANK> dims{};
        const int rank = H5Pget_chunk(plan, H5S_MAX_RANK, dims.data());
        std::uint64_t bytes = size;
        for (int i = 0; i < rank; ++i)
            if (__builtin_mul_overflow(bytes, dims[static_cast<std::size_t>(i)], &bytes) ||
                bytes > limits_.chunk_bytes)
                file_.refuse(path, "has chunks above " + byte_text(limits_.chunk_bytes));
    }

    void add_data(hid_t dataset, std::size_t size, bool chunked, const std::string& path) {
        const Handle space = file_.own(H5Dget_space(dataset), "read the shape of '" + path + "'");
        const int rank = H5Sget_simple_extent_ndims(space.get());
        if (rank < 0 || rank > limits_.rank)
            file_.refuse(path, "has " + std::to_string(rank) + " axes; 8 is the most");
        std::array<hsize_t, H5S_MAX_RANK> dims{};
        H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
        std::uint64_t bytes = H5Sget_simple_extent_type(space.get()) == H5S_NULL ? 0 : size;
        for (int i = 0; i < rank; ++i) {
            const hsize_t extent = dims[static_cast<std::size_t>(i)];
            if (extent > limits_.extent || __builtin_mul_overflow(bytes, extent, &bytes))
                file_.refuse(path, "is impossibly large");
        }
        const std::uint64_t stored = H5Dget_storage_size(dataset);
        if (!chunked && stored < bytes)
            file_.refuse(path, "declares " + byte_text(bytes) + ", but the file holds " +
                                   byte_text(stored) + " of it");
        if (__builtin_add_overflow(total_, bytes, &total_) || total_ > limits_.data_bytes)
            file_.refuse(path, "brings the data to more than " + byte_text(limits_.data_bytes));
        if (total_ > free_expansion_bytes && total_ / limits_.expansion > file_.bytes())
            file_.refuse(path, "brings the data to " + byte_text(total_) + " in a file of " +
                                   byte_text(file_.bytes()) + ", which no weights do");
    }

    const Hdf5File& file_;
    const Hdf5Limits& limits_;
    std::uint64_t objects_ = 0, total_ = 0;
    std::vector<std::string> numbers_;
};

}  // namespace

std::vector<std::string> require_harmless(const Hdf5File& file, const Hdf5Limits& limits) {
    return Scanner(file, limits).scan();
}

}  // namespace strata::io

#include "engine/data/numpy_sources.h"

#include "engine/core/error.h"
#include "engine/data/array_source.h"
#include "engine/io/npy.h"
#include "engine/io/npy_header.h"
#include "engine/io/zip.h"

namespace strata::data {
namespace {

constexpr std::string_view npy_ending = ".npy";

// Rows of an array in Fortran order lie apart: it is turned in memory.
std::shared_ptr<const Array> in_memory(const std::string& place, const io::NpyHeader& header,
                                       std::vector<std::byte> bytes) {
    if (!header.fortran_order || header.shape.rank() < 2)
        return std::make_shared<MemoryArray>(place, header.shape, header.format, std::move(bytes),
                                             header.data_offset);
    return std::make_shared<MemoryArray>(
        place, header.shape, header.format,
        io::row_major(std::span<const std::byte>(bytes).subspan(header.data_offset), header.shape,
                      header.format.bytes),
        0);
}

std::shared_ptr<const Array> open_file(const std::string& path) {
    auto file = std::make_shared<const io::InputFile>(path);
    const io::NpyHeader header = io::read_npy_header(*file, 0, file->size(), path);
    if (header.fortran_order && header.shape.rank() > 1)
        return in_memory(path, header, io::read_file(path));
    return std::make_shared<FileArray>(path, header.shape, header.format, file, header.data_offset);
}

std::shared_ptr<const Array> open_member(const io::ZipFile& zip, const std::string& name,
                                         bool cache) {
    const io::ZipMember& member = *zip.find(name + std::string(npy_ending));
    const std::string place = zip.place_of(member);
    if (!member.packed) {
        const auto header =
            io::read_npy_header(*zip.file(), member.data_offset, member.bytes, place);
        const bool apart = header.fortran_order && header.shape.rank() > 1;
        if (!apart && !cache) {
            zip.verify(member);
            return std::make_shared<FileArray>(place, header.shape, header.format, zip.file(),
                                               member.data_offset + header.data_offset);
        }
    }
    std::vector<std::byte> bytes = zip.read(member);
    const io::NpyHeader header = io::parse_npy_header(bytes, bytes.size(), place);
    return in_memory(place, header, std::move(bytes));
}

std::shared_ptr<Source> open_npy(const layers::Config& config, const OpenOptions& options) {
    return std::make_shared<ArraySource>(open_file(config.text("samples")),
                                         open_file(config.text("labels")),
                                         array_options(config, options));
}

std::shared_ptr<Source> open_npz(const layers::Config& config, const OpenOptions& options) {
    const std::string& path = config.text("file");
    const io::ZipFile zip(std::make_shared<const io::InputFile>(path));
    std::vector<std::string> names;
    for (const io::ZipMember& member : zip.members())
        if (member.name.ends_with(npy_ending))
            names.push_back(member.name.substr(0, member.name.size() - npy_ending.size()));
    const ArrayNames chosen = choose_arrays(names, config, path);
    return std::make_shared<ArraySource>(open_member(zip, chosen.samples, options.cache),
                                         open_member(zip, chosen.labels, options.cache),
                                         array_options(config, options));
}

std::vector<layers::ParamSpec> with_array_params(std::vector<layers::ParamSpec> params) {
    for (layers::ParamSpec& param : array_params()) params.push_back(std::move(param));
    return params;
}

}  // namespace

const SourceDescription& npy() {
    static const SourceDescription description{
        .type = "npy",
        .title = "NumPy files",
        .doc = "Two files of numpy.save: samples, and labels or values, one row a sample",
        .params = with_array_params(
            {path_param("samples", layers::ParamType::file,
                        "File of the samples (.npy), first axis = samples"),
             path_param("labels", layers::ParamType::file,
                        "File of the labels or values (.npy), one row a sample")}),
        .open = open_npy};
    return description;
}

const SourceDescription& npz() {
    static const SourceDescription description{
        .type = "npz",
        .title = "NumPy archive",
        .doc =
            "A file of numpy.savez or savez_compressed with arrays of samples and of labels or "
            "values",
        .params =
            with_array_params({path_param("file", layers::ParamType::file, "The archive (.npz)"),
                               samples_name_param(), labels_name_param(), split_param()}),
        .open = open_npz};
    return description;
}

}  // namespace strata::data

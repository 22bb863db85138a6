#include "engine/data/hdf5_source.h"

#include "engine/data/array_source.h"
#include "engine/io/hdf5_reader.h"

namespace strata::data {
namespace {

// Rows that only the HDF5 library can put together: in chunks, packed, or within a header.
class Hdf5Array : public Array {
public:
    Hdf5Array(std::string place, std::shared_ptr<io::Hdf5Reader> reader, std::size_t dataset)
        : Array(std::move(place), reader->datasets()[dataset].shape,
                reader->datasets()[dataset].format),
          reader_(std::move(reader)),
          dataset_(dataset) {}

    void require_unchanged() const override { reader_->file()->require_unchanged(); }
    void read_rows(const std::int64_t* rows, std::int64_t n, std::byte* out) const override {
        reader_->read_rows(dataset_, rows, n, out);
    }

private:
    std::shared_ptr<io::Hdf5Reader> reader_;
    std::size_t dataset_;
};

std::shared_ptr<const Array> open_array(const std::shared_ptr<io::Hdf5Reader>& reader,
                                        const std::string& name) {
    const std::string place = reader->file()->path().string() + ", '" + name + "'";
    std::size_t index = 0;
    while (reader->datasets()[index].name != name) ++index;
    const io::Hdf5Dataset& dataset = reader->datasets()[index];
    if (!dataset.offset) return std::make_shared<Hdf5Array>(place, reader, index);
    return std::make_shared<FileArray>(place, dataset.shape, dataset.format, reader->file(),
                                       *dataset.offset);
}

std::shared_ptr<Source> open_hdf5(const layers::Config& config, const OpenOptions& options) {
    const auto reader = std::make_shared<io::Hdf5Reader>(config.text("file"));
    std::vector<std::string> names;
    for (const io::Hdf5Dataset& dataset : reader->datasets()) names.push_back(dataset.name);
    const ArrayNames chosen = choose_arrays(names, config, config.text("file"));
    return std::make_shared<ArraySource>(open_array(reader, chosen.samples),
                                         open_array(reader, chosen.labels),
                                         array_options(config, options));
}

}  // namespace

const SourceDescription& hdf5() {
    static const SourceDescription description = [] {
        SourceDescription made{
            .type = "hdf5",
            .title = "HDF5",
            .doc =
                "A file with datasets of samples and of labels or values; groups, chunks and "
                "deflate are read, links into other files are not",
            .params = {path_param("file", layers::ParamType::file, "The file (.h5, .hdf5)"),
                       samples_name_param(), labels_name_param(), split_param()},
            .open = open_hdf5};
        for (layers::ParamSpec& param : array_params()) made.params.push_back(std::move(param));
        return made;
    }();
    return description;
}

}  // namespace strata::data

// parse_keras_h5: checks a file, then reads the model, its weights and what else it holds.
#include <algorithm>
#include <map>
#include <set>

#include "engine/core/text.h"
#include "engine/interop/hdf5_values.h"
#include "engine/interop/keras_config.h"
#include "engine/interop/keras_h5.h"
#include "engine/interop/keras_h5_names.h"
#include "engine/interop/keras_h5_transfer.h"
#include "engine/io/crc32.h"
#include "engine/io/direct_file.h"
#include "engine/io/hdf5_scan.h"
#include "engine/optimizers/optimizer.h"

namespace strata::interop {
namespace {

struct Variable {
    std::string layer;
    layers::VariableSpec spec;
};

bool has_group(hid_t parent, const char* name) {
    return H5Lexists(parent, name, H5P_DEFAULT) > 0;
}

// Which of the optimizer's slots a state's name means: Keras 3 ends in "_momentum", Keras 2 in
// "/m:0" or has "/m/" within. -1: none.
int slot_of(std::string name, const std::vector<std::string>& slots) {
    if (name.ends_with(std::string("_") + h5::average))
        return slots.empty() || slots.back() != h5::average ? -1
                                                            : static_cast<int>(slots.size()) - 1;
    if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) name.resize(colon);
    const auto has = [&](const std::string& part) {
        const bool ends = name.size() >= part.size() &&
                          name.compare(name.size() - part.size(), part.size(), part) == 0;
        return ends || name.find(part + "/") != std::string::npos;
    };
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::string& slot = slots[i];
        if (has("_" + slot) || has("/" + slot)) return static_cast<int>(i);
        if (slot != h5::average && has("/" + slot.substr(0, 1))) return static_cast<int>(i);
    }
    return -1;
}

Error damage(const std::string& path, const std::string& object) {
    return {ErrorCode::format, "is damaged: the checksum of '" + object + "' does not match", path,
            "Use another checkpoint, or copy the file again"};
}

class Reader {
public:
    // A part of the file whose checksum is still to be compared.
    struct Pending {
        std::string object;
        std::uint64_t offset, bytes;
        std::string checksum;
    };

    explicit Reader(const std::string& path) : file_(io::Hdf5File::open(path)) {}

    // All but the large tensors of a file of ours; those are left to the caller.
    std::vector<Pending> verify() {
        verifying_ = true;
        read();
        return std::move(pending_);
    }

    // Only the training state of a file of ours, null where there is none.
    Json read_state() {
        io::require_harmless(file_);
        const io::Handle root = open_group(file_, file_.id(), "/");
        if (!has_group(root.get(), h5::own_group)) return Json();
        open_own(root.get());
        return read_json(own_.get(), h5::own_state);
    }

    KerasFile read() {
        io::require_harmless(file_);
        const io::Handle root = open_group(file_, file_.id(), "/");
        if (has_group(root.get(), h5::own_group)) open_own(root.get());
        KerasFile result;
        const Json config = read_json(root.get(), h5::model_config);
        if (config.is_null())
            throw Error(ErrorCode::format, "holds no model, only data", file_.path(),
                        "Choose a file of model.save, not of save_weights");
        const Json training = read_json(root.get(), h5::training_config);
        if (!training.is_null()) result.compile = compile_from_keras(training);
        read_model(config, result);
        read_weights(root.get(), result);
        if (has_group(root.get(), h5::optimizer_weights)) read_optimizer(root.get(), result);
        return result;
    }

private:
    [[noreturn]] void damaged(const std::string& object) const {
        throw damage(file_.path(), object);
    }

    void open_own(hid_t root) {
        own_ = open_group(file_, root, h5::own_group);
        const std::string version = read_text(file_, own_.get(), h5::own_version).value_or("");
        if (version != std::to_string(h5::version))
            throw Error(ErrorCode::format,
                        "was written by another Strata Studio (version '" + version +
                            "'; this one reads " + std::to_string(h5::version) + ")",
                        file_.path(), "Open it with a newer Strata Studio");
        const auto text = read_text(file_, own_.get(), h5::own_checksums);
        if (!text) damaged(h5::own_checksums);
        try {
            checksums_ = parse_json(*text, file_.path());
        } catch (const Error&) {
            damaged(h5::own_checksums);
        }
        if (!checksums_.is_object()) damaged(h5::own_checksums);
        is_own_ = true;
    }

    void verify(const std::string& object, const void* data, std::size_t bytes) const {
        if (!is_own_) return;
        const auto entry = checksums_.find(object);
        if (entry == checksums_.end() || *entry != crc32_text(data, bytes)) damaged(object);
    }

    // A tensor, its checksum compared; or, where nobody wants its values, only its shape, and the
    // checksum is pending.
    Hdf5Tensor read_tensor(hid_t group, const std::string& path, const std::string& object) {
        if (verifying_ && is_own_)
            if (const auto extent = extent_of_floats(file_, group, path);
                extent && extent->bytes >= io::Hdf5File::aligned_from) {
                const auto entry = checksums_.find(object);
                if (entry == checksums_.end() || !entry->is_string()) damaged(object);
                pending_.push_back(
                    {object, extent->offset, extent->bytes, entry->get<std::string>()});
                return {extent->shape, {}};
            }
        Hdf5Tensor tensor = read_floats(file_, group, path);
        verify(object, tensor.values.data(), tensor.values.size() * sizeof(float));
        return tensor;
    }

    Json read_json(hid_t object, const char* name) const {
        const auto text = read_text(file_, object, name);
        if (!text) {
            if (is_own_ && checksums_.contains("@" + std::string(name))) damaged(name);
            return Json();
        }
        verify("@" + std::string(name), text->data(), text->size());
        return parse_json(*text, file_.path() + ", " + name);
    }

    void read_model(const Json& config, KerasFile& result) {
        try {
            if (!is_own_) {
                result.model = model_from_keras(config);
                for (std::size_t i = 0; i < result.model.layers.size(); ++i)
                    order_.push_back(static_cast<int>(i));
            } else {
                result.model = graph::Model::from_json(read_json(own_.get(), h5::own_model));
                result.training_state = read_json(own_.get(), h5::own_state);
                order_ = keras_order(result.model);
            }
            report_ = graph::require_valid(result.model);
        } catch (const Error& error) {
            throw error.where().rfind(file_.path(), 0) == 0 ? error : error.at(file_.path());
        }
    }

    // The groups that hold weights, in the file's order.
    std::vector<std::string> weighted_layers(hid_t weights) const {
        const auto listed = read_texts(file_, weights, h5::layer_names);
        if (!listed) file_.refuse(h5::model_weights, "has no list of layers");
        std::vector<std::string> names;
        for (const std::string& name : *listed) {
            const io::Handle layer = open_group(file_, weights, name);
            const auto paths = read_texts(file_, layer.get(), h5::weight_names);
            if (paths && !paths->empty()) names.push_back(name);
        }
        return names;
    }

    void read_weights(hid_t root, KerasFile& result) {
        if (!has_group(root, h5::model_weights))
            file_.refuse(h5::model_weights, "is missing: the file holds no weights");
        const io::Handle weights = open_group(file_, root, h5::model_weights);
        const std::vector<std::string> groups = weighted_layers(weights.get());
        std::size_t next = 0;
        std::map<int, std::vector<graph::HostTensor>> by_layer;
        for (const int index : order_) {
            const graph::LayerReport& layer = report_.layers[static_cast<std::size_t>(index)];
            if (layer.variables.empty()) continue;
            const std::string& name = result.model.layers[static_cast<std::size_t>(index)].name;
            if (next == groups.size())
                file_.refuse(h5::model_weights, "has no weights for the layer '" + name + "'");
            by_layer[index] = read_layer(weights.get(), groups[next++], name, layer);
        }
        if (next != groups.size())
            file_.refuse(groups[next], "has weights, but the model's layer has none");
        for (auto& [index, tensors] : by_layer)
            std::move(tensors.begin(), tensors.end(), std::back_inserter(result.weights));
    }

    std::vector<graph::HostTensor> read_layer(hid_t weights, const std::string& group,
                                              const std::string& name,
                                              const graph::LayerReport& layer) {
        const io::Handle handle = open_group(file_, weights, group);
        const auto paths = *read_texts(file_, handle.get(), h5::weight_names);
        if (paths.size() != layer.variables.size())
            file_.refuse(group, "holds " + counted(std::ssize(paths), "weight") + "; the layer '" +
                                    name + "' has " + std::to_string(layer.variables.size()));
        std::vector<graph::HostTensor> tensors;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const layers::VariableSpec& variable = layer.variables[i];
            const std::string object =
                std::string(h5::model_weights) + "/" + group + "/" + paths[i];
            Hdf5Tensor read = read_tensor(handle.get(), paths[i], object);
            if (read.shape != variable.shape)
                file_.refuse(object, "has shape " + read.shape.text() + "; the layer '" + name +
                                         "' wants " + variable.shape.text() + " for its " +
                                         variable.role);
            tensors.push_back({name, variable.role, "", read.shape, std::move(read.values)});
        }
        return tensors;
    }

    // In the order in which Keras lists the trainable variables.
    std::vector<Variable> trainable(const KerasFile& result) const {
        std::vector<Variable> all;
        for (const int index : order_)
            for (const auto& variable : report_.layers[static_cast<std::size_t>(index)].variables)
                if (variable.trainable)
                    all.push_back(
                        {result.model.layers[static_cast<std::size_t>(index)].name, variable});
        return all;
    }

    std::vector<std::string> slots_of(const KerasFile& result) const {
        if (!result.compile.is_object() || !result.compile.contains("optimizer")) return {};
        const Json& optimizer = result.compile["optimizer"];
        const auto& known =
            optimizers::find_optimizer(get_string(optimizer, "type", "", "optimizer"));
        std::vector<std::string> slots =
            known.slots(layers::Config::checked(known.params, optimizer["config"]));
        if (result.compile.contains("ema")) slots.emplace_back(h5::average);
        return slots;
    }

    // Foreign state that does not fit is left out: a model is whole without it. Ours must fit.
    void read_optimizer(hid_t root, KerasFile& result) {
        const std::vector<std::string> slots = slots_of(result);
        if (slots.empty()) return;
        const std::vector<Variable> variables = trainable(result);
        const io::Handle group = open_group(file_, root, h5::optimizer_weights);
        const auto paths = read_texts(file_, group.get(), h5::weight_names);
        std::vector<std::size_t> filled(slots.size(), 0);
        std::map<std::pair<std::size_t, std::size_t>, graph::HostTensor> read;
        bool fits = paths.has_value();
        for (const std::string& path : paths.value_or(std::vector<std::string>())) {
            const int slot = slot_of(path, slots);
            if (slot < 0) continue;
            const auto s = static_cast<std::size_t>(slot);
            Hdf5Tensor tensor =
                read_tensor(group.get(), path, std::string(h5::optimizer_weights) + "/" + path);
            const std::size_t v = filled[s]++;
            fits = fits && v < variables.size() && variables[v].spec.shape == tensor.shape;
            if (!fits) break;
            read[{v, s}] = {variables[v].layer, variables[v].spec.role, slots[s], tensor.shape,
                            std::move(tensor.values)};
        }
        fits = fits && read.size() == variables.size() * slots.size();
        if (!fits && is_own_)
            file_.refuse(h5::optimizer_weights, "does not fit the model and its optimizer");
        if (!fits) return;
        for (auto& [place, tensor] : read) result.optimizer.push_back(std::move(tensor));
        sort_by_model(result);
    }

    static void sort_by_model(KerasFile& result) {
        std::stable_sort(result.optimizer.begin(), result.optimizer.end(),
                         [&](const graph::HostTensor& a, const graph::HostTensor& b) {
                             return result.model.index_of(a.layer) < result.model.index_of(b.layer);
                         });
    }

    io::Hdf5File file_;
    io::Handle own_;
    bool is_own_ = false, verifying_ = false;
    std::vector<Pending> pending_;
    Json checksums_;
    std::vector<int> order_;  // of the model's layers, as the file lists them
    graph::ModelReport report_;
};

}  // namespace

KerasFile parse_keras_h5(const std::string& path) {
    return Reader(path).read();
}

Json parse_training_state(const std::string& path) {
    return Reader(path).read_state();
}

void verify_keras_h5(const std::string& path) {
    const std::vector<Reader::Pending> pending = Reader(path).verify();
    if (pending.empty()) return;
    io::DirectFile file(path, io::DirectFile::Access::read);
    for (const Reader::Pending& part : pending) {
        std::uint32_t crc = 0;
        file.read_at(part.offset, part.bytes,
                     [&](std::span<const std::byte> bytes) { crc = io::crc32(crc, bytes); });
        if (crc32_text(crc) != part.checksum) throw damage(path, part.object);
    }
}

}  // namespace strata::interop

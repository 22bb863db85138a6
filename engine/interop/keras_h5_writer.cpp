// write_keras_h5: a Functional model in the layout of Keras 3, with a checksum for each part.
#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "engine/interop/hdf5_values.h"
#include "engine/interop/keras_config.h"
#include "engine/interop/keras_h5.h"
#include "engine/interop/keras_h5_names.h"
#include "engine/io/direct_file.h"
#include "engine/optimizers/optimizer.h"

namespace strata::interop {
namespace {

constexpr const char* written_for = "3.10.0";  // the Keras whose conventions the file keeps

using TensorKey = std::pair<std::string, std::string>;  // layer, role
using TensorMap = std::map<TensorKey, std::vector<const graph::HostTensor*>>;

TensorMap by_variable(const std::vector<graph::HostTensor>& tensors) {
    TensorMap map;
    for (const graph::HostTensor& tensor : tensors)
        map[{tensor.layer, tensor.role}].push_back(&tensor);
    return map;
}

class Writer {
public:
    Writer(const std::string& path, const KerasFile& content)
        : content_(content),
          report_(graph::require_valid(content.model)),
          order_(keras_order(content.model)),
          names_(keras_names(content.model)),
          file_(io::Hdf5File::create(path)) {}

    // Large tensors that have a place in the file and are not in it yet.
    struct Pending {
        std::uint64_t offset;
        std::span<const float> values;
    };

    std::vector<Pending> write() {
        {
            const io::Handle root = open_group(file_, file_.id(), "/");
            write_text(file_, root.get(), h5::keras_version, written_for);
            write_text(file_, root.get(), h5::backend, "tensorflow");
            write_json(root.get(), h5::model_config, keras_model_config(content_.model));
            if (!content_.compile.is_null())
                write_json(root.get(), h5::training_config,
                           keras_training_config(content_.compile));
            write_weights(root.get());
            if (has_optimizer_state()) write_optimizer(root.get());
            write_own(root.get());
        }
        file_.close();
        return std::move(pending_);
    }

private:
    void write_json(hid_t object, const char* name, const Json& json) {
        const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        write_text(file_, object, name, text);
        checksums_["@" + std::string(name)] = crc32_text(text.data(), text.size());
    }

    void write_tensor(hid_t group, const std::string& place, const std::string& path,
                      const graph::HostTensor& tensor) {
        if (static_cast<std::int64_t>(tensor.values.size()) != tensor.shape.elements())
            throw Error(ErrorCode::internal, "has another size than its shape", path);
        const std::span<const float> values(tensor.values);
        if (std::endian::native == std::endian::little &&
            values.size_bytes() >= io::Hdf5File::aligned_from)
            pending_.push_back({reserve_floats(file_, group, path, tensor.shape), values});
        else
            write_floats(file_, group, path, tensor.shape, values.data());
        checksums_[place + "/" + path] = crc32_text(values.data(), values.size_bytes());
    }

    void write_weights(hid_t root) {
        const io::Handle group = make_group(file_, root, h5::model_weights);
        write_text(file_, group.get(), h5::keras_version, written_for);
        write_text(file_, group.get(), h5::backend, "tensorflow");
        std::vector<std::string> listed;
        for (const int i : order_) listed.push_back(names_[static_cast<std::size_t>(i)]);
        write_texts(file_, group.get(), h5::layer_names, listed);
        const TensorMap tensors = by_variable(content_.weights);
        for (const int index : order_) {
            const auto i = static_cast<std::size_t>(index);
            const io::Handle layer = make_group(file_, group.get(), names_[i]);
            std::vector<std::string> paths;
            for (const layers::VariableSpec& variable : report_.layers[i].variables) {
                const auto found = tensors.find({content_.model.layers[i].name, variable.role});
                if (found == tensors.end())
                    throw Error(ErrorCode::internal, "no value is given",
                                content_.model.layers[i].name + "/" + variable.role);
                paths.push_back(names_[i] + "/" + variable.role);
                write_tensor(layer.get(), std::string(h5::model_weights) + "/" + names_[i],
                             paths.back(), *found->second.front());
            }
            write_texts(file_, layer.get(), h5::weight_names, paths);
        }
        const io::Handle top = make_group(file_, group.get(), h5::top_level);
        write_texts(file_, top.get(), h5::weight_names, {});
    }

    const optimizers::OptimizerDescription* optimizer() const {
        if (!content_.compile.is_object() || !content_.compile.contains("optimizer"))
            return nullptr;
        return &optimizers::find_optimizer(
            get_string(content_.compile["optimizer"], "type", "", "optimizer"));
    }

    bool has_averages() const { return content_.compile.contains("ema"); }

    // A state that is not whole would not load, so it is left out (weights alone are given).
    bool has_optimizer_state() const {
        const auto* known = optimizer();
        if (!known) return false;
        const layers::Config config = layers::Config::checked(
            known->params, content_.compile["optimizer"].value("config", Json::object()));
        std::size_t trainable = 0;
        for (const graph::LayerReport& layer : report_.layers)
            for (const layers::VariableSpec& variable : layer.variables)
                trainable += variable.trainable ? 1 : 0;
        return content_.optimizer.size() ==
               trainable * (known->slots(config).size() + (has_averages() ? 1 : 0));
    }

    double learning_rate() const {
        const auto* known = optimizer();
        const layers::Config config = layers::Config::checked(
            known->params, content_.compile["optimizer"].value("config", Json::object()));
        return config.number("learning_rate");
    }

    void write_optimizer(hid_t root) {
        const io::Handle group = make_group(file_, root, h5::optimizer_weights);
        std::string prefix = optimizer()->type;
        std::transform(prefix.begin(), prefix.end(), prefix.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        std::vector<std::string> paths{prefix + "/iteration", prefix + "/learning_rate"};
        const std::int64_t updates = content_.training_state.is_object()
                                         ? get_integer(content_.training_state, "update", 0, "")
                                         : 0;
        write_int64(file_, group.get(), paths[0], updates);
        const auto rate = static_cast<float>(learning_rate());
        write_floats(file_, group.get(), paths[1], Shape(), &rate);
        // Keras makes the averages of all variables before the optimizer's own slots.
        if (has_averages()) write_slots(group.get(), prefix, true, paths);
        write_slots(group.get(), prefix, false, paths);
        write_texts(file_, group.get(), h5::weight_names, paths);
    }

    void write_slots(hid_t group, const std::string& prefix, bool averages,
                     std::vector<std::string>& paths) {
        const TensorMap tensors = by_variable(content_.optimizer);
        for (const int index : order_) {
            const auto i = static_cast<std::size_t>(index);
            for (const layers::VariableSpec& variable : report_.layers[i].variables) {
                const auto found = tensors.find({content_.model.layers[i].name, variable.role});
                if (found == tensors.end()) continue;
                for (const graph::HostTensor* tensor : found->second) {
                    if ((tensor->slot == h5::average) != averages) continue;
                    paths.push_back(prefix + "/" + names_[i] + "_" + variable.role + "_" +
                                    tensor->slot);
                    write_tensor(group, h5::optimizer_weights, paths.back(), *tensor);
                }
            }
        }
    }

    void write_own(hid_t root) {
        const io::Handle group = make_group(file_, root, h5::own_group);
        write_text(file_, group.get(), h5::own_version, std::to_string(h5::version));
        write_json(group.get(), h5::own_model, content_.model.to_json());
        write_json(group.get(), h5::own_state, content_.training_state);
        write_text(file_, group.get(), h5::own_checksums,
                   checksums_.dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    const KerasFile& content_;
    const graph::ModelReport report_;
    const std::vector<int> order_;
    const std::vector<std::string> names_;
    Json checksums_ = Json::object();
    std::vector<Pending> pending_;
    io::Hdf5File file_;
};

}  // namespace

void write_keras_h5(const std::string& path, const KerasFile& file) {
    const std::vector<Writer::Pending> pending = Writer(path, file).write();
    if (pending.empty()) return;
    // Nobody is kept out of the HDF5 library meanwhile.
    io::DirectFile target(path, io::DirectFile::Access::write);
    for (const Writer::Pending& part : pending)
        target.write_at(part.offset, std::as_bytes(part.values));
}

}  // namespace strata::interop

#include "engine/interop/keras_h5_transfer.h"

#include <cstring>

#include "engine/io/child_process.h"
#include "engine/io/file.h"
#include "engine/io/hdf5_handle.h"
#include "engine/layers/catalogue.h"
#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "engine/optimizers/optimizer.h"

namespace strata::interop {
namespace {

using Send = std::function<void(std::string_view)>;

void send_number(const Send& send, std::uint64_t number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    send({bytes, sizeof bytes});
}

void send_text(const Send& send, std::string_view text) {
    send_number(send, text.size());
    send(text);
}

void send_json(const Send& send, const Json& json) {
    send_text(send, json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void send_tensors(const Send& send, const std::vector<graph::HostTensor>& tensors) {
    send_number(send, tensors.size());
    for (const graph::HostTensor& tensor : tensors) {
        for (const std::string* text : {&tensor.layer, &tensor.role, &tensor.slot})
            send_text(send, *text);
        send_number(send, static_cast<std::uint64_t>(tensor.shape.rank()));
        for (const std::int64_t dim : tensor.shape.dims())
            send_number(send, static_cast<std::uint64_t>(dim));
        send({reinterpret_cast<const char*>(tensor.values.data()),
              tensor.values.size() * sizeof(float)});
    }
}

class Decoder {
public:
    Decoder(std::span<const char> bytes, const std::string& where) : rest_(bytes), where_(where) {}

    std::span<const char> take(std::uint64_t count) {
        if (count > rest_.size()) damaged();
        const auto part = rest_.first(count);
        rest_ = rest_.subspan(count);
        return part;
    }

    std::uint64_t number() {
        std::uint64_t value = 0;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }

    std::string text() {
        const auto part = take(number());
        return {part.data(), part.size()};
    }

    Json json() { return parse_json(text(), where_); }

    std::vector<graph::HostTensor> tensors() {
        const std::uint64_t count = number();
        std::vector<graph::HostTensor> all;
        for (std::uint64_t i = 0; i < count; ++i) {
            graph::HostTensor tensor;
            tensor.layer = text();
            tensor.role = text();
            tensor.slot = text();
            const std::uint64_t rank = number();
            if (rank > Shape::max_rank) damaged();
            std::vector<std::int64_t> dims;
            for (std::uint64_t axis = 0; axis < rank; ++axis)
                dims.push_back(static_cast<std::int64_t>(number()));
            tensor.shape = Shape(std::span<const std::int64_t>(dims));
            const auto elements = static_cast<std::uint64_t>(tensor.shape.elements());
            if (elements > rest_.size() / sizeof(float)) damaged();
            const auto data = take(elements * sizeof(float));
            tensor.values.resize(elements);
            if (!data.empty()) std::memcpy(tensor.values.data(), data.data(), data.size());
            all.push_back(std::move(tensor));
        }
        return all;
    }

    void finish() const {
        if (!rest_.empty()) damaged();
    }

private:
    [[noreturn]] void damaged() const {
        throw Error(ErrorCode::format, "is damaged", where_, "Download or copy the file again");
    }

    std::span<const char> rest_;
    const std::string& where_;
};

// Tables that are made at their first use: made before a fork, no lock of them can be held in it.
void make_tables() {
    static_cast<void>(layers::catalogue());
    static_cast<void>(losses::catalogue());
    static_cast<void>(metrics::catalogue());
    static_cast<void>(optimizers::catalogue());
    static_cast<void>(layers::find_layer("Dense"));
}

}  // namespace

void encode_keras_file(const KerasFile& file, const Send& send) {
    send_json(send, file.model.to_json());
    send_json(send, file.compile);
    send_json(send, file.training_state);
    send_tensors(send, file.weights);
    send_tensors(send, file.optimizer);
}

KerasFile decode_keras_file(std::span<const char> bytes, const std::string& where) {
    Decoder decoder(bytes, where);
    KerasFile file;
    file.model = graph::Model::from_json(decoder.json());
    file.compile = decoder.json();
    file.training_state = decoder.json();
    file.weights = decoder.tensors();
    file.optimizer = decoder.tensors();
    decoder.finish();
    return file;
}

namespace {

// What `work` answers in a child that may read the file at `path`.
std::vector<char> answer_of(const std::string& path,
                            const std::function<void(const io::Answer&)>& work) {
    make_tables();
    io::ChildLimits limits;
    limits.memory_bytes += 8 * io::InputFile(path).size();
    // The child parses with the library as this thread left it, so no other may be in it.
    const io::Hdf5Lock lock;
    return io::run_in_child(path, limits, work);
}

}  // namespace

KerasFile read_keras_h5(const std::string& path) {
    const std::vector<char> bytes = answer_of(
        path, [&](const io::Answer& answer) { encode_keras_file(parse_keras_h5(path), answer); });
    return decode_keras_file(bytes, path);
}

Json read_training_state(const std::string& path) {
    const std::vector<char> bytes = answer_of(path, [&](const io::Answer& answer) {
        answer(parse_training_state(path).dump(-1, ' ', false, Json::error_handler_t::replace));
    });
    return parse_json(std::string(bytes.begin(), bytes.end()), path);
}

void check_keras_h5(const std::string& path) {
    answer_of(path, [&](const io::Answer& answer) {
        verify_keras_h5(path);
        answer("whole");
    });
}

}  // namespace strata::interop

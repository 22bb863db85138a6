// The emulated CUDA plug-in with one op that is wrong: which one STRATA_FAULT says.
#include <cstdlib>
#include <string>

#include "engine/backends/cuda/backend.h"
#include "engine/core/error.h"

namespace strata::test {
namespace {

class FaultyBackend final : public ops::Backend {
public:
    std::string kind() const override { return own_.kind(); }
    std::vector<device::DeviceInfo> discover() const override { return own_.discover(); }
    std::unique_ptr<device::Device> open(int index, const device::DeviceOptions& options) override {
        return own_.open(index, options);
    }
    std::unique_ptr<ops::Kernel> prepare(device::Device& device, const ops::Attributes& attributes,
                                         std::span<const Tensor> inputs,
                                         std::span<const Tensor> outputs) override {
        return own_.prepare(device, broken(attributes), inputs, outputs);
    }
    std::unique_ptr<device::Monitor> monitor(int index) override { return own_.monitor(index); }

private:
    ops::Attributes broken(ops::Attributes attributes) const {
        if (auto* adam = std::get_if<ops::AdamUpdate>(&attributes); adam && fault_ == "adam")
            adam->beta_1 *= 0.5F;
        if (auto* norm = std::get_if<ops::BatchNormTraining>(&attributes); norm && fault_ == "norm")
            norm->epsilon = 0.5F;
        if (std::holds_alternative<ops::Dropout>(attributes) && fault_ == "dropout")
            throw Error(ErrorCode::internal, "the dropout kernel does not start");
        return attributes;
    }

    ops::Backend& own_ = cuda::cuda_backend();
    std::string fault_ = std::getenv("STRATA_FAULT") == nullptr ? "" : std::getenv("STRATA_FAULT");
};

}  // namespace
}  // namespace strata::test

extern "C" strata::ops::Backend* strata_backend();

extern "C" strata::ops::Backend* strata_backend() {
    static strata::test::FaultyBackend backend;
    return &backend;
}

#include "engine/backends/cuda/conv2d_cudnn.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "engine/backends/cuda/cudnn_library.h"
#include "engine/backends/cuda/product.h"
#include "engine/core/error.h"
#include "kernels/reduce.h"
#include "kernels/transpose.h"

namespace strata::cuda {
namespace {

enum class Pass : std::uint8_t { forward, data, weights };

void check_cudnn(const CudnnLibrary& library, int status, const std::string& device) {
    if (status == cudnn_success) return;
    throw Error(ErrorCode::internal,
                std::string("A convolution by cuDNN failed: ") + library.error_text(status), device,
                "Start the run again; if it fails again, set STRATA_CUDNN=0 and report it");
}

// cuDNN's handle on a device's stream. Shared by the kernels of a device, which end before it.
class Context {
public:
    Context(const CudnnLibrary& library, const CudaDevice& device) : library_(library) {
        status_ = library.create(&handle_);
        if (status_ == cudnn_success) status_ = library.set_stream(handle_, device.stream());
    }
    ~Context() {
        if (handle_ != nullptr) library_.destroy(handle_);
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    CudnnHandle handle() const { return handle_; }
    int status() const { return status_; }  // of its start

private:
    const CudnnLibrary& library_;
    CudnnHandle handle_ = nullptr;
    int status_ = cudnn_success;
};

// Null where it does not start. For want of memory, say, that passes; else it is said to be so of
// the library. Categories of cuDNN 9's statuses are thousands: 4000 are internal errors, 5000 those
// of execution.
std::shared_ptr<Context> context_of(const CudnnLibrary& library, const CudaDevice& device) {
    static std::mutex mutex;
    static std::map<const CudaDevice*, std::weak_ptr<Context>> contexts;
    const std::lock_guard lock(mutex);
    std::shared_ptr<Context> context = contexts[&device].lock();
    if (!context) {
        context = std::make_shared<Context>(library, device);
        if (const int status = context->status(); status != cudnn_success) {
            if (status < 4000) set_cudnn_fault(library.error_text(status));
            return nullptr;
        }
        contexts[&device] = context;
    }
    return context;
}

CudnnType library_type(DType type) {
    if (type == DType::bfloat16) return CudnnType::bfloat16;
    return type == DType::float16 ? CudnnType::float16 : CudnnType::float32;
}

CudnnMath math_of(DType type, bool tf32) {
    if (type != DType::float32) return CudnnMath::tensor;
    return tf32 ? CudnnMath::allowed : CudnnMath::fma;
}

// All that cuDNN's choice depends on; the first number is the device's.
using Problem = std::tuple<int, Pass, std::array<int, 16>, DType, bool, std::size_t>;

// The library is asked once for a problem.
std::map<Problem, std::optional<CudnnChoice>>& choices() {
    static std::map<Problem, std::optional<CudnnChoice>> instance;
    return instance;
}
std::mutex choices_mutex;

// A convolution as cuDNN knows it, with the algorithm for one pass.
class Convolution {
public:
    Convolution(const CudnnLibrary& library, std::shared_ptr<Context> context,
                const Request& request, const WindowSizes& s, int groups, Pass pass)
        : library_(library),
          device_(request.device),
          context_(std::move(context)),
          groups_(groups),
          type_(request.inputs[0].dtype),
          depth_(std::int64_t{s.window.kernel_h} * s.window.kernel_w * s.image.channels / groups),
          filters_(s.filters) {
        check(library.create_tensor(&x_));
        check(library.create_tensor(&y_));
        check(library.create_filter(&w_));
        check(library.create_convolution(&convolution_));
        described_ = describe(s);
        if (described_) choose(s, pass);
    }
    ~Convolution() {
        library_.destroy_convolution(convolution_);
        library_.destroy_filter(w_);
        library_.destroy_tensor(y_);
        library_.destroy_tensor(x_);
    }
    Convolution(const Convolution&) = delete;
    Convolution& operator=(const Convolution&) = delete;

    bool is_possible() const { return choice_.has_value(); }
    std::size_t kernel_bytes() const {
        return aligned_workspace(static_cast<std::size_t>(depth_ * filters_) * size_of(type_));
    }
    std::size_t workspace_bytes() const { return kernel_bytes() + choice_->workspace_bytes; }

    // The kernel is turned to cuDNN's order, (F, kh, kw, C/groups), at the workspace's begin.
    cudaError_t turn_in(const void* kernel, const Operands& o) const {
        return with_storage(type_, [&]<typename T>(Stored<T>) {
            return kernels::transpose(static_cast<T*>(o.workspace), static_cast<const T*>(kernel),
                                      depth_, filters_, o.stream);
        });
    }
    cudaError_t turn_out(void* kernel, const Operands& o) const {
        return with_storage(type_, [&]<typename T>(Stored<T>) {
            return kernels::transpose(static_cast<T*>(kernel), static_cast<const T*>(o.workspace),
                                      filters_, depth_, o.stream);
        });
    }
    void forward(const void* x, void* y, const Operands& o) const {
        check(library_.forward(context_->handle(), &one, x_, x, w_, o.workspace, convolution_,
                               choice_->algorithm, o.workspace_at(kernel_bytes()),
                               choice_->workspace_bytes, &zero, y_, y));
    }
    void backward_data(const void* dy, void* dx, const Operands& o) const {
        check(library_.backward_data(
            context_->handle(), &one, w_, o.workspace, y_, dy, convolution_, choice_->algorithm,
            o.workspace_at(kernel_bytes()), choice_->workspace_bytes, &zero, x_, dx));
    }
    void backward_weights(const void* x, const void* dy, const Operands& o) const {
        check(library_.backward_weights(context_->handle(), &one, x_, x, y_, dy, convolution_,
                                        choice_->algorithm, o.workspace_at(kernel_bytes()),
                                        choice_->workspace_bytes, &zero, w_, o.workspace));
    }

private:
    static constexpr float one = 1.0F, zero = 0.0F;

    void check(int status) const { check_cudnn(library_, status, device_.info().id); }

    bool describe(const WindowSizes& s) {
        const CudnnType type = library_type(type_);
        const kernels::Window2D& w = s.window;
        return library_.set_tensor(x_, CudnnFormat::nhwc, type, s.image.batch, s.image.channels,
                                   s.image.height, s.image.width) == cudnn_success &&
               library_.set_tensor(y_, CudnnFormat::nhwc, type, s.image.batch, s.filters,
                                   s.output_h, s.output_w) == cudnn_success &&
               library_.set_filter(w_, type, CudnnFormat::nhwc, s.filters,
                                   s.image.channels / groups_, w.kernel_h,
                                   w.kernel_w) == cudnn_success &&
               library_.set_convolution(convolution_, w.pad_top, w.pad_left, w.stride_h, w.stride_w,
                                        w.dilation_h, w.dilation_w, CudnnMode::cross_correlation,
                                        CudnnType::float32) == cudnn_success &&
               library_.set_groups(convolution_, groups_) == cudnn_success &&
               library_.set_math(convolution_, math_of(type_, device_.allows_tf32())) ==
                   cudnn_success;
    }

    // The first of the proposals, which come by speed, that gives the same bits each time, needs no
    // more than it may, and can compute this convolution: a proposal is no promise.
    std::optional<CudnnChoice> ask(Pass pass, std::size_t most) const {
        constexpr int wanted = 8;
        std::array<CudnnChoice, wanted> proposals{};
        int given = 0;
        const CudnnHandle handle = context_->handle();
        int status = 0;
        if (pass == Pass::forward)
            status = library_.choose_forward(handle, x_, w_, convolution_, y_, wanted, &given,
                                             proposals.data());
        else if (pass == Pass::data)
            status = library_.choose_data(handle, w_, y_, convolution_, x_, wanted, &given,
                                          proposals.data());
        else
            status = library_.choose_weights(handle, x_, y_, convolution_, w_, wanted, &given,
                                             proposals.data());
        if (status != cudnn_success) return std::nullopt;
        const bool exact = type_ == DType::float32 && !device_.allows_tf32();
        for (int i = 0; i < given; ++i) {
            CudnnChoice p = proposals[static_cast<std::size_t>(i)];
            if (p.status != cudnn_success || p.determinism != cudnn_deterministic) continue;
            if (exact) p.math = CudnnMath::fma;
            if (library_.set_math(convolution_, p.math) == cudnn_success &&
                workspace_of(pass, p.algorithm, p.workspace_bytes) == cudnn_success &&
                p.workspace_bytes <= most)
                return p;
        }
        return std::nullopt;
    }

    int workspace_of(Pass pass, int algorithm, std::size_t& bytes) const {
        const CudnnHandle handle = context_->handle();
        if (pass == Pass::forward)
            return library_.workspace_forward(handle, x_, w_, convolution_, y_, algorithm, &bytes);
        if (pass == Pass::data)
            return library_.workspace_data(handle, w_, y_, convolution_, x_, algorithm, &bytes);
        return library_.workspace_weights(handle, x_, y_, convolution_, w_, algorithm, &bytes);
    }

    void choose(const WindowSizes& s, Pass pass) {
        const std::size_t limit = device_.options().memory_limit;
        const std::size_t memory = limit > 0 ? limit : device_.info().memory;
        const std::size_t most = std::min(std::size_t{256} << 20, memory / 16);
        const kernels::Window2D& w = s.window;
        const Problem problem{device_.index(),
                              pass,
                              {s.image.batch, s.image.height, s.image.width, s.image.channels,
                               s.filters, groups_, w.kernel_h, w.kernel_w, w.stride_h, w.stride_w,
                               w.dilation_h, w.dilation_w, w.pad_top, w.pad_left, 0, 0},
                              type_,
                              device_.allows_tf32(),
                              most};
        const std::lock_guard lock(choices_mutex);
        const auto known = choices().find(problem);
        choice_ = known != choices().end()
                      ? known->second
                      : choices().emplace(problem, ask(pass, most)).first->second;
        if (choice_) check(library_.set_math(convolution_, choice_->math));
    }

    const CudnnLibrary& library_;
    const CudaDevice& device_;
    std::shared_ptr<Context> context_;
    int groups_;
    DType type_;
    std::int64_t depth_, filters_;
    CudnnTensor x_ = nullptr, y_ = nullptr;
    CudnnFilter w_ = nullptr;
    CudnnConvolution convolution_ = nullptr;
    bool described_ = false;
    std::optional<CudnnChoice> choice_;
};

std::unique_ptr<Convolution> convolution_of(const Request& request, const WindowSizes& s,
                                            int groups, Pass pass) {
    const CudnnLibrary* const library = cudnn_library();
    const kernels::Window2D& w = s.window;
    if (library == nullptr || w.pad_top != w.pad_bottom || w.pad_left != w.pad_right ||
        request.outputs[0].dtype != request.inputs[0].dtype)
        return nullptr;
    request.device.activate();
    std::shared_ptr<Context> context = context_of(*library, request.device);
    if (!context) return nullptr;
    auto made =
        std::make_unique<Convolution>(*library, std::move(context), request, s, groups, pass);
    return made->is_possible() ? std::move(made) : nullptr;
}

}  // namespace

// Bias and activation are added by one kernel behind.
KernelPtr cudnn_convolution(const Request& request, const ops::Conv2D& op, const WindowSizes& s) {
    auto convolution = convolution_of(request, s, op.groups, Pass::forward);
    if (!convolution) return nullptr;
    const std::int64_t rows = std::int64_t{s.image.batch} * s.output_h * s.output_w;
    const kernels::Activation f = element_activation(op.activation);
    const std::size_t bytes = convolution->workspace_bytes();
    const bool changes = op.has_bias || f.kind != kernels::ActivationKind::linear;
    return function_kernel(
        request,
        [=, filters = s.filters, has_bias = op.has_bias, made = std::move(convolution)](
            const Operands& o, const ops::StepScalars&) {
            const cudaError_t error = made->turn_in(o.inputs[1].data, o);
            if (error != cudaSuccess) return error;
            const Tensor& y = o.outputs[0];
            made->forward(o.inputs[0].data, y.data, o);
            if (!changes) return cudaSuccess;
            return add_bias_and_activate(y.data, y.dtype, has_bias ? o.inputs[2].data : nullptr,
                                         has_bias ? o.inputs[2].dtype : DType::float32, rows,
                                         filters, f, o.stream);
        },
        bytes);
}

KernelPtr cudnn_convolution(const Request& request, const ops::Conv2DBackwardData& op,
                            const WindowSizes& s) {
    auto convolution = convolution_of(request, s, op.groups, Pass::data);
    if (!convolution) return nullptr;
    const std::size_t bytes = convolution->workspace_bytes();
    return function_kernel(
        request,
        [made = std::move(convolution)](const Operands& o, const ops::StepScalars&) {
            const cudaError_t error = made->turn_in(o.inputs[1].data, o);
            if (error != cudaSuccess) return error;
            made->backward_data(o.inputs[0].data, o.outputs[0].data, o);
            return cudaSuccess;
        },
        bytes);
}

KernelPtr cudnn_convolution(const Request& request, const ops::Conv2DBackwardWeights& op,
                            const WindowSizes& s) {
    auto convolution = convolution_of(request, s, op.groups, Pass::weights);
    if (!convolution) return nullptr;
    const Matrix dy{std::int64_t{s.image.batch} * s.output_h * s.output_w, s.filters};
    // The bias's sums come first, and the workspace is free again after them.
    const std::size_t bytes = std::max(
        convolution->workspace_bytes(),
        op.has_bias ? kernels::column_sums_workspace_bytes(dy.rows, dy.columns) : std::size_t{0});
    return function_kernel(
        request,
        [dy, has_bias = op.has_bias, made = std::move(convolution)](const Operands& o,
                                                                    const ops::StepScalars&) {
            const cudaError_t error =
                has_bias ? column_sums(o.outputs[1], o.inputs[1], dy, o) : cudaSuccess;
            if (error != cudaSuccess) return error;
            made->backward_weights(o.inputs[0].data, o.inputs[1].data, o);
            return made->turn_out(o.outputs[0].data, o);
        },
        bytes);
}

}  // namespace strata::cuda

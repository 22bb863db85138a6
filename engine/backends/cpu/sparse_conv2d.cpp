#include "engine/backends/cpu/sparse_conv2d.h"

#include <algorithm>

#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/backends/cpu/sparse_kernels.h"
#include "engine/device/arena.h"

namespace strata::cpu {
namespace {

// Above this share of nonzeros oneDNN's dense kernels are faster (an estimate: after relu and
// pooling about a tenth is nonzero).
constexpr double largest_share = 0.4;

// A window of the padded image is `runs` runs of `length` floats side by side; in the transposed
// kernel, (F, runs, stride), each is padded to whole vectors.
struct Layout {
    WindowSizes s;
    std::int64_t padded_h, padded_w;
    std::int64_t runs, length, stride;
    bool copies;  // the image must be copied for its padding, or since vectors read past its end

    explicit Layout(const WindowSizes& sizes) : s(sizes) {
        const ops::Window2D& w = s.window;
        padded_h =
            std::max(s.h + w.pad_top, (s.oh - 1) * w.stride_h + reach(w.kernel_h, w.dilation_h));
        padded_w =
            std::max(s.w + w.pad_left, (s.ow - 1) * w.stride_w + reach(w.kernel_w, w.dilation_w));
        const bool joined = w.dilation_w == 1;
        runs = joined ? w.kernel_h : w.kernel_h * w.kernel_w;
        length = joined ? w.kernel_w * s.c : s.c;
        stride = divide_up(length, vector_floats) * vector_floats;
        copies = padded_h != s.h || padded_w != s.w || stride != length;
    }

    static std::int64_t reach(int kernel, int dilation) {
        return std::int64_t{dilation} * (kernel - 1) + 1;
    }
    std::int64_t kernel_floats() const { return runs * stride; }  // of one filter
    std::int64_t image_floats() const { return padded_h * padded_w * s.c + vector_floats; }
    std::int64_t pixels() const { return s.oh * s.ow; }
    // Where the window of result pixel p, and its run r, begin in the padded image.
    std::int64_t window_at(std::int64_t p) const {
        const std::int64_t row = p / s.ow * s.window.stride_h;
        const std::int64_t column = p % s.ow * s.window.stride_w;
        return (row * padded_w + column) * s.c;
    }
    std::int64_t run_at(std::int64_t r) const {
        const ops::Window2D& w = s.window;
        const std::int64_t row = (w.dilation_w == 1 ? r : r / w.kernel_w) * w.dilation_h;
        const std::int64_t column = w.dilation_w == 1 ? 0 : r % w.kernel_w * w.dilation_w;
        return (row * padded_w + column) * s.c;
    }
    const float* row_of(const float* image, std::int64_t y) const { return image + y * s.w * s.c; }
    float* padded_row(float* padded, std::int64_t y) const {
        return padded + ((y + s.window.pad_top) * padded_w + s.window.pad_left) * s.c;
    }
};

// Parts of a workspace, each on a line of its own.
class Parts {
public:
    std::size_t add(std::int64_t bytes) {
        const std::size_t at = bytes_;
        bytes_ += device::aligned(static_cast<std::size_t>(bytes));
        return at;
    }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

// ---- weights

// One thread's memory: a transposed gradient with the bias's behind it, the entries of each filter
// in one image and their number, the padded image.
struct WeightsScratch {
    std::size_t gradient, entries, counts, places, image, bytes;

    explicit WeightsScratch(const Layout& l) {
        Parts parts;
        gradient = parts.add((l.kernel_floats() + 1) * l.s.f * 4);
        entries = parts.add(l.pixels() * l.s.f * static_cast<std::int64_t>(sizeof(Entry)));
        counts = parts.add(l.s.f * 4);
        places = parts.add((l.s.f + vector_floats) * 4);
        image = parts.add(l.image_floats() * 4);
        bytes = parts.bytes();
    }
};

void collect_by_filter(const Layout& l, const float* dy, Entry* entries, std::int32_t* counts,
                       std::int32_t* places) {
    const SparseKernels& kernels = sparse_kernels();
    const std::int64_t pixels = l.pixels(), f = l.s.f;
    std::fill(counts, counts + f, 0);
    for (std::int64_t p = 0; p < pixels; ++p) {
        const auto at = static_cast<std::int32_t>(l.window_at(p));
        const float* row = dy + p * f;
        const std::int64_t found = kernels.find_nonzeros(row, f, places);
        for (std::int64_t i = 0; i < found; ++i) {
            const std::int32_t k = places[i];
            entries[k * pixels + counts[k]++] = {at, row[k]};
        }
    }
}

void add_image(const Layout& l, const float* image, const Entry* entries,
               const std::int32_t* counts, float* gradient) {
    const SparseKernels& kernels = sparse_kernels();
    const std::int64_t size = l.kernel_floats();
    float* bias = gradient + size * l.s.f;
    for (std::int64_t k = 0; k < l.s.f; ++k) {
        const Entry* own = entries + k * l.pixels();
        for (std::int64_t r = 0; r < l.runs; ++r)
            kernels.add_run(own, counts[k], image + l.run_at(r), gradient + k * size + r * l.stride,
                            l.stride);
        float sum = 0.0F;
        for (std::int32_t e = 0; e < counts[k]; ++e) sum += own[e].value;
        bias[k] += sum;
    }
}

// (F, runs, stride) of each part to their sum (runs, length, F).
void sum_gradients(const Layout& l, const std::byte* parts, std::size_t bytes, int count,
                   float* out, int threads) {
    const std::int64_t size = l.kernel_floats(), f = l.s.f;
    for_range(
        threads, l.runs * l.length, 8 * f * count, 16,
        [=, &l](std::int64_t begin, std::int64_t end) {
            simd([=, &l]() STRATA_BODY {
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t at = i / l.length * l.stride + i % l.length;
                    for (std::int64_t k = 0; k < f; ++k) {
                        float sum = 0.0F;
                        for (int part = 0; part < count; ++part)
                            sum += reinterpret_cast<const float*>(
                                parts + static_cast<std::size_t>(part) * bytes)[k * size + at];
                        out[i * f + k] = sum;
                    }
                }
            });
        });
}

void weights_gradient(const Layout& l, const WeightsScratch& scratch, const float* x,
                      const float* dy, float* dkernel, float* dbias, std::byte* workspace,
                      int threads) {
    const int parts = static_cast<int>(std::min<std::int64_t>(threads, l.s.n));
    const std::int64_t size = l.kernel_floats();
    for_parts(parts, [&](int part) {
        std::byte* own = workspace + static_cast<std::size_t>(part) * scratch.bytes;
        auto* gradient = reinterpret_cast<float*>(own + scratch.gradient);
        auto* entries = reinterpret_cast<Entry*>(own + scratch.entries);
        auto* counts = reinterpret_cast<std::int32_t*>(own + scratch.counts);
        auto* places = reinterpret_cast<std::int32_t*>(own + scratch.places);
        auto* padded = reinterpret_cast<float*>(own + scratch.image);
        std::fill(gradient, gradient + (size + 1) * l.s.f, 0.0F);
        if (l.copies) std::fill(padded, padded + l.image_floats(), 0.0F);
        const std::int64_t end = l.s.n * (part + 1) / parts;
        for (std::int64_t n = l.s.n * part / parts; n < end; ++n) {
            const float* image = x + n * l.s.h * l.s.w * l.s.c;
            if (l.copies)
                for (std::int64_t y = 0; y < l.s.h; ++y)
                    std::copy_n(l.row_of(image, y), l.s.w * l.s.c, l.padded_row(padded, y));
            const float* source = l.copies ? padded : image;
            collect_by_filter(l, dy + n * l.pixels() * l.s.f, entries, counts, places);
            add_image(l, source, entries, counts, gradient);
        }
    });
    sum_gradients(l, workspace + scratch.gradient, scratch.bytes, parts, dkernel, threads);
    if (dbias == nullptr) return;
    for (std::int64_t k = 0; k < l.s.f; ++k) {
        float sum = 0.0F;
        for (int part = 0; part < parts; ++part)
            sum += reinterpret_cast<const float*>(workspace + scratch.gradient +
                                                  static_cast<std::size_t>(part) *
                                                      scratch.bytes)[size * l.s.f + k];
        dbias[k] = sum;
    }
}

// ---- data

struct DataScratch {
    std::size_t kernel, threads_at;
    std::size_t entries, places, image, bytes;  // of each thread

    explicit DataScratch(const Layout& l) {
        Parts common, own;
        kernel = common.add(l.kernel_floats() * l.s.f * 4);
        threads_at = common.bytes();
        entries = own.add(l.s.f * static_cast<std::int64_t>(sizeof(Entry)));
        places = own.add((l.s.f + vector_floats) * 4);
        image = own.add(l.image_floats() * 4);
        bytes = own.bytes();
    }
};

// (runs, length, F) to (F, runs, stride), zeros behind each run.
void transpose_kernel(const Layout& l, const float* kernel, float* transposed, int threads) {
    const std::int64_t size = l.kernel_floats(), f = l.s.f;
    for_range(threads, f, 8 * size, 16, [=, &l](std::int64_t begin, std::int64_t end) {
        if (l.stride != l.length)
            std::fill(transposed + begin * size, transposed + end * size, 0.0F);
        for (std::int64_t i = 0; i < l.runs * l.length; ++i) {
            const std::int64_t at = i / l.length * l.stride + i % l.length;
            for (std::int64_t k = begin; k < end; ++k)
                transposed[k * size + at] = kernel[i * f + k];
        }
    });
}

void spread_image(const Layout& l, const float* dy, const float* kernel, Entry* entries,
                  std::int32_t* places, float* image) {
    const SparseKernels& kernels = sparse_kernels();
    const std::int64_t f = l.s.f, size = l.kernel_floats();
    for (std::int64_t p = 0; p < l.pixels(); ++p) {
        const float* row = dy + p * f;
        const std::int64_t count = kernels.find_nonzeros(row, f, places);
        if (count == 0) continue;
        for (std::int64_t i = 0; i < count; ++i)
            entries[i] = {static_cast<std::int32_t>(places[i] * size), row[places[i]]};
        float* window = image + l.window_at(p);
        for (std::int64_t r = 0; r < l.runs; ++r)
            kernels.add_run(entries, count, kernel + r * l.stride, window + l.run_at(r), l.stride);
    }
}

void data_gradient(const Layout& l, const DataScratch& scratch, const float* dy,
                   const float* kernel, float* dx, std::byte* workspace, int threads) {
    auto* transposed = reinterpret_cast<float*>(workspace + scratch.kernel);
    transpose_kernel(l, kernel, transposed, threads);
    const int parts = static_cast<int>(std::min<std::int64_t>(threads, l.s.n));
    for_parts(parts, [&](int part) {
        std::byte* own =
            workspace + scratch.threads_at + static_cast<std::size_t>(part) * scratch.bytes;
        auto* entries = reinterpret_cast<Entry*>(own + scratch.entries);
        auto* places = reinterpret_cast<std::int32_t*>(own + scratch.places);
        auto* padded = reinterpret_cast<float*>(own + scratch.image);
        const std::int64_t end = l.s.n * (part + 1) / parts;
        for (std::int64_t n = l.s.n * part / parts; n < end; ++n) {
            float* image = dx + n * l.s.h * l.s.w * l.s.c;
            float* target = l.copies ? padded : image;
            std::fill_n(target, l.copies ? l.image_floats() : l.s.h * l.s.w * l.s.c, 0.0F);
            spread_image(l, dy + n * l.pixels() * l.s.f, transposed, entries, places, target);
            if (!l.copies) continue;
            for (std::int64_t y = 0; y < l.s.h; ++y)
                std::copy_n(l.padded_row(padded, y), l.s.w * l.s.c, image + y * l.s.w * l.s.c);
        }
    });
}

// Either way, one workspace. run(inputs, outputs, workspace, threads) is the sparse way.
template <typename Run>
class EitherKernel final : public ops::Kernel {
public:
    EitherKernel(KernelPtr dense, std::size_t dy, std::size_t bytes, int threads, Run run)
        : dense_(std::move(dense)),
          dy_(dy),
          bytes_(bytes),
          threads_(threads),
          run_(std::move(run)) {}

    std::size_t workspace_bytes() const override {
        return std::max(bytes_, dense_->workspace_bytes());
    }
    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        inputs_.assign(inputs.begin(), inputs.end());
        outputs_.assign(outputs.begin(), outputs.end());
        workspace_ = static_cast<std::byte*>(workspace);
        dense_->bind(inputs, outputs, workspace);
    }
    void run(const ops::StepScalars& scalars) override {
        const Tensor& dy = inputs_[dy_];
        if (nonzero_share(dy.as<float>(), dy.elements()) > largest_share)
            dense_->run(scalars);
        else
            run_(inputs_, outputs_, workspace_, threads_);
    }

private:
    KernelPtr dense_;
    std::size_t dy_, bytes_;
    int threads_;
    Run run_;
    std::vector<Tensor> inputs_, outputs_;
    std::byte* workspace_ = nullptr;
};

template <typename Run>
KernelPtr either_kernel(const Request& request, KernelPtr dense, std::size_t dy, std::size_t bytes,
                        Run run) {
    return std::make_unique<EitherKernel<Run>>(std::move(dense), dy, bytes,
                                               request.device.threads(), std::move(run));
}

}  // namespace

bool suits_sparse_gradient(const Request& request, const WindowSizes& sizes) {
    const Layout l(sizes);
    const bool offsets_fit = std::max(l.image_floats(), l.kernel_floats() * sizes.f) < INT32_MAX;
    return offsets_fit && sizes.f >= 8 && l.length >= 2 * vector_floats &&
           sizes.n >= request.device.threads();
}

double nonzero_share(const float* dy, std::int64_t count) {
    constexpr std::int64_t block = 256, blocks = 64;
    std::int64_t seen = 0, found = 0;
    const std::int64_t step = std::max(count / blocks, block);
    for (std::int64_t first = 0; first < count; first += step) {
        const std::int64_t end = std::min(count, first + block);
        std::int32_t nonzero = 0;
#pragma omp simd reduction(+ : nonzero)
        for (std::int64_t i = first; i < end; ++i) nonzero += dy[i] != 0.0F ? 1 : 0;
        found += nonzero;
        seen += end - first;
    }
    return seen == 0 ? 0.0 : static_cast<double>(found) / static_cast<double>(seen);
}

KernelPtr sparse_conv2d_backward_weights(const Request& request, const WindowSizes& sizes,
                                         bool has_bias, KernelPtr dense) {
    const Layout layout(sizes);
    const WeightsScratch scratch(layout);
    return either_kernel(request, std::move(dense), 1,
                         scratch.bytes * static_cast<std::size_t>(request.device.threads()),
                         [=](Tensors in, Tensors out, std::byte* workspace, int threads) {
                             weights_gradient(layout, scratch, in[0].as<float>(), in[1].as<float>(),
                                              out[0].as<float>(),
                                              has_bias ? out[1].as<float>() : nullptr, workspace,
                                              threads);
                         });
}

KernelPtr sparse_conv2d_backward_data(const Request& request, const WindowSizes& sizes,
                                      KernelPtr dense) {
    const Layout layout(sizes);
    const DataScratch scratch(layout);
    return either_kernel(
        request, std::move(dense), 0,
        scratch.threads_at + scratch.bytes * static_cast<std::size_t>(request.device.threads()),
        [=](Tensors in, Tensors out, std::byte* workspace, int threads) {
            data_gradient(layout, scratch, in[0].as<float>(), in[1].as<float>(), out[0].as<float>(),
                          workspace, threads);
        });
}

}  // namespace strata::cpu

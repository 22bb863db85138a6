// 2-D convolution: the windows gathered into a matrix (kernels/conv_gather.h), times the kernel,
// for as many images at a time as the workspace is allowed to hold.
#include <algorithm>

#include "engine/backends/cuda/product.h"
#include "engine/backends/cuda/window.h"
#include "engine/ops/conv2d_operands.h"
#include "kernels/conv_gather.h"
#include "kernels/reduce.h"

namespace strata::cuda {
namespace {

// What the gathered columns may take of a device: past some hundred MiB more images at a time make
// the product no faster.
std::size_t columns_limit(const CudaDevice& device) {
    const std::size_t limit = device.options().memory_limit;
    const std::size_t memory = limit > 0 ? limit : device.info().memory;
    return std::min(std::size_t{256} << 20, memory / 16);
}

// Some of the batch's images, as matrices of the product.
struct Chunk {
    kernels::ImageShape images;
    std::int64_t positions, depth, group_filters;
};

// A convolution cut into chunks of images: `whole` chunks of one size and perhaps a shorter last.
struct ConvPlan {
    WindowSizes sizes;
    int groups;
    bool direct;  // the images are the columns themselves
    int chunk;    // images in each but the last

    ConvPlan(const CudaDevice& device, const WindowSizes& s, int g)
        : sizes(s), groups(g), direct(kernels::conv_columns_are_images(s.window, g)) {
        kernels::ImageShape one = s.image;
        one.batch = 1;
        const std::size_t bytes = kernels::conv_columns_bytes(one, s.window, g);
        const auto fit =
            static_cast<std::int64_t>(columns_limit(device) / std::max<std::size_t>(bytes, 1));
        chunk = direct ? s.image.batch
                       : static_cast<int>(std::clamp<std::int64_t>(fit, 1, s.image.batch));
    }
    int rest() const { return sizes.image.batch % chunk; }
    Chunk of(int images) const {
        kernels::ImageShape shape = sizes.image;
        shape.batch = images;
        return {shape, kernels::conv_positions(shape, sizes.window),
                kernels::conv_depth(shape, sizes.window, groups), sizes.filters / groups};
    }
    std::size_t columns_bytes() const {
        return direct ? 0
                      : aligned_workspace(
                            kernels::conv_columns_bytes(of(chunk).images, sizes.window, groups));
    }
    std::int64_t x_stride() const {
        return std::int64_t{sizes.image.height} * sizes.image.width * sizes.image.channels;
    }
    std::int64_t y_stride() const {
        return std::int64_t{sizes.output_h} * sizes.output_w * sizes.filters;
    }
};

// A product for the whole chunks and one for the rest.
template <typename Made>
struct ChunkProducts {
    std::unique_ptr<Made> whole, rest;

    template <typename Make>
    ChunkProducts(const ConvPlan& plan, const Make& make) : whole(make(plan.of(plan.chunk))) {
        if (plan.rest() > 0) rest = make(plan.of(plan.rest()));
    }
    std::size_t workspace_bytes() const {
        return std::max(whole->workspace_bytes(), rest ? rest->workspace_bytes() : 0);
    }
    // visit(chunk, product, first image) for each chunk, until an error.
    template <typename Visit>
    cudaError_t for_each(const ConvPlan& plan, const Visit& visit) {
        for (int first = 0; first < plan.sizes.image.batch; first += plan.chunk) {
            const int images = std::min(plan.chunk, plan.sizes.image.batch - first);
            const cudaError_t error =
                visit(plan.of(images), images == plan.chunk ? *whole : *rest, first);
            if (error != cudaSuccess) return error;
        }
        return cudaSuccess;
    }
};

// y(:, g) = columns[g] * kernel(:, g)
ProductShape forward_shape(const ConvPlan& plan, const Chunk& c) {
    return {c.positions,
            c.group_filters,
            c.depth,
            false,
            false,
            c.depth,
            plan.sizes.filters,
            plan.sizes.filters,
            plan.groups,
            c.positions * c.depth,
            c.group_filters,
            c.group_filters};
}
// dcolumns[g] = dy(:, g) * kernel(:, g)^T
ProductShape data_shape(const ConvPlan& plan, const Chunk& c) {
    return {c.positions,
            c.depth,
            c.group_filters,
            false,
            true,
            plan.sizes.filters,
            plan.sizes.filters,
            c.depth,
            plan.groups,
            c.group_filters,
            c.group_filters,
            c.positions * c.depth};
}
// dkernel(:, g) = columns[g]^T * dy(:, g)
ProductShape weights_shape(const ConvPlan& plan, const Chunk& c) {
    return {
        c.depth,         c.group_filters,    c.positions,        true,        false,
        c.depth,         plan.sizes.filters, plan.sizes.filters, plan.groups, c.positions * c.depth,
        c.group_filters, c.group_filters};
}

// The chunk's columns: gathered into the workspace, or the images themselves.
cudaError_t gather(const ConvPlan& plan, const Chunk& chunk, const float* x, const Operands& o,
                   const float** columns) {
    *columns = plan.direct ? x : static_cast<const float*>(o.workspace);
    if (plan.direct) return cudaSuccess;
    return kernels::conv_gather(static_cast<float*>(o.workspace), x, chunk.images,
                                plan.sizes.window, plan.groups, o.stream);
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Conv2D& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    request.expect_float32();
    const kernels::Activation f = element_activation(op.activation);
    if (s.is_empty()) return zeros(request);
    const ConvPlan plan(request.device, s, op.groups);
    ChunkProducts<ActivatedProduct> products(plan, [&](const Chunk& c) {
        return std::make_unique<ActivatedProduct>(request, forward_shape(plan, c), op.has_bias, f);
    });
    const std::size_t columns = plan.columns_bytes();
    const std::size_t workspace = columns + products.workspace_bytes();
    return function_kernel(
        request,
        [plan, columns, products = std::move(products), has_bias = op.has_bias](
            const Operands& o, const ops::StepScalars&) mutable {
            const float* bias = has_bias ? o.in(2) : nullptr;
            return products.for_each(plan, [&](const Chunk& c, ActivatedProduct& p, int first) {
                const float* matrix = nullptr;
                const cudaError_t error =
                    gather(plan, c, o.in(0) + first * plan.x_stride(), o, &matrix);
                if (error != cudaSuccess) return error;
                return p.run(matrix, o.in(1), o.out(0) + first * plan.y_stride(), bias,
                             o.workspace_at(columns), o.stream);
            });
        },
        workspace);
}

KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardData& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    request.expect_float32();
    if (s.is_empty()) return zeros(request);
    const ConvPlan plan(request.device, s, op.groups);
    ChunkProducts<Product> products(plan, [&](const Chunk& c) {
        return std::make_unique<Product>(request, data_shape(plan, c));
    });
    const std::size_t columns = plan.columns_bytes();
    const std::size_t workspace = columns + products.workspace_bytes();
    return function_kernel(
        request,
        [plan, columns, products = std::move(products)](const Operands& o,
                                                        const ops::StepScalars&) mutable {
            return products.for_each(plan, [&](const Chunk& c, Product& p, int first) {
                float* dx = o.out(0) + first * plan.x_stride();
                float* matrix = plan.direct ? dx : static_cast<float*>(o.workspace);
                p.run(o.in(0) + first * plan.y_stride(), o.in(1), matrix, o.workspace_at(columns));
                if (plan.direct) return cudaSuccess;
                return kernels::conv_gather_backward(dx, matrix, c.images, plan.sizes.window,
                                                     plan.groups, o.stream);
            });
        },
        workspace);
}

KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardWeights& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    request.expect_float32();
    if (s.is_empty()) return zeros(request);
    const ConvPlan plan(request.device, s, op.groups);
    ChunkProducts<Product> products(plan, [&](const Chunk& c) {
        return std::make_unique<Product>(request, weights_shape(plan, c));
    });
    const std::int64_t rows = plan.of(s.image.batch).positions;
    const std::size_t columns = plan.columns_bytes();
    // The bias's sums come first, and the rest of the workspace is free again after them.
    const std::size_t workspace =
        std::max(columns + products.workspace_bytes(),
                 op.has_bias ? kernels::column_sums_workspace_bytes(rows, s.filters) : 0);
    return function_kernel(
        request,
        [plan, rows, columns, products = std::move(products), has_bias = op.has_bias](
            const Operands& o, const ops::StepScalars&) mutable {
            if (has_bias) {
                const cudaError_t error = kernels::column_sums(
                    o.out(1), o.in(1), rows, plan.sizes.filters, false, o.workspace, o.stream);
                if (error != cudaSuccess) return error;
            }
            return products.for_each(plan, [&](const Chunk& c, Product& p, int first) {
                const float* matrix = nullptr;
                const cudaError_t error =
                    gather(plan, c, o.in(0) + first * plan.x_stride(), o, &matrix);
                if (error != cudaSuccess) return error;
                p.run(matrix, o.in(1) + first * plan.y_stride(), o.out(0), o.workspace_at(columns),
                      nullptr, first > 0);
                return cudaSuccess;
            });
        },
        workspace);
}

}  // namespace strata::cuda

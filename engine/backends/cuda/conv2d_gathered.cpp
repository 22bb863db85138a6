#include "engine/backends/cuda/conv2d_gathered.h"

#include <algorithm>

#include "engine/backends/cuda/cast.h"
#include "engine/backends/cuda/product.h"
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
    bool direct;          // the images are the columns themselves
    std::size_t element;  // bytes of the columns'
    int chunk;            // images in each but the last

    // columns: their type.
    ConvPlan(const CudaDevice& device, const WindowSizes& s, int g, DType columns)
        : sizes(s),
          groups(g),
          direct(kernels::conv_columns_are_images(s.window, g)),
          element(size_of(columns)) {
        kernels::ImageShape one = s.image;
        one.batch = 1;
        const std::size_t bytes = bytes_of(one);
        const auto fit =
            static_cast<std::int64_t>(columns_limit(device) / std::max<std::size_t>(bytes, 1));
        chunk = direct ? s.image.batch
                       : static_cast<int>(std::clamp<std::int64_t>(fit, 1, s.image.batch));
    }
    std::size_t bytes_of(kernels::ImageShape images) const {
        return element * static_cast<std::size_t>(
                             kernels::conv_columns_elements(images, sizes.window, groups));
    }
    int rest() const { return sizes.image.batch % chunk; }
    Chunk of(int images) const {
        kernels::ImageShape shape = sizes.image;
        shape.batch = images;
        return {shape, kernels::conv_positions(shape, sizes.window),
                kernels::conv_depth(shape, sizes.window, groups), sizes.filters / groups};
    }
    std::size_t columns_bytes() const {
        return direct ? 0 : aligned_workspace(bytes_of(of(chunk).images));
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

// Element `index` of a tensor.
char* element(const Tensor& tensor, std::int64_t index) {
    return static_cast<char*>(tensor.data) +
           index * static_cast<std::int64_t>(size_of(tensor.dtype));
}

// The chunk's columns: gathered into the workspace, or the images themselves.
cudaError_t gather(const ConvPlan& plan, const Chunk& chunk, int first, const Operands& o,
                   const void** columns) {
    const char* x = element(o.inputs[0], first * plan.x_stride());
    *columns = plan.direct ? x : static_cast<const char*>(o.workspace);
    if (plan.direct) return cudaSuccess;
    return kernels::conv_gather(o.workspace, x, chunk.images, plan.sizes.window, plan.groups,
                                static_cast<int>(size_of(o.inputs[0].dtype)), o.stream);
}

cudaError_t gather_backward(const ConvPlan& plan, const Chunk& chunk, int first,
                            const Operands& o) {
    const Tensor& dx = o.outputs[0];
    return with_storage(dx.dtype, [&]<typename T>(Stored<T>) {
        return kernels::conv_gather_backward(dx.as<T>() + first * plan.x_stride(),
                                             static_cast<const float*>(o.workspace), chunk.images,
                                             plan.sizes.window, plan.groups, o.stream);
    });
}

}  // namespace

KernelPtr gathered_convolution(const Request& request, const ops::Conv2D& op,
                               const WindowSizes& s) {
    const kernels::Activation f = element_activation(op.activation);
    const DType type = request.inputs[0].dtype;
    const ConvPlan plan(request.device, s, op.groups, type);
    const auto bias_type = op.has_bias ? std::optional(request.inputs[2].dtype) : std::nullopt;
    ChunkProducts<ActivatedProduct> products(plan, [&](const Chunk& c) {
        return std::make_unique<ActivatedProduct>(request, forward_shape(plan, c),
                                                  ProductTypes{type, request.outputs[0].dtype},
                                                  bias_type, f);
    });
    const std::size_t columns = plan.columns_bytes();
    const std::size_t workspace = columns + products.workspace_bytes();
    return function_kernel(
        request,
        [plan, columns, products = std::move(products), has_bias = op.has_bias](
            const Operands& o, const ops::StepScalars&) mutable {
            const void* bias = has_bias ? o.inputs[2].data : nullptr;
            return products.for_each(plan, [&](const Chunk& c, ActivatedProduct& p, int first) {
                const void* matrix = nullptr;
                const cudaError_t error = gather(plan, c, first, o, &matrix);
                if (error != cudaSuccess) return error;
                return p.run(matrix, o.inputs[1].data,
                             element(o.outputs[0], first * plan.y_stride()), bias,
                             o.workspace_at(columns), o.stream);
            });
        },
        workspace);
}

// The columns' gradient is float32: a cell's sum over them is then rounded once.
KernelPtr gathered_convolution(const Request& request, const ops::Conv2DBackwardData& op,
                               const WindowSizes& s) {
    const ConvPlan plan(request.device, s, op.groups, DType::float32);
    const ProductTypes types{request.inputs[0].dtype,
                             plan.direct ? request.outputs[0].dtype : DType::float32};
    ChunkProducts<Product> products(plan, [&](const Chunk& c) {
        return std::make_unique<Product>(request, data_shape(plan, c), types);
    });
    const std::size_t columns = plan.columns_bytes();
    const std::size_t workspace = columns + products.workspace_bytes();
    return function_kernel(
        request,
        [plan, columns, products = std::move(products)](const Operands& o,
                                                        const ops::StepScalars&) mutable {
            return products.for_each(plan, [&](const Chunk& c, Product& p, int first) {
                void* matrix = plan.direct ? element(o.outputs[0], first * plan.x_stride())
                                           : static_cast<char*>(o.workspace);
                p.run(element(o.inputs[0], first * plan.y_stride()), o.inputs[1].data, matrix,
                      o.workspace_at(columns));
                return plan.direct ? cudaSuccess : gather_backward(plan, c, first, o);
            });
        },
        workspace);
}

// Where several chunks add up to a kernel's gradient of 16 bits, they do so in float32.
KernelPtr gathered_convolution(const Request& request, const ops::Conv2DBackwardWeights& op,
                               const WindowSizes& s) {
    const DType type = request.inputs[0].dtype, result = request.outputs[0].dtype;
    const ConvPlan plan(request.device, s, op.groups, type);
    const bool sums_apart = plan.chunk < s.image.batch && result != DType::float32;
    const ProductTypes types{type, sums_apart ? DType::float32 : result};
    ChunkProducts<Product> products(plan, [&](const Chunk& c) {
        return std::make_unique<Product>(request, weights_shape(plan, c), types);
    });
    const std::int64_t rows = plan.of(s.image.batch).positions;
    const std::int64_t weights = request.outputs[0].elements();
    const std::size_t sums = plan.columns_bytes();
    const std::size_t scratch =
        sums +
        (sums_apart ? aligned_workspace(static_cast<std::size_t>(weights) * sizeof(float)) : 0);
    // The bias's sums come first, and the rest of the workspace is free again after them.
    const std::size_t workspace =
        std::max(scratch + products.workspace_bytes(),
                 op.has_bias ? kernels::column_sums_workspace_bytes(rows, s.filters) : 0);
    return function_kernel(
        request,
        [plan, rows, weights, sums, scratch, sums_apart, products = std::move(products),
         has_bias = op.has_bias](const Operands& o, const ops::StepScalars&) mutable {
            if (has_bias) {
                const cudaError_t error =
                    column_sums(o.outputs[1], o.inputs[1], {rows, plan.sizes.filters}, o);
                if (error != cudaSuccess) return error;
            }
            const Tensor& dkernel = o.outputs[0];
            void* const total = sums_apart ? o.workspace_at(sums) : dkernel.data;
            const cudaError_t summed =
                products.for_each(plan, [&](const Chunk& c, Product& p, int first) {
                    const void* matrix = nullptr;
                    const cudaError_t error = gather(plan, c, first, o, &matrix);
                    if (error != cudaSuccess) return error;
                    p.run(matrix, element(o.inputs[1], first * plan.y_stride()), total,
                          o.workspace_at(scratch), nullptr, first > 0);
                    return cudaSuccess;
                });
            if (summed != cudaSuccess || !sums_apart) return summed;
            return cast(dkernel.data, dkernel.dtype, total, DType::float32, weights, o.stream);
        },
        workspace);
}

}  // namespace strata::cuda

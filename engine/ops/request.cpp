#include "engine/ops/request.h"

#include "engine/core/error.h"

namespace strata::ops {

void Request::expect(bool condition, const std::string& what) const {
    if (!condition)
        throw Error(ErrorCode::unsupported, std::string(name) + " cannot run: " + what, device_id);
}

void Request::expect_counts(std::size_t inputs_min, std::size_t inputs_max, std::size_t outputs_min,
                            std::size_t outputs_max) const {
    expect(inputs.size() >= inputs_min && inputs.size() <= inputs_max,
           std::to_string(inputs.size()) + " inputs");
    expect(outputs.size() >= outputs_min && outputs.size() <= outputs_max,
           std::to_string(outputs.size()) + " outputs");
}

void Request::expect_float32() const {
    for (const Tensors& tensors : {inputs, outputs})
        for (const Tensor& tensor : tensors)
            expect(tensor.dtype == DType::float32,
                   std::string("an operand is ") + name_of(tensor.dtype) + ", float32 is needed");
}

DType Request::expect_one_type() const {
    DType type = DType::uint8;
    for (const Tensors& tensors : {inputs, outputs}) {
        for (const Tensor& tensor : tensors) {
            if (tensor.dtype == DType::uint8) continue;
            if (type == DType::uint8) type = expect_types({&tensor});
            expect(tensor.dtype == type, std::string("operands are ") + name_of(type) + " and " +
                                             name_of(tensor.dtype) + ", one type is needed");
        }
    }
    expect(type != DType::uint8, "no operand is a float");
    return type;
}

DType Request::expect_types(std::initializer_list<const Tensor*> tensors,
                            std::initializer_list<const Tensor*> wide) const {
    const DType type = (*tensors.begin())->dtype;
    expect(is_compute_type(type), std::string("an operand is ") + name_of(type) +
                                      "; float32, bfloat16 or float16 is needed");
    for (const Tensor* tensor : tensors)
        expect(tensor->dtype == type, std::string("operands are ") + name_of(type) + " and " +
                                          name_of(tensor->dtype) + ", one type is needed");
    for (const Tensor* tensor : wide)
        expect(tensor == nullptr || tensor->dtype == type || tensor->dtype == DType::float32,
               std::string("an operand is ") + name_of(tensor == nullptr ? type : tensor->dtype) +
                   ", " + name_of(type) + " or float32 is needed");
    return type;
}

void Request::expect_same_size() const {
    for (const Tensors& tensors : {inputs, outputs})
        for (const Tensor& tensor : tensors)
            expect(tensor.elements() == inputs[0].elements(), "operands differ in size");
}

Matrix matrix_of(const Shape& shape) {
    if (shape.rank() == 0) return {};
    const std::int64_t columns = shape[-1];
    std::int64_t rows = 1;
    for (int i = 0; i + 1 < shape.rank(); ++i) rows *= shape[i];
    return {rows, columns};
}

}  // namespace strata::ops

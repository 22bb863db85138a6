"""bfloat16 and float16 from PyTorch on the CPU: conversions and ops, as bit patterns (see README.md)."""

import json
import pathlib

import torch

HERE = pathlib.Path(__file__).parent
TYPES = {"bfloat16": torch.bfloat16, "float16": torch.float16}


def bits(tensor):
    """16-bit floats as unsigned integers, in row-major order."""
    return [v & 0xFFFF for v in tensor.contiguous().view(torch.int16).flatten().tolist()]


def float_bits(tensor):
    return [v & 0xFFFFFFFF for v in tensor.contiguous().view(torch.int32).flatten().tolist()]


def conversions():
    """Float32 numbers over all exponents, ties, limits; each with its nearest 16-bit numbers."""
    random = torch.randint(-(2**31), 2**31, (300,), dtype=torch.int64).to(torch.int32)
    any_bits = random.view(torch.float32)
    exponents = torch.arange(-30, 20, dtype=torch.float32)
    near_one = (1.0 + torch.arange(1, 51) / 1024.0 / 2.0) * 2.0**exponents  # float16's ties among them
    limits = torch.tensor([0.0, -0.0, 1e-8, 1e-8 * 65536, 65504, 65519, 65519.996, 65520, -65520, 65536, 5.9604645e-8,
                           2.9802322e-8, 2.9802326e-8, 6.1035156e-5, 6.1005e-5, 3.3895314e38, 3.3961775e38, 3.4028235e38,
                           float("inf"), float("-inf"), 1.00390625, 1.01171875, 1e-40, -1e-40, 1e-45])
    values = torch.cat([any_bits[~torch.isnan(any_bits)], near_one, limits])
    result = {"float32": float_bits(values)}
    for name, kind in TYPES.items():
        result[name] = bits(values.to(kind))
    return result


def ops(kind):
    """Inputs and results, all of one 16-bit type."""
    a, b, bias = (torch.randn(*shape).to(kind) for shape in ((5, 24), (24, 7), (7,)))
    x, kernel = torch.randn(2, 6, 5, 4).to(kind), (0.3 * torch.randn(3, 3, 4, 6)).to(kind)
    scores = (3.0 * torch.randn(4, 11)).to(kind)
    images, weights = x.permute(0, 3, 1, 2), kernel.permute(3, 2, 0, 1)
    functional = torch.nn.functional
    return {"a": bits(a), "b": bits(b), "bias": bits(bias), "product": bits(functional.linear(a, b.T, bias)),
            "x": bits(x), "kernel": bits(kernel),
            "convolution": bits(functional.conv2d(images, weights).permute(0, 2, 3, 1)),
            "maxima": bits(functional.max_pool2d(images, 2).permute(0, 2, 3, 1)),
            "means": bits(functional.avg_pool2d(images, 2).permute(0, 2, 3, 1)),
            "scores": bits(scores), "softmax": bits(functional.softmax(scores, dim=-1)),
            "gelu": bits(functional.gelu(scores)), "sigmoid": bits(torch.sigmoid(scores)),
            "sum": bits(sum_of_three(scores))}


def sum_of_three(scores):
    """Summed in float32 and rounded once, as torch.sum does along an axis."""
    return torch.stack([scores, scores.flip(0), scores.flip(1)]).sum(dim=0)


def main():
    torch.manual_seed(16)
    torch.set_num_threads(1)
    content = {"conversions": conversions(), **{name: ops(kind) for name, kind in TYPES.items()}}
    lines = [f' "{part}": {{\n' + ",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in table.items()) + "\n }"
             for part, table in content.items()]
    path = HERE / "halves.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()

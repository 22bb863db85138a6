"""Philox4x32-10 as in engine/core/random.h, and the initial weights that C++ can repeat without files."""

import math

import numpy as np

# Known answers of Random123 1.14 (kat_vectors, philox4x32 10): counter, key, result.
KNOWN_ANSWERS = [
    ([0, 0, 0, 0], [0, 0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


def philox4x32(key, counter):
    """key: two words, counter: four words, each an int or an array of uint32; returns four uint32 arrays."""
    low = np.uint64(0xFFFFFFFF)
    shift = np.uint64(32)
    k0, k1 = (np.asarray(k, np.uint64) for k in key)
    c0, c1, c2, c3 = (np.asarray(c, np.uint64) for c in counter)
    for _ in range(10):
        a = np.uint64(0xD2511F53) * c0
        b = np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (b >> shift) ^ c1 ^ k0, b & low, (a >> shift) ^ c3 ^ k1, a & low
        k0 = (k0 + np.uint64(0x9E3779B9)) & low
        k1 = (k1 + np.uint64(0xBB67AE85)) & low
    return [c.astype(np.uint32) for c in (c0, c1, c2, c3)]


def draw(seed, stream, step, index):
    """Four words for each index (an array of uint64)."""
    index = np.asarray(index, np.uint64)
    counter = (index & np.uint64(0xFFFFFFFF), index >> np.uint64(32), step, stream)
    words = philox4x32((seed & 0xFFFFFFFF, seed >> 32), counter)
    return np.stack(np.broadcast_arrays(*words), axis=-1)


def uniform(words):
    """Uniform in [0, 1), float32, from the upper 24 bits."""
    return (words >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)


def glorot_uniform(seed, stream, shape):
    """float32 kernel: Dense (in,out) or Conv2D (kh,kw,in,out)."""
    field = math.prod(shape[:-2])
    limit = np.float32(math.sqrt(6.0 / (field * (shape[-2] + shape[-1]))))
    count = math.prod(shape)
    u = uniform(draw(seed, stream, 0, np.arange((count + 3) // 4))).reshape(-1)[:count]
    return (limit * (np.float32(2) * u - np.float32(1))).reshape(shape)


def check():
    for counter, key, answer in KNOWN_ANSWERS:
        got = [int(word) for word in philox4x32(key, counter)]
        if got != answer:
            raise SystemExit(f"philox4x32 of {counter}, {key}: got {got}, expected {answer}")


if __name__ == "__main__":
    check()
    print("philox4x32-10: all known answers agree")

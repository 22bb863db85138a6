"""Fashion-MNIST from Debian's package dataset-fashion-mnist, for the reference and benchmark scripts."""

import gzip
import pathlib

import numpy as np

FOLDER = pathlib.Path("/usr/share/datasets/fashion-mnist")


def read(part="train"):
    """(images uint8 (N,28,28), labels uint8 (N)); part is "train" or "t10k"."""
    return _idx(f"{part}-images-idx3-ubyte.gz"), _idx(f"{part}-labels-idx1-ubyte.gz")


def _idx(name):
    path = FOLDER / name
    if not path.exists():
        raise SystemExit(f"{path} is missing: apt-get install dataset-fashion-mnist")
    data = gzip.decompress(path.read_bytes())
    rank = data[3]
    shape = np.frombuffer(data, ">u4", rank, 4).astype(int)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape).copy()

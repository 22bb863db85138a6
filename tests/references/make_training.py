"""Trains both models with PyTorch for 200 steps and stores losses and final weights in training/.

Each case is also run in float64, with two threads and from initial weights changed by their last bit:
`spread` is how far PyTorch is from itself. See README.md for the formats and what the spread means.
"""

import json
import pathlib
import sys

import fashion_mnist
import numpy as np
import philox
import torch
from torch.nn import functional

HERE = pathlib.Path(__file__).parent / "training"
BATCH = 64
STEPS = 200
RESCALING = {"class_name": "Rescaling", "config": {"scale": 1 / 255}}
MODELS = {
    "classic": [
        RESCALING,
        {"class_name": "Flatten", "config": {}},
        {"class_name": "Dense", "config": {"units": 128, "activation": "relu"}},
        {"class_name": "Dense", "config": {"units": 10, "activation": "softmax"}},
    ],
    "cnn": [
        RESCALING,
        {"class_name": "Conv2D", "config": {"filters": 32, "kernel_size": [3, 3], "activation": "relu"}},
        {"class_name": "MaxPooling2D", "config": {"pool_size": [2, 2]}},
        {"class_name": "Conv2D", "config": {"filters": 64, "kernel_size": [3, 3], "activation": "relu"}},
        {"class_name": "MaxPooling2D", "config": {"pool_size": [2, 2]}},
        {"class_name": "Flatten", "config": {}},
        {"class_name": "Dense", "config": {"units": 10, "activation": "softmax"}},
    ],
}
# Name, model, optimizer, learning rate, seed. The fast CNN cases are chaotic, see README.md. The
# classic ones' seeds are those of 1 to 399 whose hidden units stay farthest from relu's kink in all
# 200 steps (8.1e-6 and 6.3e-6): where another processor's rounding moves a unit across it, the two
# runs part for good.
CASES = [
    ("classic_sgd", "classic", "sgd", 0.05, 31),
    ("classic_adam", "classic", "adam", 0.001, 43),
    ("cnn_sgd", "cnn", "sgd", 0.0005, 7),
    ("cnn_adam", "cnn", "adam", 0.00001, 7),
    ("cnn_sgd_fast", "cnn", "sgd", 0.01, 7),
    ("cnn_adam_fast", "cnn", "adam", 0.001, 7),
]
OPTIMIZERS = {
    "sgd": {"class_name": "SGD", "config": {"momentum": 0.9, "nesterov": False}},
    "adam": {"class_name": "Adam", "config": {"beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}},
}
SHAPES = {
    "classic": [(784, 128), (128,), (128, 10), (10,)],
    "cnn": [(3, 3, 1, 32), (32,), (3, 3, 32, 64), (64,), (1600, 10), (10,)],
}


def initial_weights(case):
    _, model, _, _, seed = case
    return [
        philox.glorot_uniform(seed, k, shape) if len(shape) > 1 else np.zeros(shape, np.float32)
        for k, shape in enumerate(SHAPES[model])
    ]


def logits(model, images, weights):
    """images (N,28,28) uint8; weights in Keras's layouts, so that gradients are Keras's too."""
    x = images.to(weights[0].dtype) * torch.tensor(np.float32(1 / 255), dtype=weights[0].dtype)
    if model == "classic":
        x = functional.relu(x.flatten(1) @ weights[0] + weights[1])
        return x @ weights[2] + weights[3]
    x = x.unsqueeze(1)
    for kernel, bias in (weights[0:2], weights[2:4]):
        x = functional.conv2d(x, kernel.permute(3, 2, 0, 1), bias)
        x = functional.max_pool2d(functional.relu(x), 2)
    return x.permute(0, 2, 3, 1).flatten(1) @ weights[4] + weights[5]


def make_optimizer(name, rate, weights):
    config = OPTIMIZERS[name]["config"]
    if name == "sgd":
        return torch.optim.SGD(weights, lr=rate, momentum=config["momentum"])
    return torch.optim.Adam(weights, lr=rate, betas=(config["beta_1"], config["beta_2"]))


def set_keras_epsilon(optimizer, step):
    """Torch adds epsilon to sqrt(v / (1 - b2^t)), Keras to sqrt(v): this quotient makes them equal."""
    config = OPTIMIZERS["adam"]["config"]
    correction = (1 - config["beta_2"] ** (step + 1)) ** 0.5
    optimizer.param_groups[0]["eps"] = config["epsilon"] / correction


def train(case, data, dtype=torch.float32, start=None, threads=1, keras_epsilon=True):
    """(losses float64 (STEPS), final weights). start: initial weights, by default the formula's."""
    _, model, optimizer_name, rate, _ = case
    images, labels = data
    torch.set_num_threads(threads)
    start = initial_weights(case) if start is None else start
    weights = [torch.tensor(w, dtype=dtype, requires_grad=True) for w in start]
    optimizer = make_optimizer(optimizer_name, rate, weights)
    losses = []
    for step in range(STEPS):
        if optimizer_name == "adam" and keras_epsilon:
            set_keras_epsilon(optimizer, step)
        rows = [(step * BATCH + i) % len(images) for i in range(BATCH)]
        loss = functional.cross_entropy(logits(model, images[rows], weights), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return np.array(losses, np.float64), [w.detach().numpy() for w in weights]


def last_bit_changed(case, seed):
    """The initial weights, each times 1 - 2^-23, 1 or 1 + 2^-23 by chance."""
    random = np.random.default_rng(seed)
    return [w * (1 + random.integers(-1, 2, w.shape) * 2.0**-23).astype(np.float32) for w in initial_weights(case)]


def spread(case, result, data):
    """(largest relative distance of the losses up to each step, largest distance of a final weight)."""
    others = [train(case, data, dtype=torch.float64), train(case, data, threads=2)]
    others += [train(case, data, start=last_bit_changed(case, seed)) for seed in range(3)]
    losses = np.max([np.abs(o[0] - result[0]) / result[0] for o in others], axis=0)
    weights = max(np.max(np.abs(x - y)) for o in others for x, y in zip(o[1], result[1]))
    return np.maximum.accumulate(losses), float(weights)


def store(case, result, loss_spread, weight_spread):
    name, model, optimizer, rate, seed = case
    folder = HERE / name
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "losses.npy", result[0])
    np.save(folder / "spread.npy", loss_spread)
    weights = []
    for k, value in enumerate(result[1]):
        weight = {"role": "kernel" if value.ndim > 1 else "bias", "shape": list(value.shape)}
        if weight_spread < 1e-4:
            weight["file"] = f"{name}/weight_{k}.npy"
            np.save(HERE / weight["file"], np.ascontiguousarray(value, np.float32))
        weights.append(weight)
    settings = OPTIMIZERS[optimizer]
    return {
        "name": name,
        "layers": MODELS[model],
        "optimizer": {**settings, "config": {"learning_rate": rate, **settings["config"]}},
        "loss": "sparse_categorical_crossentropy",
        "batch_size": BATCH,
        "steps": STEPS,
        "seed": seed,
        "strict": bool(weight_spread < 1e-4 and loss_spread[-1] < 1e-4),
        "weights": weights,
        "losses": f"{name}/losses.npy",
        "spread": f"{name}/spread.npy",
    }


def main(wanted):
    """wanted: names of cases, the others stay as they are; none: all."""
    philox.check()
    torch.use_deterministic_algorithms(True)
    images, labels = fashion_mnist.read()
    data = torch.tensor(images), torch.tensor(labels, dtype=torch.int64)
    cases = json.loads((HERE / "cases.json").read_text()) if wanted else []
    for case in CASES:
        if wanted and case[0] not in wanted:
            continue
        result = train(case, data)
        loss_spread, weight_spread = spread(case, result, data)
        calm = int(np.searchsorted(loss_spread, 2e-5))
        print(f"{case[0]}: loss {result[0][0]:.4f} to {result[0][-1]:.4f}; spread of losses {loss_spread[-1]:.1e}")
        print(f"  (under 2e-5 for {calm} steps), of weights {weight_spread:.1e}", flush=True)
        if case[2] == "adam":
            other = train(case, data, keras_epsilon=False)
            losses = np.max(np.abs(other[0] - result[0]) / result[0])
            print(f"  torch's own epsilon would change losses by {losses:.1e}", flush=True)
        cases = [c for c in cases if c["name"] != case[0]]
        cases.append(store(case, result, loss_spread, weight_spread))
    order = [case[0] for case in CASES]
    cases.sort(key=lambda c: order.index(c["name"]))
    (HERE / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])

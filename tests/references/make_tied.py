"""Trains a model of tied weights with PyTorch in float64 and stores each step's loss and the final weights.

Writes tied.json; see README.md for its format.
"""

import json
import pathlib

import numpy as np
import philox
import torch
from json_lists import lists
from torch.nn import functional

HERE = pathlib.Path(__file__).parent
SEED = 11
BATCH = 6
STEPS = 12
# In the model's order; each is used twice or three times but for those of proj and output.
SHAPES = [
    ("conv", "kernel", (3, 3, 2, 2)),
    ("conv", "bias", (2,)),
    ("proj", "kernel", (32, 5)),
    ("proj", "bias", (5,)),
    ("mid", "kernel", (5, 5)),
    ("mid", "bias", (5,)),
    ("output", "kernel", (5, 3)),
    ("output", "bias", (3,)),
]
OPTIMIZERS = {
    "SGD": ({"learning_rate": 0.05, "momentum": 0.9}, lambda w: torch.optim.SGD(w, lr=0.05, momentum=0.9)),
    "Adam": (
        {"learning_rate": 0.01, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7},
        lambda w: torch.optim.Adam(w, lr=0.01),
    ),
}


def initial_weights():
    return [
        philox.glorot_uniform(SEED, k, shape) if len(shape) > 1 else np.zeros(shape, np.float32)
        for k, (_, _, shape) in enumerate(SHAPES)
    ]


def inputs():
    numbers = np.arange(BATCH * 4 * 4 * 2, dtype=np.float64)
    return np.sin(0.7 * numbers + 0.01 * numbers**1.5).astype(np.float32).reshape(BATCH, 4, 4, 2)


def logits(x, w):
    """conv twice in a row; mid twice in a row and once beside, on proj's output."""
    x = x.permute(0, 3, 1, 2)
    for _ in range(2):
        x = torch.tanh(functional.conv2d(x, w[0].permute(3, 2, 0, 1), w[1], padding=1))
    proj = torch.tanh(x.permute(0, 2, 3, 1).flatten(1) @ w[2] + w[3])

    def mid(value):
        return torch.tanh(value @ w[4] + w[5])

    return (mid(mid(proj)) + mid(torch.sigmoid(proj))) @ w[6] + w[7]


def train(optimizer_name):
    x = torch.tensor(inputs(), dtype=torch.float64)
    labels = torch.arange(BATCH) * 2 % 3
    weights = [torch.tensor(w, dtype=torch.float64, requires_grad=True) for w in initial_weights()]
    config, make = OPTIMIZERS[optimizer_name]
    optimizer = make(weights)
    losses, norms = [], []
    for step in range(STEPS):
        # Torch adds epsilon to sqrt(v / (1 - b2^t)), Keras to sqrt(v).
        if optimizer_name == "Adam":
            optimizer.param_groups[0]["eps"] = config["epsilon"] / (1 - config["beta_2"] ** (step + 1)) ** 0.5
        loss = functional.cross_entropy(logits(x, weights), labels)
        optimizer.zero_grad()
        loss.backward()
        norms.append(torch.linalg.vector_norm(torch.cat([w.grad.flatten() for w in weights])).item())
        optimizer.step()
        losses.append(loss.item())
    return {
        "optimizer": {"class_name": optimizer_name, "config": config},
        "losses": lists(losses),
        "gradient_norms": lists(norms),
        "weights": [
            {"layer": layer, "role": role, "value": lists(w.detach().numpy().flatten())}
            for (layer, role, _), w in zip(SHAPES, weights)
        ],
    }


def main():
    philox.check()
    cases = [train(name) for name in OPTIMIZERS]
    for case in cases:
        print(f"{case['optimizer']['class_name']}: loss {case['losses'][0]:.4f} to {case['losses'][-1]:.4f}")
    data = {"seed": SEED, "inputs": lists(inputs().flatten()), "labels": [2 * i % 3 for i in range(BATCH)]}
    (HERE / "tied.json").write_text(json.dumps({**data, "cases": cases}) + "\n")


if __name__ == "__main__":
    main()

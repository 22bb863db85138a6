"""Updates with weight decay, clipping, a moving average, accumulation and skipped steps, by Keras on JAX and
PyTorch in float64, stored in updates.json (see README.md)."""

import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_ENABLE_X64"] = "1"

import pathlib

import json_lists
import keras
import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
RANDOM = np.random.default_rng(11)
SIZES = (5, 3)
STEPS = 20


def draw(count):
    """Exact float32 numbers of 9 digits, as the file holds them."""
    return np.array([float(f"{v:.9g}") for v in RANDOM.standard_normal(count).astype(np.float32)])


def split(flat):
    return np.split(np.asarray(flat, np.float64), np.cumsum(SIZES)[:-1])


def case(name, by, class_name, config, initial, gradients, weights, **more):
    return {
        "name": name,
        "by": by,
        "class_name": class_name,
        "config": config,
        "clipping": None,
        "ema_momentum": None,
        "segments": list(SIZES),
        "initial": json_lists.lists(initial),
        "gradients": json_lists.lists(gradients),
        "weights": json_lists.lists(weights),
    } | more


def keras_case(name, class_name, clipping=None, ema=None, **config):
    initial = draw(sum(SIZES))
    # Norms on both sides of the limits below.
    gradients = [draw(sum(SIZES)) * (0.25 if step % 3 == 0 else 2.0) for step in range(STEPS)]
    settings = dict(config)
    if clipping:
        settings[clipping["type"]] = clipping["value"]
    if ema is not None:
        settings |= {"use_ema": True, "ema_momentum": ema}
    variables = [keras.Variable(part, dtype="float64") for part in split(initial)]
    optimizer = getattr(keras.optimizers, class_name)(**settings)
    optimizer.build(variables)
    weights, averages = [], []
    for gradient in gradients:
        optimizer.apply(split(gradient), variables)
        weights.append(np.concatenate([v.numpy() for v in variables]))
        if ema is not None:
            averages.append(np.concatenate([v.numpy() for v in optimizer._model_variables_moving_average]))
    more = {"clipping": clipping, "ema_momentum": ema}
    if ema is not None:
        more["averages"] = json_lists.lists(averages)
    return case(name, "Keras", class_name, config, initial, gradients, weights, **more)


CLIP = {
    "clipvalue": lambda parameters, c: torch.nn.utils.clip_grad_value_(parameters, c),
    "clipnorm": lambda parameters, c: [torch.nn.utils.clip_grad_norm_([p], c) for p in parameters],
    "global_clipnorm": lambda parameters, c: torch.nn.utils.clip_grad_norm_(parameters, c),
}


def torch_optimizer(parameters, class_name, config):
    if class_name == "SGD":
        return torch.optim.SGD(parameters, config["learning_rate"], config.get("momentum", 0.0))
    return torch.optim.AdamW(
        parameters,
        config["learning_rate"],
        (config.get("beta_1", 0.9), config.get("beta_2", 0.999)),
        config["epsilon"],
        config.get("weight_decay") or 0.0,
    )


def torch_case(name, class_name, clipping=None, skipped=(), **config):
    """The gradient of a skipped step has an Inf, and PyTorch's gradient scaler finds it."""
    initial = draw(sum(SIZES))
    gradients = [draw(sum(SIZES)) * (0.25 if step % 3 == 0 else 2.0) for step in range(STEPS)]
    parameters = [torch.nn.Parameter(torch.tensor(part)) for part in split(initial)]
    optimizer = torch_optimizer(parameters, class_name, config)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=10**6, backoff_factor=0.5)
    weights = []
    for step, gradient in enumerate(gradients):
        scale = scaler.scale(torch.ones(())).item()
        for parameter, part in zip(parameters, split(gradient)):
            parameter.grad = torch.tensor(part * scale)
        if step in skipped:
            parameters[0].grad[1] = torch.inf
        scaler.unscale_(optimizer)
        if clipping:
            CLIP[clipping["type"]](parameters, clipping["value"])
        scaler.step(optimizer)
        scaler.update()
        weights.append(np.concatenate([p.detach().numpy() for p in parameters]))
    return case(name, "PyTorch", class_name, config, initial, gradients, weights, clipping=clipping, skipped=list(skipped))


def accumulation_case(name, class_name, sizes, clipping=None, **config):
    """One mean over all samples of a window; the file has the sum of each micro-batch's gradients."""
    initial = draw(sum(SIZES))
    parameters = [torch.nn.Parameter(torch.tensor(part)) for part in split(initial)]
    optimizer = torch_optimizer(parameters, class_name, config)
    weights, windows = [], []
    for _ in range(STEPS):
        samples = [draw(sum(SIZES)) for _ in range(sum(sizes))]
        cuts = np.split(np.stack(samples), np.cumsum(sizes)[:-1])
        windows.append([json_lists.lists(cut.sum(axis=0)) for cut in cuts])
        loss = sum((torch.tensor(s) * torch.cat(parameters)).sum() for s in samples) / len(samples)
        optimizer.zero_grad()
        loss.backward()
        if clipping:
            CLIP[clipping["type"]](parameters, clipping["value"])
        optimizer.step()
        weights.append(np.concatenate([p.detach().numpy() for p in parameters]))
    more = {"clipping": clipping, "samples": sum(sizes), "windows": windows}
    return case(name, "PyTorch", class_name, config, initial, [], weights, **more)


def clip(kind, value):
    return {"type": kind, "value": value}


def cases():
    yield keras_case("adamw", "AdamW", learning_rate=0.01)
    yield keras_case("adamw_strong_decay", "AdamW", learning_rate=0.05, weight_decay=0.3, beta_1=0.8)
    yield keras_case("adam_decay", "Adam", learning_rate=0.01, weight_decay=0.05)
    yield keras_case("sgd_decay", "SGD", learning_rate=0.1, weight_decay=0.2)
    yield keras_case("sgd_momentum_decay", "SGD", learning_rate=0.05, momentum=0.9, weight_decay=0.1)
    yield keras_case("sgd_nesterov_decay", "SGD", learning_rate=0.05, momentum=0.9, nesterov=True, weight_decay=0.1)
    yield keras_case("sgd_clipvalue", "SGD", clip("clipvalue", 0.4), learning_rate=0.1)
    yield keras_case("adam_clipvalue", "Adam", clip("clipvalue", 0.7), learning_rate=0.01)
    yield keras_case("sgd_clipnorm", "SGD", clip("clipnorm", 0.9), learning_rate=0.1, momentum=0.8)
    yield keras_case("adamw_clipnorm", "AdamW", clip("clipnorm", 1.5), learning_rate=0.01)
    yield keras_case("sgd_global_clipnorm", "SGD", clip("global_clipnorm", 1.2), learning_rate=0.1)
    yield keras_case("sgd_nesterov_global_clipnorm", "SGD", clip("global_clipnorm", 2.5), learning_rate=0.1,
                     momentum=0.9, nesterov=True)
    yield keras_case("adam_global_clipnorm", "Adam", clip("global_clipnorm", 2.0), learning_rate=0.01)
    yield keras_case("sgd_ema", "SGD", ema=0.9, learning_rate=0.1)
    yield keras_case("adamw_ema_clipped", "AdamW", clip("global_clipnorm", 1.0), ema=0.99, learning_rate=0.02)
    yield torch_case("adamw", "AdamW", learning_rate=0.01, weight_decay=0.1, epsilon=1e-12)
    yield torch_case("adamw_skips", "AdamW", skipped=(0, 3, 4, 11), learning_rate=0.02, weight_decay=0.05, epsilon=1e-12)
    yield torch_case("sgd_clipvalue", "SGD", clip("clipvalue", 0.5), learning_rate=0.1, momentum=0.9)
    yield torch_case("sgd_clipnorm", "SGD", clip("clipnorm", 1.0), learning_rate=0.1)
    yield torch_case("adamw_global_clipnorm_skips", "AdamW", clip("global_clipnorm", 1.0), (2, 7), learning_rate=0.01,
                     weight_decay=0.01, epsilon=1e-12)
    yield accumulation_case("sgd_accumulated", "SGD", (4, 4, 2), learning_rate=0.2, momentum=0.9)
    yield accumulation_case("adamw_accumulated_clipped", "AdamW", (3, 1), clip("global_clipnorm", 0.5),
                            learning_rate=0.01, weight_decay=0.1, epsilon=1e-12)


if __name__ == "__main__":
    keras.config.set_floatx("float64")
    json_lists.write(HERE / "updates.json", cases())

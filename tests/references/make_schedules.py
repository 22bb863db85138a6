"""Learning-rate schedules and reductions on a plateau from Keras on JAX and PyTorch in float64, stored in
schedules.json and plateaus.json (see README.md)."""

import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_ENABLE_X64"] = "1"

import pathlib

import json_lists
import keras
import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
schedules = keras.optimizers.schedules


def case(name, by, class_name, config, base, total, rates, **more):
    return {"name": name, "by": by, "class_name": class_name, "config": config, "base": base, "total": total,
            "rates": rates} | more


def keras_case(name, class_name, base, total=100, given=None, **config):
    """`given`: what the project says, where it differs from Keras's arguments."""
    arguments = dict(config) if class_name == "PiecewiseConstantDecay" else {"initial_learning_rate": base} | config
    # Keras makes a plain float a float32 here, whatever floatx says; its pi stays one.
    exact = {k: np.float64(v) if isinstance(v, float) else v for k, v in arguments.items()}
    schedule = getattr(schedules, class_name)(**exact)
    rates = [float(schedule(update)) for update in range(total)]
    return case(name, "Keras", class_name, config if given is None else given, base, total, rates)


def torch_case(name, class_name, base, total, make, config, **more):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], base)
    scheduler = make(optimizer)
    rates = []
    for _ in range(total):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return case(name, "PyTorch", class_name, config, base, total, rates, **more)


def schedule_cases():
    lr = torch.optim.lr_scheduler
    piecewise = "PiecewiseConstantDecay"
    yield keras_case("piecewise", piecewise, 0.1, boundaries=[20, 50], values=[0.5, 0.25, 0.01])
    yield keras_case("piecewise_first", piecewise, 0.1, 10, boundaries=[0, 1, 4], values=[1.0, 0.5, 0.25, 0.125])
    yield keras_case("exponential", "ExponentialDecay", 0.1, decay_steps=30, decay_rate=0.5)
    yield keras_case("exponential_stairs", "ExponentialDecay", 0.02, decay_steps=7, decay_rate=0.9, staircase=True)
    yield keras_case("polynomial", "PolynomialDecay", 0.1, decay_steps=60)
    yield keras_case("polynomial_power", "PolynomialDecay", 0.1, decay_steps=80, end_learning_rate=0.01, power=2.5)
    yield keras_case("polynomial_cycle", "PolynomialDecay", 0.1, decay_steps=12, end_learning_rate=0.001, power=0.5,
                     cycle=True)
    yield keras_case("polynomial_rest", "PolynomialDecay", 0.1, 77, {"end_learning_rate": 0.0}, decay_steps=77,
                     end_learning_rate=0.0)
    yield keras_case("cosine", "CosineDecay", 0.1, decay_steps=70)
    yield keras_case("cosine_alpha", "CosineDecay", 0.003, decay_steps=55, alpha=0.1)
    yield keras_case("cosine_rest", "CosineDecay", 0.5, 64, {"alpha": 0.05}, decay_steps=64, alpha=0.05)
    restarts = "CosineDecayRestarts"
    yield keras_case("restarts", restarts, 0.1, 160, first_decay_steps=10)
    yield keras_case("restarts_equal", restarts, 0.1, first_decay_steps=13, t_mul=1.0, m_mul=0.8)
    yield keras_case("restarts_alpha", restarts, 0.2, 200, first_decay_steps=16, t_mul=1.5, m_mul=0.7, alpha=0.05)
    yield torch_case("step", "StepDecay", 0.4, 100, lambda o: lr.StepLR(o, 15, 0.3), {"step_size": 15, "gamma": 0.3})
    yield torch_case("step_default", "StepDecay", 1.0, 40, lambda o: lr.StepLR(o, 10), {"step_size": 10})
    yield torch_case("exponential", "ExponentialDecay", 0.3, 50, lambda o: lr.ExponentialLR(o, 0.93),
                     {"decay_steps": 1, "decay_rate": 0.93})
    yield torch_case("polynomial", "PolynomialDecay", 0.3, 50, lambda o: lr.PolynomialLR(o, 40, 2.0),
                     {"decay_steps": 40, "power": 2.0, "end_learning_rate": 0.0})
    yield torch_case("cosine", "CosineDecay", 0.2, 50, lambda o: lr.CosineAnnealingLR(o, 50, 0.02), {"alpha": 0.1})
    yield torch_case("restarts", restarts, 0.2, 120, lambda o: lr.CosineAnnealingWarmRestarts(o, 8, 3, 0.01),
                     {"first_decay_steps": 8, "t_mul": 3.0, "alpha": 0.05})
    # PyTorch's warm-up starts at the start factor itself; ours is one update further.
    yield torch_case("warmup", "Constant", 0.8, 40, lambda o: lr.LinearLR(o, 0.25, 1.0, 20), {}, ahead=1,
                     warmup={"updates": 20, "start_factor": 0.25})


def plateau_case(name, base, values, monitor="val_loss", **config):
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(base), "mse")
    callback = keras.callbacks.ReduceLROnPlateau(monitor=monitor, **config)
    callback.set_model(model)
    callback.on_train_begin()
    rates = []
    for epoch, value in enumerate(values):
        callback.on_epoch_end(epoch, {monitor: value})
        rates.append(float(model.optimizer.learning_rate))
    return {"name": name, "config": {"monitor": monitor} | config, "base": base, "values": values, "rates": rates}


def plateau_cases():
    flat = [1.0] * 12
    noisy = [float(f"{v:.6g}") for v in 1.0 / np.arange(1, 41) + 0.05 * np.random.default_rng(3).standard_normal(40)]
    yield plateau_case("flat", 0.1, flat, patience=3, factor=0.5)
    yield plateau_case("patience_0", 0.1, flat[:5], patience=0, factor=0.5)
    yield plateau_case("cooldown", 0.1, flat * 2, patience=2, factor=0.5, cooldown=3)
    yield plateau_case("lowest", 0.1, flat * 2, patience=1, factor=0.3, min_lr=0.004)
    yield plateau_case("at_the_threshold", 0.1, [1.0, 0.75, 0.5, 0.25, 0.25], patience=1, factor=0.5, min_delta=0.25)
    yield plateau_case("noisy", 0.2, noisy, patience=3, factor=0.7, cooldown=2, min_delta=0.01, min_lr=0.01)
    yield plateau_case("max", 0.2, [0.1, 0.3, 0.3, 0.2, 0.4, 0.41, 0.4, 0.41, 0.6, 0.6, 0.6], "val_accuracy", mode="max",
                       patience=2, factor=0.1, min_delta=0.02)


if __name__ == "__main__":
    keras.config.set_floatx("float64")
    json_lists.write(HERE / "schedules.json", schedule_cases())
    json_lists.write(HERE / "plateaus.json", plateau_cases())

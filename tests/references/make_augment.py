"""Images transformed by Keras's Random... layers with given transforms, stored in augment.json (see README.md)."""

import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_ENABLE_X64"] = "1"

import pathlib

import jax
import json_lists
import keras
import numpy as np

HERE = pathlib.Path(__file__).parent


class Maker:
    def __init__(self):
        self.random = np.random.default_rng(19)
        self.cases = []

    def add(self, name, class_name, shape, config, drawn=None, scale=1.0):
        """drawn: Keras's transform, where no configuration of the layer fixes it; for all images alike."""
        x = (scale * self.random.standard_normal(shape)).astype(np.float32)
        dy = self.random.standard_normal(shape).astype(np.float32)
        layer = getattr(keras.layers, class_name)(**config)
        values = np.asarray(x, np.float64)
        if drawn is None:
            transform = layer.get_random_transformation(values, training=True)
        else:
            key, value = next(iter(drawn.items()))
            transform = {key: np.full((shape[0], 1, 1, 1), value), "input_shape": shape}
        output, pull = jax.vjp(lambda image: layer.transform_images(image, transform, training=True), values)
        if output.dtype != np.float64:
            raise SystemExit(f"{class_name} {config} computed in {output.dtype}")
        self.cases.append(
            {
                "name": name,
                "class_name": class_name,
                "config": config,
                "drawn": drawn,
                "input": json_lists.lists(x),
                "output": json_lists.lists(output),
                "output_gradient": json_lists.lists(dy),
                "input_gradient": json_lists.lists(pull(np.asarray(dy, np.float64))[0]),
            }
        )


def main():
    keras.config.set_floatx("float64")
    make = Maker()
    for mode in ("horizontal", "vertical", "horizontal_and_vertical"):
        for flips in (True, False):
            make.add(f"{mode}_{flips}", "RandomFlip", (1, 3, 4, 2), {"mode": mode}, {"flips": flips})
    sampling = [
        {},
        {"fill_mode": "constant", "fill_value": 0.75},
        {"fill_mode": "nearest"},
        {"fill_mode": "wrap"},
        {"fill_mode": "reflect", "interpolation": "nearest"},
        {"fill_mode": "constant", "interpolation": "nearest", "fill_value": -2.0},
    ]
    for number, extra in enumerate(sampling):
        for label, height, width in (("small", 0.23, -0.11), ("large", -0.83, 0.92)):
            config = {"height_factor": [height, height], "width_factor": [width, width], **extra}
            make.add(f"{label}_{number}", "RandomTranslation", (1, 5, 4, 2), config)
        for label, turns in (("small", 0.07), ("large", -0.41)):
            make.add(f"{label}_{number}", "RandomRotation", (1, 4, 6, 2), {"factor": [turns, turns], **extra})
        for label, height, width in (("out", 0.37, 0.61), ("in", -0.34, -0.55), ("proportional", 0.27, None)):
            config = {
                "height_factor": [height, height],
                "width_factor": None if width is None else [width, width],
                **extra,
            }
            make.add(f"{label}_{number}", "RandomZoom", (1, 5, 6, 2), config)
    make.add("quarter_turn", "RandomRotation", (1, 4, 4, 1), {"factor": [0.25, 0.25], "fill_mode": "constant"})
    make.add("whole_shift", "RandomTranslation", (1, 3, 3, 1), {"height_factor": [1, 1], "width_factor": [0, 0]})
    for label, drawn, values, scale in (
        ("less", 0.55, [-20, 20], 1.0),
        ("more", 1.85, [-20, 20], 1.0),
        ("cut", 1.6, [-0.8, 0.9], 1.0),
        ("bytes", 1.4, [0, 255], 90.0),
    ):
        config = {"factor": 0.9, "value_range": values}
        make.add(label, "RandomContrast", (1, 4, 3, 2), config, {"contrast_factor": drawn}, scale)
    json_lists.write(HERE / "augment.json", make.cases)


if __name__ == "__main__":
    main()

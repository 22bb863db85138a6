"""Values and gradients of every layer from Keras on JAX in float64, stored in layers/ (see README.md)."""

import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_ENABLE_X64"] = "1"

import pathlib

import jax
import json_lists
import keras
import numpy as np

HERE = pathlib.Path(__file__).parent / "layers"
ACTIVATIONS = (
    "linear relu sigmoid tanh softplus softsign elu selu exponential leaky_relu relu6 silu hard_silu gelu "
    "hard_sigmoid mish celu hard_tanh hard_shrink soft_shrink tanh_shrink squareplus sparse_plus log_sigmoid "
    "sparse_sigmoid softmax log_softmax sparsemax"
).split()
# Away from the kinks of every activation (0, 0.5, 1, 3 and 6 with either sign).
ACTIVATION_POINTS = [-7.25, -4.5, -2.625, -1.375, -0.8, -0.31, -0.02, 0.04, 0.37, 0.71, 1.45, 2.9, 4.2, 5.75, 8.5]


class Maker:
    """Collects the cases of one layer; its random numbers depend on the layer's name alone."""

    def __init__(self, class_name):
        self.class_name = class_name
        self.random = np.random.default_rng([ord(c) for c in class_name])
        self.cases = []

    def draw(self, shape):
        """Standard normal, exact in float32."""
        return self.random.standard_normal(shape).astype(np.float32)

    def add(self, name, inputs, config=None, training=True):
        """inputs: shapes of random float inputs, or arrays."""
        config = config or {}
        arrays = [self.draw(x) if isinstance(x, tuple) else np.asarray(x) for x in inputs]
        layer = getattr(keras.layers, self.class_name)(**config)
        if getattr(layer, "activation", None) is keras.activations.tanh:
            layer.activation = jax.numpy.tanh  # keras.activations.tanh rounds float64 to float32
        whole = arrays[0].dtype == np.uint8
        values = [a.astype(np.float64) for a in arrays]
        layer.build(values[0].shape if len(values) == 1 else [v.shape for v in values])
        weights = [self.weight(w) for w in layer.weights]
        self.cases.append(
            {
                "name": name,
                "class_name": self.class_name,
                "config": config,
                "training": training,
                "input_dtype": "uint8" if whole else "float32",
                "inputs": [json_lists.lists(a) for a in arrays],
                "weights": [
                    {"name": w.path.split("/")[-1], "trainable": bool(w.trainable), "value": json_lists.lists(v)}
                    for w, v in zip(layer.weights, weights)
                ],
                **self.evaluate(layer, values, weights, training, whole),
            }
        )

    def weight(self, variable):
        value = 0.5 * self.draw(variable.shape)
        if variable.path.endswith("variance") or variable.path.endswith("gamma"):
            value = np.abs(value) + np.float32(0.5)
        return value.astype(np.float32)

    def evaluate(self, layer, values, weights, training, whole):
        trainable = [w for w, v in zip(weights, layer.weights) if v.trainable]
        fixed = [w for w, v in zip(weights, layer.weights) if not v.trainable]
        as_double = lambda arrays: [np.asarray(a, np.float64) for a in arrays]
        fixed = as_double(fixed)
        extra = {"training": training} if self.class_name == "BatchNormalization" else {}

        def call(parameters, inputs):
            argument = inputs[0] if len(inputs) == 1 else inputs
            return layer.stateless_call(parameters, fixed, argument, **extra)

        output, pull, fixed_after = jax.vjp(call, as_double(trainable), values, has_aux=True)
        if output.dtype != np.float64:
            raise SystemExit(f"{self.class_name} {layer.get_config()} computed in {output.dtype}")
        upstream = self.draw(output.shape)
        weight_gradients, input_gradients = pull(np.asarray(upstream, np.float64))
        after, fixed_after = [], list(fixed_after)
        for variable, weight in zip(layer.weights, weights):
            after.append(weight if variable.trainable else fixed_after.pop(0))
        return {
            "output": json_lists.lists(output),
            "output_gradient": json_lists.lists(upstream),
            "input_gradients": [] if whole else [json_lists.lists(g) for g in input_gradients],
            "weight_gradients": [json_lists.lists(g) for g in weight_gradients],
            "weights_after": [json_lists.lists(w) for w in after],
        }

    def write(self):
        json_lists.write(HERE / f"{self.class_name}.json", self.cases)


def shape_layers():
    make = Maker("Rescaling")
    pixels = make.random.integers(0, 256, (2, 3, 4, 1)).astype(np.uint8)
    make.add("pixels", [pixels], {"scale": 1 / 255})
    make.add("offset", [pixels], {"scale": 1 / 127.5, "offset": -1.0})
    make.add("floats", [(3, 5)], {"scale": -0.5, "offset": 2.25})
    yield make
    make = Maker("Flatten")
    make.add("image", [(2, 3, 4, 2)])
    make.add("rows", [(3, 5)])
    yield make
    make = Maker("Reshape")
    make.add("image", [(2, 12)], {"target_shape": [2, 3, 2]})
    make.add("unknown_axis", [(2, 3, 4)], {"target_shape": [-1, 2]})
    yield make
    make = Maker("Add")
    make.add("two", [(3, 4)] * 2)
    make.add("three_images", [(2, 2, 3, 2)] * 3)
    yield make
    make = Maker("Concatenate")
    make.add("last_axis", [(2, 2, 3, 2), (2, 2, 3, 1), (2, 2, 3, 3)], {"axis": -1})
    make.add("axis_1", [(2, 2, 3, 2), (2, 1, 3, 2)], {"axis": 1})
    make.add("axis_2", [(2, 2, 1, 2), (2, 2, 3, 2)], {"axis": 2})
    make.add("rows", [(3, 4), (3, 2)], {"axis": -1})
    yield make


def dense():
    make = Maker("Dense")
    make.add("linear", [(3, 5)], {"units": 4})
    make.add("relu", [(5, 7)], {"units": 6, "activation": "relu"})
    make.add("no_bias_tanh", [(4, 3)], {"units": 5, "use_bias": False, "activation": "tanh"})
    make.add("softmax", [(3, 4)], {"units": 5, "activation": "softmax"})
    make.add("gelu", [(3, 4)], {"units": 3, "activation": "gelu"})
    make.add("one_row", [(1, 9)], {"units": 1, "activation": "sigmoid"})
    make.add("positions", [(2, 3, 4)], {"units": 5, "activation": "elu"})
    return make


def conv2d():
    make = Maker("Conv2D")

    def add(name, shape, filters, kernel, **config):
        make.add(name, [shape], {"filters": filters, "kernel_size": kernel, **config})

    add("valid", (2, 5, 4, 2), 3, [3, 3])
    add("valid_relu", (1, 6, 6, 1), 4, [3, 3], activation="relu")
    add("same", (2, 4, 5, 2), 3, [3, 3], padding="same")
    add("same_even_kernel", (1, 5, 4, 2), 2, [2, 4], padding="same")
    add("same_stride_2", (1, 6, 5, 2), 3, [3, 3], strides=[2, 2], padding="same")
    add("valid_strides_2_1", (2, 7, 5, 1), 2, [3, 2], strides=[2, 1])
    add("stride_beyond_kernel", (1, 7, 7, 2), 2, [2, 2], strides=[3, 3])
    add("dilation", (1, 7, 6, 2), 2, [3, 2], dilation_rate=[2, 3])
    add("dilation_same", (1, 6, 6, 1), 2, [3, 3], dilation_rate=[2, 2], padding="same")
    add("groups", (2, 4, 4, 4), 6, [3, 3], groups=2, padding="same")
    add("depthwise_groups", (1, 5, 5, 3), 3, [3, 3], groups=3, activation="tanh")
    add("one_by_one", (2, 3, 3, 4), 5, [1, 1], use_bias=False, activation="sigmoid")
    add("softmax", (1, 4, 4, 2), 3, [2, 2], activation="softmax")
    return make


def pooling():
    for class_name in ("MaxPooling2D", "AveragePooling2D"):
        make = Maker(class_name)
        make.add("pool_2", [(2, 4, 6, 2)], {"pool_size": [2, 2]})
        make.add("odd_size", [(1, 5, 7, 2)], {"pool_size": [2, 2]})
        make.add("overlap", [(1, 5, 6, 2)], {"pool_size": [3, 2], "strides": [1, 2]})
        make.add("same", [(2, 5, 5, 2)], {"pool_size": [2, 2], "padding": "same"})
        make.add("same_overlap", [(1, 5, 4, 3)], {"pool_size": [3, 3], "strides": [2, 1], "padding": "same"})
        make.add("gaps", [(1, 7, 7, 1)], {"pool_size": [2, 2], "strides": [3, 3]})
        # Every value is negative: padding must not win, or count.
        negative = -np.abs(make.draw((1, 3, 3, 2))) - np.float32(1)
        make.add("same_negative", [negative], {"pool_size": [2, 2], "strides": [1, 1], "padding": "same"})
        yield make
    make = Maker("GlobalAveragePooling2D")
    make.add("image", [(3, 4, 5, 3)])
    make.add("keepdims", [(2, 3, 2, 4)], {"keepdims": True})
    yield make


def batch_normalization():
    make = Maker("BatchNormalization")
    make.add("training_rows", [(6, 4)])
    make.add("training_image", [(3, 3, 4, 3)], {"momentum": 0.9, "epsilon": 1e-5})
    make.add("training_plain", [(5, 3)], {"center": False, "scale": False})
    make.add("training_no_scale", [(5, 3)], {"scale": False})
    make.add("training_no_center", [(5, 3)], {"center": False})
    make.add("training_far_mean", [make.draw((8, 2)) + np.float32(50)])
    make.add("inference_rows", [(6, 4)], training=False)
    make.add("inference_image", [(2, 3, 3, 3)], training=False)
    make.add("inference_plain", [(4, 3)], {"center": False, "scale": False}, training=False)
    return make


def activation():
    make = Maker("Activation")
    points = np.array(ACTIVATION_POINTS, np.float32).reshape(3, 5)
    far = np.array([[-60.0, -25.0, 22.0, 55.0]], np.float32)
    for name in ACTIVATIONS:
        make.add(name, [points], {"activation": name})
        make.add(f"{name}_far", [far], {"activation": name})
    for name in ("softmax", "log_softmax", "sparsemax"):
        make.add(f"{name}_positions", [(2, 2, 4)], {"activation": name})
    return make


if __name__ == "__main__":
    keras.config.set_floatx("float64")
    for maker in [*shape_layers(), dense(), conv2d(), *pooling(), batch_normalization(), activation()]:
        maker.write()

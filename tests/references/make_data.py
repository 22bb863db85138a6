"""Writes data/: small files of numpy, h5py and Pillow, and what these programs read from them.

Points of the generators are computed in float64 from the formulas in engine/data/generators.cpp's
parameters and philox.py. Needs numpy, h5py and Pillow.
"""

import json
from pathlib import Path

import h5py
import numpy as np
from PIL import Image

import philox

OUT = Path(__file__).parent / "data"
STREAM = 0x504F4953


def draws(seed, count):
    words = philox.draw(seed, STREAM, 0, np.arange(count))
    t = philox.uniform(words[:, 0]).astype(np.float64)
    radius = np.sqrt(-2 * np.log((words[:, 1] + 1.0) * 2.0**-32))
    angle = 2 * np.pi * (words[:, 2] * 2.0**-32)
    return t, radius * np.cos(angle), radius * np.sin(angle)


def points():
    """Cases: configuration, and (x, y) of the first samples; sample i is of class i modulo the classes."""
    count = 7
    cases = []

    def add(config, classes, place, noise, values=False):
        t, a, b = draws(config["seed"], count)
        label = np.arange(count) % classes
        x, y = place(label, t)
        x = x if values else x + noise * a
        cases.append({"config": config, "labels": label.tolist(), "x": x.tolist(), "y": (y + noise * b).tolist()})

    def spiral(classes, turns):
        def place(label, t):
            radius = 0.05 + 0.95 * t
            angle = 2 * np.pi * (label / classes + turns * radius)
            return radius * np.cos(angle), radius * np.sin(angle)

        return place

    def moon(label, t):
        x, y = np.cos(np.pi * t), np.sin(np.pi * t)
        return np.where(label == 0, x, 1 - x), np.where(label == 0, y, 0.5 - y)

    def circle(factor):
        def place(label, t):
            radius = np.where(label == 0, 1.0, factor)
            return radius * np.cos(2 * np.pi * t), radius * np.sin(2 * np.pi * t)

        return place

    add({"type": "spirals", "seed": 1, "count": count}, 3, spiral(3, 1.0), 0.03)
    add({"type": "spirals", "seed": 5, "count": count, "classes": 2, "turns": 2.5, "noise": 0}, 2, spiral(2, 2.5), 0.0)
    add({"type": "moons", "seed": 2**40 + 3, "count": count, "noise": 0.2}, 2, moon, 0.2)
    add({"type": "circles", "seed": 4, "count": count, "factor": 0.25}, 2, circle(0.25), 0.05)
    add({"type": "noisy_sine", "seed": 6, "count": count, "periods": 1.5, "noise": 0.3}, 1,
        lambda label, t: (2 * t - 1, np.sin(2 * np.pi * 1.5 * t)), 0.3, values=True)
    (OUT / "points.json").write_text(json.dumps(cases, indent=1) + "\n")


def arrays():
    """x[i, r, c] = 31 i + 7 r + c modulo 256, y[i] = i modulo 3, and the same in other forms."""
    i, r, c = np.ogrid[:6, :4, :5]
    x = ((31 * i + 7 * r + c) % 256).astype(np.uint8)
    y = np.arange(6) % 3
    values = (np.arange(18).reshape(6, 3) * 0.125 - 1).astype(np.float32)
    forms = {
        "x_train": x, "y_train": y, "x_test": x[:2], "y_test": y[:2],
        "half": values.astype(np.float16), "double": values.astype(np.float64), "fortran": np.asfortranarray(values),
        "big": values.astype(">f4"), "short": (values * 8).astype("<i2"), "single": values, "flat": x.reshape(6, 20),
        "flags": y > 0, "wide": y.astype(np.uint64), "column": y.reshape(6, 1).astype(np.int8),
    }
    np.savez(OUT / "arrays.npz", **forms)
    np.savez_compressed(OUT / "arrays_packed.npz", **forms)
    with h5py.File(OUT / "arrays.h5", "w", libver="earliest", track_order=False) as file:
        packed = {"chunks": (2, 3, 5), "compression": "gzip", "shuffle": True, "fletcher32": True}
        file.create_dataset("train/x", data=x, track_times=False, **packed)
        file.create_dataset("train/y", data=y, track_times=False)
        file.create_dataset("test/x", data=x[:2], track_times=False, chunks=(1, 4, 5))
        file.create_dataset("test/y", data=y[:2].astype(np.uint8), track_times=False)
        for name in ("half", "double", "big", "short", "single", "flags", "wide", "column"):
            file.create_dataset(name, data=forms[name], track_times=False)
            file.create_dataset("chunked/" + name, data=forms[name], track_times=False, chunks=True)
        file.create_dataset("list_classes", data=np.array([b"cat", b"dog", b"eel"]), track_times=False)


def picture(mode):
    """29 x 37 (height x width): slopes with a few sharp edges, so that every filter and rounding shows."""
    y, x = np.mgrid[:29, :37]
    planes = [(x * 7 + y * 3) % 256, (x * x + 11 * y) % 256, np.where((x // 5 + y // 4) % 2 == 0, 230, 20)]
    rgb = Image.fromarray(np.stack(planes, -1).astype(np.uint8), "RGB")
    return rgb if mode == "RGB" else rgb.convert(mode)


def smooth():
    y, x = np.mgrid[:48, :64]
    planes = [x * 4, y * 5, 128 + 100 * np.sin(x / 9) * np.cos(y / 7)]
    return Image.fromarray(np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8), "RGB")


def resized(image, box=None):
    return np.asarray((image.crop(box) if box else image).resize((12, 16), Image.BILINEAR))


def images():
    folder = OUT / "images"
    folder.mkdir(exist_ok=True)
    picture("RGB").save(folder / "rgb.png", optimize=True)
    picture("L").save(folder / "gray.png", optimize=True)
    picture("RGB").quantize(16).save(folder / "palette.png", optimize=True)
    rgba = picture("RGB")
    rgba.putalpha(picture("L"))
    rgba.save(folder / "rgba.png", optimize=True)
    picture("L").point(lambda v: 255 * (v > 128)).convert("1").save(folder / "bits.png", optimize=True)
    sixteen = np.asarray(picture("L")).astype(np.uint16) * 257 - 3 * (np.asarray(picture("L")) > 9)
    Image.fromarray(sixteen.astype(np.uint16)).save(folder / "sixteen.png")
    smooth().save(folder / "photo.jpg", quality=85)
    smooth().save(folder / "progressive.jpg", quality=80, progressive=True)
    smooth().convert("L").save(folder / "gray.jpg", quality=85)
    smooth().convert("CMYK").save(folder / "inks.jpg", quality=95)
    expected = {}
    for path in sorted(folder.iterdir()):
        with Image.open(path) as image:
            if path.name == "sixteen.png":
                image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
            rgb = image.convert("RGB")
            # A JPEG's luminance is in the file; that of a PNG is computed.
            image.draft("L", image.size) if path.suffix == ".jpg" and path.name != "inks.jpg" else None
            gray = image.convert("L") if path.suffix == ".jpg" else rgb.convert("L")
        expected[path.stem + "_" + path.suffix[1:] + "_pixels"] = np.asarray(rgb)
        expected[path.stem + "_" + path.suffix[1:] + "_rgb"] = resized(rgb)
        expected[path.stem + "_" + path.suffix[1:] + "_gray"] = resized(gray)
    expected["larger"] = np.asarray(picture("RGB").resize((50, 41), Image.BILINEAR))
    # The middle of 29 x 37 in the shape 16 : 12 is 29 x 21, from column 8 on.
    expected["cropped"] = resized(picture("RGB"), (8, 0, 29, 29))
    np.savez_compressed(OUT / "images.npz", **expected)


def main():
    philox.check()
    OUT.mkdir(exist_ok=True)
    points()
    arrays()
    images()


if __name__ == "__main__":
    main()

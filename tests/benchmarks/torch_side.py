"""Trains the models of models.cpp with PyTorch from data in memory, as training_speed does.

Reads lines from the standard input: each trains for so many seconds and is answered by a line of JSON.
"""

import argparse
import json
import sys
import time

import torch
from torch import nn

BATCH_CHECK = 8


class Classic(nn.Module):
    def __init__(self):
        super().__init__()
        self.stack = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))

    def forward(self, images):
        return self.stack(images.float().mul(1 / 255))


class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.stack = nn.Sequential(
            nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 10)
        )

    def forward(self, images):
        return self.stack(images.float().mul(1 / 255))


class Cnn(nn.Module):
    def __init__(self, channels_last):
        super().__init__()
        self.channels_last = channels_last
        self.stack = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Dropout(0.25),
            nn.Linear(3136, 10),
        )
        if channels_last:
            self.to(memory_format=torch.channels_last)

    def forward(self, images):
        x = images.float().mul(1 / 255).view(-1, 1, 28, 28)
        if self.channels_last:
            x = x.contiguous(memory_format=torch.channels_last)
        return self.stack(x)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.BatchNorm2d(channels, eps=1e-3, momentum=0.01),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.BatchNorm2d(channels, eps=1e-3, momentum=0.01),
        )

    def forward(self, x):
        return nn.functional.relu(self.body(x) + x)


class Residual(nn.Module):
    def __init__(self, channels_last):
        super().__init__()
        self.channels_last = channels_last
        self.stack = nn.Sequential(
            nn.Conv2d(1, 64, 3, padding=1), nn.ReLU(), Block(64), Block(64), Block(64),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)
        )
        if channels_last:
            self.to(memory_format=torch.channels_last)

    forward = Cnn.forward


def make_data(count, sample):
    """The recipe of synthetic_data.cpp: a pattern a class, under noise."""
    torch.manual_seed(1)
    patterns = torch.randint(0, 128, (10, sample), dtype=torch.uint8)
    labels = torch.arange(count) % 10
    images = torch.empty(count, sample, dtype=torch.uint8)
    for first in range(0, count, 1000):
        part = slice(first, first + 1000)
        images[part] = patterns[labels[part]] + torch.randint(0, 128, images[part].shape, dtype=torch.uint8)
    return images, labels


class Batches:
    def __init__(self, images, labels, size):
        self.images, self.labels, self.size = images, labels, size
        self.at = len(labels)

    def next(self):
        if self.at + self.size > len(self.labels):
            self.order = torch.randperm(len(self.labels))
            self.at = 0
        rows = self.order[self.at : self.at + self.size]
        self.at += self.size
        return self.images[rows], self.labels[rows]


class GpuBatches(Batches):
    """Gathered into pinned memory and copied beside the work of the step before."""

    def __init__(self, images, labels, size, device):
        super().__init__(images, labels, size)
        self.device, self.slot = device, 0
        self.pinned = [(torch.empty(size, images.shape[1], dtype=torch.uint8).pin_memory(),
                        torch.empty(size, dtype=labels.dtype).pin_memory(), torch.cuda.Event()) for _ in range(4)]

    def next(self):
        images, labels, copied = self.pinned[self.slot]
        self.slot = (self.slot + 1) % len(self.pinned)
        copied.synchronize()
        for target, source in zip((images, labels), super().next()):
            target.copy_(source)
        on_device = images.to(self.device, non_blocking=True), labels.to(self.device, non_blocking=True)
        copied.record()
        return on_device


def make_step(model, compiled, precision, device="cpu"):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-7, fused=True)

    def loss_of(images, labels):
        with torch.autocast(device.split(":")[0], torch.bfloat16, enabled=precision == "mixed_bfloat16"):
            logits = model(images)
        return nn.functional.cross_entropy(logits.float(), labels)

    run = torch.compile(loss_of) if compiled else loss_of

    def step(images, labels):
        optimizer.zero_grad(set_to_none=True)
        loss = run(images, labels)
        loss.backward()
        optimizer.step()
        # A GPU is not waited for in each step; the sum is read at the end.
        return loss.item() if device == "cpu" else loss.detach()

    return step


def peak_kilobytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=["classic", "cnn", "residual", "wide"], default="classic")
    parser.add_argument("--precision", choices=["float32", "mixed_bfloat16"], default="float32")
    parser.add_argument("--way", choices=["eager", "channels_last", "compile"], default="eager")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--samples", type=int, default=60000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="cpu or cuda:0")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    on_gpu = options.device != "cpu"
    if on_gpu:  # products and convolutions in float32 as ours
        torch.backends.cudnn.benchmark = True
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
        torch.cuda.set_device(options.device)
    models = {"classic": Classic, "wide": Wide, "cnn": lambda: Cnn(options.way != "eager"),
              "residual": lambda: Residual(options.way != "eager")}
    model = models[options.model]().to(options.device)
    step = make_step(model, options.way == "compile", options.precision, options.device)
    sample = 1024 if options.model == "wide" else 784
    data = make_data(options.samples, sample)
    batches = GpuBatches(*data, options.batch, options.device) if on_gpu else Batches(*data, options.batch)
    for _ in range(3):  # compiles
        step(*batches.next())
    print("ready", flush=True)
    for line in sys.stdin:
        start, cpu_start, elapsed, steps, loss = time.perf_counter(), time.process_time(), 0.0, 0, 0.0
        while elapsed < float(line):
            for _ in range(BATCH_CHECK):
                loss += step(*batches.next())
            steps += BATCH_CHECK
            if on_gpu:
                torch.cuda.synchronize()
            elapsed = time.perf_counter() - start
        samples, cpu = steps * options.batch, time.process_time() - cpu_start
        rates = {"samples_per_s": samples / elapsed, "samples_per_cpu_s": samples / cpu}
        answer = {**rates, "loss": float(loss) / steps, "peak_kb": peak_kilobytes()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

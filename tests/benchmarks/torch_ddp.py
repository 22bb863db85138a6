"""Trains a model of torch_side.py by DistributedDataParallel with gloo in two processes of one thread.

Rank 0 reads lines from the standard input: each trains for so many seconds and is answered by a line of JSON.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time

import torch
import torch.distributed as dist

import torch_side

STEPS_BETWEEN_LOOKS = 4
PROCESSES = 2


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def from_first(number):
    value = torch.tensor([number], dtype=torch.float64)
    dist.broadcast(value, 0)
    return value.item()


def train(step, batches, batch, seconds):
    start, steps = time.perf_counter(), 0
    while from_first(seconds - (time.perf_counter() - start)) > 0:
        for _ in range(STEPS_BETWEEN_LOOKS):
            step(*batches.next())
        steps += STEPS_BETWEEN_LOOKS
    return {"samples_per_s": PROCESSES * steps * batch / (time.perf_counter() - start)}


def work(options):
    rank = int(os.environ["RANK"])
    torch.set_num_threads(1)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[rank % len(cores)]})
    dist.init_process_group("gloo", rank=rank, world_size=PROCESSES)
    models = {"wide": torch_side.Wide, "cnn": lambda: torch_side.Cnn(options.way == "channels_last")}
    model = torch.nn.parallel.DistributedDataParallel(models[options.model]())
    step = torch_side.make_step(model, options.way == "compile", "float32")
    batches = torch_side.Batches(*torch_side.make_data(16384, 1024 if options.model == "wide" else 784), options.batch)
    for _ in range(3):
        step(*batches.next())
    if rank == 0:
        print("ready", flush=True)
    while True:
        line = sys.stdin.readline() if rank == 0 else ""
        seconds = from_first(float(line) if line.strip() else -1.0)
        if seconds < 0:
            break
        answer = train(step, batches, options.batch, seconds)
        if rank == 0:
            print(json.dumps(answer), flush=True)
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=["cnn", "wide"], default="cnn")
    parser.add_argument("--way", choices=["eager", "channels_last", "compile"], default="eager")
    parser.add_argument("--batch", type=int, default=256)
    options = parser.parse_args()
    if "RANK" in os.environ:
        return work(options)
    meeting = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "GLOO_SOCKET_IFNAME": "lo"}
    command = [sys.executable, *sys.argv]
    other = subprocess.Popen(command, env={**os.environ, **meeting, "RANK": "1"}, stdin=subprocess.DEVNULL)
    os.environ.update(meeting, RANK="0")
    work(options)
    return other.wait()


if __name__ == "__main__":
    sys.exit(main())

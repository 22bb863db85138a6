"""One device against two, in one process and by MPI in two, and against PyTorch's DistributedDataParallel.

python3 compare_many.py --program build/bin/process_speed [--python PYTHON_WITH_TORCH] [--models cnn wide] [--rounds 5]

Every device has one thread and the same number of samples a step. The programs take turns; medians of the ratios count.
"""

import argparse
import pathlib
import statistics

from compare import Worker

HERE = pathlib.Path(__file__).parent
WAYS = {"cnn": ["eager", "channels_last"], "wide": ["eager"]}
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", "2"]


def workers_of(options, model):
    ours = [options.program, model, str(options.batch)]
    commands = {"one": [*ours, "1"], "replicas": [*ours, "2"], "processes": [*MPIRUN, *ours, "1"]}
    if options.python:
        for way in WAYS[model]:
            theirs = [options.python, str(HERE / "torch_ddp.py"), "--model", model, "--way", way]
            commands[f"torch, {way}"] = [*theirs, "--batch", str(options.batch)]
    return {name: Worker(command) for name, command in commands.items()}


def compare(options, model):
    workers = workers_of(options, model)
    rates = {name: [] for name in workers}
    exposed = {}
    for worker in workers.values():
        worker.run(options.seconds / 2)
    for _ in range(options.rounds):
        for name, worker in workers.items():
            answer = worker.run(options.seconds)
            rates[name].append(answer["samples_per_s"])
            exposed.setdefault(name, []).append(answer.get("exposed", 0.0))
    for worker in workers.values():
        worker.close()

    def ratio(name, other):
        return statistics.median(a / b for a, b in zip(rates[name], rates[other]))

    print(f"{model}, batch {options.batch} a device: one device {statistics.median(rates['one']):,.0f} samples/s")
    for name, label in (("replicas", "two replicas"), ("processes", "two MPI processes")):
        print(f"  {label}: {ratio(name, 'one'):.2f} times one device; of the exchange "
              f"{100 * statistics.median(exposed[name]):.0f} % is not hidden")
    for name in rates:
        if name.startswith("torch"):
            print(f"  {name}, two processes: {statistics.median(rates[name]):,.0f} samples/s; two replicas are "
                  f"{ratio('replicas', name):.2f}, two MPI processes {ratio('processes', name):.2f} times as fast")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--python", help="with PyTorch; without it there is no comparison with it")
    parser.add_argument("--models", nargs="+", choices=list(WAYS), default=["cnn", "wide"])
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    for model in options.models:
        compare(options, model)


if __name__ == "__main__":
    main()

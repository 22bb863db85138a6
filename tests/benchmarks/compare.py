"""Compares training_speed with PyTorch: programs take turns, and the median of the ratios counts.

python3 compare.py --program build/bin/training_speed --python PYTHON_WITH_TORCH [--threads 2] [--rounds 7]

On a machine that others use at the same time, --threads 1 --clock cpu counts the processes' own time.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).parent
CLOCKS = {"wall": "samples_per_s", "cpu": "samples_per_cpu_s"}
MODELS = {"classic": ["eager", "compile"], "cnn": ["eager", "channels_last", "compile"], "wide": ["eager", "compile"]}


class Worker:
    """A program that trains for as many seconds as a line says; idle between lines."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.rates = []
        self.expect("ready")

    def expect(self, what):
        line = self.process.stdout.readline().strip()
        if what and line != what:
            raise SystemExit(f"{self.process.args[0]} did not start: {line!r}")
        return line

    def run(self, seconds):
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        return json.loads(self.expect(None))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def limit_of(program):
    """Samples/s of oneDNN's own products and convolutions of a step, the best of three."""
    answers = [subprocess.run([*program, "--mode", "limit"], capture_output=True, text=True, check=True) for _ in range(3)]
    return max(json.loads(answer.stdout)["samples_per_s"] for answer in answers)


def share(value):
    return "–" if value is None else f"{100 * value:.0f} %"


def compare(options, model):
    ours = [options.program, "--model", model, "--threads", str(options.threads), "--batch", str(options.batch)]
    if options.precision != "float32":
        ours += ["--precision", options.precision]
    theirs = [options.python, str(HERE / "torch_side.py"), *ours[1:]]
    workers = {"strata": Worker(ours)}
    if options.precision != "float32":
        workers["float32"] = Worker([*ours, "--precision", "float32"])
    for way in MODELS[model]:
        workers[way] = Worker([*theirs, "--way", way])
    rates = {name: [] for name in workers}
    for worker in workers.values():
        worker.run(options.seconds)  # warms up
    for _ in range(options.rounds):
        for name, worker in workers.items():
            answer = worker.run(options.seconds)
            rates[name].append(answer[CLOCKS[options.clock]])
            worker.peak, worker.loss = answer["peak_kb"] / 1024, answer["loss"]
    for worker in workers.values():
        worker.close()
    best = max(MODELS[model], key=lambda way: statistics.median(rates[way]))
    limit = limit_of(ours) if options.precision == "float32" else None
    return {
        "model": model,
        "ours": statistics.median(rates["strata"]),
        "torch": statistics.median(rates[best]),
        "way": best,
        "ratio": statistics.median(a / b for a, b in zip(rates["strata"], rates[best])),
        "float32": statistics.median(a / b for a, b in zip(rates["strata"], rates.get("float32", rates["strata"]))),
        "limit": limit and statistics.median(rates["strata"]) / limit,
        "memory": workers["strata"].peak,
        "torch_memory": workers[best].peak,
        "losses": {name: worker.loss for name, worker in workers.items()},
        "rates": rates,
    }


def print_table(results):
    print("| model | ours, samples/s | PyTorch's | its way | ratio | share of oneDNN's limit | "
          "our peak, MiB | PyTorch's | ratio | ours against float32 |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for r in results:
        print(f"| {r['model']} | {r['ours']:,.0f} | {r['torch']:,.0f} | {r['way']} | {r['ratio']:.2f} | "
              f"{share(r['limit'])} | {r['memory']:.0f} | {r['torch_memory']:.0f} | "
              f"{r['memory'] / r['torch_memory']:.2f} | {r['float32']:.2f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=["classic", "cnn"])
    parser.add_argument("--precision", choices=["float32", "mixed_bfloat16"], default="float32",
                        help="mixed_bfloat16: also against our float32; PyTorch with autocast")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--clock", choices=list(CLOCKS), default="wall")
    parser.add_argument("--json", help="file for all figures")
    options = parser.parse_args()
    results = [compare(options, model) for model in options.models]
    print_table(results)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()

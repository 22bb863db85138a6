"""Training speed on a GPU against PyTorch, and the kernels beside the GPU's own limits, in one run.

python3 compare_gpu.py --build build/release [--python PYTHON_WITH_TORCH] [--device cuda:0] [--json FILE]

Exits with 0 where all aims are met, with 1 where one is missed or something fails, with 77 where there is no GPU.
--report FILE prints the report of a saved run again.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from compare import Worker  # noqa: E402

NO_GPU = 77
MODELS = {"cnn": 512, "residual": 256, "wide": 4096}  # with the batch of each
WAYS = {"cnn": ("eager", "channels_last", "compile"), "residual": ("eager", "channels_last", "compile"),
        "wide": ("eager", "compile")}
PRECISIONS = ("float32", "mixed_bfloat16")
RATIO, RATE_SHARE, COPY_SHARE = 1.1, 0.60, 0.85  # the aims
# Multiplications of a sample of the wide MLP, 1024-4096-4096-10: forward and for the weights' gradients those of all
# layers, for the inputs' gradients those of all but the first.
WIDE = [1024 * 4096, 4096 * 4096, 4096 * 10]
WIDE_FLOPS = 2 * (3 * sum(WIDE) - WIDE[0])


class NoGpu(Exception):
    pass


def described(strata, device):
    """What the GPU is. Raises NoGpu with the reason where it is not there."""
    answer = subprocess.run([strata, "devices", "--json"], capture_output=True, text=True, check=True)
    devices = json.loads(answer.stdout)["devices"]
    for each in devices:
        if each["id"] == device and each["available"]:
            return each["description"]
    reasons = [each["reason"] for each in devices if not each["available"]]
    raise NoGpu("; ".join(reasons) or f"there is no {device}")


def measured_limits(strata, device):
    """The plain product's rate by precision, and each kernel's share of a plain copy; what failed is told and left out."""
    answer = subprocess.run([strata, "devices", "--self-test", device, "--only", "speed", "--json"],
                            capture_output=True, text=True, check=False)
    checks = [json.loads(line) for line in answer.stdout.splitlines()]
    if not checks:
        raise NoGpu(answer.stderr.strip() or f"the self-test of {device} says nothing")
    for each in checks:
        if each.get("event") != "self_test" and each.get("ok") is False:
            print(f"failed: {each.get('what')}, {each.get('precision')}: {each.get('detail')}", file=sys.stderr)
    figures = [(e, e.get("figures") or {}) for e in checks]
    rates = {e["precision"]: f["flops_per_s"] for e, f in figures
             if e.get("what") == "plain product" and "flops_per_s" in f}
    shares = {f"{e['what']}, {e['precision']}": f["share"] for e, f in figures if "copy_bytes_per_s" in f and "share" in f}
    return {"product_flops_per_s": rates, "copy_shares": shares}


def trained(options, model, precision):
    """Samples/s of ours and of each of PyTorch's ways; the programs take turns."""
    common = ["--model", model, "--precision", precision, "--device", options.device, "--batch",
              str(options.batch or MODELS[model]), "--samples", str(options.samples)]
    workers = {"strata": Worker([f"{options.build}/bin/training_speed", *common])}
    if options.python:
        for way in WAYS[model]:
            workers[way] = Worker([options.python, str(HERE.parent / "torch_side.py"), *common, "--way", way])
    rates = {name: [] for name in workers}
    for worker in workers.values():
        worker.run(options.seconds)  # warms up
    for _ in range(options.rounds):
        for name, worker in workers.items():
            rates[name].append(worker.run(options.seconds)["samples_per_s"])
    for worker in workers.values():
        worker.close()
    return {"model": model, "precision": precision, "samples_per_s": rates}


def run(options):
    strata = f"{options.build}/bin/strata"
    result = {"device": options.device, "description": described(strata, options.device)}
    result.update(measured_limits(strata, options.device))
    result["trainings"] = [trained(options, model, precision) for model in options.models
                           for precision in options.precisions]
    return result


def percent(share):
    return f"{100 * share:.0f} %"


def report(result):
    """The lines of the report, and whether all aims are met."""
    lines = [f"{result['device']}: {result['description']}", "",
             "| model | precision | ours, samples/s | PyTorch's | its way | ratio | share of the matrix rate | aims |",
             "|---|---|---|---|---|---|---|---|"]
    met = True
    for training in result["trainings"]:
        rates = training["samples_per_s"]
        ours, theirs = rates["strata"], {way: r for way, r in rates.items() if way != "strata"}
        aims, ratio, best, torch = [], "–", "–", "–"
        if theirs:
            best = max(theirs, key=lambda way: statistics.median(theirs[way]))
            value = statistics.median(a / b for a, b in zip(ours, theirs[best]))
            ratio, torch = f"{value:.2f}", f"{statistics.median(theirs[best]):,.0f}"
            aims.append(value >= RATIO)
        share = "–"
        if training["model"] == "wide":
            rate = result["product_flops_per_s"].get(training["precision"])
            flops = statistics.median(ours) * WIDE_FLOPS / rate if rate else 0.0
            share = percent(flops) if rate else "not known"
            aims.append(flops >= RATE_SHARE)
        met = met and all(aims)
        verdict = "–" if not aims else "met" if all(aims) else "MISSED"
        lines.append(f"| {training['model']} | {training['precision']} | {statistics.median(ours):,.0f} | {torch} | "
                     f"{best} | {ratio} | {share} | {verdict} |")
    lines += ["", "| kernel | share of a plain copy | aim |", "|---|---|---|"]
    for name, share in result["copy_shares"].items():
        met = met and share >= COPY_SHARE
        lines.append(f"| {name} | {percent(share)} | {'met' if share >= COPY_SHARE else 'MISSED'} |")
    lines += ["", f"Aims: {RATIO} times PyTorch's better way, the wide MLP {percent(RATE_SHARE)} of the plain product's "
                  f"rate, kernels {percent(COPY_SHARE)} of a copy's. All met: {'yes' if met else 'no'}."]
    return lines, met


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help="folder of a build with benchmarks")
    parser.add_argument("--python", help="a Python with PyTorch for CUDA; without it only our own rates")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--precisions", nargs="+", choices=PRECISIONS, default=list(PRECISIONS))
    parser.add_argument("--batch", type=int, help="by default " + ", ".join(f"{m} {b}" for m, b in MODELS.items()))
    parser.add_argument("--samples", type=int, default=60000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", help="file for all figures")
    parser.add_argument("--report", help="prints the report of a file that --json wrote")
    options = parser.parse_args(words)
    if (options.build is None) == (options.report is None):
        parser.error("give --build, or --report")
    return options


def main(words=None):
    options = parse(words)
    try:
        result = json.loads(pathlib.Path(options.report).read_text()) if options.report else run(options)
    except NoGpu as reason:
        print(f"There is no GPU to measure: {reason}")
        return NO_GPU
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(result, indent=1) + "\n")
    lines, met = report(result)
    print("\n".join(lines))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

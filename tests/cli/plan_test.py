"""`strata plan`: what it says is what training then holds; what it writes trains; bad input is refused."""

import json
import os
import unittest

from support import CliTest, events, run

ONE_THREAD = ("--set", "placement.threads=1")
HALVES = ("--set", "model.layers.drop.device=cpu:1", "--set", "model.layers.out.device=cpu:1",
          "--set", "placement.micro_batches=4")


def planned(*arguments, fits=True):
    result = run("plan", *arguments, "--json")
    assert result.returncode == (0 if fits else 1), result.stderr
    assert ("does not fit" in result.stderr) == (not fits), result.stderr
    return json.loads(result.stdout)


class Plan(CliTest):
    def trained_plan(self, *arguments):
        return next(e for e in self.trained(*arguments) if e["event"] == "plan")

    def test_its_memory_is_what_training_holds(self):
        for more in ((), ("--set", "placement.replicas=2"), HALVES,
                     (*HALVES, "--set", "placement.replicas=2", "--set", "placement.schedule=gpipe")):
            plan = planned(self.project, *ONE_THREAD, *more)
            real = self.trained_plan(*ONE_THREAD, *more)
            self.assertEqual([d["device"] for d in plan["devices"]], [d["name"] for d in real["devices"]])
            for mine, its in zip(plan["devices"], real["devices"]):
                for category, value in its["memory_bytes"].items():
                    self.assertEqual(mine["memory"][category], value, (category, mine["device"], more))

    def test_edges_links_and_time(self):
        plan = planned(self.project, *ONE_THREAD, *HALVES)
        self.assertEqual([d["device"] for d in plan["devices"]], ["cpu:0", "cpu:1"])
        (edge,) = plan["edges"]
        self.assertEqual((edge["from_layer"], edge["to_layer"]), ("hidden", "drop"))
        self.assertEqual(edge["forward_bytes"], 16 * 32 * 4)
        self.assertEqual(sum(link["bytes"] for link in plan["links"]), edge["forward_bytes"] + edge["backward_bytes"])
        self.assertAlmostEqual(plan["idle_share_formula"], 1 / 5)
        self.assertEqual(len(plan["timeline"]), 2 * 2 * 4)
        self.assertGreater(plan["step_seconds"]["total"], 0.0)
        self.assertAlmostEqual(sum(d["work_share"] for d in plan["devices"]), 1.0)

    def test_the_table_fits_a_terminal(self):
        for more in ((), ("--set", "placement.replicas=2"), HALVES, ("--devices", "4")):
            result = run("plan", self.project, *ONE_THREAD, *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            for line in result.stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)
            for word in ("Device", "weights", "activations", "FLOPs", "Time", "a sample"):
                self.assertIn(word, result.stdout)

    def test_automatic_placement_is_written_and_trains(self):
        out = self.dir / "placed.strata"
        plan = planned(self.project, *ONE_THREAD, "--devices", "2", "--replicas", "1", "--stages", "2",
                       "--micro-batches", "4", "--write", out)
        self.assertEqual((plan["replicas"], plan["stages"], plan["micro_batches"]), (1, 2, 4))
        self.assertIn("begins stage 2", " ".join(plan["reasons"]))
        placed = json.loads(out.read_text(encoding="utf-8"))
        devices = {layer.get("device", "cpu:0") for layer in placed["model"]["layers"]}
        self.assertEqual(devices, {"cpu:0", "cpu:1"})
        self.assertEqual(placed["placement"]["micro_batches"], 4)
        again = planned(out)
        self.assertEqual([d["memory"] for d in again["devices"]], [d["memory"] for d in plan["devices"]])
        result = run("train", out, "--json", "--set", "training.epochs=1")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_number_of_replicas_or_stages_is_a_wish(self):
        self.assertEqual(planned(self.project, *ONE_THREAD, "--replicas", "2")["replicas"], 2)
        named = planned(self.project, *ONE_THREAD, "--set", 'placement.devices=["cpu:0", "cpu:1", "cpu:2"]',
                        "--auto", "--replicas", "1", "--stages", "3")
        self.assertEqual([d["device"] for d in named["devices"]], ["cpu:0", "cpu:1", "cpu:2"])

    def test_force_writes_over_a_file(self):
        result = run("plan", self.project, *ONE_THREAD, "--devices", "2", "--replicas", "2", "--write", self.project,
                     "--force")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(self.project.read_text(encoding="utf-8"))["placement"]["replicas"], 2)

    def test_devices_alone_weighs_every_way(self):
        plan = planned(self.project, *ONE_THREAD, "--devices", "4")
        ways = {(c["replicas"], c["stages"]) for c in plan["candidates"]}
        self.assertLessEqual({(1, 1), (4, 1), (2, 2), (1, 4)}, ways)
        fitting = [c["seconds_per_sample"] for c in plan["candidates"] if c["fits"]]
        self.assertEqual(fitting, sorted(fitting))
        best = plan["candidates"][0]
        self.assertEqual((plan["replicas"], plan["stages"]), (best["replicas"], best["stages"]))

    def test_a_device_that_is_too_small_is_told_with_what_helps(self):
        large = (*ONE_THREAD, "--set", "data.pipeline.batch.batch_size=256")
        need = planned(self.project, *large)["devices"][0]["memory"]["total"]
        limit = ("--set", f"placement.memory_limit={need - 2000}")
        plan = planned(self.project, *large, *limit, fits=False)
        (warning,) = [w for w in plan["warnings"] if w["too_much"]]
        self.assertEqual((warning["device"], warning["too_much"]), ("cpu:0", 2000))
        self.assertFalse(plan["devices"][0]["fits"])
        self.refused(run("train", self.project, *large, *limit), "memory")
        fix = warning["fixes"][0]
        self.assertTrue(fix["fits"])
        settings = [part for key, value in fix["set"].items() for part in ("--set", f"{key}={json.dumps(value)}")]
        mended = planned(self.project, *large, *limit, *settings)
        self.assertTrue(mended["devices"][0]["fits"])
        result = run("plan", self.project, *large, *limit)
        self.refused(result, "bars.strata: the project does not fit into the memory of its devices")
        self.assertIn("Warning", result.stdout)
        self.assertIn("fits", result.stdout)

    def test_each_device_that_is_too_small_is_named(self):
        two = (*ONE_THREAD, "--set", "placement.replicas=2", "--set", "placement.memory_limit=20000")
        plan = planned(self.project, *two, fits=False)
        small = [w for w in plan["warnings"] if w["too_much"]]
        self.assertEqual([w["device"] for w in small], ["cpu:0", "cpu:1"])
        self.assertEqual(len({json.dumps(w["fixes"]) for w in small}), 1)
        text = run("plan", self.project, *two).stdout
        for device in ("cpu:0", "cpu:1"):
            self.assertIn(f"{device} needs", text)
        self.assertEqual(text.count("the same helps as on cpu:0"), 1 if small[0]["fixes"] else 0)

    def test_more_devices_are_told_where_those_named_are_too_few(self):
        def deep(content):
            layers = content["model"]["layers"]
            layers[3:] = [{"name": f"hidden_{i}", "type": "Dense", "config": {"units": 64},
                           "inputs": [f"hidden_{i - 1}" if i else "flatten"]} for i in range(8)]
            layers.append({"name": "out", "type": "Dense", "config": {"units": 8, "activation": "softmax"},
                           "inputs": ["hidden_7"]})
        self.write_project(deep)
        whole = planned(self.project, *ONE_THREAD)["devices"][0]["memory"]["total"]
        limit = (*ONE_THREAD, "--set", f"placement.memory_limit={whole * 42 // 100}")
        for fewer in ("1", "2"):
            self.refused(run("plan", self.project, *limit, "--devices", fewer), "no placement fits", "It fits on 3 devices")
        self.assertEqual(len(planned(self.project, *limit, "--devices", "3")["devices"]), 3)
        (warning,) = [w for w in planned(self.project, *limit, fits=False)["warnings"] if w["too_much"]]
        spread = [fix for fix in warning["fixes"] if {*fix["set"].values()} == {"cpu:1", "cpu:2"}]
        self.assertEqual([fix["fits"] for fix in spread], [True])
        settings = [part for key, value in spread[0]["set"].items() for part in ("--set", f"{key}={value}")]
        self.assertEqual(len(planned(self.project, *limit, *settings)["devices"]), 3)

    def test_a_device_that_is_not_there_is_told_at_the_key_that_names_it(self):
        out = "model.layers.out.device"
        for keys, told in (
                (("model.layers.out.device=cpu:64",), out),
                (("model.layers.out.device=cpu:64", "placement.micro_batches=2"), out),
                (('placement.devices=["cpu:64"]',), "placement.devices"),
                (('placement.devices=["cpu:1", "cpu:64"]', "placement.replicas=2"), "placement.devices")):
            settings = [part for key in keys for part in ("--set", key)]
            for command in ("plan", "train"):
                self.refused(run(command, self.project, *settings), f"strata: {told}: there is no device 'cpu:",
                             "Use cpu:0 to cpu:63")
        far = ("--set", "model.layers.out.device=cpu:40", "--set", "placement.replicas=2")
        self.refused(run("plan", self.project, *far), "strata: placement.replicas: there is no device 'cpu:81'",
                     "name the devices of all of them in placement.devices")
        for written in ("cpu:01", "cpu:+1", "cpu:1 "):
            self.refused(run("plan", self.project, "--set", f"model.layers.out.device={written}"), "there is no device")
        billion = planned(self.project, *ONE_THREAD, "--set", "placement.memory_limit=1e9")
        self.assertEqual(billion["devices"][0]["memory_limit"], 1_000_000_000)
        self.refused(run("plan", self.project, "--set", "placement.memory_limit=1000000.5"), "expected an integer")
        for devices in ("cpu:64,cpu:65", "cpu:0,cpu:64", "cpu:64", "cpu:0, cpu:1,cpu:64"):
            self.refused(run("plan", self.project, "--devices", devices), "strata: --devices: there is no device")
        for written, meant in (("gpu:0", "A GPU is named cuda:0 here"), ("GPU:1", "A GPU is named cuda:1 here"),
                               ("CPU:0", "Write cpu:0, in lower case"), ("Cuda:2", "Write cuda:2, in lower case")):
            self.refused(run("plan", self.project, "--devices", written),
                         f"strata: --devices: there is no device '{written}'", f"{meant}. Devices here: cpu:0 to cpu:63")
        self.refused(run("plan", self.project, "--devices", "cpu:1,cpu:0,cpu:1"), "strata: --devices: 'cpu:1' is named twice")
        spaced = planned(self.project, *ONE_THREAD, "--devices", " cpu:0 , cpu:2", "--stages", "2")
        self.assertEqual([d["device"] for d in spaced["devices"]], ["cpu:0", "cpu:2"])

    def test_what_a_change_does_to_waiting_is_told(self):
        few = (*ONE_THREAD, *HALVES[:4], "--set", "placement.micro_batches=1")
        plan = planned(self.project, *few)
        for warning in plan["warnings"]:
            for fix in warning["fixes"]:
                self.assertEqual("idle_share" in fix, "wait" in warning["text"])
        waits = [w for w in plan["warnings"] if "the devices wait" in w["text"]]
        text = " ".join(run("plan", self.project, *few).stdout.split())
        told = any(f"waiting {how}" in text for how in ("falls from", "rises from", "stays at"))
        self.assertEqual(bool(waits and waits[0]["fixes"]), told)

    def test_limits_of_devices_that_are_not_used_are_told(self):
        limits = (*ONE_THREAD, "--set", 'placement.memory_limit={"cpu:0": 100000000, "cpu:3": 5000, "cpu:7": 5000}')
        (warning,) = planned(self.project, *limits)["warnings"]
        self.assertIn("cpu:3, cpu:7", warning["text"])
        self.assertNotIn("cpu:0", warning["text"])
        said = self.trained(*limits)
        self.assertEqual(len([e for e in said if e["event"] == "log" and "cpu:3, cpu:7" in e["text"]]), 1)

    def test_micro_batches_without_samples_are_told(self):
        parts = (*ONE_THREAD, *HALVES[:4], "--set", "placement.micro_batches=1000")
        plan = planned(self.project, *parts)
        words = "984 of 1,000 micro-batches are empty: a batch has 16 samples"
        self.assertIn(words, [w["text"] for w in plan["warnings"]])
        said = self.trained(*parts)
        self.assertEqual(len([e for e in said if e["event"] == "log" and words in e["text"]]), 1)

    def test_options_of_another_command_are_told_in_order(self):
        self.refused(run("train", self.project, "--devices", "2"), "strata: strata train takes no '--devices 2'",
                     "--set placement.replicas=2", code=2)
        self.refused(run("inspect", self.project, "--set", "a=b", "--set", "c=d"),
                     "strata: strata inspect takes no '--set a=b --set c=d'", "See `strata inspect --help`", code=2)
        self.refused(run("train", self.project, "--set", "training.scale_lr=foo"), "there is no 'foo'",
                     "It can be: none, linear, ")

    def test_whole_numbers_may_be_written_as_such(self):
        counted = (*ONE_THREAD, "--set", "training.checkpoint={\"save_freq\": 1e2}", "--set")
        of = [d["memory"] for d in planned(self.project, *counted, "model.layers.hidden.config.units=2e1")["devices"]]
        as_ints = planned(self.project, *ONE_THREAD, "--set", "model.layers.hidden.config.units=20")["devices"]
        self.assertEqual(of, [d["memory"] for d in as_ints])
        self.refused(run("plan", self.project, *counted, "model.layers.hidden.config.units=20.5"), "must be a whole number")

    def trained(self, *arguments):
        result = run("train", self.project, "--json", "--set", "training.epochs=1", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return events(result.stdout)

    def test_processes_divide_the_cores(self):
        cores = len(os.sched_getaffinity(0))
        for ranks, more in ((2, ()), (3, HALVES), (2, ("--set", "placement.replicas=2"))):
            ranked = ("--set", f"placement.ranks={ranks}", *more)
            plan = planned(self.project, *ranked)
            each = max(1, cores // (ranks * len(plan["devices"])))
            self.assertEqual({d["threads"] for d in plan["devices"]}, {each})
            self.assertEqual(plan["ranks"], ranks)
            self.assertIn(f"{ranks} on this machine", run("plan", self.project, *ranked).stdout)

    def test_without_data_it_says_so(self):
        (self.dir / "train-images.gz").unlink()
        plan = planned(self.project, *ONE_THREAD)
        self.assertIn("train-images.gz", plan["note"])
        self.assertEqual(plan["samples"], 16)

    def test_bad_input_is_refused(self):
        for devices in ("0", "65", "cpu", "cpu:0,gpu", "cpu:0,", "", "-1"):
            self.refused(run("plan", self.project, "--devices", devices), code=2)
        self.refused(run("plan", self.project, "--devices", "2", "--replicas", "3"), "replicas")
        self.refused(run("plan", self.project, "--devices", "cpu:0,cpu:0"), "twice")
        self.refused(run("plan", self.project, "--set", "placement.replica=2"), "replica")
        self.refused(run("plan", self.dir / "none.strata"), "none.strata")
        self.refused(run("plan", self.project, "--set", "placement.memory_limit=0"), "memory_limit")
        self.refused(run("plan", self.project, "--set", "placement.memory_limit=1000", "--auto"), "no placement fits")
        for device in ("cpu:x", "tpu:1", "cpu", ""):
            for command in ("plan", "train"):
                self.refused(run(command, self.project, "--set", f"model.layers.out.device={device}"),
                             "model.layers.out.device")
        self.refused(run("plan", self.project, "--set", 'placement.devices=["foo", "cpu:1"]',
                         "--set", "placement.replicas=2"), "placement.devices", "foo")
        self.refused(run("plan", self.project, "--devices", "2", "--write", self.project), "exists", "--force")
        self.assertEqual(json.loads(self.project.read_text(encoding="utf-8")), self.content())
        folder = self.dir / "other"
        folder.mkdir()
        self.refused(run("plan", self.project, "--devices", "2", "--write", folder / "p.strata"), "beside")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: MIT
"""What the cases of check_tools.py run the tools with: strict parsers, schemas, a run of every subcommand and format."""
import csv
import io
import json
import os
import subprocess
import sys

import jsonschema

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sanitizers")]
import make_tree  # noqa: E402

AMD = {
    "list": [[]], "static": [[], ["--asic", "--bus"]], "firmware": [[]], "bad-pages": [[], ["--pending"]],
    "metric": [[], ["--usage", "--ecc"], ["-w", "0.1", "-i", "2"]], "process": [[], ["--general"], ["-w", "0.1", "-i", "2"]],
    "topology": [[], ["--weight"]], "monitor": [[], ["-V", "-r", "-u"], ["-w", "0.1", "-i", "3"]], "xgmi": [[]],
    "partition": [[], ["--current"]], "version": [[]], "event": [["-W", "0.1"]],
}
ROCM = [[], ["--showallinfo"], ["--showtopo"], ["--showmeminfo", "all"], ["--showpids"], ["--showid", "--showbus"], ["--showmetrics"],
        ["--showhw"], ["--showrasinfo", "all"], ["--showfwinfo"], ["--showpagesinfo"], ["--shownodesbw"], ["--version"]]


def no_duplicates(pairs):
    seen = {}
    for k, v in pairs:
        assert k not in seen, f"key {k!r} twice"
        seen[k] = v
    return seen


def once(keyword):
    """A keyword's check that is done once for equal parts of documents: cards differ in few of their hundreds of values.

    Only what was found valid is remembered, by the schema's own object (kept in SCHEMAS) and the part's text, in which
    1, 1.0, true and "1" differ.
    """
    valid = set()

    def check(validator, value, instance, schema):
        key = (id(value), repr(instance))
        if key not in valid:
            errors = list(keyword(validator, value, instance, schema))
            if not errors:
                valid.add(key)
            yield from errors
    return check


Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, {
    name: once(jsonschema.Draft202012Validator.VALIDATORS[name]) for name in ("$ref", "anyOf", "oneOf", "properties", "items")})
SCHEMAS = {}


def strict_json(text):
    def constant(c):
        raise ValueError(c)
    return json.loads(text, object_pairs_hook=no_duplicates, parse_constant=constant)


def strict_csv(text):
    assert text.endswith("\n") and text.strip(), "empty or cut CSV"
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert all(len(r) == len(rows[0]) for r in rows), f"rows of different length: {[len(r) for r in rows]}"
    assert len(set(rows[0])) == len(rows[0]), f"column twice in {rows[0]}"
    return [dict(zip(rows[0], r)) for r in rows[1:]]


class Tools:
    def __init__(self, args, root=None, **env):
        self.bin, self.schemas, self.work = args.bin, args.schemas, args.work
        self.env = dict(os.environ, PUMICE_TELEMETRY=os.path.join(args.work, "telemetry"), **env)
        for name in ("PUMICE_DEVICES", "PUMICE_SMI", "PUMICE_SYSFS_ROOT", "ROCR_VISIBLE_DEVICES"):
            if name not in env:
                self.env.pop(name, None)
        if root:
            self.env["PUMICE_SYSFS_ROOT"] = root
        self.documents = 0
        self.matrix = os.path.join(self.schemas, "..", "matrix")

    def run(self, tool, *args, code=0):
        r = subprocess.run([os.path.join(self.bin, tool), *args], env=self.env, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
        if code is not None:
            assert r.returncode == code, f"{tool} {args}: exit {r.returncode}, not {code}: {r.stderr.decode()}"
        return r.stdout.decode(), r.stderr.decode()

    def json(self, schema, tool, *args, code=0):
        return self.document(schema, self.run(tool, *args, "--json", code=code)[0])

    def document(self, schema, out):
        doc = strict_json(out)
        if schema not in SCHEMAS:
            with open(os.path.join(self.schemas, schema + ".schema.json")) as f:
                SCHEMAS[schema] = Validator(json.load(f))
        SCHEMAS[schema].validate(doc)
        self.documents += 1
        return doc

    def csv(self, tool, *args, code=0):
        out, _ = self.run(tool, *args, "--csv", code=code)
        self.documents += 1
        return strict_csv(out)

    def sweep(self):
        """Every subcommand in every format, also to a file and in the other layout."""
        real = "PUMICE_SYSFS_ROOT" in self.env and strict_json(self.run("amd-smi", "list", "--json")[0])
        for sub, variants in AMD.items():
            code = 1 if sub == "event" and real else 0  # events of real cards are not there, and that is said
            for args in variants:
                self.json(f"amd-smi-{sub}", "amd-smi", sub, *args, code=code)
                self.csv("amd-smi", sub, *args, code=code)
                self.run("amd-smi", sub, *args, code=code)
        if real:
            doc = self.json("amd-smi-event", "amd-smi", "event", code=1)
            assert "not implemented" in doc["error"]["message"], doc
            assert "not implemented" in self.json("rocm-smi", "rocm-smi", "--showevents", code=1)["errors"][0]
        for args in ROCM:
            self.json("rocm-smi", "rocm-smi", *args)
            self.csv("rocm-smi", *args)
            self.run("rocm-smi", *args)
        self.json("rocminfo", "rocminfo")
        self.run("rocminfo")
        self.json("pumice-top", "pumice-top", "-d", "0.1")
        self.run("pumice-top", "-d", "0.1", "-n", "1")
        self.json("doctor", "pumice-doctor", "--matrix", self.matrix, code=None)  # 1 where it found errors
        self.run("pumice-doctor", "--matrix", self.matrix, code=None)
        for sub, args in (("static", []), ("metric", []), ("metric", ["-w", "0.1", "-i", "2"]), ("monitor", ["-w", "0.1", "-i", "2"])):
            assert "gpu_data" in self.json(f"amd-smi-{sub}", "amd-smi", sub, "--layout", "7.0", *args), args
        path = os.path.join(self.work, "out.json")
        out, _ = self.run("amd-smi", "metric", "--json", "--file", path, "-w", "0.1", "-i", "2")
        assert out == ""
        strict_json(open(path).read())
        self.run("amd-smi", "static", "--csv", "--file", path)
        strict_csv(open(path).read())


def tree(args, kind):
    root = os.path.join(args.work, kind)
    make_tree.KINDS[kind](make_tree.Tree(root))
    return root


def equal(got, want):
    assert got == want, f"{got!r} is not {want!r}"

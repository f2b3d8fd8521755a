#!/usr/bin/env python3
"""Holds configs/cluster/kubernetes.yaml against the schemas of Kubernetes, runs what its containers
run - every index of the indexed Job with the variables that Kubernetes sets, then the merge - and
compares the pack with that of a single run. It stands in for a cluster, which it does not start.

Needs the package kubernetes-validate; the program to test is the first argument.
"""

import filecmp
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import kubernetes_validate
import yaml

FLAGS = "--colors 5 --count 200 --seed 7"  # of a smaller run than the file's


def run(job, work, program, **variables):
    """Runs the one container of a Job in `work`, in place of its volume."""
    (container,) = job["spec"]["template"]["spec"]["containers"]
    given = {variable["name"]: variable["value"] for variable in container.get("env", [])}
    path = f"{program.parent}:{os.environ['PATH']}"
    environment = {"PATH": path, **given, "POURFECT_FLAGS": FLAGS, **variables}
    command = container["command"] + container["args"]
    subprocess.run(command, cwd=work, env=environment, check=True)


def main():
    program = Path(sys.argv[1]).resolve()
    manifest = Path(__file__).parent.parent / "configs/cluster/kubernetes.yaml"
    resources = list(yaml.safe_load_all(manifest.read_text()))
    for resource in resources:
        kubernetes_validate.validate(resource, "1.30", strict=True)
    jobs = {r["metadata"]["name"]: r for r in resources if r["kind"] == "Job"}
    shards, merge = jobs["pourfect-shards"], jobs["pourfect-merge"]
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        for index in range(shards["spec"]["completions"]):
            run(shards, work, program, JOB_COMPLETION_INDEX=str(index))
        run(merge, work, program)
        single = [program, "generate", *FLAGS.split(), "--out", "single", "--quiet"]
        subprocess.run(single, cwd=work, check=True)
        names = sorted(path.name for path in (work / "single").iterdir())
        assert names == sorted(path.name for path in (work / "pack").iterdir()), names
        _, other, missing = filecmp.cmpfiles(work / "single", work / "pack", names, shallow=False)
        assert not other and not missing, (other, missing)
    count = shards["spec"]["completions"]
    print(f"{count} indexes and a merge as Kubernetes would run them: the bytes of a single run")


if __name__ == "__main__":
    main()

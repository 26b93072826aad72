# Every malformed input through the program: the right exit code and place, one line, nothing written; run.py PROGRAM [FOLDER].
"""With a FOLDER the inputs are written there, with cases.json, instead of being run."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import cases
import csv_kinds  # noqa: F401 (each registers its kinds)
import file_kinds
import folder_kinds  # noqa: F401


class Good:
    """A model and a checkpoint as the program writes them, for damaging."""
    run = ["--epochs", "100000", "--patience", "0", "--checkpoint-seconds", "0.01", "--quiet"]

    def __init__(self, program, folder):
        (folder / "log.csv").write_bytes(file_kinds.LOG)
        subprocess.run([program, *file_kinds.TRAIN, "--epochs", "1", "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        self.model = (folder / "x.model").read_bytes()
        under_way = subprocess.Popen([program, *file_kinds.TRAIN, *self.run], cwd=folder, stderr=subprocess.PIPE)
        checkpoint = folder / "x.model.checkpoint"
        while under_way.poll() is None and not checkpoint.exists():
            time.sleep(0.01)
        under_way.send_signal(signal.SIGTERM)
        under_way.communicate()
        self.checkpoint = checkpoint.read_bytes()


def write(folder, case):
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def listing(folder):
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def problem(program, case):
    """What is not as it should be, or nothing."""
    with tempfile.TemporaryDirectory(prefix="equipoise-malformed-") as name:
        folder = pathlib.Path(name)
        write(folder, case)
        before = listing(folder)
        kept = {key: value for key, value in os.environ.items() if not key.startswith("EQUIPOISE_")}
        done = subprocess.run([program, *case.arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, env=kept,
                              timeout=60, check=False)
        said = done.stderr.decode(errors="replace")
        if done.returncode != case.code:
            return f"exit code {done.returncode}, expected {case.code}: {said}"
        if not re.search(r"(?<![\w/.])" + re.escape(case.place()) + r"(?![\w.])" + ("(?!:\\d)" if not case.line else ""), said):
            return f"the place is not {case.place()}: {said}"
        if not re.fullmatch(r"equipoise: [^\x00-\x1f\x7f]+\n", said):
            return f"not one line of text: {said!r}"
        if done.stdout or listing(folder) != before:
            return f"something was written: {sorted(set(listing(folder)) ^ set(before))} {done.stdout[:80]!r}"
    return None


def save(case, folder):
    write(folder / case.kind.replace(" ", "-") / f"{case.number:02}", case)
    return {"kind": case.kind, "number": case.number, "arguments": case.arguments, "exit": case.code, "place": case.place()}


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="equipoise-malformed-") as name:
        good = Good(program, pathlib.Path(name))
    if len(sys.argv) > 2:
        folder = pathlib.Path(sys.argv[2])
        manifest = [save(case, folder) for case in cases.all_cases(good)]
        (folder / "cases.json").write_text(json.dumps(manifest, indent=1) + "\n")
        print(f"{len(manifest)} inputs of {len(cases.KINDS)} kinds in {folder}")
        return 0
    count, wrong = 0, 0
    for case in cases.all_cases(good):
        count += 1
        found = problem(program, case)
        if found:
            wrong += 1
            print(f"{case.kind} {case.number} ({' '.join(map(str, case.arguments))}): {found.rstrip()}")
    print(f"{count - wrong} of {count} malformed inputs of {len(cases.KINDS)} kinds refused as they should be")
    return 1 if wrong or count < 1000 else 0


sys.exit(main())

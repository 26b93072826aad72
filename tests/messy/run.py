# Every messy file through the program: read as a person would, or refused in one line that names what helps; run.py PROGRAM.
"""The rows of train, valid and test together are the rows of the file, whatever the split."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

import cases

csv.field_size_limit(1 << 30)


def run(program, folder, case):
    (folder / case.file).write_bytes(case.content)
    for name, content in case.more.items():
        (folder / name).write_bytes(content)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("EQUIPOISE_")}
    return subprocess.run([program, "import", "csv", case.file, "--out", "out", *case.arguments], cwd=folder, env=kept, timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file)) if path.exists() else []


def read_back(folder):
    parts = [folder / "out" / f"{part}.csv" for part in ("train", "valid", "test")]
    return [row for part in parts if part.exists() for row in table(part)]


def problem_of_read(case, done, folder):
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.decode(errors='replace')}"
    rows = read_back(folder)
    if sorted((row["user"], row["item"], int(row["label"])) for row in rows) != sorted(case.rows):
        return f"read as {str(rows)[:600]}"
    toml = (folder / "out" / "dataset.toml").read_text()
    if ("positives_only = true" in toml) != bool(case.positives) and case.positives is not None:
        return "positives only, or not: " + toml
    if case.times and sorted(int(row["timestamp"]) for row in rows) != sorted(case.times):
        return f"times {[row['timestamp'] for row in rows]}"
    if case.names:
        names = {row["item"]: row["name"] for row in table(folder / "out" / "items.csv")}
        if any(name and name != case.names[item] for item, name in names.items()) or not any(names.values()):
            return f"names {names}"
    return None


def problem_of_refusal(case, done, folder):
    said = done.stderr.decode(errors="replace")
    if done.returncode not in (2, 3):
        return f"exit code {done.returncode}, expected 2 or 3: {said}"
    if said.count("\n") != 1 or not said.startswith("equipoise: "):
        return f"not one line: {said}"
    if (folder / "out").exists():
        return "something was written"
    return None if case.word in said else f"does not name {case.word}: {said}"


def problem(program, case):
    with tempfile.TemporaryDirectory(prefix="equipoise-messy-") as name:
        folder = pathlib.Path(name)
        done = run(program, folder, case)
        return problem_of_read(case, done, folder) if case.word is None else problem_of_refusal(case, done, folder)


def main():
    assert len({case.name for case in cases.ALL}) == len(cases.ALL) >= 60
    bad = 0
    program = str(pathlib.Path(sys.argv[1]).resolve())
    for case in cases.ALL:
        if what := problem(program, case):
            bad += 1
            print(f"{case.name}: {what}")
    read = sum(case.word is None for case in cases.ALL)
    print(f"{len(cases.ALL) - bad} of {len(cases.ALL)} messy files as they should be ({read} to read, {len(cases.ALL) - read} to refuse)")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

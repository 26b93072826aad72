# What a malformed input is: its files, how the program is called with them, and the exit code and place that must follow.
import dataclasses
import random

PER_KIND = 40
KINDS = {}


@dataclasses.dataclass
class Case:
    """`files` maps names to bytes; the error must name `file`, and `line` of it unless that is 0."""
    files: dict
    arguments: list
    code: int
    file: str
    line: int = 0
    column: int = 0
    kind: str = ""
    number: int = 0

    def place(self):
        return self.file + (f":{self.line}" if self.line else "") + (f":{self.column}" if self.column else "")


def kind(make):
    """Registers make(rng, k) or make(rng, k, good), which gives the k-th case of a kind."""
    KINDS[make.__name__.replace("_", " ")] = make
    return make


def all_cases(good):
    for name, make in KINDS.items():
        for k in range(PER_KIND):
            rng = random.Random(f"{name} {k}")  # a case does not depend on the cases before it
            case = make(rng, k, good) if make.__code__.co_argcount == 3 else make(rng, k)
            case.kind, case.number = name, k
            yield case


def log_rows(rng, least=3, most=40):
    """Different pairs with labels: [user, item, label] as texts."""
    count = rng.randint(least, most)
    pairs = rng.sample([(u, i) for u in range(12) for i in range(12)], count)
    return [[f"u{u}", f"i{i}", str(rng.randint(0, 1))] for u, i in pairs]


def text_of(rows, separator=",", header=None, end="\n"):
    lines = [separator.join(row) for row in ([header] if header else []) + rows]
    return "".join(line + end for line in lines).encode()


def column_of(row, field, separator=","):
    """Where that field of the row begins, counted in bytes from 1."""
    return len(separator.join(row[:field] + [""]).encode()) + 1


NOT_NUMBERS = ("maybe", "", "1,5"[0:1] + "x", "0x10", "--1", "1e", "one", "+-1", "1 0", "1..0", "1_0", "½", "'1'", "1.2.3", "e5")
NOT_FINITE = ("nan", "NaN", "inf", "-inf", "Infinity", "-nan", "1e999", "-1e400")

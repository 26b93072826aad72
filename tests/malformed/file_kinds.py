# Malformed configurations, pairs to score, models and checkpoints.
import struct

from cases import Case, kind, log_rows, text_of

TRAIN = ["train", "log.csv", "--base", "gmf", "--embedding", "2", "--seed", "3", "--out", "x.model"]
LOG = text_of([[f"u{u}", f"i{i}", str((u + i) % 2)] for u in range(8) for i in range(8)], header=["user", "item", "label"])


def configured(name, text, code, line, column=0):
    return Case({"log.csv": LOG, name: text.encode()}, [*TRAIN, "--config", name], code, name, line, column)


@kind
def config_that_is_no_toml(rng, k):
    before = rng.randrange(20)
    bad = ("epochs = ", "epochs", "epochs 3", "[[", "epochs = 3 # fine\nepochs = 4", 'x = "\\q"', "1 = = 2", "a = tru")[k % 8]
    return configured("c.toml", "# a comment\n" * before + bad + "\n", 3, before + 1 + bad.count("\n"))


@kind
def config_that_is_no_json(rng, k):
    before = rng.randrange(20)
    bad = ('{"epochs": }', '{"epochs" 3}', '{"epochs": 3,}', "{epochs: 3}", '{"a": 01}', '{"a": "\t"}', '{"a": nul}', "{'a': 1}")[k % 8]
    return configured("c.json", "\n" * before + bad, 3, before + 1)


@kind
def config_whose_values_are_wrong(rng, k):
    value = rng.randrange(2, 1000)
    name, text = (("epochs", str(-value)), ("epochz", str(value)), ("learning_rate", "0"), ("optimizer", '"adma"'), ("epochs", "2.5"),
                  ("embedding", str(5000 + value)), ("metric", '"acu"'), ("seed", "-1"))[k % 8]
    if k // 8 % 2 == 0:
        return configured("c.toml", f"{name} = {text}\n", 2, 0)
    return configured("c.json", f'{{"{name}": {text}}}', 2, 0)


@kind
def pairs_that_cannot_be_scored(rng, k, good):
    rows = [row[:2] for row in log_rows(rng)]
    header = ["user", "item"]
    at = rng.randrange(len(rows))
    line, column = at + 2, 0
    if k % 4 == 0:
        rows[at].append("x")
    elif k % 4 == 1:
        rows[at] = [f'"{rows[at][0]}', rows[at][1]]
        column = 1
    elif k % 4 == 2:
        header = ["user", "tiem"]
        line = 1
    else:
        del rows[at][1]
    return Case({"m.model": good.model, "pairs.csv": text_of(rows, header=header)},
                ["score", "m.model", "--pairs", "pairs.csv", "--out", "s.csv"], 3, "pairs.csv", line, column)


def damaged(rng, k, whole):
    """A bit turned over, an end cut off, bytes added, a length that lies, or something else altogether."""
    at = rng.randrange(len(whole))
    if k % 5 == 0:
        return whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1:]
    if k % 5 == 1:
        return whole[:at]
    if k % 5 == 2:
        return whole + rng.randbytes(rng.randint(1, 9))
    if k % 5 == 3:
        return struct.pack("<Q", rng.getrandbits(64)) + whole[8:]
    return rng.randbytes(len(whole))


@kind
def model_that_is_damaged(rng, k, good):
    verb = (["recommend", "m.model", "--user", "u1"], ["score", "m.model", "--pairs", "log.csv"])[k % 2]
    return Case({"log.csv": LOG, "m.model": damaged(rng, k, good.model)}, verb, 4, "m.model")


@kind
def checkpoint_that_is_damaged(rng, k, good):
    return Case({"log.csv": LOG, "x.model.checkpoint": damaged(rng, k, good.checkpoint)}, [*TRAIN, *good.run, "--resume"], 4,
                "x.model.checkpoint")

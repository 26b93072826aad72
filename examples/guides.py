#!/usr/bin/env python3
# Writes the small invented files that the guides of docs/ read: a log with features, a log of clicks, users and pairs.
"""usage: python3 examples/guides.py [FOLDER]"""
import csv
import pathlib
import random
import sys

USERS = [f"u{k}" for k in range(60)] + ["smith, anna", "anna", "ben"]
ITEMS = [f"i{k}" for k in range(40)]
GENRES = ("jazz", "blues", "soul")


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(4)
    taste = {user: draw.randrange(3) for user in USERS}
    shown = [(user, number) for user in USERS for number in sorted(draw.sample(range(40), 15))]
    likes = {(user, n): int(draw.random() < (0.8 if n % 3 == taste[user] else 0.3)) for user, n in shown}
    write(folder / "log.csv", ("user", "item", "label"), [(u, ITEMS[n], likes[u, n]) for u, n in shown])
    write(folder / "clicks.csv", ("user", "item", "timestamp"),
          [(u, ITEMS[n], 1700000000 + draw.randrange(900000)) for u, n in shown if likes[u, n]])
    write(folder / "users.csv", ("user", "gender", "age"), [(u, "fm"[k % 2], 18 + k % 50) for k, u in enumerate(USERS)])
    write(folder / "items.csv", ("item", "genre", "year"), [(i, GENRES[n % 3], 1960 + n) for n, i in enumerate(ITEMS)])
    write(folder / "some.csv", ("user",), [("u1",), ("u2",)])
    write(folder / "new.csv", ("user",), [("new1",), ("new2",)])
    write(folder / "rows.csv", ("user", "item", "label"), [("new1", "i4", 1), ("new1", "i9", 0), ("new2", "i12", 1)])
    write(folder / "today.csv", ("user", "item", "label"), [("u17", "i3", 1)])
    write(folder / "pairs.csv", ("user", "item"), [("u17", "i5"), ("new1", "i5")])


main()

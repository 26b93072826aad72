#!/usr/bin/env python3
"""Writes a small log to try Equipoise on: films/log.csv, films/items.csv and films/random.csv.

500 people rate invented films from 1 to 5 stars. What they rated is not a fair sample: a programme director put forward
the films of a few studios, and people chose mostly from the genre that they usually watch. random.csv has the stars that the
same people gave to films drawn by lot, which is what a test part should be. Nothing here is real.

Usage: python3 examples/films.py [FOLDER]
"""
import csv
import pathlib
import random
import sys

PEOPLE, SHOWN, DRAWN = 500, 24, 10
GENRES = ["comedy", "drama", "thriller", "documentary", "animation"]
NAMES = ["alice", "bob", "carol", "dan", "erin", "farid", "grace", "hana", "ivan", "jun", "kofi", "lena", "mila", "nils",
         "olga", "pablo", "qing", "rosa", "sven", "tara"]
FIRST = ["Silent", "Crimson", "Last", "Hidden", "Paper", "Northern", "Broken", "Golden", "Distant", "Secret", "Winter",
         "Hollow"]
SECOND = ["Orchard", "Harbour", "Letter", "Engine", "River", "Garden", "Lantern", "Station", "Mirror", "Island"]


def films(draw):
    """Every pair of words is a film with a genre, a year, a quality, and how much it is put forward."""
    out = []
    for number, (first, second) in enumerate((a, b) for a in FIRST for b in SECOND):
        genre = draw.choice(GENRES)
        quality = draw.gauss(0, 0.7)
        pushed = draw.gauss(0, 1.2) + (1.5 if genre in ("comedy", "thriller") else 0)  # by genre, not by quality
        out.append({"item": f"f{number + 1}", "name": f"The {first} {second}", "genre": genre,
                    "year": draw.randint(1975, 2024), "quality": quality, "pushed": pushed})
    return out


def people(draw):
    """Everybody has a taste for each genre, and a generosity with stars."""
    return [{"user": NAMES[n % len(NAMES)] + (str(n // len(NAMES) + 1) if n >= len(NAMES) else ""),
             "taste": {genre: draw.gauss(0, 0.9) for genre in GENRES}, "kind": draw.gauss(0, 0.4)} for n in range(PEOPLE)]


def stars(draw, person, film):
    felt = 3.1 + person["kind"] + person["taste"][film["genre"]] + film["quality"] + draw.gauss(0, 0.6)
    return min(5, max(1, round(felt)))


def chosen(draw, person, all_films, count):
    """Films without repetition; the odds grow with what is put forward and with the person's taste."""
    keys = {film["item"]: draw.random() ** (2.718281828 ** -(film["pushed"] + 0.8 * person["taste"][film["genre"]]))
            for film in all_films}
    return sorted(all_films, key=lambda film: -keys[film["item"]])[:count]


def write(path, names, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "films")
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(7)
    all_films, everybody = films(draw), people(draw)
    log, lot = [], []
    for person in everybody:
        drawn = draw.sample(all_films, DRAWN)
        rest = [film for film in all_films if film not in drawn]
        lot += [(person["user"], film["item"], stars(draw, person, film)) for film in drawn]
        log += [(person["user"], film["item"], stars(draw, person, film)) for film in chosen(draw, person, rest, SHOWN)]
    draw.shuffle(log)
    write(folder / "log.csv", ["who", "what", "stars"], log)
    write(folder / "random.csv", ["who", "what", "stars"], lot)
    write(folder / "items.csv", ["item", "name", "genre", "year"],
          [[film[name] for name in ("item", "name", "genre", "year")] for film in all_films])
    print(f"{folder}/log.csv: {len(log):,} ratings of {len(all_films)} films by {PEOPLE} people; "
          f"{folder}/random.csv: {len(lot):,} ratings of films drawn by lot; {folder}/items.csv: the films")


if __name__ == "__main__":
    main()

# An independent computation of the main metrics from scored pairs, to compare with what the program says.
"""Recomputes AUC, ACC, NDCG@k and Recall@k from scored pairs and compares them with what `evaluate --json` said.

    check_metrics.py PAIRS.csv SCORES.csv EVALUATION.json

PAIRS.csv: list,user,item,label. SCORES.csv: user,item,score (logits), the same pairs in the same order.
Exit status 1 if a metric differs by more than 1e-6, or the files do not belong together. Needs numpy only.
"""
import csv
import json
import sys

import numpy as np

TOLERANCE = 1e-6


def read(path, columns):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [np.array([row[column] for row in rows]) for column in columns]


def auc(scores, labels):
    """Mann-Whitney: the rank sum of the positives, with the mean rank for equal scores."""
    _, group, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    rank = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    positives = labels.sum()
    negatives = len(labels) - positives
    return (rank[labels].sum() - positives * (positives + 1) / 2) / (positives * negatives)


def expected_sum(scores, labels, worth):
    """Sum of worth[place] over the relevant items, where equal scores share the mean worth of their places."""
    order = np.argsort(-scores, kind="stable")
    total = 0.0
    for score in np.unique(scores):
        places = np.flatnonzero(scores[order] == score)
        total += worth[places].mean() * labels[order][places].sum()
    return total


def ranking(scores, labels, k):
    places = np.arange(len(scores))
    inside = (places < k).astype(float)
    discount = inside / np.log2(places + 2)
    relevant = int(labels.sum())
    return (expected_sum(scores, labels, discount) / discount[:relevant].sum(),
            expected_sum(scores, labels, inside) / relevant)


def recompute(lists, users, labels, scores, k):
    per_user = {}
    starts = np.flatnonzero(np.append(True, lists[1:] != lists[:-1]))
    for rows in np.split(np.arange(len(lists)), starts[1:]):
        if labels[rows].any():
            per_user.setdefault(users[rows[0]], []).append(ranking(scores[rows], labels[rows], k))
    ndcg, recall = np.mean([np.mean(values, axis=0) for values in per_user.values()], axis=0)
    return {"auc": auc(scores, labels), "acc": np.mean((scores >= 0) == labels), "ndcg": ndcg, "recall": recall}


def main(pairs_path, scores_path, evaluation_path):
    lists, users, items, labels = read(pairs_path, ["list", "user", "item", "label"])
    score_users, score_items, scores = read(scores_path, ["user", "item", "score"])
    with open(evaluation_path, encoding="utf-8") as file:
        said = json.load(file)
    if not (np.array_equal(users, score_users) and np.array_equal(items, score_items)):
        print(f"{scores_path} does not hold the pairs of {pairs_path} in the same order")
        return 1
    own = recompute(lists, users, labels.astype(float) > 0.5, scores.astype(float), said["k"])
    wrong = 0
    print(f"{said['protocol']}, k = {said['k']}, {len(scores)} pairs")
    for name, value in own.items():
        theirs = said["metrics"][name]["mean"]
        same = theirs is not None and abs(theirs - value) <= TOLERANCE
        wrong += not same
        print(f"{name:8s} evaluate {theirs}  here {value:.12f}  {'ok' if same else 'DIFFERS'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

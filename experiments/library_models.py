"""One matrix factorisation of one library: trained for 1, 2, 4, … epochs, with the seconds and the quality of each."""
import argparse
import json
import logging
import os
import tempfile
import time

import numpy as np

WIDTH = 32
SETTINGS = {  # what is tried of each; the fastest to the target counts
    "equipoise bpr": [{"learning_rate": 0.005}, {"learning_rate": 0.02}],
    "equipoise softmax": [{"learning_rate": 0.005}, {"learning_rate": 0.02}],
    "equipoise pointwise": [{"learning_rate": 0.005}, {"learning_rate": 0.02}],
    "equipoise labels": [{"learning_rate": 0.01}, {"learning_rate": 0.01, "lambda_": 1e-5}],
    "implicit als": [{"alpha": 1}, {"alpha": 10}],
    "implicit bpr": [{"learning_rate": 0.01}, {"learning_rate": 0.1}],
    "cornac mf": [{"learning_rate": 0.01}, {"learning_rate": 0.05}],
    "recbole bpr": [{"learning_rate": 0.001}, {"learning_rate": 0.01}],
}


class Equipoise:
    """base on gmf, without a validation part of its own: the last epoch is kept."""

    def __init__(self, loss, epochs, threads, **settings):
        import equipoise as eq

        self.eq, self.threads, labels = eq, threads, loss == "labels"
        self.model = eq.Base(base="gmf", epochs=epochs, embedding=WIDTH, history="none",
                             batch_size=1024, threads=threads, **settings, **({} if labels else {"loss": loss}))

    def fit(self, data):
        columns = {"user": data["user"], "item": data["item"], **({"label": data["label"]} if "label" in data else {})}
        self.model.fit(self.eq.Log(columns, log_test_share=0, log_valid_share=0, threads=self.threads))

    def lists(self, users, k):
        return self.model.recommend(users, k=k, output="arrays")[0]

    def score(self, users, items):
        return self.model.score_pairs(users, items)


class Implicit:
    """Alternating least squares, or BPR."""

    def __init__(self, kind, epochs, threads, alpha=1.0, learning_rate=0.01):
        import implicit
        from scipy.sparse import csr_matrix

        self.matrix = csr_matrix
        given = dict(factors=WIDTH, iterations=epochs, num_threads=threads, random_state=1)
        self.model = (implicit.als.AlternatingLeastSquares(alpha=alpha, **given) if kind == "als" else
                      implicit.bpr.BayesianPersonalizedRanking(learning_rate=learning_rate, **given))

    def fit(self, data):
        ones = np.ones(len(data["user"]), dtype=np.float32)
        self.seen = self.matrix((ones, (data["user"], data["item"])), shape=tuple(data["shape"]))
        self.model.fit(self.seen, show_progress=False)

    def lists(self, users, k):
        return self.model.recommend(users, self.seen[users], N=k)[0]


class Cornac:
    """Its MF: squared error on labels, by stochastic gradient descent."""

    def __init__(self, _, epochs, threads, learning_rate):
        import cornac

        self.cornac = cornac
        self.model = cornac.models.MF(k=WIDTH, max_iter=epochs, learning_rate=learning_rate, lambda_reg=0.02, use_bias=True,
                                      num_threads=threads, seed=1)

    def fit(self, data):
        rows = zip(data["user"].tolist(), data["item"].tolist(), data["label"].astype(float).tolist())
        self.data = self.cornac.data.Dataset.from_uir(list(rows), seed=1)
        self.model.fit(self.data)

    def score(self, users, items):
        place_u, place_i, model = self.data.uid_map, self.data.iid_map, self.model
        u = np.array([place_u.get(user, -1) for user in users.tolist()])
        i = np.array([place_i.get(item, -1) for item in items.tolist()])
        known = (u >= 0) & (i >= 0)
        out = np.full(len(users), model.global_mean, dtype=float)
        out[u >= 0] += model.u_biases[u[u >= 0]]
        out[i >= 0] += model.i_biases[i[i >= 0]]
        out[known] += (model.u_factors[u[known]] * model.i_factors[i[known]]).sum(1)
        return out

    def lists(self, users, k):
        return [self.model.recommend(user, k=k, remove_seen=True, train_set=self.data) for user in users.tolist()]


class RecBole:
    """Its BPR, which is its matrix factorisation, with its own trainer's batches and optimiser."""

    def __init__(self, _, epochs, threads, learning_rate):
        import torch
        from recbole import config, data, trainer
        from recbole.model.general_recommender import BPR

        self.parts = config.Config, data.create_dataset, data.data_preparation, BPR, trainer.Trainer
        self.epochs, self.rate = epochs, learning_rate
        torch.set_num_threads(threads)
        logging.disable(logging.CRITICAL)

    def fit(self, data):
        Config, create_dataset, data_preparation, BPR, Trainer = self.parts
        folder = tempfile.mkdtemp()
        os.makedirs(os.path.join(folder, "log"))
        with open(os.path.join(folder, "log", "log.inter"), "w", encoding="utf-8") as file:
            file.write("user_id:token\titem_id:token\n")
            np.savetxt(file, np.stack([data["user"], data["item"]], 1), fmt="%d", delimiter="\t")
        config = Config(model="BPR", dataset="log", config_dict={
            "data_path": folder, "load_col": {"inter": ["user_id", "item_id"]}, "embedding_size": WIDTH, "use_gpu": False,
            "epochs": self.epochs, "learning_rate": self.rate, "train_batch_size": 2048, "show_progress": False,
            "eval_args": {"split": {"RS": [1, 0, 0]}, "order": "RO", "group_by": None, "mode": "full"},
            "checkpoint_dir": folder, "worker": 0})
        self.dataset = create_dataset(config)
        train, _, _ = data_preparation(config, self.dataset)
        self.model = BPR(config, train.dataset)
        Trainer(config, self.model).fit(train, saved=False, show_progress=False)
        self.seen = np.split(data["item"][np.argsort(data["user"], kind="stable")],
                             np.cumsum(np.bincount(data["user"], minlength=int(data["shape"][0])))[:-1])

    def lists(self, users, k):
        import torch

        token = self.dataset.field2token_id
        items = self.dataset.field2id_token["item_id"]
        out = np.full((len(users), k), -1)
        with torch.no_grad():
            for start in range(0, len(users), 256):
                some = [user for user in users[start:start + 256].tolist() if str(user) in token["user_id"]]
                at = torch.tensor([token["user_id"][str(user)] for user in some])
                scores = self.model.full_sort_predict({"user_id": at}).view(len(some), -1)
                scores[:, 0] = -np.inf
                for row, user in enumerate(some):
                    scores[row, [token["item_id"][str(item)] for item in self.seen[user]]] = -np.inf
                best = scores.topk(k).indices.numpy()
                places = np.flatnonzero(np.isin(users[start:start + 256], some)) + start
                out[places] = items[best].astype(int)
        return out


LIBRARIES = {"equipoise": Equipoise, "implicit": Implicit, "cornac": Cornac, "recbole": RecBole}


def ndcg(model, data, k=10):
    """Mean over a fixed sample of validation users, training items left out."""
    wanted = {}
    for user, item in zip(data["valid_user"].tolist(), data["valid_item"].tolist()):
        wanted.setdefault(user, set()).add(item)
    users = np.array(sorted(wanted))
    users = np.sort(np.random.default_rng(1).permutation(users)[:2000])
    gains = 1 / np.log2(np.arange(2, k + 2))
    values = []
    for user, listed in zip(users.tolist(), model.lists(users, k)):
        hits = np.array([item in wanted[user] for item in list(listed)[:k]], dtype=float)
        values.append((hits * gains[:len(hits)]).sum() / gains[:min(k, len(wanted[user]))].sum())
    return float(np.mean(values))


def auc(model, data):
    """Pooled over the validation rows; ties count half."""
    scores = np.asarray(model.score(data["valid_user"], data["valid_item"]), dtype=float)
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    positive = data["valid_label"] > 0
    ones = positive.sum()
    return float((ranks[positive].sum() - ones * (ones + 1) / 2) / (ones * (len(scores) - ones)))


def curve(make, data, seconds, quality):
    """Points of (epochs, seconds, quality), each a run from nothing, as long as the next fits into the time."""
    points, epochs, model = [], 1, None
    while not points or points[-1]["seconds"] * 2 < seconds and epochs <= 256:
        model = make(epochs)
        start = time.perf_counter()
        model.fit(data)
        points.append({"epochs": epochs, "seconds": time.perf_counter() - start, "quality": quality(model, data)})
        if len(points) > 3 and points[-1]["quality"] < points[-3]["quality"]:
            break
        epochs *= 2
    return points, model


def all_lists(model, data, most):
    """Seconds of top-10 lists for all users; of a part of them, scaled, where that would take long."""
    users = np.unique(data["user"])
    part = users[:most]
    start = time.perf_counter()
    model.lists(part, 10)
    return (time.perf_counter() - start) * len(users) / len(part), len(part) < len(users)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=SETTINGS)
    parser.add_argument("data")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    data = dict(np.load(given.data))
    library, kind = given.model.split()
    quality = auc if "label" in data else ndcg
    out = []
    for settings in SETTINGS[given.model]:
        points, model = curve(lambda epochs: LIBRARIES[library](kind, epochs, given.threads, **settings), data,
                              given.seconds, quality)
        lists, scaled = all_lists(model, data, 2000 if library == "cornac" else 10**9)
        out.append({"settings": settings, "curve": points, "lists": lists, "scaled": scaled})
    print(json.dumps(out))


if __name__ == "__main__":
    main()

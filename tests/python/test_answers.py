"""What a fitted model answers: scores, lists of every kind, metrics, vectors, and who is not known."""
import numpy as np
import pytest
from conftest import installed, named, needs, rows

import equipoise as eq

pd = installed("pandas")


def test_scores_and_chances(model):
    pairs = [["u1", "i2"], ["u3", "i4"], ["u5", "never seen"]]
    logits = model.score_pairs([u for u, _ in pairs], [i for _, i in pairs])
    assert np.allclose(model.predict(pairs), 1 / (1 + np.exp(-logits.astype(float))), atol=1e-6)
    assert np.allclose(model.predict_proba(pairs).sum(axis=1), 1)
    assert np.array_equal(model.decision_function(pairs), logits)
    with pytest.raises(eq.UsageError, match="chance|probabilit"):
        eq.UBPR(base="gmf", epochs=1).fit({"user": rows()["user"], "item": rows()["item"]}).predict([[1, 2]])


def test_score_is_the_area_under_the_curve(model):
    table = named(rows())
    pairs = np.column_stack([table["user"], table["item"]])
    scores, labels = model.decision_function(pairs), table["label"]
    wins = (scores[labels == 1][:, None] > scores[labels == 0]).mean() + (
        scores[labels == 1][:, None] == scores[labels == 0]).mean() / 2
    assert model.score(pairs, labels) == pytest.approx(wins)


@needs("pandas")
def test_lists_are_the_best_scores(model, log):
    lists = model.recommend(["u1", "u2"], k=5, include_seen=True)
    assert list(lists.columns) == ["user", "item", "rank", "score"]
    assert lists["rank"].tolist() == [1, 2, 3, 4, 5] * 2
    for user in ("u1", "u2"):
        scores = model.score_pairs([user] * len(model.items), model.items)
        best = np.sort(scores)[::-1][:5]
        assert np.array_equal(lists[lists["user"] == user]["score"], best)


@needs("pandas")
def test_one_many_and_all_users_agree(model):
    every = model.recommend(k=3)
    assert set(every["user"]) == set(model.users)
    for user in ("u1", "u7"):
        own = every[every["user"] == user].reset_index(drop=True)
        assert model.recommend(user, k=3).equals(own)
        items, scores = model.recommend(user, k=3, output="arrays")
        assert items.tolist() == own["item"].tolist() and scores.tolist() == own["score"].tolist()
        items, scores = model.recommend([user, "u2"], k=3, output="arrays")
        assert items.shape == (2, 3) and items[0].tolist() == own["item"].tolist()


@needs("pandas")
def test_ids_come_back_as_they_went_in():
    table = rows()
    model = eq.Base(base="gmf", epochs=1).fit(eq.Log({**table, "item": table["item"].astype(np.int32)}))
    found = model.recommend([3, 4], k=2)
    assert found["user"].dtype == np.int64 and found["item"].dtype == np.int32
    items, _ = model.recommend(3, k=2, output="arrays")
    assert items.dtype == np.int32
    assert model.recommend(np.int64(3), k=2).equals(model.recommend(3, k=2))
    assert model.similar(3, k=2)["item"].dtype == np.int32
    assert model.recommend(pd.Series([3, 4]), k=2).equals(found)


@needs("pandas")
def test_ids_of_other_types_are_asked_for_as_they_are():
    import datetime

    table = rows()
    days = np.array([datetime.date(2024, 1, 1) + datetime.timedelta(int(u)) for u in table["user"]], dtype=object)
    model = eq.Mean().fit(eq.Log({**table, "user": days}))
    assert model.recommend(days[0], k=2)["user"].tolist() == [days[0]] * 2
    assert model.knows(days[0]) == "trained"


@needs("pandas")
def test_choices_of_items(model):
    assert set(model.recommend("u1", k=9, candidates=["i1", "i2"], include_seen=True)["item"]) == {"i1", "i2"}
    assert "i1" not in set(model.recommend("u1", k=12, exclude=["i1"], include_seen=True)["item"])
    with pytest.raises(eq.UsageError, match="genre"):
        model.recommend("u1", filter={"genre": ["jazz"]})
    items = {"item": [f"i{i}" for i in range(12)], "genre": ["jazz", "rock"] * 6}
    other = eq.Base(base="gmf", epochs=1).fit(eq.Log(named(rows()), items=items))
    jazz = other.recommend("u1", k=12, filter={"genre": "jazz"}, include_seen=True, columns=["genre"])
    assert set(jazz["genre"]) == {"jazz"} and len(jazz) == 6


@needs("pandas")
def test_somebody_new_and_somebody_unknown(model):
    new = model.recommend(history=["i3", ("i9", 1)], k=4)
    assert new["user"].tolist() == [None] * 4 and not {"i3", "i9"} & set(new["item"])
    unknown = model.recommend("nobody", k=4)
    assert len(unknown) == 4 and unknown["score"].equals(model.recommend("nobody else", k=4)["score"])
    assert model.knows("nobody") == "nothing" and model.knows("u1") == "trained" and model.knows(item="i1") == "trained"
    rows_after = {"user": ["u1", "u1"], "item": ["i1", "i5"], "label": [1, 1]}
    assert not {"i1", "i5"} & set(model.recommend("u1", k=12, more_rows=rows_after)["item"])
    with pytest.raises(eq.UsageError, match="one user"):
        model.recommend(["u1", "u2"], history=["i3"])


@pytest.mark.parametrize("k", [0, -3, 2.5, True, 10**7])
def test_a_list_has_a_length(model, k):
    for users in ("u1", ["u1", "u2"]):
        with pytest.raises(eq.UsageError, match="k"):
            model.recommend(users, k=k)
    with pytest.raises(eq.UsageError, match="k"):
        model.recommend("u1", k=k, output="arrays")


def test_lists_shorter_than_k(model):
    items, scores = model.recommend("u1", k=500, output="arrays")
    assert 0 < len(items) < 12 and np.isfinite(scores).all()
    items, scores = model.recommend(["u1", "u2"], k=500, output="arrays")
    assert items.shape[0] == 2 and items[0, -1] is None and np.isnan(scores[0, -1])


@needs("polars")
def test_frames_of_the_kind_that_the_log_was():
    import polars as pl

    model = eq.Mean().fit(eq.Log(pl.DataFrame({n: v.tolist() for n, v in rows().items()})))
    assert isinstance(model.recommend([1, 2], k=2), pl.DataFrame)
    assert isinstance(model.recommend(pl.Series([1, 2]), k=2), pl.DataFrame)
    assert isinstance(model.evaluate(eq.Log(rows())).to_frame(), pl.DataFrame)


def test_outputs_by_name(model):
    assert set(model.recommend("u1", k=1, output="arrays")[0]) <= set(model.items)
    with pytest.raises(eq.UsageError, match="none of pandas, polars"):
        model.recommend(["u1"], output="excel")


@needs("pandas")
def test_metrics(model, log):
    found = model.evaluate(log, k=3, replicates=50)
    assert found.k == 3 and found["auc"].low <= found["auc"].mean <= found["auc"].high
    users = found.per_user()
    assert users["ndcg"].mean() == pytest.approx(found["ndcg"].mean)
    assert list(found.to_frame().columns) == ["metric", "mean", "low", "high"]
    with pytest.raises(eq.UsageError, match="protocol"):
        model.evaluate(log, protocol="none")


def test_vectors_are_only_read(model):
    vectors = model.item_factors
    assert vectors.shape[0] == 12 and vectors is model.item_factors
    with pytest.raises(ValueError):
        vectors[0, 0] = 1
    del model._ids["item_factors"]
    assert np.isfinite(vectors).all()  # the memory lives as long as somebody looks at it
    with pytest.raises(eq.UsageError):
        eq.Mean().fit(eq.Log(rows())).item_factors


@needs("pandas")
def test_similar_items(model):
    found = model.similar("i3", k=4)
    vectors = model.item_factors.astype(float)
    place = list(model.items).index("i3")
    cosine = vectors @ vectors[place] / np.linalg.norm(vectors, axis=1) / np.linalg.norm(vectors[place])
    best = np.sort(np.delete(cosine, place))[::-1][:4]
    assert np.allclose(found["score"], best, atol=1e-5)
    with pytest.raises(eq.UsageError, match="i99"):
        model.similar("i99")

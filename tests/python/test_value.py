"""Values of policies from a drawn log: against plain numpy, as tables and pages, and what is refused."""
from html import escape

import numpy as np
import pytest
from conftest import needs

import equipoise as eq

ITEMS, PLACES, EPSILON = 4, 2, 0.2
ROLES = dict(request="list", position="place", propensity="in_list", propensity_at_position="at_place",
             propensity_given_above="given_above", eligible="could")


def drawn(lists=400, seed=3):
    """Columns of lists of two of four items, drawn uniformly, a row for each place."""
    rng = np.random.default_rng(seed)
    shown = np.array([rng.permutation(ITEMS)[:PLACES] for _ in range(lists)])
    user = np.repeat(np.arange(lists) % 25, PLACES)
    item = shown.ravel()
    place = np.tile(np.arange(1, PLACES + 1), lists)
    return {"user": user, "item": item, "label": (rng.random(len(user)) < 0.2 + 0.2 * ((user + item) % 4)).astype(int),
            "list": np.array([f"r{n}" for n in np.repeat(np.arange(lists), PLACES)], dtype=object), "place": place,
            "in_list": np.full(len(user), PLACES / ITEMS), "at_place": np.full(len(user), 1 / ITEMS),
            "given_above": 1 / (ITEMS + 1.0 - place), "could": np.full(len(user), ITEMS)}


@pytest.fixture(scope="module")
def served():
    return eq.Log(drawn(), name="served", **ROLES)


@pytest.fixture(scope="module")
def fitted(served):
    return eq.Base(base="gmf", epochs=3).fit(served)


@pytest.fixture(scope="module")
def found(served, fitted):
    return eq.value(served, {"new": fitted, "other": eq.Mean().fit(served)}, explore="epsilon=0.2", part="all",
                    include_seen=True)


def weights(rows, model, form):
    """The policy's chance of each row, divided by the log's."""
    items = np.arange(ITEMS)
    scores = np.array([model.score_pairs(np.full(ITEMS, u), items) for u in range(25)])
    best = np.argsort(-scores, axis=1, kind="stable")[rows["user"]]
    place, item = rows["place"] - 1, rows["item"]
    hit = best[np.arange(len(item)), place] == item
    if form == "item":
        in_best = (best[:, :PLACES] == item[:, None]).any(axis=1)
        return ((1 - EPSILON) * in_best + EPSILON * PLACES / ITEMS) / rows["in_list"]
    if form == "position":
        return ((1 - EPSILON) * hit + EPSILON / ITEMS) / rows["at_place"]
    down_to_here = np.cumprod(hit.reshape(-1, PLACES), axis=1).ravel()
    uniform = np.cumprod(rows["given_above"].reshape(-1, PLACES), axis=1).ravel()
    return ((1 - EPSILON) * down_to_here + EPSILON * uniform) / uniform


@pytest.mark.parametrize("form", ["item", "position", "cascade"])
def test_ips_is_that_of_plain_numpy(served, fitted, form):
    rows = drawn()
    found = eq.value(served, {"new": fitted}, explore="epsilon=0.2", part="all", form=form, include_seen=True)
    lists = len(rows["user"]) // PLACES
    weight = weights(rows, fitted, form)
    estimates = found.estimates["new"]
    assert estimates["ips"].value == pytest.approx((weight * rows["label"]).sum() / lists, rel=1e-6)
    assert found.logged.value == pytest.approx(rows["label"].sum() / lists)
    assert estimates["ips"].low < estimates["ips"].value < estimates["ips"].high
    assert (found.form, found.lists, found.users, found.rows) == (form, lists, 25, len(rows["user"]))


def test_how_a_policy_explores_is_its_own(served, fitted, found):
    judged = dict(part="all", include_seen=True)
    two = eq.value(served, {"best": fitted, "new": fitted}, explore={"new": "epsilon=0.2"}, threads=2, **judged)
    assert two.estimates["new"]["ips"] == found.estimates["new"]["ips"]
    assert two.estimates["best"]["ips"] == eq.value(served, {"a": fitted}, **judged).estimates["a"]["ips"]
    assert [one["explore"] for one in two.figures["policies"]] == ["none", "epsilon=0.2"]


def test_rows_have_what_a_server_knows_of_its_lists(served):
    rows = {part: served.rows(part) for part in ("train", "valid", "test")}
    given = drawn()
    assert sum(len(one["request"]) for one in rows.values()) == len(given["list"])
    assert set(served.requests) == set(given["list"])
    places = dict(zip(zip(given["list"], given["item"]), given["place"]))
    for part, one in rows.items():
        named = served.part(part)
        assert (np.asarray(named["request"]) == served.requests[one["request"]]).all()
        assert [places[key] for key in zip(named["request"], named["item"])] == list(one["position"])
        assert (one["eligible"] == ITEMS).all() and (one["propensity_at_position"] == 1 / ITEMS).all()
        assert np.allclose(one["propensity_given_above"], 1 / (ITEMS + 1.0 - one["position"]))


def test_ids_of_requests_come_back_as_they_were():
    rows = {**drawn(60), "list": np.repeat(np.arange(60), PLACES)}
    log = eq.Log(rows, **ROLES)
    assert log.requests.dtype == rows["list"].dtype and sorted(log.requests) == list(range(60))
    assert "request" not in eq.Log({name: rows[name] for name in ("user", "item", "label")}, duplicates="last").rows("train")


@needs("pandas")
def test_tables_and_displays(found, tmp_path):
    frame = found.to_frame()
    assert frame.columns.tolist() == ["policy", "estimator", "value", "low", "high"] and len(frame) == 11
    assert frame.value[0] == found.logged.value
    contrasts = found.contrasts.to_frame()
    assert contrasts.against.tolist() == ["the log", "the log", "new"]
    assert set(contrasts.verdict) <= {"better", "worse", "cannot be told"}
    assert not found.chances_wrong and found.check.startswith("the logged chances can be true")
    text, html = str(found), found._repr_html_()
    assert repr(found) == text and len(found.verdicts) == 3
    for words in (*found.verdicts, found.check, "switch-dr", found.assumption):
        assert words in text and escape(words) in html
    page = found.report(tmp_path / "value.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and escape(found.check) in page


def test_wrong_chances_are_told(fitted):
    rows = drawn()
    rows["in_list"] = rows["in_list"] * np.where(rows["item"] == 0, 0.5, 0.9)
    log = eq.Log(rows, **ROLES)
    with pytest.warns(eq.Warning, match="the logged chances are wrong"):
        found = eq.value(log, {"new": fitted}, explore="epsilon=0.2", part="all", include_seen=True)
    assert found.chances_wrong and "the logged chances are wrong" in str(found)


def test_a_policy_that_cannot_be_judged_is_named(served, fitted):
    rows = drawn()
    only = {name: column[np.isin(rows["list"], rows["list"][:10])] for name, column in rows.items()}
    few = eq.Log(only, **ROLES)
    with pytest.raises(eq.CheckError, match="this log cannot judge policy new: "):
        eq.value(few, {"new": fitted}, part="all", form="cascade", include_seen=True)


def test_errors_say_what_was_expected(served, fitted):
    for policies, keywords, message in [
            ({}, {}, "expected at least one policy"),
            (fitted, {}, "policies: expected fitted models by name"),
            ({"new": "m.model"}, {}, "policies: 'new' is no model of this package, but str"),
            ({"new": fitted}, {"explore": {"old": "none"}}, "explore: there is no policy 'old'; the policies are new"),
            ({"new": fitted}, {"explore": "epsilon=2"}, "epsilon"),
            ({"new": fitted}, {"folds": 1}, "folds"),
            ({"new": fitted}, {"from": "item"}, "did you mean form")]:
        with pytest.raises(eq.UsageError, match=message):
            eq.value(served, policies, **keywords)
    with pytest.raises(eq.NotFittedError):
        eq.value(served, {"new": eq.Base(base="gmf")})
    plain = eq.Log({name: drawn()[name] for name in ("user", "item", "label", "list")}, request="list")
    with pytest.raises(eq.DataError, match="needs the column propensity in the log"):
        eq.value(plain, {"new": fitted}, part="all")


def test_a_file_with_the_same_columns_is_the_same_log(served, tmp_path):
    rows = drawn()
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*(column.tolist() for column in rows.values())))]
    (tmp_path / "served.csv").write_text("\n".join(lines) + "\n")
    assert eq.Log(tmp_path / "served.csv", **ROLES).fingerprint == served.fingerprint

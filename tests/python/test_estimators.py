"""The classes that are made from the methods' table: signatures, parameters, presets, copies, files."""
import copy
import inspect
import pickle

import numpy as np
import pytest
from conftest import named, rows

import equipoise as eq

CLASSES = list(eq.METHODS.values())


def test_there_is_a_class_for_each_method():
    assert list(eq.METHODS) == eq._native.method_names()
    assert {cls.__name__ for cls in CLASSES} <= set(eq.__all__)
    assert eq.RelMF is eq.METHODS["rel-mf"] and eq.SNIPS is eq.METHODS["snips"] and eq.Base is eq.METHODS["base"]


@pytest.mark.parametrize("cls", CLASSES)
def test_signatures_are_the_declared_parameters(cls):
    declared = {g["name"]: g for g in eq._native.parameter_groups() if g["kind"] == "method"}[cls._method]
    shown = inspect.signature(cls).parameters
    for p in declared["parameters"]:
        assert p["name"] in shown
        assert eq._parameters.text(shown[p["name"]].default) == p["default"] or float(p["default"]) == shown[p["name"]].default
        assert p["sentence"].split()[0] in cls.__doc__
    assert shown["learning_rate"].default == 0.001 and "lambda_" in shown and "lambda" not in shown
    assert repr(cls()) == f"{cls.__name__}()"


def test_parameters_are_checked_when_they_are_given():
    with pytest.raises(eq.UsageError, match='"gama"; did you mean gamma'):
        eq.CBR(gama=1)
    with pytest.raises(eq.UsageError, match="gamma = -1 is out of range: from 0"):
        eq.CBR(gamma=-1)
    with pytest.raises(eq.UsageError, match="layers is not a parameter of base gmf"):
        eq.Base(base="gmf", layers=(4,))
    with pytest.raises(eq.UsageError, match="alpha"):
        eq.CBR(alpha=1)
    with pytest.raises(eq.UsageError):
        eq.Base(base="none")
    model = eq.CBR(gamma=0.5)
    with pytest.raises(eq.UsageError):
        model.set_params(eta=2, gamma=-1)
    assert model.gamma == 0.5 and model.eta == 1


def test_presets_are_values_that_others_stand_above():
    paper = eq.CBR(preset="paper")
    assert paper.item_weight_power == 1 and paper.biases is False
    own = eq.CBR(preset="paper", item_weight_power=0.0)
    assert own.item_weight_power == 0
    copied = eq.CBR(**own.get_params())
    assert copied.get_params() == own.get_params()
    log = eq.Log(named(rows()))
    card = own.set_params(epochs=1).fit(log).card["parameters"]
    assert card["item_weight_power"] == 0 and card["biases"] is False
    with pytest.raises(eq.UsageError, match="preset"):
        eq.CBR(preset="papre")


def test_values_reach_the_model():
    model = eq.CVIB(base="mlp", alpha=0.3, layers=[8, 4], lambda_=0.5, epochs=1, seed=9).fit(eq.Log(rows()))
    card = model.card
    assert card["parameters"]["alpha"] == 0.3 and card["parameters"]["layers"] == [8, 4]
    assert card["training"]["settings"]["lambda"] == 0.5 and card["training"]["settings"]["seed"] == 9


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_are_the_same_model(model, copied):
    other = copied(model)
    assert other.get_params() == model.get_params() and other.to_bytes() == model.to_bytes()
    assert other.recommend("u1", k=3).equals(model.recommend("u1", k=3))
    numbers = eq.Mean().fit(eq.Log(rows()))
    assert copied(numbers).items.dtype == np.int64
    assert copied(eq.Mean(shrinkage=2.0)).shrinkage == 2
    assert b"equipoise._native" not in pickle.dumps(model)


def test_files(model, tmp_path):
    model.save(tmp_path / "a.model")
    other = eq.load(tmp_path / "a.model")
    assert type(other) is eq.CBR and other.to_bytes() == model.to_bytes()
    assert {**other.get_params(), "metric": "auto", "history": "auto"} == model.get_params()  # what auto came to
    (tmp_path / "b.model").write_bytes(model.to_bytes()[:-3])
    with pytest.raises(eq.CheckError, match="b.model"):
        eq.load(tmp_path / "b.model")
    with pytest.raises(eq.Error):
        eq.load(tmp_path / "none.model")
    with pytest.raises(eq.UsageError, match="not every id is of the type int64"):
        eq.load(tmp_path / "a.model", id_type=int).items


def test_a_model_that_is_not_fitted_says_so():
    for ask in (lambda m: m.predict([["a", "b"]]), lambda m: m.recommend("a"), lambda m: m.save("x"), lambda m: m.card,
                lambda m: m.similar("b"), lambda m: m.users):
        with pytest.raises(eq.NotFittedError, match="this IPS is not fitted yet"):
            ask(eq.IPS())


def test_a_log_has_labels_of_its_own(log):
    with pytest.raises(eq.UsageError, match="labels and weights of its own"):
        eq.Mean().fit(log, [1, 0])
    with pytest.raises(eq.UsageError, match="0 or 1"):
        eq.Mean().fit(log).score([["u1", "i1"]], [3])


def test_what_is_fitted_stays_when_a_fit_fails(log):
    model = eq.Mean().fit(log)
    before = model.to_bytes()
    with pytest.raises(eq.DataError):
        model.fit(eq.Log({"user": [1, 1], "item": [1, 2], "label": [0, 1]}, log_test_share=0, log_valid_share=0))
    assert model.to_bytes() == before

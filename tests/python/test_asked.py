"""What people really ask a model with: ids of other number types, one id for several, sets, arrays, tables by mistake."""
import warnings

import numpy as np
import pytest
from conftest import installed, needs, rows

import equipoise as eq

pd = installed("pandas")


@pytest.fixture(scope="module")
def numbered():
    """A model whose users and items are whole numbers, with two features of items."""
    features = {"item": np.arange(12), "genre": np.array(list("xyz") * 4, dtype=object), "price": np.arange(12) / 4}
    return eq.Base(base="gmf", epochs=2, embedding=8).fit(eq.Log(rows(), items=features))


def listed(model, *arguments, **keywords):
    """The items of one list."""
    return model.recommend(*arguments, output="arrays", **keywords)[0].tolist()


def test_whole_floats_are_whole_numbers_where_ids_are(numbered):
    wanted = listed(numbered, 7, k=3)
    assert listed(numbered, 7.0, k=3) == listed(numbered, np.float32(7), k=3) == wanted
    assert listed(numbered, np.array([7.0]), k=3) == [wanted]
    assert numbered.knows(7.0) == "trained" and numbered.knows(7.5) == "nothing"
    assert numbered.score_pairs([7.0], [3.0]) == numbered.score_pairs([7], [3])
    assert listed(numbered, 7, k=12, exclude=[float(wanted[0])])[0] == wanted[1]
    floats = rows()
    half = eq.Base(base="gmf", epochs=1).fit(eq.Log({**floats, "user": floats["user"] / 2}))
    assert half.knows(3) == half.knows(3.0) == half.knows(2.5) == "trained"
    assert listed(half, 3, k=3) == listed(half, 3.0, k=3)


def test_choices_of_items_are_lists_arrays_sets_or_one_id(numbered):
    every = listed(numbered, 7, k=12)
    first, second = every[:2]
    for one in ([first], (first,), {first}, np.array([first]), first, iter([first])):
        assert listed(numbered, 7, k=1, exclude=one) == [second], one
    for one in ([second], {second: 1}.keys(), np.array([second]), second):
        assert listed(numbered, 7, candidates=one) == [second], one
    assert listed(numbered, 7, candidates=[]) == listed(numbered, 7, candidates=np.array([], dtype=int)) == []
    assert listed(numbered, 7, k=12, exclude=None) == every


@needs("pandas")
def test_users_are_any_several_ids(numbered):
    wanted = numbered.recommend([3, 4], k=2)
    for users in ((3, 4), {3: 0, 4: 0}.keys(), range(3, 5), (user for user in (3, 4)), pd.Series([3, 4], index=[9, 8])):
        assert numbered.recommend(users, k=2).equals(wanted), users
    with pytest.raises(eq.DataError, match="users: expected one column, found a table"):
        numbered.recommend(pd.DataFrame({"user": [3, 4]}))


def test_one_id_goes_with_each_of_the_others(numbered):
    wanted = numbered.score_pairs([3, 3, 3], [1, 2, 5])
    assert np.array_equal(numbered.score_pairs(3, [1, 2, 5]), wanted)
    assert np.array_equal(numbered.score_pairs(3, (item for item in (1, 2, 5))), wanted)
    assert np.array_equal(numbered.score_pairs([3, 4], 1), numbered.score_pairs([3, 4], [1, 1]))
    assert numbered.score_pairs(3, 1).tolist() == wanted[:1].tolist()
    with pytest.raises(eq.UsageError, match="users has 2 ids, and items has 3"):
        numbered.score_pairs([1, 2], [1, 2, 3])


def test_a_history_is_items_pairs_or_a_dict(numbered):
    assert listed(numbered, history=[(1, 1), (2, 0)]) == listed(numbered, history={1: 1, 2: 0})
    assert listed(numbered, history=1) == listed(numbered, history=[1])
    if pd is not None:
        with pytest.raises(eq.UsageError, match="history: expected ids of items, found a table"):
            numbered.recommend(history=pd.DataFrame({"item": [1]}))


@needs("pandas")
def test_columns_of_numbers_come_back_as_numbers(numbered):
    frame = numbered.recommend(3, k=4, columns=["price", "genre"])
    assert frame["price"].dtype == np.float64 and frame["price"].tolist() == (frame["item"] / 4).tolist()
    assert numbered.recommend(3, k=4, columns="genre")["genre"].tolist() == frame["genre"].tolist()


@needs("pandas")
def test_unknown_users_are_said(numbered):
    with pytest.warns(eq.Warning, match='2 of 3 users are unknown to the model, first "900"'):
        numbered.recommend([3, 900, 901], k=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numbered.recommend([3, 4], k=2)
        numbered.recommend(history=[], k=2)
        numbered.recommend(900, k=2, output="arrays")


def test_lengths_out_of_range_make_no_room_first(numbered):
    for k in (0, -1, 10**6 + 1, 10**15):
        for users in (3, [3, 4]):
            with pytest.raises(eq.UsageError, match=f"k = {k} is out of range: from 1 up to 1000000"):
                numbered.recommend(users, k=k, output="arrays")


def test_mistakes_are_answered_in_one_line(numbered):
    with pytest.raises(eq.UsageError, match="there is no metric 'acu'; did you mean auc"):
        numbered.evaluate(eq.Log(rows(held_out=True)), k=3)["acu"]
    table = eq.Table("marks", {"arm": ["base"], "seconds": [1.5]})
    for kind in (eq.UsageError, KeyError):
        with pytest.raises(kind, match="^there is no column 'second'; did you mean seconds"):
            table["second"]
    with pytest.raises(eq.UsageError, match="Expected 2D array"):
        numbered.predict((3, "a"))
    with pytest.raises(eq.UsageError, match="epochs is a whole number, got 'None'"):
        eq.Base(epochs=None)
    with pytest.raises(TypeError, match=r"CBR.__init__\(\) takes 1 positional"):
        eq.CBR("gmf")
    with pytest.raises(eq.UsageError, match=r"evaluate: expected an eq.Log .* eq.Log\(trained_on, test=rows\)"):
        numbered.evaluate(rows(held_out=True))
    with pytest.raises(eq.UsageError, match="id_type: expected {'user': …, 'item': …}, found the keys 'users'"):
        eq.from_bytes(numbered.to_bytes(), id_type={"users": int})
    for threads in (-1, 1.5, None, "all"):
        for make in (lambda threads: eq.Base(threads=threads), lambda threads: eq.Log(rows(), threads=threads)):
            with pytest.raises(eq.UsageError, match="threads = .* is out of range"):
                make(threads)
    assert eq.DataError.__module__ == "equipoise"

"""Frames as people have them: indexes that hold ids, dates, lazy frames, series and columns by mistake."""
import datetime

import numpy as np
import pytest
from conftest import installed, named, needs, rows

import equipoise as eq

pd = installed("pandas")
pytestmark = needs("pandas")


def frame():
    return pd.DataFrame(named(rows()))


def test_an_index_with_a_name_is_a_column():
    wanted = eq.Log(frame()).fingerprint
    assert eq.Log(frame().set_index("user")).fingerprint == wanted
    assert eq.Log(frame().set_index(["user", "item"])).fingerprint == wanted
    assert eq.Log(frame().sample(frac=1, random_state=1).sort_index().set_index(np.arange(5, 5 + len(frame())))).fingerprint == wanted


def test_features_by_an_index():
    features = pd.DataFrame({"item": [f"i{k}" for k in range(12)], "price": np.arange(12) / 4})
    wanted = eq.Log(frame(), items=features)
    assert eq.Log(frame(), items=features.set_index("item")).fingerprint == wanted.fingerprint
    assert wanted.counts["items"] == 12
    with pytest.raises(eq.UsageError, match="no column 'item', and the first one, 'price', has numbers that are no ids"):
        eq.Log(frame(), items=features[["price"]])


def test_dates_are_times():
    days = [datetime.date(2024, 1, 1 + k % 28) for k in range(len(frame()))]
    as_dates = eq.Log(frame().assign(timestamp=days), timestamp="timestamp")
    assert as_dates.fingerprint == eq.Log(frame().assign(timestamp=pd.to_datetime(days)), timestamp="timestamp").fingerprint
    with pytest.raises(eq.DataError, match="column 'timestamp', row 3: the time is missing"):
        eq.Log(frame().assign(timestamp=[*days[:2], None, *days[3:]]), timestamp="timestamp")


@needs("polars")
def test_a_lazy_frame_is_collected():
    import polars

    table = polars.DataFrame({name: values.tolist() for name, values in named(rows()).items()})
    assert eq.Log(table.lazy()).fingerprint == eq.Log(table).fingerprint


def test_mistakes_are_answered_in_one_line():
    with pytest.raises(eq.UsageError, match="expected a table .* found Series"):
        eq.Log(frame()["label"])
    with pytest.raises(eq.DataError, match="no column 'usr' for the role user; did you mean 'user'"):
        eq.Log(frame(), user="usr")
    with pytest.raises(eq.UsageError, match="user and item are both given to the column 'item'"):
        eq.Log(frame(), user="item")
    wide = frame().assign(**{f"c{k}": 0 for k in range(40)})
    with pytest.raises(eq.DataError, match=r"c16, … \(43 in all\)$"):
        eq.Log(wide, user="who")
    with pytest.raises(eq.DataError, match='the log, row 321: user "u0" and item "i1" occur at the log, row 1 already'):
        eq.Log(pd.concat([frame(), frame()[:1]]))

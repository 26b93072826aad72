"""The laboratory from Python: exposure over real labels, headroom, and the study balance."""
import random

import pytest

import equipoise as eq


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    folder, draw = tmp_path_factory.mktemp("matrix"), random.Random(5)
    cells, outside, tags = ["user,item,label"], ["user,item,label"], ["item,tags"]
    for u in range(40):
        taste = draw.random() < 0.5
        cells += [f"u{u},i{i},{int(draw.random() < (0.7 if (i % 2 == 0) == taste else 0.2))}" for i in range(30)]
        outside += [f"u{u},o{i},1" for i in range(6) if draw.random() < (0.8 if (i % 2 == 0) == taste else 0.3)]
        outside.append(f"u{u},o9,0")
    tags += [f"i{i},{'even' if i % 2 == 0 else 'odd'}" for i in range(30)]
    tags += [f"o{i},{'even' if i % 2 == 0 else 'odd'}" for i in range(10)]
    for name, lines in (("cells", cells), ("outside", outside), ("items", tags)):
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    log = eq.Log.import_from("csv", folder / "outside.csv", test=str(folder / "cells.csv"), valid_share=0,
                             items=str(folder / "items.csv"), tags="tags")
    log.save(folder / "matrix")
    return log, folder / "matrix"


def test_exposure_is_drawn_over_the_labels(matrix):
    log, folder = matrix
    lab = eq.simulate(labels=log, strength=2, density=0.2, valid_cells=300, name="lab")
    assert lab.name == "lab" and len(lab.users) == 40 and len(lab.items) == 30
    assert lab.counts["train"] + lab.counts["valid"] + lab.counts["test"] == 1200
    again = eq.simulate(labels=folder, strength=2, density=0.2, valid_cells=300, name="again")
    assert again.counts == lab.counts
    eq.IPS(base="gmf", propensity="given", epochs=1).fit(lab)
    with pytest.raises(eq.UsageError, match="users"):
        eq.simulate(labels=log, users=3)
    with pytest.raises(eq.DataError, match="every pair of its users and items"):
        eq.simulate(labels=eq.simulate(users=50, items=12, width=2))


def test_headroom_is_in_the_figures(matrix):
    lab = eq.simulate(labels=matrix[0], strength=0, density=0.3, valid_cells=400)
    found = eq.doctor(lab, headroom=True, headroom_folds=3)
    assert found.figures["headroom"]["judged"] == 400


def test_the_study_balance_takes_a_matrix(matrix, tmp_path):
    runs = eq.study("balance", matrix[0], bases="gmf", widths=[2], strengths="0,1", budget=1, seeds=2, epochs=1,
                    density=0.2, valid_cells=300, test_cells=200, replicates=10, out=tmp_path / "runs", allow="all")
    runs.report(tmp_path / "report.html")
    assert "When balancing users is right" in (tmp_path / "report.html").read_text()

"""The examples of callbacks run to their end."""
import os

from conftest import needs, run_python

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")


@needs("mlflow", "sqlalchemy", "alembic")
def test_mlflow(tmp_path):
    path = str(tmp_path / "runs.db")
    run_python(os.path.join(EXAMPLES, "callbacks", "mlflow_callback.py"), path)
    from mlflow import MlflowClient

    client = MlflowClient("sqlite:///" + path)
    found = client.search_runs(["0"])
    assert len(found) == 1 and "auc" in found[0].data.metrics
    assert len(client.get_metric_history(found[0].info.run_id, "valid")) == 5


@needs("tensorboard")
def test_tensorboard(tmp_path):
    run_python(os.path.join(EXAMPLES, "callbacks", "tensorboard_callback.py"), str(tmp_path))
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(tmp_path))
    events.Reload()
    assert len(events.Scalars("valid")) == 5

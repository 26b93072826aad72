"""Logs every epoch of a training run to MLflow; the file of its database may be given."""
import sys

import equipoise as eq
import mlflow

mlflow.set_tracking_uri("sqlite:///" + (sys.argv[1] if len(sys.argv) > 1 else "mlflow.db"))
log = eq.simulate(users=500, items=32, seed=1)
model = eq.CBR(base="gmf", epochs=5)
with mlflow.start_run():
    mlflow.log_params(model.get_params())
    model.fit(log, callback=lambda epoch: mlflow.log_metrics({"valid": epoch.metric, **epoch.losses}, step=epoch.number))
    mlflow.log_metrics({name: metric.mean for name, metric in model.evaluate(log).items() if metric.mean == metric.mean})

"""Writes every epoch of a training run for TensorBoard; the folder may be given."""
import sys

import equipoise as eq
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

writer = EventFileWriter(sys.argv[1] if len(sys.argv) > 1 else "runs")


def write(epoch):
    """torch.utils.tensorboard has add_scalar for this; TensorBoard alone is enough."""
    values = {"valid": epoch.metric, **{f"loss/{phase}": loss for phase, loss in epoch.losses.items()}}
    summary = Summary(value=[Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()])
    writer.add_event(Event(step=epoch.number, summary=summary))


eq.CBR(base="gmf", epochs=5).fit(eq.simulate(users=500, items=32, seed=1), callback=write)
writer.close()

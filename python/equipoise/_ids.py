"""Ids of any type: texts inside, and the type that they came in outside."""
import numpy as np


class IdType:
    """How texts become the ids that the caller knows. Kinds: "str", "int" (a numpy dtype), "float", "objects"."""

    def __init__(self, kind="str", dtype=None, objects=None):
        self.kind = kind
        self.dtype = dtype  # of numbers
        self.objects = objects  # text → the caller's own, where it is not the text itself

    def __eq__(self, other):
        return isinstance(other, IdType) and self.__dict__ == other.__dict__

    def __repr__(self):
        return f"IdType({self.kind!r}{'' if self.dtype is None else ', ' + repr(str(self.dtype))})"

    @classmethod
    def of(cls, wanted):
        """Of what `eq.load(…, id_type=…)` is given: int, str, float or a numpy dtype."""
        if isinstance(wanted, IdType):
            return wanted
        if wanted in (None, str):
            return cls()
        if wanted is int:
            return cls("int", np.dtype(np.int64))
        dtype = np.dtype(wanted)
        if dtype.kind in "iu":
            return cls("int", dtype)
        if dtype.kind == "f":
            return cls("float", dtype)
        raise TypeError(f"id_type: expected str, int, float or a numpy type of whole numbers, found {wanted!r}")

    def array(self, texts):
        """The ids of many texts, as a numpy array."""
        if self.kind in ("int", "float"):
            return np.array(texts, dtype=object).astype(np.float64 if self.kind == "float" else self.dtype).astype(
                self.dtype)
        out = np.empty(len(texts), dtype=object)
        out[:] = texts if self.objects is None else [self.objects.get(text, text) for text in texts]
        return out

    def text(self, value):
        """The text of one id, as a column of them is read."""
        if isinstance(value, str):
            return value
        if isinstance(value, (float, np.floating)):
            return repr(float(value))
        if isinstance(value, bytes):
            return value.decode()
        return str(value)

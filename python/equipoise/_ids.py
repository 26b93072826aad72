"""Ids of any type: texts inside, and the type that they came in outside."""
import numpy as np

from ._errors import UsageError


class IdType:
    """How texts become the ids that the caller knows.

    kind is "str", "int" or "float" (then dtype says of which size), or "objects": ids of other types or of several,
    each of which comes back as it was given.
    """

    def __init__(self, kind="str", dtype=None, objects=None):
        self.kind = kind
        self.dtype = dtype
        self.objects = objects  # text → the caller's own, where that is not the text itself

    def __eq__(self, other):
        return isinstance(other, IdType) and self.__dict__ == other.__dict__

    def __repr__(self):
        return f"IdType({self.kind!r}{'' if self.dtype is None else ', ' + repr(str(self.dtype))})"

    @classmethod
    def of(cls, wanted):
        """Of what a caller asks for: int, str, float or a numpy type."""
        if isinstance(wanted, IdType):
            return wanted
        if wanted is None or wanted is str:
            return cls()
        try:
            dtype = np.dtype(np.int64 if wanted is int else wanted)
        except TypeError:
            dtype = None
        if dtype is not None and dtype.kind in "iuf":
            return cls("float" if dtype.kind == "f" else "int", dtype)
        raise UsageError(f"id_type: expected str, int, float or a numpy type of numbers, found {wanted!r}")

    @classmethod
    def both(cls, wanted):
        """Of users and of items: one type for both, or a dict {"user": …, "item": …}."""
        if isinstance(wanted, dict):
            if not set(wanted) <= {"user", "item"}:
                raise UsageError(f"id_type: expected {{'user': …, 'item': …}}, found the keys {', '.join(map(repr, wanted))}")
            return cls.of(wanted.get("user")), cls.of(wanted.get("item"))
        return cls.of(wanted), cls.of(wanted)

    def array(self, texts):
        """The ids of many texts, as a numpy array."""
        if self.kind == "str":
            return np.array(texts, dtype=object)
        if self.kind == "objects":
            out = np.empty(len(texts), dtype=object)
            out[:] = [self.objects.get(text, text) for text in texts]
            return out
        try:
            return np.array([int(text) if self.kind == "int" else float(text) for text in texts], dtype=self.dtype)
        except ValueError as error:
            raise UsageError(f"id_type: not every id is of the type {self.dtype}: {error}") from None

    def text(self, value):
        """The text of one id that is asked for: 12.0 is the id 12 where ids are whole numbers, and the other way round."""
        if self.kind == "int" and isinstance(value, (float, np.floating)) and float(value).is_integer():
            value = int(value)
        elif self.kind == "float" and isinstance(value, (int, np.integer)):
            value = float(value)
        return text_of(value)

    def like(self, array):
        """An array of ids that are asked for, whole numbers or floats as the known ones are."""
        if self.kind == "int" and array.dtype.kind == "f":
            return array.astype(np.int64) if (array == np.floor(array)).all() and (np.abs(array) < 2**63).all() else array
        return array.astype(np.float64) if self.kind == "float" and array.dtype.kind in "iu" else array

    def merge(self, other):
        """The type of ids of two tables: their own where they agree."""
        if other == self or other is None:
            return self
        if self.kind == other.kind == "int":
            return IdType("int", np.promote_types(self.dtype, other.dtype))
        if self.kind == other.kind == "objects":
            return IdType("objects", objects={**other.objects, **self.objects})
        return self


def is_one(ids):
    """Whether a caller gave one id, and not several."""
    return isinstance(ids, (str, bytes)) or not hasattr(ids, "__iter__")


def several(ids):
    """Ids in an order, whether one was given or many, of whatever kind."""
    return [ids] if is_one(ids) else ids if hasattr(ids, "__getitem__") else list(ids)


def text_of(value):
    """The text of one id, as a column of them is read."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, bytes):
        return value.decode()
    return str(value)

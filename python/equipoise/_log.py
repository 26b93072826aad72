"""eq.Log: a data set made of any table, of columns in memory, or of a file or folder."""
import inspect
import json
import os
import pathlib
import tempfile

from . import _columns, _native
from ._errors import UsageError
from ._features import features_of
from ._hooks import Hooks
from ._ids import IdType
from ._lab_parts import Parts
from ._parameters import declared, texts, with_signature, workers
from ._tables import table_of

ROLES = ("user", "item", "label", "weight", "propensity", "timestamp", "request", "position",
         "propensity_at_position", "propensity_given_above", "eligible")
_ID_ROLES = ("user", "item", "request")
_FILE_ROLES = {role: role + "_column" for role in ROLES}
_OPEN = declared("verb", "open")
_NOT_KEYWORDS = {*_FILE_ROLES.values(), "time_column", "test", "valid", "users", "items", "categorical", "tags"}


class Log(Parts):
    """A log of what users were shown, with its parts: train, valid and test. It never changes.

    data : a table (pandas, polars, pyarrow, duckdb or anything with `__arrow_c_stream__`), a dict of arrays, numpy
        records, a scipy sparse matrix (users × items), the path of a CSV file, or the folder of a data set
    user, item, label, weight, propensity, timestamp : the columns of these roles; without a label column every row is a
        positive; times may be dates, which count in whole seconds
    request, position, propensity_at_position, propensity_given_above, eligible : columns of what a server that draws
        its lists knows: the list's id, the position in it from 1, the chance of the item at this position, the same
        given the items above it, and how many items the list could have shown; `eq.value` judges policies by them
    test : table or file of unbiased rows with the same columns, split into valid and test
    valid : table or file of rows for valid; then all of test is test
    users, items : tables or files of features, the id in the column of that role or in the first one; numbers are
        continuous features, everything else is categorical
    categorical, tags : names of feature columns that are categorical though they are numbers, or hold "a|b|c"
    id_type : of ids in files: str, int, float or a numpy type, or {"user": …, "item": …}; tables have their own
    threads : worker threads, which never change a result; 0 = as many as the machine has

    Numbers are read where they lie. Ids come back as the type that they had: whole numbers, texts, floats, and other
    objects by their str(). In a file, and inside, an id is a text: 7 and "7" in one column are one id, and refused.

    >>> table = {"who": ["ann", "ann", "bob", "bob"], "what": [1, 2, 1, 3], "stars": [5, 2, 4, 1]}
    >>> eq.Log(table, user="who", item="what", label="stars", positive_at_least=4)
    Log('rows': 2 users, 3 items, 4 train, 0 valid, 0 test rows)
    """

    def __init__(self, data, *, user="user", item="item", label=None, weight=None, propensity=None, timestamp=None,
                 request=None, position=None, propensity_at_position=None, propensity_given_above=None, eligible=None,
                 test=None, valid=None, users=None, items=None, categorical=(), tags=(), id_type=None, threads=0,
                 progress=None, **parameters):
        threads = workers(threads)
        roles = dict(zip(ROLES, (user, item, label, weight, propensity, timestamp, request, position,
                                 propensity_at_position, propensity_given_above, eligible)))
        self.user_type, self.item_type = IdType.both(id_type)
        self.request_type = IdType()
        self.frame = ""
        more = dict(test=test, valid=valid, users=users, items=items, categorical=categorical, tags=tags)
        with Hooks(progress=progress) as hooks:
            if isinstance(data, _native.Data):
                self._data = data
            elif isinstance(data, (str, os.PathLike)):
                self._data = _open(os.fspath(data), roles, more, parameters, threads, hooks)
            else:
                self._data = self._read(data, roles, more, parameters, threads, hooks)

    def _read(self, data, roles, more, parameters, threads, hooks):
        table = table_of(data)
        self.frame = table.kind
        if roles["label"] is None and "label" in table.names:
            roles["label"] = "label"
        if roles["label"] is not None:
            parameters.setdefault("label_column", str(roles["label"]))
        log = self._columns(table, roles, "the log", True)
        parts = [self._columns(table_of(more[part], where), roles, where) if more[part] is not None else {}
                 for part, where in (("test", "the test rows"), ("valid", "the validation rows"))]
        names = parameters.pop("item_name_column", None)
        users, kind = features_of(more["users"], "the users' features", (roles["user"], "user"), more["categorical"],
                                  more["tags"])
        self.user_type = self.user_type.merge(kind)
        items, kind = features_of(more["items"], "the items' features", (roles["item"], "item"), more["categorical"],
                                  more["tags"], names)
        self.item_type = self.item_type.merge(kind)
        if roles["user"] == roles["item"]:
            raise UsageError(f"the roles user and item are both given to the column {roles['user']!r}")
        called = {role: str(name) for role, name in roles.items() if name is not None}
        return _native.Data.from_rows(log, called, texts(parameters), *parts, users, items, threads, hooks)

    def _columns(self, table, roles, where, first=False):
        out = {}
        for role, name in roles.items():
            if name is None:
                continue
            values = table.column(name, where, "the role " + role)
            place = f"{where}, column {name!r}"
            if role not in _ID_ROLES:
                out[role] = _columns.numbers(values, place)
                continue
            out[role], found = _columns.ids(values, place)
            before = getattr(self, role + "_type")
            setattr(self, role + "_type", found if first else before.merge(found))
        return out

    @classmethod
    def import_from(cls, source, *paths, id_type=None, threads=0, progress=None, **parameters):
        """A log of a known source's files: "coat", "movielens", …, as `equipoise import` reads them.

        >>> eq.Log.import_from("movielens", "nowhere/u.data")
        Traceback (most recent call last):
        ...
        equipoise.DataError: nowhere/u.data: no such file
        """
        with Hooks(progress=progress) as hooks:
            data = _native.Data.import_source(source, [os.fspath(path) for path in paths], texts(parameters),
                                              workers(threads), hooks)
        return cls(data, id_type=id_type)

    def with_valid(self, rows):
        """The same log with all rows of another one as its validation part.

        >>> log.with_valid(eq.Log({"user": ["u1"], "item": ["i2"], "label": [1]}, log_test_share=0)).counts["valid"]
        1
        """
        out = Log(self._data.with_valid(rows._data))
        out.user_type, out.item_type = self.user_type.merge(rows.user_type), self.item_type.merge(rows.item_type)
        out.request_type = self.request_type
        out.frame = self.frame
        return out

    def save(self, folder):
        """Writes the data set's folder, which the command line reads too.

        >>> log.save(folder / "data"); eq.Log(folder / "data").fingerprint == log.fingerprint
        True
        """
        self._data.save(os.fspath(folder))

    @property
    def name(self):
        """The data set's name."""
        return self._data.name

    @property
    def users(self):
        """The ids of all users, in the order of their numbers.

        >>> len(log.users) == log.counts["users"]
        True
        """
        return self.user_type.array(self._data.users())

    @property
    def items(self):
        """The ids of all items, in the order of their numbers."""
        return self.item_type.array(self._data.items())

    @property
    def requests(self):
        """The ids of the lists that rows are of, in the order of their numbers; none where rows are of no list.

        >>> len(log.requests)
        0
        """
        return self.request_type.array(self._data.requests())

    @property
    def counts(self):
        """How many users, items and rows of each part there are, as a dict.

        >>> sorted(log.counts)
        ['items', 'test', 'train', 'users', 'valid']
        """
        return dict(zip(("users", "items", "train", "valid", "test"), self._data.counts))

    @property
    def fingerprint(self):
        """Sixteen hexadecimal digits: equal data, equal text."""
        return self._data.fingerprint()

    @property
    def summary(self):
        """Figures and provenance, as a dict.

        >>> log.summary["train"] == log.counts["train"]
        True
        """
        return json.loads(self._data.summary())

    def __getstate__(self):
        with tempfile.TemporaryDirectory(prefix="equipoise-") as folder:
            self.save(os.path.join(folder, "data"))
            files = {path.name: path.read_bytes() for path in pathlib.Path(folder, "data").iterdir() if path.is_file()}
        return {"files": files, "rest": {name: one for name, one in self.__dict__.items() if name != "_data"}}

    def __setstate__(self, state):
        self.__dict__.update(state["rest"])
        with tempfile.TemporaryDirectory(prefix="equipoise-") as folder:
            for name, data in state["files"].items():
                pathlib.Path(folder, name).write_bytes(data)
            self._data = _native.Data.open(folder, {}, 0, None)

    def __repr__(self):
        users, items, train, valid, test = self._data.counts
        return (f"Log({self._data.name!r}: {users:,} users, {items:,} items, "
                f"{train:,} train, {valid:,} valid, {test:,} test rows)")


def _open(path, roles, more, parameters, threads, hooks):
    """A file or a folder; only what was given is told, so that a folder is not told of columns."""
    defaults = inspect.signature(Log.__init__).parameters
    told = {_FILE_ROLES[role]: name for role, name in roles.items() if name != defaults[role].default}
    for name, value in more.items():
        if value is not None and value != ():
            told[name] = os.fspath(value) if name not in ("categorical", "tags") else list(value)
    return _native.Data.open(path, texts({**told, **parameters}), threads, hooks)


with_signature(Log.__init__, {name: p.default for name, p in _OPEN.items() if name not in _NOT_KEYWORDS})

"""Tables of what is known of users or items beside their ids."""
from . import _columns
from ._errors import UsageError
from ._tables import table_of


def features_of(data, where, id_names, categorical=(), tags=(), name_column=None):
    """What the native module takes, and the IdType of the ids.

    The id is in the first of `id_names` that the table has, or else in its first column. Numbers are continuous
    features and everything else is categorical, unless told otherwise.
    """
    if data is None:
        return None, None
    table = table_of(data, where)
    known = [name for name in id_names if table.has(name)]
    if not known and not table.names:
        raise UsageError(f"{where}: the table has no columns")
    id_name = known[0] if known else table.names[0]
    ids, kind = _columns.ids(table.column(id_name, where, "the id"), f"{where}, column {id_name!r}")
    if not known and kind.kind == "float":
        raise UsageError(f"{where}: no column {id_names[0]!r}, and the first one, {id_name!r}, has numbers that are no ids")
    features = []
    for name in table.names:
        if name == id_name:
            continue
        values = table.column(name, where, "a feature")
        place = f"{where}, column {name!r}"
        continuous = _columns.is_number(values) and name not in categorical and name not in tags
        features.append({
            "name": str(name),
            "kind": "name" if name == name_column else "continuous" if continuous
                    else "tags" if name in tags else "categorical",
            "column": _columns.numbers(values, place) if continuous and name != name_column
                      else _columns.words(values, place),
        })
    return {"id": ids, "features": features}, kind

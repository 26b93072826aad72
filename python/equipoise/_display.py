"""HTML for notebooks: headings, sentences and lists of facts, in the notebook's own style; reports as files."""
import html
import os

from ._errors import UsageError


def write(path, kinds):
    """Writes the text that the name's end asks for; kinds: what makes it, by the end. The path."""
    suffix = os.path.splitext(os.fspath(path))[1]
    if suffix not in kinds:
        raise UsageError(f"report: {path}: expected a name that ends with {', '.join(kinds)}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(kinds[suffix]())
    return path


def text(value):
    """A value for people."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def definition_list(title, facts, most=40):
    """A folded table of names and values; open where it has no title."""
    rows = "".join(f"<tr><td>{html.escape(str(name))}</td><td>{html.escape(text(value))}</td></tr>"
                   for name, value in list(facts.items())[:most])
    more = f"<p>… and {len(facts) - most:,} more</p>" if len(facts) > most else ""
    table = f"<table><tbody>{rows}</tbody></table>{more}"
    if not title:
        return table
    return f"<details><summary>{html.escape(title)}</summary>{table}</details>"


def page(title, sentences, parts):
    """A heading, its sentences, and what follows."""
    lines = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    listed = f"<ul>{lines}</ul>" if lines else ""
    return f"<div class='equipoise'><h4>{html.escape(title)}</h4>{listed}{''.join(parts)}</div>"


def model_card(card):
    """A model's card: what it is, what it was trained on, what training found."""
    training, data = card.get("training", {}), card.get("data", {})
    facts = {"method": card.get("method"), "base": card.get("base") or None, "data": data.get("name"),
             "fingerprint": data.get("fingerprint"), "best epoch": training.get("best_epoch"),
             training.get("metric", "metric"): training.get("best_metric")}
    title = " ".join(word for word in (card.get("method"), card.get("base")) if word)
    return page(title, [], [definition_list("", facts), definition_list("parameters", card.get("parameters", {})),
                            definition_list("findings", training.get("findings", {}))])

# The figure of experiments/loop: true values by round, and estimates before serving beside the truth after it.
"""`figure(found, k)` gives an SVG that is readable on white and on black."""
COLOURS = ("#55565a", "#0072b2", "#c04f00", "#00805d", "#b0568a")
DASHES = ("2 3", "", "7 3", "10 3 2 3", "4 2")
WIDE, HIGH, LEFT, TOP = 380, 300, 46, 34


class Panel:
    """Axes with their ticks."""

    def __init__(self, x, low, high):
        self.x, self.low, self.high = x, low, high

    def at(self, x, y, x_low, x_high):
        across = (x - x_low) / (x_high - x_low)
        up = (y - self.low) / (self.high - self.low)
        return self.x + LEFT + across * (WIDE - LEFT - 20), TOP + (1 - up) * (HIGH - TOP - 50)

    def frame(self, title, x_label, x_ticks, x_low, x_high, y_ticks):
        out = [text(self.x + LEFT, 18, title, weight="600"), text(self.x + (WIDE + LEFT) / 2, HIGH - 8, x_label, anchor="middle")]
        for value in y_ticks:
            left, y = self.at(x_low, value, x_low, x_high)
            right, _ = self.at(x_high, value, x_low, x_high)
            out.append(f'<path d="M{left:.1f},{y:.1f}H{right:.1f}" stroke="#d0d7de"/>')
            out.append(text(left - 6, y + 4, f"{value:g}", anchor="end"))
        for value in x_ticks:
            x, y = self.at(value, self.low, x_low, x_high)
            out.append(text(x, y + 17, f"{value:g}", anchor="middle"))
        return out


def text(x, y, words, anchor="start", weight="400"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>'


def ticks(low, high, step):
    first = round(low / step)
    return [round(step * n, 6) for n in range(first, round(high / step) + 1) if low - 1e-9 <= step * n <= high + 1e-9]


def rounds_panel(found, names):
    values = [one["best"] for one in found]
    low, high = min(values) - 0.05, max(values) + 0.05
    step = 0.1 if high - low < 0.8 else 0.25 if high - low < 2 else 0.5
    last = max(one["round"] for one in found)
    panel = Panel(0, low, high)
    out = panel.frame("True value of the best lists", "round", range(1, last + 1), 1, last, ticks(low, high, step))
    for n, name in enumerate(names):
        points = [panel.at(one["round"], one["best"], 1, last) for one in found if one["arm"] == name]
        line = "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<path d="M{line}" fill="none" stroke="{COLOURS[n]}" stroke-width="2" stroke-dasharray="{DASHES[n]}"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[n]}"/>' for x, y in points]
    return out


def truth_panel(found, names):
    judged = [one for one in found if "dr" in one.get("estimate", {})]
    if not judged:
        return []
    ends = [value for one in judged for value in (one["policy"], one["estimate"]["dr"]["low"], one["estimate"]["dr"]["high"])]
    low, high = min(ends) - 0.05, max(ends) + 0.05
    step = 0.25 if high - low < 2 else 0.5 if high - low < 4 else 1
    panel = Panel(WIDE + 20, low, high)
    out = panel.frame("Expected before it was served (dr)", "true value of the policy", ticks(low, high, step), low, high, ticks(low, high, step))
    (x1, y1), (x2, y2) = panel.at(low, low, low, high), panel.at(high, high, low, high)
    out.append(f'<path d="M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}" stroke="#8b95a1" stroke-dasharray="4 4"/>')
    for one in judged:
        colour, dr = COLOURS[names.index(one["arm"])], one["estimate"]["dr"]
        x, y = panel.at(one["policy"], dr["value"], low, high)
        _, below = panel.at(one["policy"], dr["low"], low, high)
        _, above = panel.at(one["policy"], dr["high"], low, high)
        out.append(f'<path d="M{x:.1f},{below:.1f}V{above:.1f}" stroke="{colour}" stroke-width="1.5"/>')
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
    return out


def figure(found, k):
    names = list(dict.fromkeys(one["arm"] for one in found))
    legend, x = [], LEFT - 60
    for n, name in enumerate(names):
        x += 60 + (8 * len(names[n - 1]) if n else 0)
        legend.append(f'<path d="M{x},{HIGH + 14}h26" stroke="{COLOURS[n]}" stroke-width="2" stroke-dasharray="{DASHES[n]}"/>')
        legend.append(text(x + 32, HIGH + 18, name))
    parts = rounds_panel(found, names) + truth_panel(found, names) + legend
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDE + 30} {HIGH + 32}" role="img">'
            f"<title>Liked items in a list of {k}, round by round, and as expected before serving</title>"
            '<rect width="100%" height="100%" fill="#fff"/><g font-family="system-ui, DejaVu Sans, sans-serif" font-size="12" fill="#1b1f24">'
            + "".join(parts) + "</g></svg>\n")

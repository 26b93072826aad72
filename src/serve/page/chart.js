// Small charts as SVG: a curve, bars in pairs, values with their intervals.
const kWide = 560;

function sparkline(points, low, label) {
  const top = Math.max(...points, low + 1e-9), n = Math.max(1, points.length - 1);
  const at = points.map((y, k) => `${(100 * k / n).toFixed(2)},${(29 - 28 * (y - low) / (top - low)).toFixed(2)}`);
  return make("svg", {class: "spark", viewBox: "0 0 100 30", preserveAspectRatio: "none", role: "img", "aria-label": label},
    make("path", {class: "fill", d: `M0,30L${at.join("L")}L100,30Z`}), make("path", {class: "curve", d: `M${at.join("L")}`}));
}

// rows: [{label, was, is}], shares of 1.
function bars(rows, label) {
  const height = 30, top = Math.max(...rows.flatMap((row) => [row.was, row.is]), 0.05);
  const wide = (share) => (kWide - 320) * share / top;
  return make("svg", {class: "chart", viewBox: `0 0 ${kWide} ${rows.length * height}`, role: "img", "aria-label": label}, rows.map((row, n) => make("g", {},
    make("text", {x: 0, y: n * height + 18}, row.label),
    make("rect", {class: "was", x: 130, y: n * height + 4, width: wide(row.was), height: 9}),
    make("rect", {class: "is", x: 130, y: n * height + 14, width: wide(row.is), height: 9}),
    make("text", {class: "soft", x: 136 + wide(Math.max(row.was, row.is)), y: n * height + 18}, `${percent(row.is)}, was ${percent(row.was)}`))));
}

// rows: [{label, value, low, high}]; `line` is a value to compare with, or null.
function intervals(rows, line, label) {
  const ends = rows.flatMap((row) => [row.low, row.high]).concat(line === null ? [] : [line]);
  const low = Math.min(...ends), high = Math.max(...ends), room = (high - low) * 0.06 || 1e-3;
  const x = (value) => 150 + (kWide - 240) * (value - low + room) / (high - low + 2 * room);
  const height = 34, bottom = rows.length * height;
  return make("svg", {class: "chart", viewBox: `0 0 ${kWide} ${bottom + 22}`, role: "img", "aria-label": label},
    line === null ? null : make("line", {class: "served", x1: x(line), x2: x(line), y1: 0, y2: bottom}),
    line === null ? null : make("text", {class: "soft", x: x(line), y: bottom + 15, "text-anchor": "middle"}, `as served ${three(line)}`),
    rows.map((row, n) => make("g", {},
      make("text", {x: 0, y: n * height + 21}, row.label),
      make("line", {class: "interval", x1: x(row.low), x2: x(row.high), y1: n * height + 17, y2: n * height + 17}),
      make("circle", {class: "dot", cx: x(row.value), cy: n * height + 17, r: 5}),
      make("text", {class: "soft", x: kWide - 76, y: n * height + 21}, three(row.value)))));
}

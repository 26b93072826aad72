// The view Live: counters of /metrics, as rates between two looks; drift of what is shown; what has happened.
const kEvery = 2000, kKept = 90, kWindow = 15;  // milliseconds, looks kept for curves, looks that drift is measured over
const looks = [];   // [{time, all}]
const events = [];  // [{time, text}]
let timer = 0, paused = false;

// {name: [{labels, value}]} of Prometheus' text.
function parseMetrics(text) {
  const all = {};
  for (const line of text.split("\n")) {
    const parts = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!parts) continue;
    const labels = {};
    for (const [, name, value] of (parts[2] || "").matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)) {
      labels[name] = value.replace(/\\(.)/g, (_, c) => (c === "n" ? "\n" : c));
    }
    (all[parts[1]] ||= []).push({labels, value: Number(parts[3])});
  }
  return all;
}

const sumOf = (all, name, wanted = () => true) => (all[name] || []).reduce((sum, one) => sum + (wanted(one.labels) ? one.value : 0), 0);
const growth = (from, to, name, wanted) => sumOf(to.all, name, wanted) - sumOf(from.all, name, wanted);
const rate = (from, to, name, wanted) => growth(from, to, name, wanted) / ((to.time - from.time) / 1000);
const isList = (labels) => labels.route.startsWith("recommend");

// The latency that a share of list requests stayed below between two looks, by the histogram's bounds; NaN = none came.
function latency(from, to, share) {
  const bounds = new Map();
  for (const [look, sign] of [[to, 1], [from, -1]]) {
    for (const {labels, value} of look.all.equipoise_request_seconds_bucket || []) {
      if (isList(labels)) bounds.set(labels.le, (bounds.get(labels.le) || 0) + sign * value);
    }
  }
  const counts = [...bounds].map(([le, count]) => [le === "+Inf" ? Infinity : Number(le), count]).sort((a, b) => a[0] - b[0]);
  const total = counts.length ? counts.at(-1)[1] : 0;
  if (total <= 0) return NaN;
  return counts.find(([, count]) => count >= share * total)[0];
}
const below = (seconds) => Number.isNaN(seconds) ? "–" : seconds === Infinity ? "> 5 s" : seconds < 1 ? `≤ ${three(1000 * seconds)} ms` : `≤ ${seconds} s`;

const kTiles = [
  ["Lists", (a, b) => rate(a, b, "equipoise_lists_total"), (x) => `${digits(x, x < 10 ? 1 : 0)}/s`],
  ["Requests", (a, b) => rate(a, b, "equipoise_requests_total"), (x) => `${digits(x, x < 10 ? 1 : 0)}/s`],
  ["Refused or failed", (a, b) => rate(a, b, "equipoise_requests_total", (l) => !/^[23]/.test(l.status)), (x) => `${digits(x, 1)}/s`],
  ["Half of lists take", (a, b) => latency(a, b, 0.5), below],
  ["99% of lists take", (a, b) => latency(a, b, 0.99), below],
  ["Explored", (a, b) => growth(a, b, "equipoise_lists_explored_total") / growth(a, b, "equipoise_lists_total"), percent, "of the lists"],
  ["Feedback", (a, b) => rate(a, b, "equipoise_feedback_total"), (x) => `${digits(x, 1)}/s`],
  ["Log", (a, b) => rate(a, b, "equipoise_log_bytes_total") / 1024, (x) => `${digits(x, 1)} KiB/s`],
  ["In flight", (a, b) => sumOf(b.all, "equipoise_requests_in_flight"), whole],
  ["From the cache", (a, b) => growth(a, b, "equipoise_cache_hits_total") / (growth(a, b, "equipoise_cache_hits_total") + growth(a, b, "equipoise_cache_misses_total")), percent, "of the rankings"],
];

function tile([title, get, text, note]) {
  const series = looks.slice(1).map((look, n) => get(looks[n], look));
  const now = series.at(-1), drawn = series.filter(Number.isFinite);
  return make("div", {class: "tile"}, make("h2", {}, title), make("p", {class: "figure"}, Number.isNaN(now) ? "–" : text(now)),
    note ? make("p", {class: "note"}, note) : null, drawn.length > 1 ? sparkline(drawn, 0, `${title}, last ${drawn.length} looks`) : null);
}

// Shares of the ten groups of items by popularity; null where nothing was shown.
function shares(model, get) {
  const counts = Array.from({length: 10}, (_, n) => get((labels) => labels.model === model && labels.tenth === String(n + 1)));
  const total = counts.reduce((a, b) => a + b, 0);
  return total > 0 ? counts.map((count) => count / total) : null;
}

function driftOf(model) {
  const last = looks.at(-1), from = looks[Math.max(0, looks.length - 1 - kWindow)];
  const was = shares(model, (wanted) => sumOf(last.all, "equipoise_trained_rows", wanted));
  const recent = shares(model, (wanted) => growth(from, last, "equipoise_shown_total", wanted));
  const is = recent || shares(model, (wanted) => sumOf(last.all, "equipoise_shown_total", wanted));
  if (!was || !is) return make("div", {}, make("h3", {}, model), make("p", {class: "note"}, "No list of this model has been shown yet."));
  const apart = was.reduce((sum, share, n) => sum + Math.abs(share - is[n]), 0) / 2;
  const title = `${model}: ${percent(apart)} of the places are elsewhere than the training log`;
  const rows = was.map((share, n) => ({label: n === 0 ? "most popular" : n === 9 ? "least popular" : `tenth ${n + 1}`, was: share, is: is[n]}));
  return make("div", {}, make("h3", {}, title),
    make("p", {class: "note"}, recent ? `Places of the last ${span((last.time - from.time) / 1000)} against rows of the training log.` : "Places since the server began against rows of the training log."),
    bars(rows, `${title}. ${rows.map((row) => `${row.label}: ${percent(row.is)} shown, ${percent(row.was)} in the training log`).join("; ")}`));
}

function happened(text) {
  events.unshift({time: Date.now(), text});
  events.length = Math.min(events.length, 50);
  showEvents();
}
function showEvents() {
  fill(byId("events"), events.length ? events.map((one) => make("li", {}, make("time", {}, clock(one.time)), make("span", {}, one.text))) :
    make("li", {class: "note"}, make("span", {}, "Nothing since this page was opened. Reloads of models and lost connections appear here.")));
}

// Models that another has loaded again, and what the server refused to load.
function compareLooks(from, to) {
  for (const {labels} of to.all.equipoise_model_info || []) {
    const before = (from.all.equipoise_model_info || []).find((one) => one.labels.model === labels.model);
    const age = (look) => sumOf(look.all, "equipoise_model_age_seconds", (l) => l.model === labels.model);
    if (!before || age(to) >= age(from)) continue;
    const change = before.labels.fingerprint === labels.fingerprint ? "its file is the same" : `${before.labels.fingerprint} → ${labels.fingerprint}`;
    happened(`${labels.model} was loaded again: ${change}`);
  }
  const refused = growth(from, to, "equipoise_reloads_refused_total");
  if (refused > 0) happened(`${plural(refused, "model")} could not be loaded; what was served stays`);
}

function showLive() {
  if (looks.length < 2) return fill(byId("tiles"), waiting("Counting; the first rates come in two seconds …"));
  fill(byId("tiles"), kTiles.map(tile));
  fill(byId("drift"), make("h2", {}, "What is shown, by popularity"),
    make("ul", {class: "key"}, make("li", {}, make("i", {class: "was"}), "training log"), make("li", {}, make("i", {}), "shown")),
    make("div", {class: "pair"}, served.models.map((model) => driftOf(model.name))));
}

let lost = false;
async function look() {
  try {
    const all = parseMetrics(await ask("/metrics"));
    if (looks.length) compareLooks(looks.at(-1), {all});
    looks.push({time: Date.now(), all});
    if (looks.length > kKept) looks.shift();
    if (lost) { happened("The connection is back"); looks.splice(0, looks.length - 1); }
    lost = false;
    fill(byId("live-state"));
    showLive();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (!lost) happened(error.message);
    lost = true;
    fill(byId("live-state"), failed(error));
  }
}
function keepLooking() {
  clearInterval(timer);
  if (paused || current !== "live" || document.hidden) return;
  if (looks.length && Date.now() - looks.at(-1).time > 5 * kEvery) looks.length = 0;
  timer = setInterval(look, kEvery);
  return look();
}

views.live = {show() { showEvents(); showLive(); return keepLooking(); }, hide() { clearInterval(timer); }};
document.addEventListener("visibilitychange", keepLooking);
byId("pause").addEventListener("click", (event) => {
  paused = !paused;
  event.currentTarget.setAttribute("aria-pressed", String(paused));
  event.currentTarget.textContent = paused ? "Paused" : "Pause";
  keepLooking();
});

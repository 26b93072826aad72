// The view Value: off-policy values of the served models with their intervals, and a verdict in words.
const kEstimators = {
  direct: "a reward model alone", ips: "lists weighted by their chances", snips: "weighted, and divided by the weights' sum",
  dr: "a reward model, corrected by weighted lists", "switch-dr": "as dr, without the largest weights",
};
const kClasses = {ship: "ship", "keep exploring": "explore", "cannot be known": "unknown"};
let valueTimer = 0;

function cell(estimate) {
  if (!estimate || estimate.value === null) return make("td", {class: "number"}, "–");
  return make("td", {class: "number"}, three(estimate.value), make("br", {}), make("span", {class: "id"}, `${three(estimate.low)} to ${three(estimate.high)}`));
}

function valueTable(found) {
  const names = Object.keys(found.policies[0].estimates);
  const head = (text, title) => make("th", {scope: "col", class: "number", title}, text);
  return scrolling("Values", make("table", {}, make("caption", {}, "Liked items per list, with intervals of 95% over users"),
    make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "policy"), names.map((name) => head(name, kEstimators[name] || null)),
      head("mean weight", "1 where the log could show all that the policy shows"), head("effective rows", "how many rows of its own lists the log is worth"))),
    make("tbody", {},
      make("tr", {}, make("th", {scope: "row"}, "as served"), 
        make("td", {colspan: names.length + 2}, `${three(found.logged.value)} `, make("span", {class: "id"}, `${three(found.logged.low)} to ${three(found.logged.high)}, observed and not estimated`))),
      found.policies.map((policy) => make("tr", {}, make("th", {scope: "row"}, policy.name), names.map((name) => cell(policy.estimates[name])),
        make("td", {class: "number"}, three(policy.mean_weight ?? NaN)), make("td", {class: "number"}, whole(policy.effective_sample ?? NaN)))))));
}

function valueChart(found) {
  const rows = found.policies.filter((policy) => policy.estimates.dr && policy.estimates.dr.value !== null)
    .map((policy) => ({label: policy.name, ...policy.estimates.dr}));
  if (!rows.length) return null;
  const told = rows.map((row) => `${row.label} ${three(row.value)}, ${three(row.low)} to ${three(row.high)}`).join("; ");
  return make("figure", {}, intervals(rows, found.logged.value, `Values by doubly robust estimates: ${told}. As served: ${three(found.logged.value)}.`),
    make("figcaption", {class: "note"}, "Doubly robust estimate of each model's value, with its interval; the line is what the lists that were shown were worth."));
}

function showVerdict(answer) {
  const {verdict} = answer;
  fill(byId("verdict"), verdict ? make("div", {class: `verdict ${kClasses[verdict.decision] || "unknown"}`},
    make("h2", {}, words(verdict.decision)), verdict.words.map((text) => make("p", {}, text))) : null);
}

function showValues(found) {
  if (!found) return fill(byId("values"));
  fill(byId("values"), valueChart(found), valueTable(found),
    make("p", {class: "note"}, `From ${plural(found.lists, "list")} of ${plural(found.users, "user")}, ${plural(found.rows, "shown item")}. Assumed: ${found.assumption}.`),
    found.sentences.map((text) => make("p", {class: "note sentence"}, text)));
}

function showValue(answer) {
  const state = byId("value-state");
  const again = make("button", {type: "button", on: {click: () => showNow(true)}}, answer.state === "none" ? "Compute" : "Compute again");
  const old = answer.age === undefined ? "" : `Computed ${span(answer.age)} ago, in ${span(Math.max(1, answer.seconds))}.`;
  if (answer.state === "computing") fill(state, waiting("Reading the log and judging every model …"));
  else if (answer.state === "none") fill(state, empty("Not computed yet", "The log is read and every model is judged in the background; lists are served as before."), again);
  else fill(state, make("div", {class: "row"}, make("p", {class: "note"}, old), again));
  showVerdict(answer);
  showValues(answer.found);
}

async function showNow(fresh) {
  clearTimeout(valueTimer);
  try {
    const answer = fresh ? await ask("/v1/value", null) : await ask("/v1/value");
    showValue(answer);
    if (answer.state === "computing" && current === "value") valueTimer = setTimeout(showNow, 1000);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    fill(byId("value-state"), failed(error, () => showNow(false)));
  }
}

views.value = {
  async show() {
    if (served.logs) return showNow(false);
    fill(byId("value-state"), empty("There is no log to judge from", "Start the server with --log FOLDER and --explore epsilon=0.05 (or plackett-luce): lists are then drawn with known chances and written down."));
  },
  hide() { clearTimeout(valueTimer); },
};

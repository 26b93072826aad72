// The view Models: a card for each, with what its file says of method, data, metrics, findings and imbalance.
const pairs = (object) => make("dl", {}, Object.entries(object).filter(([, value]) => value !== undefined && value !== null)
  .flatMap(([name, value]) => [make("dt", {}, words(name)), make("dd", {}, said(value))]));

function said(value) {
  if (value instanceof Node) return value;
  if (typeof value === "number") return Number.isInteger(value) ? whole(value) : three(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(said).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

// Two figures and what they say: 0 is what chance alone would give. A model whose method does not balance has none of them.
function imbalance(found) {
  const {imbalance_before: before, imbalance_after: after} = found;
  if (before === undefined) return make("p", {class: "note"}, "This method does not balance users, so nothing was measured.");
  const nearly = 0.01;
  const verdict = after <= Math.max(nearly, before * 0.9) && before > nearly ? "Training made users of different items look more alike." :
    after > Math.max(nearly, before * 1.1) ? "After training, users of different items look less alike than before." :
    before <= nearly ? "Users of different items hardly differed to begin with." : "Training did not make users of different items look more alike.";
  return make("div", {}, make("p", {}, verdict), pairs({before, after}));
}

function rest(found) {
  return Object.fromEntries(Object.entries(found).filter(([name]) => !name.startsWith("imbalance_")));
}

function curve(training) {
  const points = (training.curve || []).map((one) => one[training.metric]).filter(Number.isFinite);
  return points.length > 1 ? sparkline(points, Math.min(...points), `${training.metric} by epoch, from ${three(points[0])} to ${three(points.at(-1))}`) : null;
}

async function reload(model, button, state) {
  button.disabled = true;
  fill(state, waiting("Reading the file again …"));
  try {
    const fresh = await ask(`/v1/models/${encodeURIComponent(model.name)}/reload`, null);
    const same = fresh.fingerprint === model.fingerprint;
    happened(same ? `${model.name} was loaded again; its file is the same` : `${model.name} was loaded again: ${model.fingerprint} → ${fresh.fingerprint}`);
    await loadServed();
    await showCards(`${model.name} was loaded again at ${clock(fresh.loaded)}${same ? "; its file is the same as before." : "."}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    happened(`${model.name} was not loaded: ${error.message}`);
    fill(state, make("p", {class: "bad"}, `The old model stays: ${error.message}`));
    button.disabled = false;
  }
}

function card(model) {
  const {data, training, recipe} = model;
  const state = make("div", {role: "status"});
  const button = make("button", {type: "button", "aria-label": `Reload ${model.name}`}, "Reload");
  button.addEventListener("click", () => reload(model, button, state));
  const metrics = training.metric ? {[training.metric + " on valid"]: training.best_metric, best_epoch: training.best_epoch, steps: training.steps} : {};
  const id = `card-${model.name}`;
  return make("article", {class: "box", "aria-labelledby": id},
    make("div", {class: "top"}, make("div", {}, make("h2", {id}, model.name), make("p", {class: "note"}, model.title)), button), state,
    pairs({share_of_users: percent(model.share), loaded: `${clock(model.loaded)}, ${span((Date.now() - model.loaded) / 1000)} ago`, file: make("code", {}, model.fingerprint)}),
    make("h3", {}, "Data"), pairs({name: data.name, users: model.users, items: model.items, fingerprint: make("code", {}, data.fingerprint || "")}),
    make("h3", {}, "Metrics"), Object.keys(metrics).length ? pairs(metrics) : make("p", {class: "note"}, "The file says nothing of its validation."), curve(training),
    make("h3", {}, "Imbalance"), imbalance(training.findings || {}),
    make("h3", {}, "Findings"), Object.keys(rest(training.findings || {})).length ? pairs(rest(training.findings)) : make("p", {class: "note"}, "None."),
    make("details", {}, make("summary", {}, "Where the data came from"), pairs(data.provenance || {})),
    make("details", {}, make("summary", {}, "All parameters"), pairs(recipe.parameters || {}), pairs(training.settings || {})));
}

async function showCards(message) {
  const models = await Promise.all(served.models.map((one) => ask("/v1/models/" + encodeURIComponent(one.name))));
  fill(byId("cards"), models.map(card));
  fill(byId("models-state"), message ? make("p", {class: "message"}, message) : null);
}

views.models = {
  async show() {
    if (!byId("cards").childElementCount) fill(byId("models-state"), waiting("Reading the cards …"));
    await loadServed();
    await showCards();
  },
};

// The view Ask: lists of two models for a user or a history, side by side, and what differs.
const history = [];  // [{id, name}]

function showHistory() {
  fill(byId("history"), history.map((one, n) => make("li", {}, named(one.id, one.name), make("button", {
    type: "button", "aria-label": `Remove ${one.name || one.id}`,
    on: {click: () => { history.splice(n, 1); showHistory(); byId("item").focus(); }},
  }, "×"))));
}

const firstModel = () => encodeURIComponent(byId("left").value);
async function findUsers(text) {
  const answer = await ask(`/v1/users?limit=20&model=${firstModel()}&find=${encodeURIComponent(text)}`);
  return answer.users.map((id) => ({id}));
}
async function findItems(text) {
  const answer = await ask(`/v1/items?limit=20&model=${firstModel()}&find=${encodeURIComponent(text)}`);
  const had = new Set(history.map((one) => one.id));
  return answer.items.filter((one) => !had.has(one.item)).map((one) => ({id: one.item, name: one.name}));
}

function fillModels() {
  const names = served.models.map((model) => model.name);
  const left = byId("left"), right = byId("right");
  if (left.options.length) return;
  fill(left, names.map((name) => make("option", {value: name}, name)));
  fill(right, make("option", {value: ""}, "none"), names.map((name) => make("option", {value: name}, name)));
  if (names.length > 1) right.value = names[1];
  const explores = served.explore !== "none";
  byId("draw").checked = explores;
  byId("draw").disabled = !explores;
  byId("draw-text").textContent = explores ? `Draw by ${served.explore}` : "Draw (this server does not explore)";
}

const kKnown = {
  trained: "knows this user from its training", history: "goes by the history",
  features_only: "knows only features of this user", nothing: "does not know this user: shows what is common to all",
};

function place(item, other) {
  if (!other) return null;
  const there = other.items.findIndex((one) => one.item === item.item);
  return there < 0 ? "only here" : `place ${there + 1}`;
}

function row(item, n, other) {
  const there = place(item, other);
  const probability = item.probability === undefined ? three(item.score) : percent(item.probability);
  const bar = item.probability === undefined ? null : make("span", {class: "share", "aria-hidden": "true"}, make("i", {}));
  if (bar) bar.firstChild.style.width = `${100 * item.probability}%`;
  const name = named(item.item, item.name);
  const figure = (label, ...text) => make("td", {role: "cell", class: "number", "data-label": label}, ...text);
  return make("tr", {role: "row", class: there === "only here" ? "only" : null},
    make("td", {role: "cell", class: "number"}, String(n + 1)), make("th", {role: "rowheader", scope: "row"}, name),
    figure(item.probability === undefined ? "score" : "liked", probability, ...[bar].filter(Boolean)), figure("popular", whole(item.popularity)),
    figure("shown", item.propensity >= 1 ? "always" : percent(item.propensity)),
    there === null ? null : make("td", {role: "cell", class: "there", "data-label": `in ${other.model}`}, there));
}

function listTable(answer, other, side) {
  const chances = answer.items.some((item) => item.probability !== undefined);
  const heads = [["#", true, "place in the list"], ["item", false], [chances ? "liked" : "score", true, chances ? "probability that the user likes it" : "the model's score"],
    ["popular", true, "rows of the training log with this item"], ["shown", true, "chance of being in the list"]];
  if (other) heads.push([`in ${other.model}`, false, "place in the other list"]);
  const caption = make("caption", {}, make("strong", {}, answer.model), ` ${kKnown[answer.known] || answer.known}`);
  // Roles are said: on a phone the rows are laid out as grids, which would take them away.
  const head = ([text, number, title]) => make("th", {role: "columnheader", scope: "col", class: number ? "number" : null, title: title || null}, text);
  return scrolling(`List of ${answer.model}`, make("table", {role: "table", class: `list ${side}`}, caption,
    make("thead", {role: "rowgroup"}, make("tr", {role: "row"}, heads.map(head))),
    make("tbody", {role: "rowgroup"}, answer.items.map((item, n) => row(item, n, other)))));
}

const mean = (items, get) => items.reduce((sum, item) => sum + get(item), 0) / Math.max(1, items.length);

function differences(left, right) {
  const there = new Set(right.items.map((one) => one.item));
  const both = left.items.filter((one) => there.has(one.item)).length;
  const same = left.items.length === right.items.length && left.items.every((one, n) => one.item === right.items[n].item);
  const popular = [left, right].map((list) => mean(list.items, (one) => one.popularity));
  const share = same ? "Both lists are the same." : both === 0 ? "The two lists have no item in common." :
    `${both} of ${Math.max(left.items.length, right.items.length)} items are in both lists${both === left.items.length ? ", in another order" : ""}.`;
  const more = popular[0] === popular[1] ? "" : ` Items of ${left.model} have ${whole(popular[0])} training rows on average, those of ${right.model} ${whole(popular[1])}.`;
  return make("p", {class: "differs"}, share + more);
}

function showLists(answers) {
  if (answers.every((one) => one.items.length === 0)) {
    return fill(byId("lists"), empty("Nothing is left to show", "The user has had every item. Tick “Also what the user has had”."));
  }
  const [left, right] = answers;
  fill(byId("lists"), right ? differences(left, right) : null,
    make("div", {class: "pair"}, listTable(left, right, "first"), right ? listTable(right, left, "second") : null),
    make("p", {class: "note"}, "Liked: the probability that the user likes the item. Popular: rows of the training log with it. Shown: the chance that the policy puts it into this user's list."));
}

async function askForLists(event) {
  event.preventDefault();
  const user = byId("user").value, state = byId("ask-state");
  if (!user && !history.length) {
    fill(byId("lists"));
    fill(state, empty("Who is it for?", "Find a user by a part of the id, or pick items that somebody new likes."));
    return byId("user").focus();
  }
  const request = {k: Number(byId("length").value), explore: byId("draw").checked, include_seen: byId("seen").checked, preview: true,
    history: history.map((one) => ({item: one.id, label: 1}))};
  if (user) request.user = user;
  const models = [byId("left").value, byId("right").value].filter((name) => name);
  fill(state, waiting("Making the lists …"));
  byId("ask-go").disabled = true;
  try {
    const {answers} = await ask("/v1/recommend", {requests: models.map((model) => ({...request, model}))});
    fill(state);
    showLists(answers);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    fill(byId("lists"));
    fill(state, failed(error));
  } finally {
    byId("ask-go").disabled = false;
  }
}

views.ask = {
  show() {
    fillModels();
    if (!byId("lists").childElementCount && !byId("ask-state").childElementCount) {
      fill(byId("ask-state"), empty("No list yet", "Find a user, or pick items that somebody new likes; then press Show lists."));
    }
  },
};
finder(byId("user"), byId("user-found"), findUsers, (one) => { byId("user").value = one.id; });
finder(byId("item"), byId("item-found"), findItems, (one) => { history.push(one); byId("item").value = ""; showHistory(); });
byId("ask-form").addEventListener("submit", askForLists);

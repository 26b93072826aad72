// What all views use: asking the server, building elements of text, numbers as people read them, and changing views.
const views = {};  // by name: {show, hide}

// An element. Strings become text, never markup; null is left out.
function make(tag, attributes, ...children) {
  const svg = ["svg", "path", "rect", "line", "circle", "text", "title", "g"].includes(tag);
  const out = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") for (const [event, run] of Object.entries(value)) out.addEventListener(event, run);
    else if (value === true) out.setAttribute(name, "");
    else if (value !== null && value !== false) out.setAttribute(name, value);
  }
  out.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return out;
}

const byId = (id) => document.getElementById(id);
const fill = (place, ...children) => place.replaceChildren(...children.flat().filter((child) => child !== null));

class Problem extends Error {
  constructor(message, status) { super(message); this.status = status; }
}

// The JSON of an answer, or its text. Problem with the server's own words if it refuses.
async function ask(path, body) {
  const headers = {};
  const token = sessionStorage.getItem("token");
  if (token) headers.Authorization = "Bearer " + token;
  if (body !== undefined && body !== null) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, {method: body === undefined ? "GET" : "POST", headers, body: body ? JSON.stringify(body) : undefined});
  } catch {
    throw new Problem("The server does not answer. It may have ended, or the network is down.", 0);
  }
  const text = await answer.text();
  if (answer.status === 401) askForToken();
  const json = (answer.headers.get("Content-Type") || "").includes("json");
  if (answer.ok) return json ? JSON.parse(text) : text;
  let words = answer.statusText;
  try { words = JSON.parse(text).detail || words; } catch { /* not ours: perhaps a proxy's */ }
  throw new Problem(words, answer.status);
}

function askForToken() {
  byId("token").hidden = false;
  byId("token-wrong").textContent = sessionStorage.getItem("token") ? "The server does not take that token." : "";
}

// States of a view: waiting, an error in words, or nothing there yet.
const waiting = (words) => make("p", {class: "note waiting"}, words);
const empty = (title, words) => make("div", {class: "message"}, make("p", {}, make("strong", {}, title)), make("p", {}, words));
function failed(error, again) {
  const title = error.status === 0 ? "No connection" : "The server refuses" + (error.status ? ` (${error.status})` : "");
  return make("div", {class: "message error"}, make("p", {}, make("strong", {}, title)), make("p", {}, error.message),
    again ? make("button", {type: "button", on: {click: again}}, "Try again") : null);
}

// What may be wider than the screen is scrolled by itself, also by the keyboard.
const scrolling = (label, inside) => make("div", {class: "scroll", role: "region", "aria-label": label, tabindex: "0"}, inside);

// Numbers and times.
const whole = (x) => Math.round(x).toLocaleString("en");
const digits = (x, n) => Number.isFinite(x) ? x.toLocaleString("en", {maximumFractionDigits: n, minimumFractionDigits: n}) : "–";
const three = (x) => !Number.isFinite(x) ? "–" : x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6) ? x.toPrecision(3) : String(Number(x.toPrecision(4)));
function percent(x) {
  if (!Number.isFinite(x)) return "–";
  if (x > 0 && x < 1e-4) return "<0.01%";
  return (100 * x).toLocaleString("en", {maximumFractionDigits: x < 0.1 ? 2 : 1}) + "%";
}
function span(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}
const plural = (n, one, many) => `${whole(n)} ${n === 1 ? one : many || one + "s"}`;
const clock = (milliseconds) => new Date(milliseconds).toLocaleTimeString("en-GB");
const words = (name) => { const text = String(name).replaceAll("_", " "); return text[0].toUpperCase() + text.slice(1); };

// An item or a user as people see it: the name, and the id behind it.
function named(id, name) {
  if (!name || name === id) return make("span", {class: "name"}, id);
  return make("span", {}, make("span", {class: "name"}, name), " ", make("span", {class: "id"}, id));
}

// The models that are served; all views read them from here.
let served = null;
async function loadServed() {
  served = await ask("/v1/models");
  const models = plural(served.models.length, "model");
  const drawn = served.explore === "none" ? "best items first, without exploring" : `drawn by ${served.explore}`;
  byId("server").textContent = `${models} · lists ${drawn} · ${served.logs ? "logged with their chances" : "not logged"}`;
  return served;
}

let current = null;
async function open(name) {
  if (current) views[current].hide?.();
  current = name;
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === "#" + name) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  document.title = `${byId(name + "-title").textContent} · Equipoise`;
  const state = byId(name + "-state");
  try {
    if (!served) {
      fill(state, waiting("Asking the server …"));
      await loadServed();
      fill(state);
    }
    if (current === name) await views[name].show();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (!served) byId("server").textContent = "Not connected.";
    fill(state, failed(error, () => open(name)));
  }
}

function openByAddress(focus) {
  const name = location.hash.slice(1);
  if (name === "main") return;  // the link that skips
  open(views[name] ? name : "ask");
  if (focus) byId(current + "-title").focus();
}

function start() {
  byId("token").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem("token", byId("token-text").value);
    byId("token-text").value = "";
    byId("token").hidden = true;
    open(current);
  });
  addEventListener("hashchange", () => openByAddress(true));
  openByAddress(false);
}

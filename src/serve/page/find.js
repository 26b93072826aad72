// A field that finds: what is typed is asked for, and the arrow keys, Enter or a pointer choose among what was found.
const kTypingPause = 150;  // milliseconds

// search(text) gives [{id, name}]; choose(found) takes one of them.
function finder(input, list, search, choose) {
  let found = [], active = -1, asked = 0, timer = 0;
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  close();

  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  function point(at) {
    active = at;
    [...list.children].forEach((option, n) => option.setAttribute?.("aria-selected", String(n === at)));
    const option = list.children[at];
    if (!option) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({block: "nearest"});
  }
  function take(n) {
    const one = found[n];
    close();
    choose(one);
  }
  function show() {
    const options = found.map((one, n) => make("li", {
      role: "option", id: `${list.id}-${n}`, "aria-selected": "false",
      on: {mousedown: (event) => { event.preventDefault(); take(n); }},
    }, named(one.id, one.name)));
    fill(list, options.length ? options : make("li", {class: "nothing", role: "option", "aria-disabled": "true"}, "Nothing of that is known"));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    byId("found-count").textContent = found.length ? `${found.length} found` : "nothing found";
  }
  async function look() {
    const mine = ++asked;
    try {
      const answer = await search(input.value);
      if (mine !== asked || document.activeElement !== input) return;
      found = answer;
      active = -1;
      show();
    } catch (error) {
      if (mine !== asked) return;
      fill(list, make("li", {class: "nothing", role: "option", "aria-disabled": "true"}, error.message));
      list.hidden = false;
      found = [];
    }
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, kTypingPause); });
  input.addEventListener("click", () => { if (list.hidden) look(); });
  input.addEventListener("blur", () => { ++asked; close(); });
  input.addEventListener("keydown", (event) => {
    const open = !list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) return look();
      if (found.length) point((active + (event.key === "ArrowDown" ? 1 : -1 + (active < 0)) + found.length) % found.length);
    } else if (event.key === "Enter" && open && active >= 0) {
      event.preventDefault();
      take(active);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    }
  });
}

// Filters the matrix and unfolds its rows. What is chosen stands in the address, so that a link
// shows the same. Without this script the pages show everything.
"use strict";

document.documentElement.classList.add("js");

const WORDS = { passed: "p", failed: "f", error: "e", unsupported: "u", "not-run": "n" };
const FIELDS = ["q", "date", "card", "rule", "verdict", "engine"];

function within(cited, wanted) {
  // 702.145b is within 702.145, and so is nothing of 702.1450; 702 has all of its section.
  if (!cited.startsWith(wanted)) return false;
  const next = cited.charAt(wanted.length);
  return next === "" || next === "." || !/[0-9.]$/.test(wanted) || !/[0-9]/.test(next);
}

function matrix(table, form) {
  const engines = table.dataset.engines ? table.dataset.engines.split(" ") : [];
  const unfold = document.getElementById("unfold");
  const found = document.getElementById("found");
  const nothing = document.getElementById("nothing");
  const folders = [...table.querySelectorAll("tbody.folder")];
  const rulings = [...table.querySelectorAll("tbody.ruling")].map((body) => ({
    body,
    button: body.querySelector(".fold"),
    folder: body.dataset.folder,
    date: body.dataset.date,
    cards: body.dataset.cards.toLowerCase().split("|"),
    text: (body.dataset.gist + " " + body.querySelector(".row th").textContent + " " + body.dataset.cards).toLowerCase(),
    scenarios: [...body.querySelectorAll(".scenario")].map((row) => ({
      row,
      verdicts: row.dataset.v,
      rules: row.dataset.r.split(" "),
      text: (row.querySelector("th").textContent + " " + row.dataset.r).toLowerCase(),
      doubt: row.classList.contains("doubt"),
    })),
  }));

  function asked() {
    const value = (name) => form.elements[name].value.trim();
    return {
      words: value("q").toLowerCase().split(/\s+/).filter(Boolean),
      date: value("date"),
      card: value("card").toLowerCase(),
      rule: value("rule"),
      letter: WORDS[value("verdict")],
      doubt: value("verdict") === "quarantined",
      engine: engines.indexOf(value("engine")),
      differ: form.elements.differ.checked,
    };
  }

  function holds(want, ruling, scenario) {
    if (want.rule && !scenario.rules.some((one) => within(one, want.rule))) return false;
    if (want.differ && new Set(scenario.verdicts.replaceAll("a", "")).size < 2) return false;
    if (want.doubt && !scenario.doubt) return false;
    if (want.letter) {
      const seen = want.engine < 0 ? scenario.verdicts : scenario.verdicts.charAt(want.engine);
      if (!seen.includes(want.letter)) return false;
    }
    return want.words.every((word) => scenario.text.includes(word) || ruling.text.includes(word));
  }

  function apply() {
    const want = asked();
    let rows = 0;
    let scenarios = 0;
    const shown = new Set();
    for (const ruling of rulings) {
      const may =
        (!want.date || ruling.date === want.date) &&
        (!want.card || ruling.cards.some((name) => name.includes(want.card)));
      let any = 0;
      for (const scenario of ruling.scenarios) {
        const on = may && holds(want, ruling, scenario);
        scenario.row.hidden = !on;
        if (on) any += 1;
      }
      ruling.body.hidden = any === 0;
      if (any) {
        rows += 1;
        scenarios += any;
        shown.add(ruling.folder);
      }
    }
    for (const folder of folders) folder.hidden = !shown.has(folder.dataset.folder);
    for (const head of table.querySelectorAll("th.engine"))
      head.classList.toggle("dim", want.engine >= 0 && head.dataset.engine !== engines[want.engine]);
    found.textContent =
      `${scenarios} scenario${scenarios === 1 ? "" : "s"} in ${rows} row${rows === 1 ? "" : "s"}`;
    nothing.hidden = rows > 0;
    table.hidden = rows === 0;
  }

  function open(ruling, on) {
    ruling.body.classList.toggle("open", on);
    ruling.button.setAttribute("aria-expanded", String(on));
  }

  function openAll(on) {
    unfold.setAttribute("aria-pressed", String(on));
    unfold.textContent = on ? "Fold all" : "Unfold all";
    for (const ruling of rulings) open(ruling, on);
  }

  function toAddress() {
    const query = new URLSearchParams();
    for (const name of FIELDS) {
      const value = form.elements[name].value.trim();
      if (value) query.set(name, value);
    }
    if (form.elements.differ.checked) query.set("differ", "1");
    if (unfold.getAttribute("aria-pressed") === "true") query.set("unfold", "1");
    const text = query.toString();
    try {
      history.replaceState(null, "", location.pathname + (text ? "?" + text : "") + location.hash);
    } catch {
      // Some browsers let a page read from a disk keep no address of its own.
    }
  }

  function fromAddress() {
    const query = new URLSearchParams(location.search);
    for (const name of FIELDS) form.elements[name].value = query.get(name) || "";
    form.elements.differ.checked = query.get("differ") === "1";
    openAll(query.get("unfold") === "1");
    apply();
  }

  let waiting = 0;
  function soon() {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      apply();
      toAddress();
    });
  }

  function clear() {
    form.reset();
    soon();
    form.elements.q.focus();
  }

  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  form.addEventListener("reset", () => setTimeout(soon));
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("clear").addEventListener("click", clear);
  window.addEventListener("popstate", fromAddress);
  unfold.addEventListener("click", () => {
    openAll(unfold.getAttribute("aria-pressed") !== "true");
    toAddress();
  });

  table.addEventListener("click", (event) => {
    const button = event.target.closest(".fold");
    if (!button) return;
    const ruling = rulings.find((one) => one.button === button);
    open(ruling, !ruling.body.classList.contains("open"));
  });

  // Up and down go from row to row, right and left unfold and fold.
  table.addEventListener("keydown", (event) => {
    const button = event.target.closest(".fold");
    if (!button || event.altKey || event.ctrlKey || event.metaKey) return;
    const visible = rulings.filter((one) => !one.body.hidden);
    const at = visible.findIndex((one) => one.button === button);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = visible[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) next.button.focus();
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      open(visible[at], event.key === "ArrowRight");
    } else {
      return;
    }
    event.preventDefault();
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      form.elements.q.focus();
    }
  });

  fromAddress();
}

function narrow(form, list) {
  const items = [...list.children].map((item) => ({ item, text: item.textContent.toLowerCase() }));
  const input = form.querySelector("input");
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    const want = input.value.trim().toLowerCase();
    for (const { item, text } of items) item.hidden = !text.includes(want);
  });
}

const table = document.getElementById("matrix");
if (table) matrix(table, document.getElementById("filters"));
const names = document.getElementById("names");
if (names) narrow(document.getElementById("narrow"), names);

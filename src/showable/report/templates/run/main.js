// Start: show what the address says, and follow it.

const MOST_PRINTED = 100;
const printable = new Map();

function arrive() {
  const had = state.record;
  state = readState(location.hash);
  document.documentElement.classList.toggle("is-reading", state.record !== null);
  if ($("search").value !== state.q && document.activeElement !== $("search")) $("search").value = state.q;
  $("sort").value = state.order;
  search.run(state.q, later(showListSoon));
  showList();
  if (state.record !== null) {
    showRecord(state.record);
    return;
  }
  $("overview").hidden = $("records").hidden = false;
  $("reader").hidden = true;
  $("reader").replaceChildren();
  document.title = title;
  if (had !== null) comeBack(had);
  soon(prepare);
}

function comeBack(id) {
  fromList = false;
  const at = chosen.findIndex((row) => row.id === id);
  if (at >= drawn) drawMore(at + STEP);
  const link = at >= 0 && $("list").children[at] && $("list").children[at].firstElementChild;
  if (link) {
    link.scrollIntoView({ block: "center" });
    link.focus({ preventScroll: true });
  } else $("records").focus();
}

let waiting = 0;
function showListSoon() {
  if (search.done >= rows.length || !waiting) {
    clearTimeout(waiting);
    waiting = setTimeout(() => { waiting = 0; showList(); }, search.done >= rows.length ? 0 : 150);
  }
}
const later = (action) => () => { if (state.q === search.query) action(); };
const soon = (action) => (globalThis.requestIdleCallback ? requestIdleCallback(action, { timeout: 2000 }) : setTimeout(action, 300));

// Unpack what would be printed now, because a browser that begins to print does not wait.
async function prepare() {
  const wanted = new Set(printList().map((row) => row.at));
  for (const at of printable.keys()) if (!wanted.has(at)) printable.delete(at);
  for (const at of wanted) if (!printable.has(at)) printable.set(at, await record(at));
}

const printList = () => (state.record !== null ? (byId.has(state.record) ? [byId.get(state.record)] : []) : chosen.slice(0, MOST_PRINTED));

function layOutForPrint() {
  for (const box of document.querySelectorAll("details.printed-too")) box.open = true;
  const wanted = printList();
  const held = wanted.filter((row) => printable.has(row.at));
  const all = state.record !== null ? 1 : chosen.length;
  const left = all - held.length;
  const which = filtered() ? ` (${choices().map(([text]) => text).join("; ")})` : "";
  $("paper").replaceChildren(
    state.record === null && rows.length ? el("h2", {}, left > 0 ? `The first ${count(held.length)} of ${count(all)} answers${which}` : `Answers${which}`) : "",
    ...held.map((row) => el("article", { class: "printed" }, recordView(printable.get(row.at), { printing: true }))));
}

async function print() {
  tell("Preparing …");
  await prepare();
  $("toast").classList.remove("on");
  globalThis.print();
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme;
  $("theme").textContent = isDark() ? "Light" : "Dark";
  $("theme").setAttribute("aria-label", isDark() ? "Change to light" : "Change to dark");
}

const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function remember(theme) {
  try { localStorage.setItem("showable-theme", theme); } catch { /* a page from disk may have no storage */ }
}

function remembered() {
  try { return localStorage.getItem("showable-theme"); } catch { return null; }
}

const title = document.title;
setTheme({ light: "light", dark: "dark" }[remembered()]);
$("theme").addEventListener("click", () => { const theme = isDark() ? "light" : "dark"; setTheme(theme); remember(theme); });
$("keys").addEventListener("click", () => $("help").showModal());
$("print").addEventListener("click", print);
$("skip").addEventListener("click", (event) => { event.preventDefault(); (state.record === null ? $("records") : $("reader")).focus(); });
$("sort").addEventListener("change", () => go({ order: $("sort").value, record: null }));
let typed = 0;
$("search").addEventListener("input", () => { clearTimeout(typed); typed = setTimeout(() => go({ q: $("search").value.trim(), record: null }, { replace: true }), 180); });
for (const link of $("overview").querySelectorAll("a[href^='#']")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    go(readState(link.getAttribute("href")));
    $("records").scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
    $("records").focus({ preventScroll: true });
  });
}
addEventListener("popstate", arrive);
addEventListener("hashchange", () => { if (writeState(readState(location.hash)) !== writeState(state)) arrive(); });
addEventListener("keydown", onKey);
addEventListener("beforeprint", layOutForPrint);
addEventListener("afterprint", () => $("paper").replaceChildren());
document.addEventListener("click", (event) => { if (event.target.closest("a.row") && !event.metaKey && !event.ctrlKey && !event.shiftKey) { event.preventDefault(); fromList = true; go(readState(event.target.closest("a.row").getAttribute("href"))); } });
if (globalThis.IntersectionObserver) new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting) && drawn < chosen.length) drawMore(); }, { rootMargin: "600px" }).observe($("more"));

document.querySelector(".static").remove();
$("tools").hidden = false;
makeFilters();
document.querySelector(".bar").hidden = !rows.length;
if (!globalThis.DecompressionStream && rows.length) $("chosen").replaceWith(el("p", { class: "notice" }, "This browser is too old to unpack the answers; any of the last years can."));
arrive();
document.documentElement.dataset.ready = "yes";

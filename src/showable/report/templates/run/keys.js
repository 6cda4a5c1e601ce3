// Everything works without a mouse.

function rowAt(step) {
  const links = [...$("list").querySelectorAll("a.row")];
  const at = links.indexOf(document.activeElement);
  const to = at < 0 ? (step > 0 ? 0 : -1) : at + step;
  if (to >= links.length - 1) drawMore();
  const link = $("list").querySelectorAll("a.row")[to];
  if (link) {
    link.focus();
    link.scrollIntoView({ block: "nearest" });
  }
}

function neighbour(step) {
  const at = chosen.findIndex((row) => row.id === state.record);
  const to = chosen[at < 0 ? 0 : at + step];
  if (to) go({ record: to.id }, { replace: true });
}

const typing = (target) => target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]");

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const reading = state.record !== null;
  if (typing(event.target)) {
    if (event.key === "Escape" && event.target === $("search")) $("search").blur();
    else if (event.key === "Enter" && event.target === $("search")) rowAt(1);
    return;
  }
  const inList = event.target.matches("a.row");
  const actions = {
    "/": () => { if (reading) go({ record: null }, { replace: true }); $("search").focus(); $("search").select(); },
    "j": () => (reading ? neighbour(1) : rowAt(1)),
    "k": () => (reading ? neighbour(-1) : rowAt(-1)),
    "n": reading ? () => neighbour(1) : null,
    "p": reading ? () => neighbour(-1) : null,
    "ArrowDown": inList ? () => rowAt(1) : null,
    "ArrowUp": inList ? () => rowAt(-1) : null,
    "o": inList ? () => event.target.click() : null,
    "c": () => copyLink(location.hash),
    "?": () => $("help").showModal(),
    "Escape": reading ? close : null,
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

async function copyLink(fragment) {
  const link = `${location.href.split("#")[0]}${fragment}`;
  try {
    await navigator.clipboard.writeText(link);
    tell("Link copied.");
  } catch {
    const box = el("textarea", { class: "unseen" });
    box.value = link;
    document.body.append(box);
    box.select();
    const copied = document.execCommand && document.execCommand("copy");
    box.remove();
    tell(copied ? "Link copied." : "The link is in the address bar.");
  }
}

let telling = 0;
function tell(text) {
  $("toast").textContent = text;
  $("toast").classList.add("on");
  clearTimeout(telling);
  telling = setTimeout(() => $("toast").classList.remove("on"), 2500);
}

// Keys for what can be done to an issue, and one name for all forms. Without this script the forms work with the name last used.
const who = document.getElementById("who");

const spread = () => document.querySelectorAll("[data-who]").forEach((field) => (field.value = who.value.trim()));

if (who) {
  who.addEventListener("input", spread);
  document.addEventListener("submit", (event) => {
    spread();
    if (who.value.trim()) return;
    event.preventDefault();
    who.focus();
    who.reportValidity();
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select")) return;
  const form = document.querySelector(`form[data-key="${CSS.escape(event.key)}"]`);
  if (!form) return;
  event.preventDefault();
  const field = form.querySelector("input:not([type=hidden]), select");
  if (field) field.focus();
  else form.requestSubmit();
});

const opened = () => {
  const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  const folded = target?.closest("details");
  if (!folded) return;
  folded.open = true;
  target.scrollIntoView({ block: "nearest" });
};
addEventListener("hashchange", opened);
opened();

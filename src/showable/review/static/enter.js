// Coming in under a name. A name that labelled here before has its role; it is chosen for them.

import { $, data, fail, post } from "./rooms.js";

const form = $("enter");

function recognise() {
  const name = $("name").value.trim();
  const role = Object.hasOwn(data.people, name) ? data.people[name] : null;
  $("known").hidden = role === null;
  $("known").textContent = role === null ? "" : "You have labelled here before; your role is chosen for you.";
  for (const one of form.elements.role) {
    if (role !== null) one.checked = one.value === role;
    one.disabled = role !== null && one.value !== role;
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  const reply = await post("/api/enter", { name: $("name").value.trim(), role: form.elements.role.value });
  if (reply.ok) return location.assign(reply.said.next || "/");
  button.disabled = false;
  fail(reply.said?.error);
});
$("name").addEventListener("input", recognise);
recognise();

// Saying that one only settles what others disagree on: what was hidden for one's own labels is shown after that.

import { $, data, fail, post } from "./rooms.js";

$("settle-only").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  button.disabled = true;
  const reply = await post("/api/settle-only", {});
  if (reply.ok) return data.then ? location.assign(data.then) : location.reload();
  button.disabled = false;
  fail(reply.said?.error);
});

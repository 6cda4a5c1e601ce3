// What the page carries: the index of all its records, and blocks of them, unpacked when they are needed.

const $ = (id) => document.getElementById(id);
const index = JSON.parse($("index").textContent);
const packed = [...document.getElementsByClassName("block")];
const rows = index.rows.map(([id, question, bucket, cause, category, codes, flags, number, claims], at) => ({
  id, question, at, number, claims,
  bucket: index.buckets[bucket],
  cause: cause < 0 ? "" : index.causes[cause],
  category: index.categories[category],
  codes: codes.map((code) => index.codes[code]),
  look: (flags & 1) > 0,
  unsure: (flags & 2) > 0,
  differs: (flags & 4) > 0,
}));
const byId = new Map(rows.map((row) => [row.id, row]).reverse());
const firstOf = [];
index.blocks.reduce((from, count) => (firstOf.push(from), from + count), 0);

const MOST_UNPACKED = 12;
const unpacked = new Map();

function lastAtMost(starts, n) {
  let low = 0, high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= n) low = middle; else high = middle - 1;
  }
  return low;
}

function bytesOf(base64) {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function block(number) {
  let held = unpacked.get(number);
  unpacked.delete(number);
  if (!held) {
    const stream = new Blob([bytesOf(packed[number].textContent)]).stream().pipeThrough(new DecompressionStream("gzip"));
    held = new Response(stream).json();
  }
  unpacked.set(number, held);
  if (unpacked.size > MOST_UNPACKED) unpacked.delete(unpacked.keys().next().value);
  return held;
}

// A block may hold no text of its own, so that several begin at the same number: the last of them that has any is meant.
function blockOfText(number) {
  return lastAtMost(index.texts, number);
}

async function record(at) {
  const number = lastAtMost(firstOf, at);
  const body = (await block(number)).records[at - firstOf[number]];
  const passages = await Promise.all((body.passages || []).map(async (passage) => {
    if (passage.text === undefined) return passage;
    const home = blockOfText(passage.text);
    return { ...passage, text: (await block(home)).texts[passage.text - index.texts[home]] };
  }));
  return { ...body, passages };
}

// An element whose text is text: nothing that comes from a record is ever read as markup.
function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== "" && child !== false));
  return made;
}

// Names from records are looked up among our own alone: `constructor` is no finding of ours.
const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
const said = (name) => String(name).replaceAll("_", " ");
const count = (n) => n.toLocaleString("en-US");
const sign = (bucket) => el("i", { "aria-hidden": "true" }, own(index.signs, bucket) || "");
const badge = (bucket) => el("span", { class: `b ${bucket}` }, sign(bucket), ` ${bucket}`);

// Search in everything, block by block: what is found so far is shown, and how far the search has come is said.

const MOST_REMEMBERED = 40e6;

const APART = "\u0001"; // no search holds it, so nothing is found across two fields

const fold = (text) => text.normalize("NFKD").replace(/\p{M}+/gu, "").replace(/\s+/g, " ").toLowerCase();

function termsOf(query) {
  const terms = [...query.matchAll(/"([^"]*)"?|\S+/g)].map((found) => fold(found[1] ?? found[0]).trim());
  return [...new Set(terms.filter(Boolean))].slice(0, 20);
}

const search = {
  query: "", terms: [], hits: new Uint8Array(rows.length), done: rows.length, running: 0, memory: new Map(), remembered: 0,

  found: (row) => search.hits[row.at] === 1,

  // Which terms each passage of the blocks so far holds, as bits: a passage may stand in an earlier block than its record.
  async run(query, told) {
    if (query === search.query) return;
    const mine = ++search.running;
    Object.assign(search, { query, terms: termsOf(query), done: 0 });
    search.hits.fill(0);
    const all = 2 ** search.terms.length - 1;
    if (!search.terms.length) {
      search.hits.fill(1);
      search.done = rows.length;
      return told();
    }
    for (const row of rows) if (search.bits(fold(`${row.id}${APART}${row.question}`)) === all) search.hits[row.at] = 1;
    told();
    const passages = [];
    for (let number = 0; number < packed.length; number++) {
      const texts = await search.texts(number);
      if (mine !== search.running) return;
      for (const text of texts.passages) passages.push(search.bits(text));
      texts.records.forEach(({ own, uses }, place) => {
        const bits = uses.reduce((held, use) => held | passages[use], search.bits(own));
        if (bits === all) search.hits[firstOf[number] + place] = 1;
      });
      search.done = firstOf[number] + texts.records.length;
      told();
    }
  },

  bits: (text) => search.terms.reduce((held, term, n) => (text.includes(term) ? held | (1 << n) : held), 0),

  async texts(number) {
    if (search.memory.has(number)) return search.memory.get(number);
    const held = await block(number);
    const folded = {
      passages: held.texts.map(fold),
      records: held.records.map((body) => ({ own: fold(wordsOf(body).join(APART)), uses: (body.passages || []).map((one) => one.text).filter((at) => at !== undefined) })),
    };
    const size = folded.passages.reduce((sum, text) => sum + text.length, 0) + folded.records.reduce((sum, one) => sum + one.own.length, 0);
    if (search.remembered + size < MOST_REMEMBERED) {
      search.memory.set(number, folded);
      search.remembered += size;
    }
    return folded;
  },
};

function wordsOf(body) {
  const gold = body.gold || {};
  const words = [body.id, body.question, body.answer, body.raw, body.why, body.label, gold.answer, gold.why, ...(gold.aliases || [])];
  for (const claim of body.claims || []) words.push(claim.text);
  for (const passage of body.passages || []) words.push(passage.source, passage.title, passage.url);
  for (const finding of body.findings || []) words.push(finding.code, finding.reason);
  return words.filter(Boolean);
}

// Marks what was searched for in what is read, without touching it (CSS Custom Highlight API, where there is one).
function showTerms(root) {
  if (!globalThis.Highlight || !CSS.highlights) return;
  CSS.highlights.delete("searched");
  const terms = state.q ? termsOf(state.q) : [];
  if (!terms.length) return;
  const ranges = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < 2000; node = walker.nextNode()) {
    const folded = fold(node.data);
    if (folded.length !== node.data.length && !terms.some((term) => folded.includes(term))) continue;
    const places = folded.length === node.data.length ? null : placesOf(node.data);
    for (const term of terms) {
      for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
        const range = new Range();
        range.setStart(node, places ? places[at] : at);
        range.setEnd(node, places ? places[at + term.length] ?? node.data.length : at + term.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("searched", new Highlight(...ranges));
}

// For each character of the folded text, where it comes from in the text: of several spaces, from the first.
function placesOf(text) {
  const places = [];
  let at = 0;
  let spaced = false;
  for (const character of text) {
    const space = /\s/.test(character);
    if (!(space && spaced)) for (let i = fold(character).length; i > 0; i--) places.push(at);
    spaced = space;
    at += character.length;
  }
  return places;
}

// What all pages have around their lists: the settings, the buttons, the keys, and what readers
// take along.
let page, chosen;

// openPage shows a page. It has
//
//	root                 the first node that can be chosen
//	at(text), name(node) the node of an address's fragment, and the fragment of a node
//	list()               draws what has words or moves, but for the board
//	mark()               marks the chosen node in it
//	about(node)          paragraphs on a node
//	last(node)           the move to mark on the board, and best(node) moves to point out
//	text()               the game as PGN
//	facts(), keys        what the page is about, and the word for its keys
//	acts, shortcuts      what more can be done, by name, and the keys for it
//	play(node, move)     plays a move of the reader's; without it the page keeps the move for itself
//	current()            the node on which moves are tried, if it may be another than the one that is chosen
function openPage(the) {
  page = the;
  Object.assign(acts, the.acts);
  Object.assign(shortcuts, the.shortcuts);
  $('buttons').append(...['first', 'back', 'forward', 'last', 'flip', 'letters', ...the.buttons || []].map((name) => {
    const button = makeButton(signs[name] || '', () => acts[name]());
    button.id = name;
    if (!signs[name]) button.dataset.word = name;
    return button;
  }));
  for (const name of ['language', 'theme', 'copy', 'download']) $(name).addEventListener('click', () => acts[name]());
  $('notation').append(...data.notations.map((name) => new Option(notationNames[name] || name, name)));
  $('notation').parentElement.hidden = data.notations.length < 2;
  $('notation').addEventListener('change', () => { view.notation = $('notation').value; $('notation').blur(); redraw(); });
  $('position').addEventListener('focus', () => $('position').select());
  document.addEventListener('keydown', onKey);
  // The keys are those of the page again after a click, but not after a key on a button.
  document.addEventListener('click', ({detail, target}) => { if (detail) target.closest('button')?.blur(); });
  playOnStage(() => page.current?.() || chosen, the.play || tryOut);
  showTheme(recall('theme'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', nameTheme);
  chosen = the.at(fragment()) || the.root;
  hideUnused(the.root);
  redraw();
  addEventListener('hashchange', () => choose(page.at(fragment()) || page.root));
}

// tryOut plays a move of the reader's, which the page keeps.
function tryOut(before, move) {
  const abandoned = abandon(chosen, before), count = before.branches.length, node = tryMove(before, move);
  if (abandoned || before.branches.length > count || node.tried) page.list();
  choose(node);
}

const fragment = () => location.hash.slice(1);
const signs = {first: '|◀', back: '◀', forward: '▶', last: '▶|', flip: '⇅'};

// hideUnused hides the buttons that do nothing for this game.
function hideUnused(root) {
  const draws = (letters) => board.draw(positionOf(root), {letters});
  $('flip').hidden = !rules;
  $('letters').hidden = !rules || draws(true) === draws(false);
}

// choose shows a node.
function choose(node) {
  if (!node) return;
  chosen = node;
  page.mark();
  show();
  afterPaint(() => { if (node === chosen) history.replaceState(null, '', `#${page.name(node)}`); }); // which takes long
}

// show draws the position of a node and what is known of it.
function show(node = page.current?.() || chosen) {
  drawStage(node, page.last(node), page.best(node));
  tell(node);
}

// tell writes what is known of a node.
function tell(node) {
  $('about').replaceChildren(...page.about(node).map((content) => make('p', '', ...content)));
}

// redraw draws everything in the language and the notation of now.
function redraw() {
  document.documentElement.lang = say('lang');
  $('keys').dataset.word = page.keys;
  for (const element of document.querySelectorAll('[data-word]')) element.textContent = say(element.dataset.word);
  for (const element of document.querySelectorAll('[data-label]')) element.setAttribute('aria-label', say(element.dataset.label));
  for (const name in signs) { $(name).title = say(name); $(name).setAttribute('aria-label', say(name)); }
  $('language').textContent = words[otherLanguage()].name;
  $('language').lang = words[otherLanguage()].lang;
  $('notation').value = view.notation;
  $('facts').textContent = page.facts().filter(Boolean).join(' · ');
  nameTheme();
  page.list();
  page.mark();
  show();
}

const otherLanguage = () => (view.language === 'zh' ? 'en' : 'zh');

// The theme is that of the system until the reader chooses.
const isDark = () => (document.documentElement.style.colorScheme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

function showTheme(theme) {
  document.documentElement.style.colorScheme = ['dark', 'light'].includes(theme) ? theme : '';
  nameTheme();
}

const nameTheme = () => { $('theme').textContent = say(isDark() ? 'light' : 'dark'); };

const acts = {
  first: () => choose(page.root), back: () => choose(chosen.prev), forward: () => choose(onward(chosen)),
  last: () => { while (onward(chosen)) chosen = onward(chosen); choose(chosen); },
  up: () => chooseSibling(-1), down: () => chooseSibling(1),
  flip: () => { view.flip = !view.flip; show(); },
  letters: () => { view.letters = !view.letters; show(); },
  theme: () => { const theme = isDark() ? 'light' : 'dark'; remember('theme', theme); showTheme(theme); },
  language: () => { speak(otherLanguage()); remember('language', view.language); redraw(); },
  notation: () => {
    view.notation = data.notations[(data.notations.indexOf(view.notation) + 1) % data.notations.length];
    redraw();
  },
  copy: copyPosition,
  download: () => save(page.text(), `${document.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'game'}.pgn`),
};
const shortcuts = {
  ArrowLeft: 'back', ArrowRight: 'forward', ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last',
  f: 'flip', l: 'language', n: 'notation',
};

function onKey(event) {
  const act = acts[shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key]];
  const inField = event.target.closest?.(event.key === ' ' ? 'select, input, textarea, button' : 'select, input, textarea');
  if (!act || inField || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  act();
}

function chooseSibling(step) {
  const list = siblings(chosen);
  choose(list[list.indexOf(chosen) + step]);
}

// copyPosition copies the position, and says so. Where the browser refuses, the text is selected.
async function copyPosition() {
  const field = $('position');
  let done = true;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    done = document.execCommand('copy');
  }
  $('copy').textContent = say(done ? 'copied' : 'copyYourself');
  setTimeout(() => { $('copy').textContent = say('copy'); }, 2000);
}

// save has the browser save a text or a Blob as a file.
function save(content, name) {
  const link = make('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type: 'application/x-chess-pgn'}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// scoreText is a score, short.
function scoreText({cp, mate} = {}) {
  if (cp !== undefined) return (cp < 0 ? '−' : '+') + (Math.abs(cp) / 100).toFixed(2);
  return mate ? `#${mate}` : '';
}

// moveItem is a move that can be clicked. A line of the reader's own begins with a button that
// removes it.
function moveItem(node, withNumber, ...more) {
  const item = make('span', `move${node.chance ? ' chance' : ''}${node.kind === 'own' ? ' own' : ''}`);
  if (withNumber) item.append(make('span', 'number', numberOf(node)));
  item.append(make('span', isBad(node) ? node.judged.class : '', textOf(node) + signOf(node)), ...more);
  item.addEventListener('click', () => choose(node));
  return item;
}

const glyphSigns = {1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!'};
const signOf = (node) => (node.glyphs || []).map((glyph) => glyphSigns[glyph] || '').join('') || (isBad(node) ? badMoves[node.judged.class].sign : '') + (node.judged?.new ? ' N' : '');

// forgetButton removes a line of the reader's.
function forgetButton(node) {
  const button = makeButton('×', (event) => {
    event.stopPropagation();
    forget(node);
    if (isWithin(chosen, node)) chosen = node.prev;
    page.list();
    choose(chosen);
  });
  button.className = 'forget';
  button.title = say('forget');
  button.setAttribute('aria-label', say('forget'));
  return button;
}

// variation is a line of moves, with those that might have been played instead between parentheses.
function variation(first) {
  const part = document.createDocumentFragment();
  for (let node = first, before; node; [before, node] = [node, onward(node)]) {
    if (node.lead) part.append(node.lead, ' ');
    part.append(node.item = moveItem(node, isNumbered(node, before)), ' ');
    if (isBranchPoint(node)) part.append(forgetButton(node));
    if (node.comment) part.append(node.comment, ' ');
    if (before) for (const other of alternatives(node)) part.append('(', variation(other), ') ');
  }
  return part;
}

// markItem marks the chosen node among the items of a list, and has it seen there without moving
// the page.
function markItem(list, item) {
  for (const marked of list.querySelectorAll('.chosen')) marked.classList.remove('chosen');
  if (!item) return;
  item.classList.add('chosen');
  const box = item.getBoundingClientRect(), frame = list.getBoundingClientRect();
  if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - list.clientHeight / 2;
}

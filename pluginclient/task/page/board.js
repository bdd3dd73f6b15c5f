// The page of a game to work on, of a server that has the game and the engines.
let root;

// load makes the nodes of the game as the server has told it.
function load() {
  root = Object.assign(data.start, {kind: 'main', ply: 0, next: data.line[0], branches: []});
  link(data.line, root, 'main');
}
load();

const mainLine = () => { const line = [root]; while (line.at(-1).next) line.push(line.at(-1).next); return line; };
const indexPath = (node) => (node.prev ? [...indexPath(node.prev), node.prev.branches.indexOf(node)] : []);
const nodeAt = (path) => path.reduce((node, i) => node && node.branches[i], root);
const isOfGame = (node) => node === root || Boolean(node.prev && node.prev.branches.includes(node) && isOfGame(node.prev));

// The name of a node in the address counts moves along the line, and names a branch by its number: 12.1.3.
function nameOfNode(node) {
  const name = [0];
  for (const i of indexPath(node)) {
    if (i) name.push(i, 0);
    else name[name.length - 1]++;
  }
  return name.join('.');
}

function nodeByName(text) {
  let node = root;
  text.split('.').map(Number).forEach((n, i) => {
    if (i % 2) node = node && node.branches[n];
    else for (let left = n; left > 0 && node; left--) node = node.branches[0];
  });
  return node;
}

// take takes over what the server says of the game, and shows the node of a path; without one that to which the same
// moves lead, as far as they are there. What engines say of the node that is shown stays.
function take(view, path) {
  const before = chosen, moves = movesTo(before), line = pathTo(before);
  Object.assign(data, view);
  load();
  page.root = root;
  chosen = (path ? nodeAt(path) : lastOf(line)) || root;
  if (looking === before && moves === movesTo(chosen)) {
    looking = chosen;
    chosen.judged ??= before.judged;
    chosen.depth = before.depth;
    for (const {node} of engines) if (node?.threatens === before) node.threatens = chosen;
    for (const engine of engines) if (engine.node === before) engine.node = chosen;
  }
  redraw();
  history.replaceState(null, '', `#${page.name(chosen)}`);
}

const movesTo = (node) => [positionOf(root), ...pathTo(node).map(({move}) => move)].join(' ');

// edit asks the server for a change at the end of a line, one after the other. The node to which that leads is shown
// then, unless the reader has gone elsewhere.
let editing = Promise.resolve();

function edit(change, line = pathTo(chosen)) {
  if (training) return editing;
  wait(1);
  editing = editing.then(() => editNow(change, line)).finally(() => wait(-1));
  return editing;
}

async function editNow(change, line) {
  const node = lastOf(line), path = node.ply === line.length ? indexPath(node) : [-1]; // it has been removed: the server refuses
  const view = await post('/edit', ofGame({version: data.version, path, ...change()}));
  if (!view) return;
  complain();
  take(view, node === chosen ? view.path : undefined);
}

// lastOf is the node to which the moves of a line lead, as far as they are in the game.
function lastOf(line) {
  let node = root;
  for (const {move} of line) {
    const next = node.branches.find((other) => other.move === move);
    if (!next) break;
    node = next;
  }
  return node;
}

// enter plays moves at a node. They are shown at once.
function enter(before, line) {
  if (training) {
    attempt(before, line[0].move);
    return;
  }
  const at = indexPath(before);
  let node = before;
  for (const {move} of line) node = tryMove(node, move);
  pressClock(node);
  page.list();
  choose(node);
  edit(() => ({do: 'play', path: at, moves: line.map(({move}) => move)}));
}

// refresh asks for the game as it is now.
async function refresh() {
  const view = await request(`/game?${queryOf()}`);
  if (view) take(view);
}

// look has the engines look at the node that is chosen, and the opponent play.
let looking;
function look(again) {
  if (looking === chosen && !again) return;
  const before = looking;
  looking = chosen;
  if (before) keepValue(before);
  lookMore(true);
  if (!training) reply();
}

// lookMore has the engines look that have started meanwhile, or all of them, at the node or at its threat. The one that
// is to play has no time for it.
async function lookMore(all) {
  const node = looking, subject = (wantsThreat && await threatOf(node)) || node;
  if (!node || node !== looking) return;
  for (const engine of engines) {
    if (!all && engine.node === subject && !engine.answer.cancelled && !engine.answer.error) continue; // it was away for a moment
    analyse(engine, subject, heard, engine === opponent() && isToReply());
    drawLines(engine);
  }
  const threat = await threatOf(node);
  if (node === looking && $('threat')) $('threat').disabled = !threat;
}

// heard takes in what an engine says: the first that is on gives the node its value.
function heard(engine) {
  requestAnimationFrame(() => drawLines(engine));
  if (engine.node?.threatens === chosen) pointOut();
  if (engine !== engines.find(({on}) => on) || !engine.hints.length || engine.node !== chosen) return;
  const value = firstScore(engine.node, engine.hints[0]);
  if (value.win === undefined) return;
  chosen.judged = value;
  chosen.depth = engine.hints[0].depth;
  drawBar(chosen);
  pointOut();
  tell(chosen);
  drawGraph(mainLine());
  markGraph(mainLine());
  if (engine.answer.final) keepValue(chosen);
  const best = say('bestIs', textOfMove(chosen, engine.hints[0].move));
  if (engine.answer.final || !$('best').textContent) $('best').textContent = best;
}

// keepValue has the server keep the value of a node.
function keepValue(node) {
  if (!node.depth || node.kept === node.depth || !isOfGame(node)) return;
  node.kept = node.depth;
  const {cp, mate} = node.judged, path = indexPath(node), version = data.version;
  const body = JSON.stringify(ofGame({version, do: 'eval', path, cp, mate}));
  editing = editing.then(() => version === data.version && fetch('/edit', {method: 'POST', body}).catch(() => {}));
}

// The marks on the board: those of the game, and arrows for the moves of the first engine, the wider the better.
const markColors = {G: '#15781b', R: '#882020', B: '#003088', Y: '#e68f00'};

function pointOut() {
  const svg = $('board').querySelector('svg');
  svg?.querySelector('#marks')?.remove();
  if (!svg || shown !== chosen) return; // the reader looks at a line
  const group = shape('g', {id: 'marks', 'pointer-events': 'none', fill: 'none', 'stroke-opacity': .7, 'stroke-linecap': 'round'}), width = svg.viewBox.baseVal.width;
  const arrow = ([x, y], [X, Y], stroke, size) => {
    const length = Math.hypot(X - x, Y - y) || 1, [dx, dy] = [(X - x) / length, (Y - y) / length], tip = 3 * size;
    group.append(shape('path', {d: `M${x} ${y}L${X - dx * tip} ${Y - dy * tip}`, stroke, 'stroke-width': size}));
    const side = 1.4 * size, [bx, by] = [X - dx * tip, Y - dy * tip];
    group.append(shape('path', {d: `M${X} ${Y}L${bx - dy * side} ${by + dx * side}L${bx + dy * side} ${by - dx * side}z`, fill: stroke, 'fill-opacity': .7, stroke: 'none'}));
  };
  const circle = ([x, y], stroke, size) => group.append(shape('circle', {cx: x, cy: y, r: .046 * width, stroke, 'stroke-width': size}));
  const {node, hints = []} = engines.find(({on}) => on) || {};
  if (node && (node === chosen || node.threatens === chosen) && recall('arrows') !== 'false') {
    const values = hints.map((hint) => firstScore(node, hint).win), sign = isSecondToMove(node) ? -1 : 1, color = node.threatens ? '#c62828' : '#1565c0';
    hints.forEach((hint, i) => {
      const points = board.points(hint.move, view.flip, positionOf(node)), size = width * Math.max(.004, .018 - .12 * Math.abs(sign * (values[0] - values[i])) - .002 * i);
      if (points.length > 1) arrow(points[0], points.at(-1), color, size);
      else if (points.length) circle(points[0], color, size);
    });
  }
  for (const mark of chosen.marks || []) {
    const points = pointsOf(mark.slice(1)).map((name) => board.place(name, view.flip)), color = markColors[mark[0]] || markColors.G;
    if (points.length > 1) arrow(...points, color, .016 * width);
    else if (points.length) circle(points[0], color, .009 * width);
  }
  svg.append(group);
}

// pointsOf are the points that a mark names: one, or two with or without a sign between them.
function pointsOf(text) {
  const known = (name) => board.names.find((other) => other.toLowerCase() === name.toLowerCase());
  if (text.includes('-')) {
    const names = text.split('-').map(known);
    return names.length === 2 && names.every(Boolean) ? names : [];
  }
  if (known(text)) return [known(text)];
  for (let i = 1; i < text.length; i++) if (known(text.slice(0, i)) && known(text.slice(i))) return [known(text.slice(0, i)), known(text.slice(i))];
  return [];
}

// markOnBoard has the reader draw circles and arrows with the right button; with Shift, Alt or both in another colour.
function markOnBoard() {
  let from;
  $('board').addEventListener('contextmenu', (event) => event.preventDefault());
  $('board').addEventListener('pointerdown', (event) => { if (event.button === 2 && !setup) from = nearestPoint(event); });
  addEventListener('pointerup', (event) => {
    if (event.button !== 2 || !from) return;
    const to = nearestPoint(event), color = ['G', 'R', 'B', 'Y'][Number(event.shiftKey) + 2 * Number(event.altKey)];
    const mark = color + (to && to !== from ? `${from}-${to}` : from), same = (other) => pointsOf(other.slice(1)).join('-') === mark.slice(1);
    from = undefined;
    const marks = (chosen.marks || []).filter((other) => !same(other));
    if (marks.length === (chosen.marks || []).length) marks.push(mark);
    chosen.marks = marks;
    pointOut();
    edit(() => ({do: 'marks', marks}));
  });
}

const bestMove = () => { const engine = engines.find(({on, node, hints}) => on && node === chosen && hints.length); return engine && engine.hints[0].move; };

// The node of the comment that the reader writes: he may look at another one before he leaves the field.
let commented;

// about is what is known of a node.
function about(node) {
  if (node === setup) return [];
  const lines = [[make('b', '', node.move ? numberOf(node) + textOf(node) + signOf(node) : say('start'))]];
  if (node.judged) lines.push([`${scoreWords(node.judged)} · ${chanceText()} ${percent(node.judged.win ?? .5)} %`]);
  if (node.known) {
    const {ending, over, status, ruling} = node.known;
    lines.push([gameWord(over || status)], [ending ? say('ending', ending.value, ending.n, textOfMove(node, ending.best)) : ''], [ruling || '']);
  } else if (!legalMoves(node).length && rules) lines.push([say('noMoves')]);
  return lines;
}

openPage({
  root, text: () => gameText(root), keys: 'boardKeys', refresh, enter,
  play: (before, move) => enter(before, [{move}]),
  current: () => setup || chosen,
  at: (text) => nodeByName(text || '0'),
  name: (node) => (isOfGame(node) ? nameOfNode(node) : '0'),
  list() {
    $('mirror').hidden = !data.mirror;
    $('swap').hidden = !data.swap;
    $('edit').hidden = !board.edit;
    document.title = document.querySelector('h1').textContent = data.title;
    drawTags();
    drawEditor();
    $('undo').disabled = !data.undo;
    $('redo').disabled = !data.redo;
    $('result').value = data.result;
    drawMoves(root);
    drawGraph(mainLine());
    drawEngines(() => look(true));
    drawOpponents();
    drawFiles();
    drawRetry();
    drawTraining();
  },
  mark() {
    markMoves(mainLine());
    if (document.activeElement !== $('comment')) [$('comment').value, commented] = [chosen.comment || '', chosen];
    $('glyph').value = String((chosen.glyphs || [])[0] || '');
    $('glyph').disabled = $('remove').disabled = !chosen.move;
    $('promote').disabled = $('makeMain').disabled = chosen.kind === 'main';
    $('best').textContent = '';
    setTimeout(look);
    know(chosen);
  },
  about,
  last: (node) => node.move,
  best: () => { queueMicrotask(pointOut); return []; },
  facts: () => [...data.tags.filter(([name]) => ['Event', 'Title', 'Date', 'Opening'].includes(name)).map(([, value]) => value), openingName(), data.result],
  acts: {
    best: () => { const move = !setup && bestMove(); if (move) enter(chosen, [{move}]); },
    threat: () => $('threat')?.click(),
    undo: () => edit(() => ({do: 'undo'})),
    redo: () => edit(() => ({do: 'redo'})),
    solution: showSolution, endTraining,
    flip: () => { view.flip = !view.flip; show(); drawBar(chosen); if (opponent()) look(true); }, // the sides of the players have changed
  },
  shortcuts: {' ': 'best', x: 'threat', s: 'solution', Escape: 'endTraining'},
});

$('glyph').append(new Option('', ''), ...Object.entries(glyphSigns).map(([glyph, sign]) => new Option(sign, glyph)));
$('result').append(...['*', '1-0', '0-1', '1/2-1/2'].map((text) => new Option(text)));
$('result').value = data.result;
for (const [id, act] of Object.entries({
  undo: acts.undo, redo: acts.redo, mirror: () => edit(() => ({do: 'mirror'})), swap: () => edit(() => ({do: 'swap'})), edit: editPosition, link: copyLink,
  promote: () => edit(() => ({do: 'promote'})), makeMain: () => edit(() => ({do: 'main'})), remove: () => edit(() => ({do: 'delete'})),
  takeBack, hint: () => { const move = bestMove(); if (move) complain(say('bestIs', textOfMove(chosen, move))); },
})) $(id).addEventListener('click', act);
$('annotate').addEventListener('click', annotateGame);
$('position').readOnly = false;
$('position').addEventListener('change', () => { const text = $('position').value; if (setup) setUpText(text); else edit(() => ({do: 'start', text})); });
$('comment').addEventListener('change', () => { const text = $('comment').value; edit(() => ({do: 'comment', text}), pathTo(commented)); });
$('comment').addEventListener('blur', () => { if (commented !== chosen) page.mark(); });
$('glyph').addEventListener('change', () => { const glyphs = $('glyph').value ? [Number($('glyph').value)] : []; edit(() => ({do: 'glyphs', glyphs})); });
$('result').addEventListener('change', () => edit(() => ({do: 'result', text: $('result').value})));
document.addEventListener('keydown', (event) => {
  if (!event.ctrlKey && !event.metaKey || event.target.closest('input, textarea')) return;
  const act = {z: event.shiftKey ? 'redo' : 'undo', y: 'redo'}[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  acts[act]();
});
$('about').removeAttribute('aria-live'); // it follows the engine; its best move is told once
markOnBoard();
setUpOnBoard();
playAgainst();
playWithFiles();
beginExercises();
playOnGraph(mainLine);
connect((version) => editing.then(() => (version > data.version ? refresh() : drawFiles())), () => { drawEngines(() => look(true)); drawOpponents(); lookMore(); resume(); });
stepByWheel();

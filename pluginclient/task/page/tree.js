// The page of a tree of hints.
const root = Object.assign(data.root, {kind: 'main', ply: 0, branches: []});
const byID = new Map();
const rows = []; // every node in the order of the page, set when it is drawn

// collect links the nodes below a node. The best move stands for the line; what the engine expects
// after a leaf follows it.
function collect(node) {
  byID.set(node.id, node);
  if (node.move && node.value) node.note = evalComment(node);
  (node.children || []).forEach((child, i) => {
    link([child], node, i ? 'other' : 'main');
    if (i === 0) node.next = child;
    collect(child);
  });
  link(node.expected || [], node, 'engine');
}
collect(root);

// evalComment is a node's value for the first side, in the syntax of PGN files.
function evalComment({second, value: {cp, mate}}) {
  const sign = second ? -1 : 1;
  return `[%eval ${cp === undefined ? `#${sign * mate}` : (sign * cp / 100).toFixed(2)}]`;
}

const movesTo = (node) => pathTo(node).map((other) => textOf(other)).join(', ');
const isListed = (node) => node.id !== undefined || node.kind === 'own';
const listed = (node) => node.branches.filter((other) => isListed(other) || hasOwn(other));
const isBelowZero = ({cp, mate}) => cp < 0 || mate < 0;

// noteOf says in words what is peculiar about a node.
function noteOf(node) {
  const same = byID.get(node.same);
  switch (node.state) {
    case 'over': return gameWord(node.over || node.result);
    case 'failed': return `${say('failed')} ${node.error}`;
    case 'merged': return say('same', movesTo(same)) + (node.loop ? say('loop') : '');
    case 'return':
      if (!same) return say('repeats');
      return same.prev ? say('backAt', movesTo(same)) : say('backAtFirst');
  }
  return '';
}

function entryOf(node) {
  const entry = make('div', 'entry', make('b', '', node.move ? textOf(node) : say('start')));
  const add = (text, className) => { if (text) entry.append(make('span', className, text)); };
  if (node.odds) add(`${say('odds')} ${+node.odds.toFixed(3)}`);
  if (node.value) add(valueText(node.value), isBelowZero(node.value) ? 'value bad' : 'value');
  if (node.depth) add(`${say('depth')} ${node.depth}`);
  add(node.text);
  add(noteOf(node));
  if (isBranchPoint(node)) entry.append(forgetButton(node));
  return entry;
}

// valueText is a score for the side that moves.
const valueText = (score = {}) => (score.mate === undefined ? scoreText(score) : `#${score.mate}`);

// item makes the part of the list for a node and those below it.
function item(node) {
  rows.push(node);
  const part = make('li', node.kind === 'own' ? 'own' : node.rank && node.prev.next === node ? 'top' : '');
  part.setAttribute('role', 'treeitem');
  if (node.id !== undefined) part.dataset.id = node.id;
  node.item = entryOf(node);
  // The board follows the mouse until it leaves the tree. Scrolling moves the page under a mouse that rests.
  node.item.addEventListener('mousemove', (event) => { if (event.movementX || event.movementY) show(node); });
  node.item.addEventListener('click', () => choose(node));
  part.append(node.item);
  const below = listed(node);
  if (below.length) {
    const list = make('ul', '', ...below.map(item));
    list.setAttribute('role', 'group');
    part.append(list);
  }
  return part;
}

function drawTree() {
  rows.length = 0;
  $('tree').replaceChildren(make('ul', '', item(root)));
  const summary = say('summary', data);
  $('summary').textContent = summary;
  if (!data.title) document.title = document.querySelector('h1').textContent = data.engine ? say('hints', data.engine) : say('tree');
}

// listedBefore is the last node of the list on the way to a node.
function listedBefore(node) {
  while (!rows.includes(node)) node = node.prev;
  return node;
}

function about(node) {
  const lines = [];
  const line = (word, ...content) => { if (content.some(Boolean)) lines.push([make('b', '', `${say(word)} `), ...content]); };
  if (!node.move) lines.push([make('b', '', say('start'))]);
  line('after', movesTo(node));
  const figures = [['value', valueText(node.value)], ['engine', valueText(node)], ['rank', node.rank], ['depth', node.depth],
    ['nodes', node.nodes && node.nodes.toLocaleString(view.language)]];
  lines.push(figures.filter(([, text]) => text).flatMap(([word, text], i) => [i ? ' · ' : '', make('b', '', `${say(word)} `), String(text)]));
  line('expects', ...expected(node));
  line('says', node.text);
  if (noteOf(node)) lines.push([noteOf(node)]);
  if (node.kind === 'own') lines.push([say('own')]);
  return lines;
}

// expected is the line that the engine expects after a node: moves to choose after a leaf, else text.
function expected(node) {
  if (node.expected) return node.expected.flatMap((next) => [moveItem(next, false), ' ']);
  return [(node.pv || [])[data.notations.indexOf(view.notation)] || ''];
}

// bestOf is the best move at a node; where its branches are elsewhere, there.
function bestOf(node) {
  const source = node.state === 'merged' ? byID.get(node.same) : node;
  const best = source.branches[0];
  return best && (best.rank || best.kind === 'engine') ? [best.move] : [];
}

const neighbour = (step) => rows[rows.indexOf(listedBefore(chosen)) + step];

openPage({
  root, text: () => gameText(root, data.before), keys: 'treeKeys',
  at: (text) => byID.get(text),
  name: (node) => { while (node.id === undefined) node = node.prev; return node.id; },
  list: drawTree,
  mark() {
    for (const selected of $('tree').querySelectorAll('[aria-selected]')) selected.removeAttribute('aria-selected');
    const node = listedBefore(chosen);
    markItem($('tree'), node.item);
    node.item.parentElement.setAttribute('aria-selected', 'true');
  },
  about,
  last: (node) => node.move || (data.before.at(-1) || {}).move,
  best: bestOf,
  facts: () => [],
  acts: {up: () => choose(neighbour(-1)), down: () => choose(neighbour(1))},
});
$('tree').addEventListener('mouseleave', () => show());

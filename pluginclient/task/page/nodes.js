// A node is a position and the move before it; the root has no move. All nodes of a page are
// linked: prev, next in the same line, and branches, which are all that may follow. Their kind is
// main, other (a variation), engine (what the engine expects) or own (a move of the reader's).

// rules reports whether the page has the script of a board. Without it, board is the element of that id.
const rules = Boolean(board.moves);

// textOf is the text of a node's move, which is made at another.
const textOf = (node, prev = node.prev) => (rules ? textOfMove(prev, node.move) : (node.texts || [])[data.notations.indexOf(view.notation)] || node.move);
const textOfMove = (node, move) => board.name(positionOf(node), move, view.notation);
const numberOf = (node) => `${node.n}${node.second ? '…' : '.'} `;

// isNumbered reports whether a move has its number in a line: the first, and the first of each turn
// of the first side.
const isNumbered = (node, before) => !before || (!node.second && before.second);

// link links the nodes of a line behind a node.
function link(line, before, kind) {
  line.forEach((node, i) => {
    const prev = i ? line[i - 1] : before;
    Object.assign(node, {prev, next: line[i + 1], kind, ply: prev.ply + 1, branches: []});
    prev.branches.push(node);
    for (const other of node.others || []) link(other, prev, 'other');
  });
}

// onward is the next move of a node's line, or else the reader's.
const onward = (node) => node.next || node.branches.find(({kind}) => kind === 'own');
const isBranchPoint = (node) => node.kind === 'own' && node.prev.kind !== 'own';

// alternatives are the moves beside a node that are neither the engine's nor those of its line.
const alternatives = (node) => node.prev.branches.filter((other) => other !== node && other !== node.prev.next && other.kind !== 'engine');

// siblings are the moves that may be played instead of a node's, each once.
function siblings(node) {
  if (!node.prev) return [node];
  return node.prev.branches.filter((other, i, all) => other === node || all.findIndex(({move}) => move === other.move) === i);
}

// positionOf is the text of a node's position. Where the page has the rules, it is worked out.
const positionOf = (node) => node.position ??= board.play(positionOf(node.prev), node.move);

// legalMoves are the moves that can be tried at a node.
const legalMoves = (node) => node.legal ??= rules ? board.moves(positionOf(node)) : [];

// choiceOf is a heading and a word for a move that the reader makes by a choice, not on the board;
// undefined for others.
const choiceOf = (move) => board.choice && board.choice(move);

// tryMove returns the node of a move that is played at a node: one of the page's, or a new one. A move of an
// engine's line is the reader's then, too.
function tryMove(node, move) {
  const known = node.branches.find((other) => other.move === move) || addOwn(node, move);
  known.tried = known.kind === 'engine';
  return known;
}

// addOwn adds a move of the reader's.
function addOwn(prev, move) {
  const node = nodeAfter(prev, move);
  prev.branches.push(node);
  return node;
}

// nodeAfter makes a node of a move of the reader's. The sides alternate unless the rules say whose turn it is.
// The root has the number of the move after it.
function nodeAfter(prev, move) {
  const alternate = prev.move ? !prev.second : Boolean(prev.second);
  const second = board.turn ? board.turn(positionOf(prev)) === 1 : alternate;
  const n = prev.move && prev.second && !second ? prev.n + 1 : prev.n;
  return {move, n, second, chance: Boolean(choiceOf(move)), prev, kind: 'own', ply: prev.ply + 1, branches: []};
}

// hasOwn reports whether a line has moves of the reader's.
const hasOwn = (node) => node.tried || node.branches.some((other) => other.kind === 'own' || hasOwn(other));

function forget(node) {
  node.prev.branches = node.prev.branches.filter((other) => other !== node);
}

// abandon removes the end of a line of the reader's, back to a node, and reports whether it did.
function abandon(node, before) {
  const isEnd = node !== before && node.kind === 'own' && !node.branches.length;
  if (!isEnd) return false;
  forget(node);
  abandon(node.prev, before);
  return true;
}

// turnStart is the node at which the turn of a node's position begins.
function turnStart(node) {
  const isSame = (other) => board.turn(positionOf(other)) === board.turn(positionOf(node));
  while (board.turn && node.prev && isSame(node.prev)) node = node.prev;
  return node;
}

const isWithin = (node, top) => Boolean(node) && (node === top || isWithin(node.prev, top));

// pathTo is the nodes that lead to a node, but for the root.
const pathTo = (node) => (node.prev ? [...pathTo(node.prev), node] : []);

// isSecondToMove reports whose turn it is after a node.
const isSecondToMove = (node) => (board.turn ? board.turn(positionOf(node)) === 1 : Boolean(node.move ? !node.second : node.second));

// lineAfter is the nodes of moves after a node, which belong to no line of the game.
function lineAfter(node, moves) {
  const line = [];
  for (const move of moves) line.push(nodeAfter(line.at(-1) || node, move));
  return line;
}

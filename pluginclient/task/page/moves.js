// The list of the moves of a game, with its variations and the engine's lines, and the bar beside the board.

// engineLine is what the engine would play at a node of the main line.
function engineLine(node) {
  return (node && node.judged && node.judged.line) || [];
}

// mainBefore is the last position of the main line on the way to a node.
function mainBefore(node) {
  while (node.kind !== 'main') node = node.prev;
  return node;
}

const chanceText = () => say('chance', nameOf(0));

function scoreWords(score) {
  if (!score.mate) return scoreText(score);
  return say('mates', nameOf(score.mate > 0 ? 0 : 1), Math.abs(score.mate));
}

// asides are what stands below a move of the main line.
function asides(node) {
  const list = [];
  for (const text of [node.lead, node.comment]) if (text) list.push(make('div', 'aside', text));
  for (const other of alternatives(node)) list.push(make('div', `aside ${other.kind}`, variation(other)));
  const [better] = engineLine(node.prev);
  if (better && (isBad(node) || hasOwn(better))) {
    list.push(make('div', 'aside engine', isBad(node) ? `${say('would')} ` : '', variation(better), scoreText(node.prev.judged)));
  }
  return list;
}

// drawMoves draws the game. A row has a turn of each side; a turn may have several moves, and
// outcomes of chance.
function drawMoves(root) {
  const moves = $('moves');
  moves.replaceChildren();
  if (root.comment) moves.append(make('div', 'aside', root.comment));
  let row, turn, before;
  let last = root;
  for (let node = root.next; node; node = node.next) {
    last = node;
    if (before && before.second !== node.second) turn = undefined;
    if (!turn && (!row || !node.second)) {
      row = make('div', 'row', make('span', 'number', `${node.n}.`));
      if (node.second) row.append(make('span', 'gap', '…'));
      moves.append(row);
    }
    if (!turn) row.append(turn = make('div', 'turn'));
    turn.append(node.item = moveItem(node, false, ...(node.judged ? [make('span', 'value', `${node.judged.book ? `${say('book')} ` : ''}${scoreText(node.judged)}`)] : [])));
    const below = asides(node);
    moves.append(...below);
    if (below.length) row = turn = undefined;
    before = node;
  }
  const over = last.judged && last.judged.over;
  for (const own of last.branches) if (own.kind !== 'engine' || hasOwn(own)) moves.append(make('div', `aside ${own.kind}`, variation(own)));
  moves.append(make('div', 'aside', [data.result, over && gameWord(over)].filter(Boolean).join(' · ')));
}

// markMoves marks the chosen node among the moves, in the graph of its line, and in the bar.
function markMoves(line) {
  markItem($('moves'), chosen.item);
  if (chosen === root) $('moves').scrollTop = 0;
  markGraph(line);
  drawBar(chosen);
}

const percent = (chance) => Math.round(100 * chance);

// drawBar shows the first side's chance of winning beside the board, if it is known: the line that the engine
// expects has that of its beginning.
function drawBar(node) {
  const {win} = node.judged || (node.kind === 'engine' && mainBefore(node).judged) || {};
  $('bar').hidden = false;
  $('bar').className = view.flip ? 'flipped' : '';
  $('bar').style.background = sideColors[1];
  $('bar').firstChild.style.background = sideColors[0];
  $('bar').style.visibility = win === undefined ? 'hidden' : '';
  $('bar').firstChild.style.height = `${100 * (win ?? .5)}%`;
}

// stepByWheel has the reader step through the moves by the wheel over the board.
function stepByWheel() {
  $('board').addEventListener('wheel', (event) => {
    event.preventDefault();
    if (event.deltaY) acts[event.deltaY > 0 ? 'forward' : 'back']();
  }, {passive: false});
}

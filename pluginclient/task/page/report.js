// The page of an annotated game.
const root = Object.assign(data.start, {kind: 'main', ply: 0, next: data.line[0], branches: []});
link(data.line, root, 'main');
const main = [root, ...data.line];
for (const node of main) link(engineLine(node), node, 'engine');

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
function drawMoves() {
  const moves = $('moves');
  moves.setAttribute('aria-label', say('moves'));
  moves.replaceChildren();
  if (root.comment) moves.append(make('div', 'aside', root.comment));
  let row, turn, before;
  for (const node of data.line) {
    if (before && before.second !== node.second) turn = undefined;
    if (!turn && (!row || !node.second)) {
      row = make('div', 'row', make('span', 'number', `${node.n}.`));
      if (node.second) row.append(make('span', 'gap', '…'));
      moves.append(row);
    }
    if (!turn) row.append(turn = make('div', 'turn'));
    turn.append(node.item = moveItem(node, false, ...(node.judged ? [make('span', 'value', scoreText(node.judged))] : [])));
    const below = asides(node);
    moves.append(...below);
    if (below.length) row = turn = undefined;
    before = node;
  }
  const last = main.at(-1), over = last.judged && last.judged.over;
  for (const own of last.branches) if (own.kind !== 'engine' || hasOwn(own)) moves.append(make('div', `aside ${own.kind}`, variation(own)));
  moves.append(make('div', 'aside', [data.result, over && gameWord(over)].filter(Boolean).join(' · ')));
}

function drawSides() {
  const classes = ['best', 'good', 'inaccuracy', 'mistake', 'blunder'];
  const head = make('tr', '', make('th'), ...classes.map((name) => make('th', name, say(name))), make('th', '', say('loss')));
  const rows = data.sides.map((tally, side) => {
    const name = data.players[side] ? `${nameOf(side)} · ${data.players[side]}` : nameOf(side);
    const row = make('tr', '', make('td', '', name));
    for (const one of classes) {
      const wanted = (node) => node.judged.class === one && node.second === (side === 1 || undefined);
      row.append(make('td', one, tally[one] && badMoves[one] ? makeButton(String(tally[one]), () => goToNext(wanted)) : String(tally[one])));
    }
    row.append(make('td', '', tally.judged ? `${(100 * tally.loss).toFixed(1)} %` : ''));
    return row;
  });
  $('sides').replaceChildren(head, ...rows);
}

// goToNext goes to the next move of the main line that is wanted, from the start behind the last.
function goToNext(wanted) {
  const from = mainBefore(chosen).ply;
  const order = [...main.slice(from + 1), ...main.slice(1, from + 1)];
  choose(order.find((node) => node.judged && wanted(node)));
}

// about is what is known of a node.
function about(node) {
  const lines = [];
  if (node.move) {
    const {judged} = node, known = isBad(node) || (judged && judged.class === 'best');
    lines.push([make('b', '', numberOf(node) + textOf(node) + signOf(node)), make('span', known ? judged.class : '', known ? ` ${say(judged.class)}` : ''),
      node.kind === 'main' ? '' : ` · ${say({engine: 'engine', other: 'variation', own: 'own'}[node.kind])}`]);
  } else {
    lines.push([make('b', '', say('start'))]);
  }
  if (node.judged) lines.push(...aboutJudged(node.judged));
  for (const text of [node.lead, node.comment]) if (text) lines.push([text]);
  return lines;
}

function aboutJudged(judged) {
  const lines = [];
  if (judged.from !== undefined) lines.push([say('falls', percent(judged.from), percent(judged.from - judged.loss))]);
  if (judged.luck !== undefined) lines.push([say('luck', nameOf(0), percent(judged.luck), percent(judged.win))]);
  if (judged.over) lines.push([gameWord(judged.over)]);
  if (judged.error) lines.push([`${say('error')} ${judged.error}`]);
  const score = scoreWords(judged);
  if (score) lines.push([`${score} · ${chanceText()} ${percent(judged.win)} %${judged.depth ? ` · ${say('depth')} ${judged.depth}` : ''}`]);
  if (judged.line && judged.line.length) {
    lines.push([`${say('engine')}: `, ...judged.line.flatMap((node, i, line) => [moveItem(node, isNumbered(node, line[i - 1])), ' '])]);
  }
  return lines;
}

const percent = (chance) => Math.round(100 * chance);

// drawBar shows the first side's chance of winning beside the board.
function drawBar(node) {
  const {win} = mainBefore(node).judged || {};
  $('bar').hidden = false;
  $('bar').className = view.flip ? 'flipped' : '';
  $('bar').style.background = sideColors[1];
  $('bar').firstChild.style.background = sideColors[0];
  $('bar').style.visibility = win === undefined ? 'hidden' : '';
  $('bar').firstChild.style.height = `${100 * (win ?? .5)}%`;
}

openPage({
  root, text: () => gameText(root), keys: 'reportKeys', buttons: ['worse'],
  at: (text) => main[Number(text)],
  name: (node) => mainBefore(node).ply,
  list() {
    $('worse').textContent = say('worse');
    drawSides();
    drawMoves();
    drawGraph(main, chanceText());
  },
  mark() {
    markItem($('moves'), chosen.item);
    if (chosen === root) $('moves').scrollTop = 0;
    markGraph(mainBefore(chosen), main);
    drawBar(chosen);
  },
  about,
  last: (node) => node.move,
  best(node) {
    const best = engineLine(node)[0] || (node.kind === 'engine' ? node.next : undefined);
    return best ? [best.move] : [];
  },
  facts: () => [...data.tags.map(([, value]) => value), data.result,
    `${say('judgedBy')} ${data.engine}${['level', 'deeper'].filter((name) => data[name] !== undefined).map((name) => `, ${say(name)} ${data[name]}`).join('')}`],
  acts: {
    worse: () => goToNext(isBad),
    engine: () => choose(engineLine(mainBefore(chosen))[0]),
  },
  shortcuts: {m: 'worse', e: 'engine'},
});
playOnGraph(main);
$('board').addEventListener('wheel', (event) => {
  event.preventDefault();
  if (event.deltaY) acts[event.deltaY > 0 ? 'forward' : 'back']();
}, {passive: false});

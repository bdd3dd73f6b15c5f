// The page of an annotated game.
let root, main;

// load makes the nodes of a game, the first time, and has the page show them.
function load(game) {
  Object.assign(data, game);
  if (!data.start.branches) {
    Object.assign(data.start, {kind: 'main', ply: 0, next: data.line[0], branches: []});
    link(data.line, data.start, 'main');
    for (const node of [data.start, ...data.line]) link(engineLine(node), node, 'engine');
  }
  root = data.start;
  main = [root, ...data.line];
}
load(data.games ? data.games[0] : data);

function drawSides() {
  const classes = ['best', 'good', 'inaccuracy', 'mistake', 'blunder'];
  const head = make('tr', '', make('th'), ...classes.map((name) => make('th', name, say(name))), make('th', '', say('loss')), make('th', '', say('accuracy')));
  const rows = data.sides.map((tally, side) => {
    const name = data.players[side] ? `${nameOf(side)} · ${data.players[side]}` : nameOf(side);
    const row = make('tr', '', make('td', '', name));
    for (const one of classes) {
      const wanted = (node) => node.judged.class === one && node.second === (side === 1 || undefined);
      row.append(make('td', one, tally[one] && badMoves[one] ? makeButton(String(tally[one]), () => goToNext(wanted)) : String(tally[one])));
    }
    row.append(make('td', '', tally.judged ? `${(100 * tally.loss).toFixed(1)} %` : ''), make('td', '', tally.accuracy?.toFixed(1) ?? ''));
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
  if (node.judged) lines.push(...aboutJudged(node));
  for (const text of [node.lead, node.comment]) if (text) lines.push([text]);
  return lines;
}

function aboutJudged(node) {
  const lines = [], {judged} = node;
  if (judged.from !== undefined) lines.push([say('falls', percent(judged.from), percent(judged.from - judged.loss))]);
  for (const reason of judged.reasons || []) lines.push([reason[view.language]]);
  if (judged.luck !== undefined) lines.push([say('luck', nameOf(0), percent(judged.luck), percent(judged.win))]);
  if (judged.book) lines.push([say('inBook')]);
  if (judged.over) lines.push([gameWord(judged.over)]);
  if (judged.error) lines.push([`${say('error')} ${judged.error}`]);
  const score = scoreWords(judged);
  if (score) lines.push([`${score} · ${chanceText()} ${percent(judged.win)} %${judged.depth ? ` · ${say('depth')} ${judged.depth}` : ''}`]);
  if (judged.line && judged.line.length) {
    lines.push([`${say('engine')}: `, ...judged.line.flatMap((node, i, line) => [moveItem(node, isNumbered(node, line[i - 1])), ' '])]);
  }
  if (judged.new) {
    lines.push([make('b', '', say('new')), ` ${say('before', judged.new.games)}`]);
    for (const {game, move} of judged.new.latest) lines.push([game, move ? ` · ${textOf(move, node.prev)}` : '']);
  }
  return lines;
}

openPage({
  root, text: () => gameText(root), keys: 'reportKeys', buttons: ['worse'],
  at: (text) => main[Number(text)],
  name: (node) => mainBefore(node).ply,
  list() {
    $('worse').textContent = say('worse');
    drawSides();
    drawMoves(root);
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
  facts: () => [...data.tags.map(([, value]) => value), openingName(), data.result,
    data.book === undefined ? '' : say('bookMoves', data.book),
    `${say('judgedBy')} ${data.engine}${['level', 'deeper'].filter((name) => data[name] !== undefined).map((name) => `, ${say(name)} ${data[name]}`).join('')}`],
  acts: {
    worse: () => goToNext(isBad),
    engine: () => choose(engineLine(mainBefore(chosen))[0]),
  },
  shortcuts: {m: 'worse', e: 'engine'},
});
playOnGraph(() => main);
$('board').addEventListener('wheel', (event) => {
  event.preventDefault();
  if (event.deltaY) acts[event.deltaY > 0 ? 'forward' : 'back']();
}, {passive: false});

// The page of an annotated game.
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

openPage({
  root, text: () => gameText(root), keys: 'reportKeys', buttons: ['worse'],
  at: (text) => main[Number(text)],
  name: (node) => mainBefore(node).ply,
  list() {
    drawSides();
    drawMoves(root);
    drawGraph(main);
  },
  mark: () => markMoves(main),
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
stepByWheel();

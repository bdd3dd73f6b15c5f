// The page of several annotated games: what they have in common, and the report on each. In the address, #3.12 is the position
// after 12 moves of the third game, and no name the overview.
Object.assign(words.en, {
  all: 'all games', nextGame: 'next game', previousGame: 'previous game', gamesTitle: (n) => counted(n, 'annotated game'), gamesFound: (n) => counted(n, 'game'), find: 'find',
  games: 'games', game: 'game', date: 'date', opening: 'opening', middlegame: 'middlegame', endgame: 'endgame', result: 'result', players: 'players', player: 'player',
  points: 'points', openings: 'openings', moments: 'what cost most', drawn: 'drawn', bad: 'inaccuracies, mistakes, blunders a game', marks: '?! ? ??', won: (side) => `${side} won`,
  sureness: (error) => `± ${error}, 95 %, by how the games differ`,
  gamesKeys: `${words.en.reportKeys} A all games, Page Up and Page Down the game before and after.`,
});
Object.assign(words.zh, {
  all: '全部对局', nextGame: '下一局', previousGame: '上一局', gamesTitle: (n) => `${n} 局点评`, gamesFound: (n) => `${n} 局`, find: '查找',
  games: '局数', game: '对局', date: '日期', opening: '开局', middlegame: '中局', endgame: '残局', result: '结果', players: '棋手', player: '棋手',
  points: '得分', openings: '开局', moments: '代价最大的着法', drawn: '和', bad: '每局缓着、失误、漏着', marks: '?! ? ??', won: (side) => `${side}胜`,
  sureness: (error) => `± ${error}（95%，由各局差异得出）`,
  gamesKeys: `${words.zh.reportKeys}A 全部对局，Page Up、Page Down 换对局。`,
});
const phases = ['opening', 'middlegame', 'endgame'], badNames = ['inaccuracy', 'mistake', 'blunder'];
const sum = (list) => list.reduce((a, b) => a + b, 0);
const mean = (list) => (list.length ? sum(list) / list.length : undefined);
const tenths = (n) => (n === undefined ? '' : n.toFixed(1));

// pointsOf is what a result gives a side, undefined if the game has none.
const pointsOf = ({result}, side) => ({'1-0': [1, 0], '0-1': [0, 1], '1/2-1/2': [.5, .5]}[result] || [])[side];

// playersOf sums up the games of each player. The accuracy of a player is the mean of his games, that in a part of the game by
// how many moves of him are in it. The error is that of the mean.
function playersOf(games) {
  const all = new Map();
  for (const game of games) {
    game.who.forEach((name, side) => {
      if (!name) return;
      if (!all.has(name)) all.set(name, {name, games: 0, points: 0, scored: 0, sides: [[], []], phases: phases.map(() => [0, 0]), bad: [0, 0, 0]});
      const one = all.get(name), tally = game.sides[side], points = pointsOf(game, side);
      one.games++;
      if (points !== undefined) { one.points += points; one.scored++; }
      if (tally.accuracy !== undefined) one.sides[side].push(tally.accuracy);
      phases.forEach((phase, i) => {
        const {judged = 0, accuracy = 0} = (tally.phases || {})[phase] || {};
        one.phases[i][0] += judged;
        one.phases[i][1] += judged * accuracy;
      });
      badNames.forEach((bad, i) => { one.bad[i] += tally[bad]; });
    });
  }
  for (const one of all.values()) {
    const list = one.sides.flat();
    one.accuracy = mean(list);
    if (list.length > 1) one.error = 1.96 * Math.sqrt(sum(list.map((a) => (a - one.accuracy) ** 2)) / (list.length - 1) / list.length);
  }
  return [...all.values()];
}

// openingOf is what the opening of a game is called, by its tag or else by its positions.
const openingOf = ({opening, tags}) => (tags.find(([name]) => name === 'Opening') || [])[1] || (opening || {})[view.language] || '';

// openingsOf sums up the games with each opening.
function openingsOf(games) {
  const all = new Map();
  for (const game of games.filter(openingOf)) {
    const name = openingOf(game);
    if (!all.has(name)) all.set(name, {name, games: 0, results: [0, 0, 0], sides: [[], []]});
    const one = all.get(name), points = pointsOf(game, 0);
    one.games++;
    if (points !== undefined) one.results[2 - 2 * points]++;
    game.sides.forEach(({accuracy}, side) => { if (accuracy !== undefined) one.sides[side].push(accuracy); });
  }
  return [...all.values()];
}

// momentsOf are the moves that gave most away, one of each game.
function momentsOf(games, most) {
  const worst = games.map((game, i) => game.line.map((node, at) => ({i, at, node, loss: isBad(node) ? node.judged.loss || 0 : 0})).reduce((a, b) => (b.loss > a.loss ? b : a), {loss: 0}));
  return worst.filter(({loss}) => loss).sort((a, b) => b.loss - a.loss).slice(0, most);
}

// A table has columns: a heading, what a row has in it, by what rows are sorted, and whether that is text. A click on a heading
// sorts. A column in which nothing stands is not there.
const sorting = {};

function drawTable(id, title, columns, rows) {
  columns = columns.filter(({cell}) => rows.some((row) => String(cell(row) ?? '')));
  const [name, down] = sorting[id] || [], at = columns.findIndex((one) => one.name === name), column = columns[at];
  if (column) {
    const value = (row) => (column.by || column.cell)(row) ?? -Infinity;
    rows = [...rows].sort((a, b) => (down ? -1 : 1) * (column.text ? String(value(a)).localeCompare(String(value(b)), view.language) : value(a) - value(b)));
  }
  const head = columns.map(({name, text, meaning}, i) => {
    const cell = make('th', text ? 'text' : '', makeButton(name, () => {
      sorting[id] = [name, at === i ? !down : !text];
      drawOverview();
      document.querySelector(`#${id} th:nth-child(${i + 1}) button`).focus();
    }));
    if (i === at) cell.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    if (meaning) cell.title = meaning;
    return cell;
  });
  const table = make('table', '', make('thead', '', make('tr', '', ...head)), make('tbody', '', ...rows.map((row) => make('tr', '', ...columns.map(({cell, text}) => {
    const content = cell(row);
    return make('td', text ? 'text' : '', content instanceof Node ? content : content ?? '');
  })))));
  const part = make('section', '', make('h2', '', title), make('div', 'table', table));
  part.id = id;
  return part;
}

const finder = make('input'), found = make('div'), overview = make('section', '', finder, found), toGames = make('p');
overview.id = 'overview';
finder.type = 'search';
finder.addEventListener('input', drawOverview);
document.querySelector('main').before(overview);
$('settings').before(toGames);
toGames.id = 'toGames';

// wanted reports whether a game has what the reader looks for.
const wanted = (game) => [...game.players, ...game.who, game.title, openingOf(game), game.date, game.file, ...game.tags.map(([, value]) => value)].join('\n').toLowerCase().includes(finder.value.trim().toLowerCase());

function drawOverview() {
  const games = data.games.map((game, i) => ({...game, at: i})).filter(wanted);
  const accuracyOf = (side) => ({name: `${nameOf(side)}: ${say('accuracy')}`, cell: (game) => tenths(game.sides[side].accuracy), by: (game) => game.sides[side].accuracy});
  const bad = (tallies) => badNames.map((name) => sum(tallies.map((tally) => tally[name]))).join(' · ');
  const lookFor = (name) => makeButton(name, () => { finder.value = name; drawOverview(); finder.focus(); });
  finder.placeholder = say('find');
  finder.setAttribute('aria-label', say('find'));
  const list = drawTable('list', say('gamesFound', games.length), [
    {name: '#', cell: ({at}) => at + 1, by: ({at}) => at},
    {name: say('game'), text: true, cell: ({at, title}) => makeButton(title, () => { location.hash = `${at + 1}.0`; }), by: ({title}) => title},
    {name: say('result'), text: true, cell: ({result}) => result},
    {name: say('date'), text: true, cell: ({date}) => date},
    {name: say('opening'), text: true, cell: openingOf},
    {name: say('moves'), cell: ({line}) => line.length},
    accuracyOf(0), accuracyOf(1),
    {name: say('marks'), meaning: badNames.map((name) => say(name)).join(', '), cell: ({sides}) => bad(sides), by: ({sides}) => sum(sides.map(({mistake, blunder}) => mistake + blunder))},
  ], games);
  const players = drawTable('players', say('players'), [
    {name: say('player'), text: true, cell: ({name}) => lookFor(name), by: ({name}) => name},
    {name: say('games'), cell: (one) => one.games},
    {name: say('points'), cell: ({points, scored}) => (scored ? `${points} / ${scored}` : ''), by: ({points, scored}) => (scored ? points / scored : undefined)},
    {name: say('accuracy'), cell: ({accuracy, error}) => {
      const cell = make('span', '', tenths(accuracy) + (error === undefined ? '' : ` ± ${tenths(error)}`));
      if (error !== undefined) cell.title = say('sureness', tenths(error));
      return cell;
    }, by: ({accuracy}) => accuracy},
    ...[0, 1].map((side) => ({name: nameOf(side), cell: ({sides}) => tenths(mean(sides[side])), by: ({sides}) => mean(sides[side])})),
    ...phases.map((phase, i) => ({name: say(phase), cell: ({phases: [...parts]}) => (parts[i][0] ? tenths(parts[i][1] / parts[i][0]) : ''), by: ({phases: parts}) => parts[i][1] / (parts[i][0] || 1)})),
    {name: say('marks'), meaning: say('bad'), cell: (one) => one.bad.map((n) => tenths(n / one.games)).join(' · '), by: (one) => (one.bad[1] + one.bad[2]) / one.games},
  ], playersOf(games).sort((a, b) => b.games - a.games || b.accuracy - a.accuracy));
  const openings = drawTable('openings', say('openings'), [
    {name: say('opening'), text: true, cell: ({name}) => lookFor(name), by: ({name}) => name},
    {name: say('games'), cell: (one) => one.games},
    ...[say('won', nameOf(0)), say('drawn'), say('won', nameOf(1))].map((name, i) => ({name, cell: ({results}) => results[i]})),
    ...[0, 1].map((side) => ({name: `${nameOf(side)}: ${say('accuracy')}`, cell: ({sides}) => tenths(mean(sides[side])), by: ({sides}) => mean(sides[side])})),
  ], openingsOf(games).sort((a, b) => b.games - a.games));
  openings.hidden = !openings.querySelector('td');
  found.replaceChildren(list, players, openings, drawMoments(games));
}

function drawMoments(games) {
  const part = make('section', '', make('h2', '', say('moments'))), list = make('div');
  list.id = 'moments';
  for (const {i, at, node, loss} of momentsOf(games, 12)) {
    const game = games[i], before = at ? game.line[at - 1] : game.start, {from} = node.judged;
    const item = makeButton('', () => { location.hash = `${game.at + 1}.${at + 1}`; });
    const position = positionIn(game, at);
    if (rules) item.innerHTML = board.draw(position, {letters: view.letters, chinese: view.language === 'zh', arrows: [node.move]});
    else item.append(make('pre', '', before.drawing || ''));
    item.append(make('span', '', make('b', '', numberOf(node) + textOf(node, {position}) + signOf(node)), ` ${percent(from)} % → ${percent(from - loss)} %`), make('span', '', game.title));
    list.append(item);
  }
  part.hidden = !list.children.length;
  part.append(list);
  return part;
}

// positionIn is the position of a game after some moves.
function positionIn({start, line}, plies) {
  let position = start.position;
  for (const node of line.slice(0, plies)) position = node.position || board.play(position, node.move);
  return position;
}

let at = -1; // the game that is shown; -1: the overview

const report = {...page};
Object.assign(page, {
  keys: 'gamesKeys',
  name: (node) => (at < 0 ? '' : `${at + 1}.${report.name(node)}`),
  at(name) {
    const [game, ply] = name.split('.').map(Number), before = at;
    at = data.games[game - 1] ? game - 1 : -1;
    if (at !== before) {
      if (at >= 0) load(data.games[at]);
      page.root = chosen = root;
      document.body.classList.toggle('overview', at < 0);
      overview.hidden = at >= 0;
      redraw();
      scrollTo(0, 0);
    }
    return at < 0 ? root : report.at(ply);
  },
  list() {
    document.title = document.querySelector('h1').textContent = at < 0 ? say('gamesTitle', data.games.length) : data.title;
    toGames.hidden = at < 0;
    toGames.replaceChildren(...['all', 'previousGame', 'nextGame'].map((name) => makeButton(say(name), acts[name])));
    if (at < 0) drawOverview();
    else report.list();
  },
});
const goToGame = (game) => { location.hash = data.games[game] ? `${game + 1}.0` : ''; };
Object.assign(acts, {all: () => goToGame(-1), previousGame: () => goToGame(at - 1), nextGame: () => goToGame(at + 1)});
Object.assign(shortcuts, {a: 'all', PageUp: 'previousGame', PageDown: 'nextGame'});
addEventListener('keydown', (event) => { if (at < 0 && event.key !== 'l') event.stopPropagation(); }, true); // the board is not there
at = 0; // so that the overview is another
choose(page.at(fragment()) || page.root);
if (at === 0) redraw();

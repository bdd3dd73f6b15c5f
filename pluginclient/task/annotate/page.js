(() => {
  const game = JSON.parse(document.getElementById('data').textContent);
  const $ = (id) => document.getElementById(id);
  const words = {
    en: {
      name: 'English', notation: 'notation', flip: 'turn the board (F)', worse: 'next mistake (M)',
      judgedBy: 'judged by', level: 'level', start: 'start', after: 'after',
      chance: (side) => `${side}'s chance of winning`, engine: 'engine', would: 'better was', loss: 'average loss',
      best: 'best', good: 'good', inaccuracy: 'inaccuracy', mistake: 'mistake', blunder: 'blunder',
      depth: 'depth', error: 'the engine has not answered:', variation: 'variation',
      mates: (side, n) => `${side} mates in ${n}`,
      falls: (from, to) => `the chance of winning falls from ${from} % to ${to} %`,
      keys: '← → step, Home and End, ↑ ↓ variations, E the engine’s line, M next mistake, F turn the board, N notation, L 中文. The wheel over the board steps, a click in the graph goes there.',
      first: 'to the start (Home)', back: 'back (←)', forward: 'forward (→)', last: 'to the end (End)',
    },
    zh: {
      name: '中文', notation: '记谱', flip: '翻转棋盘 (F)', worse: '下一失误 (M)',
      judgedBy: '点评引擎', level: '级别', start: '开局', after: '走过',
      chance: (side) => `${side}胜率`, engine: '引擎', would: '应走', loss: '平均损失',
      best: '最佳', good: '好棋', inaccuracy: '缓着', mistake: '失误', blunder: '漏着',
      depth: '深度', error: '引擎没有回答：', variation: '变着',
      mates: (side, n) => `${side} ${n} 步杀`,
      falls: (from, to) => `胜率由 ${from}% 降为 ${to}%`,
      keys: '← → 前后一步，Home、End 到头到尾，↑ ↓ 换变着，E 引擎着法，M 下一失误，F 翻转棋盘，N 记谱，L English。棋盘上滚轮走子，点曲线跳转。',
      first: '到开局 (Home)', back: '后退 (←)', forward: '前进 (→)', last: '到终局 (End)',
    },
  };
  const notationNames = {chinese: '中文', traditional: '中文（繁體）', wxf: 'WXF', iccs: 'ICCS', uci: 'UCI', san: 'SAN'};
  const signs = {1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!'};
  const classSigns = {inaccuracy: '?!', mistake: '?', blunder: '??'};
  const isBad = (node) => node.judged && node.judged.class in classSigns;
  const view = {language: game.language, notation: game.notation, flip: false};
  const say = (word) => words[view.language][word];
  // nameOf is the name of side 0 or 1, gameWord a word of the game.
  const gameWord = (word) => (game.words[view.language] || {})[word] || word;
  const nameOf = (side) => { const name = gameWord(game.names[side]); return name[0].toUpperCase() + name.slice(1); };
  const chanceText = () => say('chance')(nameOf(0));
  const all = []; // every node that can be chosen
  let chosen;

  const make = (tag, className, ...content) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...content);
    return element;
  };
  const percent = (chance) => Math.round(100 * chance);
  const textOf = (node) => node.texts[Math.max(0, game.notations.indexOf(view.notation))];

  // link makes a line of nodes that can be stepped through, behind a node.
  function link(line, before, kind) {
    line.forEach((node, i) => {
      Object.assign(node, {prev: i ? line[i - 1] : before, next: line[i + 1], kind, ply: (i ? line[i - 1] : before).ply + 1});
      all.push(node);
      (node.others || []).forEach((other) => link(other, node.prev, 'other'));
      if (node.judged && node.judged.line) link(node.judged.line, node, 'engine');
    });
  }
  const root = Object.assign(game.start, {kind: 'main', ply: 0, next: game.line[0]});
  all.push(root);
  if (root.judged && root.judged.line) link(root.judged.line, root, 'engine');
  link(game.line, root, 'main');
  const main = [root, ...game.line];

  // engineLine is what the engine would play at a node of the main line.
  const engineLine = (node) => (node && node.judged && node.judged.line) || [];

  // siblings are the moves that might be played where a move was: that of the game, those of
  // the record's variations, the engine's.
  function siblings(node) {
    if (!node.prev) return [node];
    const mainMove = node.prev.kind === 'main' ? main[node.prev.ply + 1] : undefined;
    const played = mainMove || firstOf(node);
    const list = [played, ...(played.others || []).map((line) => line[0])];
    const engine = engineLine(node.prev)[0];
    if (engine && (node === engine || !list.some((other) => other.move === engine.move))) list.push(engine);
    return list.includes(node) ? list : [...list, node];
  }

  // firstOf is the move to which a node is an alternative.
  function firstOf(node) {
    return all.find((other) => (other.others || []).some((line) => line[0] === node)) || node;
  }

  // mainBefore is the last position of the main line on the way to a node.
  function mainBefore(node) {
    while (node.kind !== 'main') node = node.prev;
    return node;
  }

  // scoreText is a score for the first side, short.
  function scoreText({cp, mate} = {}) {
    if (cp !== undefined) return (cp < 0 ? '−' : '+') + (Math.abs(cp) / 100).toFixed(2);
    return mate ? `#${mate}` : '';
  }

  function scoreWords(score) {
    if (!score.mate) return scoreText(score);
    return say('mates')(nameOf(score.mate > 0 ? 0 : 1), Math.abs(score.mate));
  }

  const signOf = (node) => (node.glyphs || []).map((glyph) => signs[glyph] || '').join('') || (isBad(node) ? classSigns[node.judged.class] : '');
  function moveItem(node, withNumber) {
    const item = make('span', node.chance ? 'move chance' : 'move');
    if (withNumber) item.append(make('span', 'number', node.second ? `${node.n}… ` : `${node.n}. `));
    item.append(make('span', isBad(node) ? node.judged.class : '', textOf(node) + signOf(node)));
    if (node.kind === 'main' && node.judged) item.append(make('span', 'value', scoreText(node.judged)));
    item.addEventListener('click', () => choose(node));
    node.item = item;
    return item;
  }

  // numbered tells whether a move of a line has its number: the first, and the first of each turn of
  // the first side.
  const numbered = (line, i) => i === 0 || (!line[i].second && line[i - 1].second);

  // variation is a line of moves, with those that might have been played instead between
  // parentheses.
  function variation(line) {
    const part = document.createDocumentFragment();
    line.forEach((node, i) => {
      if (node.lead) part.append(node.lead, ' ');
      part.append(moveItem(node, numbered(line, i)), ' ');
      if (node.comment) part.append(node.comment, ' ');
      for (const other of node.others || []) part.append('(', variation(other), ') ');
    });
    return part;
  }

  // asides are what stands below a move of the main line.
  function asides(node) {
    const list = [];
    if (node.lead) list.push(make('div', 'aside', node.lead));
    if (node.comment) list.push(make('div', 'aside', node.comment));
    for (const other of node.others || []) list.push(make('div', 'aside', variation(other)));
    const line = engineLine(node.prev);
    if (isBad(node) && line.length) {
      list.push(make('div', 'aside engine', `${say('would')} `, variation(line), scoreText(node.prev.judged)));
    }
    return list;
  }

  function drawMoves() {
    for (const node of all) delete node.item;
    const moves = $('moves');
    moves.replaceChildren();
    if (root.comment) moves.append(make('div', 'aside', root.comment));
    // A row has a turn of each side; a turn may have several moves, and outcomes of chance.
    let row, turn, before;
    for (const node of game.line) {
      if (before && before.second !== node.second) turn = undefined;
      if (!turn && (!row || !node.second)) {
        row = make('div', 'row', make('span', 'number', `${node.n}.`));
        if (node.second) row.append(make('span', 'gap', '…'));
        moves.append(row);
      }
      if (!turn) row.append(turn = make('div', 'turn'));
      turn.append(moveItem(node, false));
      const below = asides(node);
      moves.append(...below);
      if (below.length) row = turn = undefined;
      before = node;
    }
    const last = main.at(-1);
    const over = last.judged && last.judged.over;
    moves.append(make('div', 'aside', [game.result, over && gameWord(over)].filter(Boolean).join(' · ')));
    mark();
  }

  function drawSides() {
    const classes = ['best', 'good', 'inaccuracy', 'mistake', 'blunder'];
    const head = make('tr', '', make('th'), ...classes.map((name) => make('th', name, say(name))), make('th', '', say('loss')));
    const rows = game.sides.map((tally, side) => {
      const name = game.players[side] ? `${nameOf(side)} · ${game.players[side]}` : nameOf(side);
      const row = make('tr', '', make('td', '', name));
      for (const one of classes) {
        const cell = make('td', one);
        if (tally[one] && one in classSigns) {
          const button = make('button', '', String(tally[one]));
          button.type = 'button';
          button.addEventListener('click', () => goToNext((node) => node.judged.class === one && node.second === (side === 1 || undefined)));
          cell.append(button);
        } else {
          cell.append(String(tally[one]));
        }
        row.append(cell);
      }
      row.append(make('td', '', tally.judged ? `${(100 * tally.loss).toFixed(1)} %` : ''));
      return row;
    });
    $('sides').replaceChildren(head, ...rows);
  }

  // goToNext goes to the next move of the main line that is wanted, from the start behind the
  // last.
  function goToNext(wanted) {
    const from = mainBefore(chosen).ply;
    const order = [...main.slice(from + 1), ...main.slice(1, from + 1)];
    choose(order.find((node) => node.judged && wanted(node)));
  }

  // The graph: the first side's chance from 0 at the bottom to 1 on top.
  const size = {width: 640, height: 150};
  const xOf = (ply) => main.length > 1 ? 7 + (size.width - 14) * ply / (main.length - 1) : size.width / 2;
  const yOf = (win) => 6 + (size.height - 12) * (1 - win);
  const shape = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };

  function drawGraph() {
    const graph = $('graph');
    graph.replaceChildren();
    graph.setAttribute('aria-label', chanceText());
    const known = main.filter((node) => node.judged && node.judged.win !== undefined);
    if (known.length) {
      const points = known.map((node) => `${xOf(node.ply).toFixed(1)} ${yOf(node.judged.win).toFixed(1)}`);
      const edges = [known[0], known.at(-1)].map((node) => xOf(node.ply).toFixed(1));
      graph.append(shape('path', {d: `M${edges[0]} ${size.height}L${points.join('L')}L${edges[1]} ${size.height}z`, fill: '#d9534a'}));
      graph.append(shape('path', {d: `M${points.join('L')}`, fill: 'none', stroke: '#fff', 'stroke-width': 1.5}));
    }
    graph.append(shape('path', {d: `M0 ${yOf(.5)}H${size.width}`, stroke: '#fff', 'stroke-opacity': .45, 'stroke-dasharray': '4 4'}));
    graph.append(shape('path', {id: 'cursor', stroke: '#ffe082', 'stroke-width': 2}));
    const colors = {inaccuracy: '#ffb300', mistake: '#ff7043', blunder: '#ec407a'};
    for (const node of known) {
      if (!isBad(node)) continue;
      const dot = shape('circle', {cx: xOf(node.ply).toFixed(1), cy: yOf(node.judged.win).toFixed(1), r: 4, fill: colors[node.judged.class], stroke: '#fff'});
      const title = shape('title', {});
      title.textContent = `${node.n}${node.second ? '…' : '.'} ${textOf(node)} ${say(node.judged.class)}`;
      dot.append(title);
      graph.append(dot);
    }
    cursor();
  }

  function cursor() {
    const x = xOf(mainBefore(chosen).ply).toFixed(1);
    $('cursor').setAttribute('d', `M${x} 0V${size.height}`);
  }

  function follow(event) {
    const box = $('graph').getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * size.width;
    const ply = Math.round((at - 7) / (size.width - 14) * (main.length - 1));
    choose(main[Math.max(0, Math.min(main.length - 1, ply))]);
  }

  // show draws the chosen position. An arrow is what the engine would play there.
  function show() {
    const best = engineLine(chosen)[0] || (chosen.kind === 'engine' ? chosen.next : undefined);
    if (chosen.drawing) $('board').replaceChildren(make('pre', '', chosen.drawing));
    else $('board').innerHTML = drawBoard(chosen.position, {flip: view.flip, last: chosen.move, arrows: best ? [best.move] : []});
    const {win} = mainBefore(chosen).judged || {};
    $('bar').className = view.flip ? 'flipped' : '';
    $('bar').style.visibility = win === undefined ? 'hidden' : '';
    $('bar').firstChild.style.height = `${100 * (win ?? .5)}%`;
    about();
    cursor();
  }

  function about() {
    const lines = [];
    const line = (...content) => lines.push(make('p', '', ...content));
    if (!chosen.move) {
      line(make('b', '', say('start')));
    } else {
      const word = isBad(chosen) || (chosen.judged && chosen.judged.class === 'best') ? ` ${say(chosen.judged.class)}` : '';
      line(make('b', '', `${chosen.n}${chosen.second ? '… ' : '. '}${textOf(chosen)}${signOf(chosen)}`),
        make('span', chosen.judged ? chosen.judged.class : '', word),
        chosen.kind === 'main' ? '' : ` · ${say(chosen.kind === 'engine' ? 'engine' : 'variation')}`);
    }
    const judged = chosen.judged;
    if (judged) {
      if (judged.from !== undefined) line(say('falls')(percent(judged.from), percent(judged.from - judged.loss)));
      if (judged.over) line(gameWord(judged.over));
      if (judged.error) line(`${say('error')} ${judged.error}`);
      const score = scoreWords(judged);
      if (score) line(`${score} · ${chanceText()} ${percent(judged.win)} %${judged.depth ? ` · ${say('depth')} ${judged.depth}` : ''}`);
      if (judged.line && judged.line.length) {
        line(`${say('engine')}: `, ...judged.line.flatMap((node, i, line) => {
          const item = make('span', 'move', (numbered(line, i) ? `${node.n}${node.second ? '… ' : '. '}` : '') + textOf(node));
          item.addEventListener('click', () => choose(node));
          return [item, ' '];
        }));
      }
    }
    for (const text of [chosen.lead, chosen.comment]) if (text) line(text);
    $('about').replaceChildren(...lines);
  }

  // mark marks the chosen move in the list, and has it seen there without moving the page.
  function mark() {
    for (const item of document.querySelectorAll('#moves .chosen')) item.classList.remove('chosen');
    const item = chosen && chosen.item;
    const list = $('moves');
    if (!item) {
      if (chosen === root) list.scrollTop = 0;
      return;
    }
    item.classList.add('chosen');
    const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
    if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  function choose(node) {
    if (!node) return;
    chosen = node;
    mark();
    show();
    history.replaceState(null, '', `#${mainBefore(node).ply}`);
  }

  function sibling(step) {
    const list = siblings(chosen);
    choose(list[list.indexOf(chosen) + step]);
  }

  function localize() {
    document.documentElement.lang = view.language === 'zh' ? 'zh-Hans' : 'en';
    for (const element of document.querySelectorAll('[data-word]')) element.textContent = say(element.dataset.word);
    for (const id of ['flip', 'worse']) $(id).textContent = say(id);
    for (const id of ['first', 'back', 'forward', 'last']) { $(id).title = say(id); $(id).setAttribute('aria-label', say(id)); }
    $('language').textContent = words[view.language === 'zh' ? 'en' : 'zh'].name;
    $('notation').value = view.notation;
    const facts = game.tags.map(([, value]) => value);
    facts.push(game.result, `${say('judgedBy')} ${game.engine}${game.level === undefined ? '' : `, ${say('level')} ${game.level}`}`);
    $('facts').textContent = facts.join(' · ');
    drawSides();
    drawMoves();
    drawGraph();
    show();
  }

  const acts = {
    first: () => choose(root), last: () => choose(main.at(-1)),
    back: () => choose(chosen.prev), forward: () => choose(chosen.next),
    flip: () => { view.flip = !view.flip; show(); },
    worse: () => goToNext(isBad),
    language: () => { view.language = view.language === 'zh' ? 'en' : 'zh'; localize(); },
    notation: () => {
      view.notation = game.notations[(game.notations.indexOf(view.notation) + 1) % game.notations.length];
      localize();
    },
    engine: () => choose(engineLine(mainBefore(chosen))[0]),
    up: () => sibling(-1), down: () => sibling(1),
  };
  const keys = {
    ArrowLeft: 'back', ArrowRight: 'forward', ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last',
    f: 'flip', m: 'worse', l: 'language', n: 'notation', e: 'engine',
  };
  document.addEventListener('keydown', (event) => {
    const act = acts[keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]];
    if (!act || event.ctrlKey || event.altKey || event.metaKey || event.target === $('notation')) return;
    event.preventDefault();
    act();
  });
  for (const id of ['first', 'back', 'forward', 'last', 'flip', 'worse', 'language']) $(id).addEventListener('click', acts[id]);
  $('notation').append(...game.notations.map((name) => new Option(notationNames[name] || name, name)));
  $('notation').parentElement.hidden = game.notations.length < 2;
  $('notation').addEventListener('change', () => { view.notation = $('notation').value; localize(); $('notation').blur(); });
  $('board').addEventListener('wheel', (event) => {
    event.preventDefault();
    if (event.deltaY) (event.deltaY > 0 ? acts.forward : acts.back)();
  }, {passive: false});
  $('flip').hidden = Boolean(root.drawing);
  let dragging = false;
  $('graph').addEventListener('pointerdown', (event) => { dragging = true; follow(event); });
  $('graph').addEventListener('pointermove', (event) => { if (dragging) follow(event); });
  addEventListener('pointerup', () => { dragging = false; });

  const atHash = () => main[Number(location.hash.slice(1))] || root;
  chosen = atHash();
  localize();
  addEventListener('hashchange', () => choose(atHash()));
})();

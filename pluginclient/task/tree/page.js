(() => {
  const tree = JSON.parse(document.getElementById('data').textContent);
  const byID = new Map();
  const view = {flip: false, letters: false};
  const rows = []; // every node, in the order of the page
  let chosen;

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // scoreText is a score as players say it.
  function scoreText({cp, mate} = {}) {
    if (cp !== undefined) return (cp < 0 ? '-' : '+') + (Math.abs(cp) / 100).toFixed(2);
    return mate === undefined ? '' : `mate ${mate}`;
  }

  const isBad = ({cp, mate}) => cp < 0 || mate < 0;

  const pathOf = (node) => node.parent ? [...pathOf(node.parent), node] : [];
  const nameOf = (node) => node.label || node.move;
  const movesTo = (node) => pathOf(node).map(nameOf).join(', ');

  // noteOf says in words what is peculiar about a node.
  function noteOf(node) {
    const same = byID.get(node.same);
    switch (node.kind) {
      case 'over': return node.over || node.result;
      case 'failed': return `error: ${node.error}`;
      case 'merged': return `as after ${movesTo(same)}${node.loop ? ', which leads here' : ''}`;
      case 'return':
        if (!same) return 'repeats a position of the game';
        return same.parent ? `back at the position after ${movesTo(same)}` : 'back at the first position';
    }
    return '';
  }

  function collect(node, parent, place) {
    Object.assign(node, {parent, place});
    byID.set(node.id, node);
    rows.push(node);
    (node.children || []).forEach((child, i) => collect(child, node, i));
  }

  function rowOf(node) {
    const row = make('div', 'row');
    row.append(make('b', '', nameOf(node) || 'start'));
    const add = (text, className) => { if (text) row.append(make('span', className, text)); };
    if (node.odds) add(`odds ${+node.odds.toFixed(3)}`);
    if (node.value) add(scoreText(node.value), isBad(node.value) ? 'value bad' : 'value');
    if (node.depth) add(`depth ${node.depth}`);
    add(node.text);
    add(noteOf(node));
    return row;
  }

  // list makes the part of the page for a node and those below it.
  function list(node) {
    const item = make('li', node.rank && node.place === 0 ? 'best' : '');
    item.setAttribute('role', 'treeitem');
    item.dataset.id = node.id;
    const row = rowOf(node);
    // Scrolling moves the page under a mouse that rests: that is no choice.
    row.addEventListener('mousemove', (event) => {
      if (node !== chosen && (event.movementX || event.movementY)) choose(node);
    });
    row.addEventListener('click', () => { choose(node); history.replaceState(null, '', `#${node.id}`); });
    item.append(row);
    node.item = item;
    if (node.children) {
      const below = make('ul');
      below.setAttribute('role', 'group');
      below.append(...node.children.map(list));
      item.append(below);
    }
    return item;
  }

  function choose(node) {
    if (!node) return;
    if (chosen) {
      chosen.item.classList.remove('chosen');
      chosen.item.setAttribute('aria-selected', 'false');
    }
    chosen = node;
    node.item.classList.add('chosen');
    node.item.setAttribute('aria-selected', 'true');
    show();
  }

  // show draws the chosen node's position. An arrow is the best move there.
  function show() {
    const board = document.getElementById('board');
    const source = chosen.kind === 'merged' ? byID.get(chosen.same) : chosen;
    const best = (source.children || []).filter((child) => child.rank).slice(0, 1);
    if (typeof drawBoard === 'function') {
      const last = chosen.move || (tree.moves || []).at(-1);
      board.innerHTML = drawBoard(chosen.position, {...view, last, arrows: best.map((child) => child.move)});
    } else {
      board.replaceChildren(make('pre', '', chosen.position));
    }
    about();
  }

  function about() {
    const lines = [['after', movesTo(chosen)], ['value', scoreText(chosen.value)], ['engine', scoreText(chosen)]];
    if (chosen.rank) lines.push(['rank', String(chosen.rank)]);
    if (chosen.depth) lines.push(['depth', String(chosen.depth)]);
    if (chosen.nodes) lines.push(['nodes', chosen.nodes.toLocaleString('en')]);
    lines.push(['expects', (chosen.line || chosen.pv || []).join(', ')], ['says', chosen.text], ['', noteOf(chosen)], ['position', chosen.position]);
    document.getElementById('about').replaceChildren(...lines.filter(([, text]) => text).map(([name, text]) => {
      const line = make('p');
      if (name) line.append(make('b', '', `${name} `));
      line.append(text);
      return line;
    }));
  }

  const neighbour = (step) => rows[rows.indexOf(chosen) + step];
  const keys = {
    ArrowUp: () => choose(neighbour(-1)),
    ArrowDown: () => choose(neighbour(1)),
    ArrowLeft: () => choose(chosen.parent),
    ArrowRight: () => choose((chosen.children || [])[0]),
    Home: () => choose(tree.root),
    f: () => toggle('flip'),
    l: () => toggle('letters'),
  };

  const reveal = () => chosen.item.firstChild.scrollIntoView({block: 'nearest', inline: 'nearest'});

  function toggle(what) {
    view[what] = !view[what];
    show();
  }

  document.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
    reveal();
  });
  for (const what of ['flip', 'letters']) {
    document.getElementById(what).addEventListener('click', () => toggle(what));
  }
  if (typeof drawBoard !== 'function') {
    document.getElementById('buttons').remove();
  } else if (drawBoard(tree.root.position, {letters: true}) === drawBoard(tree.root.position, {letters: false})) {
    document.getElementById('letters').remove(); // the pieces are drawn in one way
  }

  const follow = () => {
    choose(byID.get(decodeURIComponent(location.hash.slice(1))));
    reveal();
  };
  collect(tree.root, null, 0);
  const top = make('ul');
  top.append(list(tree.root));
  document.getElementById('tree').append(top);
  choose(tree.root);
  follow();
  addEventListener('hashchange', follow);
})();

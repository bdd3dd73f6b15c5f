// The board, on which moves can be tried.
let picked = []; // the points that the reader has clicked for a move
let shown; // the node on the board
let dragged = false; // the reader drags a piece, and the move that is played is one of these

const slideTime = 150; // in milliseconds
const dragDistance = 4; // in pixels: less is a click

// drawStage draws a position, the move before it, and arrows for moves.
function drawStage(node, last, arrows) {
  const place = $('board');
  if (!rules) {
    place.replaceChildren(make('pre', '', node.drawing || positionOf(node)));
  } else {
    const [head, layers] = board.parts(positionOf(node), {flip: view.flip, letters: view.letters, chinese: view.language === 'zh', last, arrows, grouped: true});
    if (head !== place.head) {
      place.innerHTML = `${head}${layers.map(([open,, close]) => `<g class="layer">${open}${close}</g>`).join('')}</svg>`;
      place.head = head;
    }
    place.querySelectorAll('.layer').forEach((layer, i) => renew(layer.firstElementChild || layer, layers[i][1]));
    for (const old of place.querySelectorAll('#targets, #marks')) old.remove();
    if (node.prev && node.prev === shown && !dragged) slide(node);
  }
  const isFirst = !shown, list = () => { if (shown === node) listMoves(node); };
  [shown, dragged] = [node, false];
  place.classList.toggle('playable', rules);
  $('position').value = positionOf(node);
  if (isFirst) list();
  else afterPaint(list); // nobody waits for the board until all moves have names
  listChoices(node);
  picked = rules ? beginning(node) : [];
  showTargets(node);
}

// renew makes the content of a layer another, and keeps what is in both: only what changes is painted.
function renew(layer, text) {
  const fresh = layer.cloneNode(false);
  fresh.innerHTML = text;
  for (const old of [...layer.children]) {
    const same = [...fresh.children].find((other) => other.isEqualNode(old));
    (same || old).remove();
  }
  layer.append(...fresh.children);
}

// pieceAt is the drawing of what stands nearest to a point, if it stands on it.
const pieceAt = ([x, y]) => [...$('board').querySelectorAll('[data-point]')].findLast((group) => {
  const [X, Y] = board.place(group.dataset.point, view.flip);
  return Math.hypot(x - X, y - Y) < 1;
});

// slide shows the move before a node as a movement, which nobody has to wait for.
function slide(node) {
  const points = board.points(node.move, view.flip, positionOf(node.prev)), from = points[0], to = points.at(-1);
  const piece = points.length > 1 && pieceAt(to);
  if (!piece || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  piece.animate([{transform: `translate(${from[0] - to[0]}px, ${from[1] - to[1]}px)`}, {transform: 'none'}], {duration: slideTime, easing: 'ease-out'});
}

// listMoves offers the legal moves, for readers without a pointer.
function listMoves(node) {
  $('try').hidden = !rules;
  if (!rules) return;
  const moves = legalMoves(node);
  $('move').replaceChildren(new Option(say(moves.length ? 'choose' : 'noMoves'), ''), ...moves.map((move) => new Option(textOfMove(node, move), move)));
  $('move').disabled = $('play').disabled = !moves.length;
}

// listChoices offers the outcomes of chance.
function listChoices(node) {
  const list = $('choices'), groups = new Map();
  list.hidden = !(rules && board.choice);
  for (const move of legalMoves(node).filter(choiceOf)) {
    const [heading, word] = choiceOf(move);
    if (!groups.has(heading)) groups.set(heading, make('p', '', `${gameWord(heading)} `));
    const button = makeButton(gameWord(word), () => {});
    button.dataset.move = move;
    groups.get(heading).append(button);
  }
  list.replaceChildren(...groups.values());
}

// paths are the legal moves of a node with their points on the board.
const paths = (node) => legalMoves(node).map((move) => ({move, points: board.points(move, view.flip, positionOf(node))}));
const isSame = (a, b) => a[0] === b[0] && a[1] === b[1];
const begun = (node) => paths(node).filter(({points}) => picked.every((point, i) => points[i] && isSame(point, points[i])));

// beginning is the point at which all moves begin: of a piece that is selected, or that alone can move.
function beginning(node) {
  const [first, ...others] = paths(node).map(({points}) => points);
  const isShared = first && first.length > 1 && others.every(([point]) => point && isSame(point, first[0]));
  return isShared ? [first[0]] : [];
}

// pointerAt is where a pointer is on the board, in the units of its picture.
function pointerAt(event) {
  const svg = $('board').querySelector('svg');
  if (!svg) return undefined;
  const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return {x, y, reach: .06 * svg.viewBox.baseVal.width};
}

// nextPoint is the point nearest to a pointer that continues what has been picked.
function nextPoint(node, pointer) {
  let nearest, best = pointer.reach;
  for (const {points} of begun(node)) {
    const point = points[picked.length];
    const distance = point ? Math.hypot(point[0] - pointer.x, point[1] - pointer.y) : Infinity;
    if (distance < best) [nearest, best] = [point, distance];
  }
  return nearest;
}

// pick picks a point. It returns the move that is complete with it.
function pick(node, point) {
  picked.push(point);
  const complete = begun(node).find(({points}) => points.length === picked.length);
  if (!complete) showTargets(node);
  return complete && complete.move;
}

// showTargets marks what is picked and what may be picked next.
function showTargets(node) {
  const svg = $('board').querySelector('svg');
  svg?.querySelector('#targets')?.remove();
  if (!picked.length) return;
  const group = shape('g', {id: 'targets', 'pointer-events': 'none'});
  const width = svg.viewBox.baseVal.width;
  for (const [x, y] of picked) group.append(shape('circle', {cx: x, cy: y, r: .046 * width, fill: 'none', stroke: '#1565c0', 'stroke-width': .008 * width}));
  for (const {points} of begun(node)) {
    const [x, y] = points[picked.length];
    group.append(shape('circle', {cx: x, cy: y, r: .016 * width, fill: '#2e7d32', stroke: '#fff', 'stroke-width': .003 * width}));
  }
  svg.append(group);
}

// playOnStage has the reader try moves on the board, by clicks or by dragging, and by choices. play is
// called with a node and a complete move, current returns the node that is shown. A click that continues
// nothing begins a move again, or the turn if it has several moves.
function playOnStage(current, play) {
  const press = (event, isDrag) => {
    const pointer = rules && pointerAt(event);
    if (!pointer || event.button > 0) return;
    let node = current(), point = nextPoint(node, pointer);
    if (isDrag && !point) return; // released where it was pressed, or nowhere
    for (const start of [node, turnStart(node), node]) {
      if (point) break;
      [node, picked] = [start, beginning(start)];
      point = nextPoint(node, pointer);
    }
    const move = point && pick(node, point);
    if (move) play(node, move);
    else showTargets(node);
  };
  let held; // the piece under the pointer, and where that was pressed
  $('board').addEventListener('pointerdown', (event) => {
    press(event, false);
    const piece = picked.length && !event.button && pieceAt(picked.at(-1));
    held = piece ? {piece, x: event.clientX, y: event.clientY, from: pointerAt(event)} : undefined;
  });
  addEventListener('pointermove', (event) => {
    if (!held || (!dragged && Math.hypot(event.clientX - held.x, event.clientY - held.y) < dragDistance)) return;
    const {x, y} = pointerAt(event);
    dragged = true;
    held.piece.setAttribute('transform', `translate(${x - held.from.x} ${y - held.from.y})`);
  });
  for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, (event) => {
      if (picked.length && end === 'pointerup') press(event, true);
      held?.piece.removeAttribute('transform');
      [held, dragged] = [undefined, false];
    });
  }
  $('choices').addEventListener('click', ({target}) => { if (target.dataset.move) play(current(), target.dataset.move); });
  $('play').addEventListener('click', () => { if ($('move').value) play(current(), $('move').value); });
}

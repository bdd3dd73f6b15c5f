// The lines of the engines of a page of a server: requests and answers of 'qhsh analyze' over a websocket.

// An engine has its name, whether it is on, how many lines it is to show, the hints of its last answer with the
// node that they are of, and the id of the request that runs.
const engines = [];
const byRequest = new Map(); // what is called with the answers to a request, by id
let socket, requests = 0;

// connect opens the connection. changed is called with the version of the file when that is told, and listed
// when the engines are known, or have changed.
function connect(changed, listed) {
  socket = new WebSocket(`ws://${location.host}/analyze?${queryOf()}`);
  socket.addEventListener('message', ({data: text}) => {
    const answer = JSON.parse(text);
    if (answer.event === 'changed') changed(answer.version);
    if (answer.event === 'engines') listEngines(listed);
    const found = byRequest.get(answer.id);
    if (answer.final) byRequest.delete(answer.id);
    if (found) found(answer);
  });
  socket.addEventListener('close', ({reason}) => {
    byRequest.clear();
    engines.length = 0; // they are listed again
    complain(reason || say('ended'), () => { page.refresh(); connect(changed, listed); }); // a server that starts again counts versions anew
  });
}

// ask sends a request, and returns its id.
function ask(request, answered) {
  const id = `r${++requests}`;
  if (socket.readyState !== WebSocket.OPEN) return undefined;
  byRequest.set(id, answered);
  socket.send(JSON.stringify({id, ...request}));
  return id;
}

function cancel(id) {
  if (!byRequest.delete(id)) return;
  socket.send(JSON.stringify({id: `c${++requests}`, action: 'cancel', ids: [id]}));
}

// A position for engines is where the game began and the moves since then, so that they know of repetitions.
const beginOf = (node) => (node.prev ? beginOf(node.prev) : node);
const asked = (node) => ({fen: positionOf(beginOf(node)), moves: pathTo(node).map(({move}) => move)});

// isChance reports whether an outcome is to be drawn at a node.
const isChance = (node) => legalMoves(node).some(choiceOf);

// analyse has an engine look at a node, in place of what it has looked at, unless it is to be idle. updated is called
// with every answer.
function analyse(engine, node, updated, idle) {
  cancel(engine.request);
  Object.assign(engine, {request: undefined, node, hints: [], answer: {}});
  if (!engine.on || idle || annotating || isAsked() || isChance(node)) return;
  engine.request = ask({
    ...asked(node), engine: engine.engine, lines: engine.lines, report: 150, priority: document.hasFocus() ? 1 : 0,
    limits: {time: 1000 * secondsOf()},
  }, (answer) => {
    if (answer.hints && (answer.hints.length || answer.final)) engine.hints = answer.hints;
    engine.answer = answer;
    if (answer.final) engine.request = undefined;
    updated(engine);
  });
}

const logistic = (x) => 1 / (1 + Math.exp(-x));

// firstScore is the score of a hint for the first side, with its chance of winning, as Go's Score.Chance has it.
function firstScore(node, {cp, mate, wdl}) {
  const sign = isSecondToMove(node) ? -1 : 1;
  let win = wdl ? (wdl[0] + wdl[1] / 2) / 1000 : undefined;
  if (win === undefined && cp !== undefined) win = (logistic((cp - 375) / 245) + logistic((cp + 375) / 245)) / 2;
  if (win === undefined && mate !== undefined) win = Number(mate > 0);
  if (win === undefined) return {};
  return {cp: cp === undefined ? undefined : sign * cp, mate: mate === undefined ? undefined : sign * mate, win: sign > 0 ? win : 1 - win};
}

// drawEngines draws the settings and the lines of all engines. look is called when another search is wanted.
function drawEngines(look) {
  const focus = document.activeElement;
  $('engines').replaceChildren(...engines.map((engine) => {
    const on = checkbox(engine.on, (isOn) => { engine.on = isOn; remember('off', String(!isOn)); look(); });
    const lines = make('select'), name = make('label', '', on, ` ${engine.name}`);
    lines.append(...[1, 2, 3, 4, 5].map((n) => new Option(`${n} ${say('lines')}`, n, false, n === engine.lines)));
    lines.setAttribute('aria-label', `${engine.name}: ${say('lines')}`);
    lines.addEventListener('change', () => { engine.lines = Number(lines.value); remember('lines', lines.value); look(); });
    engine.facts = make('span', 'facts');
    engine.list = make('div', 'lines');
    playOnLines(engine.list);
    return make('section', 'engine', make('p', '', name, ' ', lines, ' ', engine.facts), engine.list, ...panelsOf(engine));
  }), ...engines.length ? [make('p', '', ...searchSettings(look))] : [], ...chooser());
  for (const engine of engines) drawLines(engine);
  if (focus.isConnected) focus.focus({preventScroll: true});
}

// searchSettings are those of all engines: how long they think, and whether their moves are arrows on the board.
function searchSettings(look) {
  const seconds = make('select'), arrows = checkbox(recall('arrows') !== 'false', (on) => { remember('arrows', String(on)); show(); });
  seconds.append(...[5, usualSeconds, 120, 600, 3600].map((n) => new Option(`${n} ${say('seconds')}`, n, false, n === secondsOf())));
  seconds.setAttribute('aria-label', say('seconds'));
  seconds.addEventListener('change', () => { remember('seconds', seconds.value); look(); });
  return [seconds, ' ', make('label', '', arrows, ` ${say('arrowsOf')}`), ' ', ...threatSwitch(look)];
}

const usualSeconds = 30;
const secondsOf = () => Number(recall('seconds')) || usualSeconds;

// playOnLines has the reader look at the moves of lines by hovering, and enter them by a click. The moves are drawn anew
// several times a second, so that one that is pressed is often gone before it is released, and one that is left was
// never left: the list, which stays, has the listeners.
function playOnLines(list) {
  const moveAt = ({target}) => target.closest('.move');
  list.addEventListener('mouseover', (event) => { const step = moveAt(event)?.step || chosen; if (step !== shown) show(step); });
  list.addEventListener('mouseleave', () => { if (shown !== chosen) show(); });
  list.addEventListener('mousedown', (event) => { if (!event.button) moveAt(event)?.enter?.(); });
  list.addEventListener('click', (event) => { if (!event.detail) moveAt(event)?.enter?.(); }); // without a mouse
}

// drawLines draws what an engine says. A move of it can be looked at by hovering, and entered by a click.
function drawLines(engine) {
  const {node, answer = {}, hints} = engine;
  const {depth, seldepth, nodes, hashfull} = hints[0] || {};
  const speed = answer.ms > 50 && nodes ? Math.round(1000 * nodes / answer.ms) : 0;
  engine.facts.textContent = [
    depth && `${say('depthOf')} ${depth}${seldepth ? `/${seldepth}` : ''}`, speed && `${speed.toLocaleString(view.language)} ${say('perSecond')}`,
    hashfull && `hash ${(hashfull / 10).toFixed(0)} %`, answer.over && gameWord(answer.over),
  ].filter(Boolean).join(' · ');
  engine.list.replaceChildren(...hints.map((hint) => {
    const line = lineAfter(node, hint.pv.slice(0, 16));
    const moves = line.flatMap((step, i) => {
      const item = make('span', 'move', ...(isNumbered(step, line[i - 1]) ? [make('span', 'number', numberOf(step))] : []), textOf(step));
      item.step = step;
      if (!node.threatens) item.enter = () => page.enter(node, line.slice(0, i + 1));
      return [item, ' '];
    });
    return make('div', 'line', make('b', 'value', scoreText(firstScore(node, hint))), ' ', ...moves);
  }));
  if (node?.threatens) engine.list.prepend(make('p', 'threat', say('threatOf', nameOf(Number(isSecondToMove(node))))));
  if (answer.error) engine.list.append(make('p', 'blunder', `${say('error')} ${answer.error}`));
}

// A game against an engine: at a level, with a time for each move, or with clocks.

// The opponent answers the moves of the side at the bottom.
let rival = ''; // its name, also while it starts again
const opponent = () => engines.find(({engine}) => engine === rival);
const pace = () => $('strength').value.split(' '); // level N, time SECONDS, or clock

// The clocks: what is left to each side in milliseconds, and whose runs since when; nobody's if it is over.
let clock;
const leftTo = (side) => clock.left[side] - (clock.since !== undefined && clock.turn === side ? performance.now() - clock.since : 0);

const isOver = (node) => Boolean(node.known?.over) || !legalMoves(node).length;

// isToReply reports whether it is the opponent's turn.
function isToReply() {
  const isOwn = Number(isSecondToMove(chosen)) !== Number(view.flip);
  return Boolean(opponent()) && isOwn && !isChance(chosen) && !isOver(chosen) && (pace()[0] !== 'clock' || clock?.since !== undefined);
}

// reply has the opponent play, after the server has said whether the rules have ended the game.
let replying;
function reply(tries = 20) {
  cancel(replying);
  replying = undefined;
  if (!isToReply()) return;
  const node = chosen, moves = movesTo(node), [kind, value] = pace();
  if (!node.known && tries) {
    setTimeout(() => { if (movesTo(chosen) === moves && !replying) reply(tries - 1); }, 50);
    return;
  }
  const limits = {
    level: () => ({level: Number(value)}), time: () => ({time: 1000 * value}),
    clock: () => ({clock: {left: Math.max(1, Math.round(leftTo(clock.turn))), increment: clock.increment}}),
  };
  replying = ask({...asked(node), engine: opponent().engine, priority: 2, limits: limits[kind]()}, ({final, error, hints}) => {
    if (error) complain(error);
    if (final && hints?.length && movesTo(chosen) === moves && isToReply()) enter(chosen, [{move: hints[0].move}]);
  });
}

// resume has the opponent play that has started meanwhile.
function resume() {
  if (looking && !training && !byRequest.has(replying)) reply();
}

function drawOpponents() {
  $('opponents').hidden = !engines.length;
  $('opponent').replaceChildren(new Option(say('none'), ''), ...engines.map(({engine, name}) => new Option(name, engine, false, engine === rival)));
  if (engines.length && (opponent() || !rival)) drawStrength();
}

// takeBack shows the last position before the one that is shown in which it is the turn of the side at the bottom.
function takeBack() {
  let node = chosen.prev;
  while (node && (isChance(node) || isSecondToMove(node) !== view.flip)) node = node.prev;
  choose(node);
}

function drawStrength() {
  const levels = (opponent() || engines[0] || {levels: []}).levels, now = $('strength').value;
  const group = (label, options) => { const all = make('optgroup', '', ...options); all.label = label; return all; };
  $('strength').replaceChildren(
    ...(levels.length ? [group(say('strength'), levels.map(({level, text}) => new Option(`${level} · ${text}`, `level ${level}`)))] : []),
    group(say('timeEach'), [1, 2, 5, 10, 30, 60].map((n) => new Option(`${n} ${say('seconds')}`, `time ${n}`))),
    group(say('clock'), [new Option(say('clock'), 'clock')]),
  );
  $('strength').value = now || (levels.length ? `level ${levels[Math.trunc((levels.length - 1) / 2)].level}` : 'time 2');
  if (!$('strength').value) $('strength').selectedIndex = 0;
  $('clock').hidden = pace()[0] !== 'clock';
  drawClocks();
}

// startClock sets the clocks, and that of the side to move runs.
function startClock() {
  if (![$('minutes'), $('increment')].every((field) => field.reportValidity())) return;
  complain();
  const time = 60000 * $('minutes').value, increment = 1000 * $('increment').value;
  const left = time || increment || 1000;
  clock = {left: [left, left], increment, turn: Number(isSecondToMove(chosen)), since: performance.now()};
  look(true);
}

// pressClock has the clock of the side to move after a node run.
function pressClock(node) {
  const next = Number(isSecondToMove(node));
  if (clock?.since === undefined || next === clock.turn) return;
  clock.left[clock.turn] = Math.max(0, leftTo(clock.turn)) + clock.increment;
  [clock.turn, clock.since] = [next, performance.now()];
}

// stopClock ends the game of the clocks.
function stopClock() {
  clock.left[clock.turn] = Math.max(0, leftTo(clock.turn));
  clock.since = undefined;
}

function drawClocks() {
  const text = (ms) => `${Math.trunc(ms / 60000)}:${ms < 10000 ? (ms / 1000).toFixed(1).padStart(4, '0') : String(Math.trunc(ms / 1000 % 60)).padStart(2, '0')}`;
  $('clocks').replaceChildren(...(clock && pace()[0] === 'clock' ? [0, 1].map((side) => make('b', clock.since !== undefined && clock.turn === side ? 'runs' : '', `${nameOf(side)} ${text(Math.max(0, leftTo(side)))} `)) : []));
}

// tick ends a game by the rules or on time.
function tick() {
  if (clock?.since === undefined) return;
  if (isOver(chosen)) {
    if (!chosen.known) return; // the server is about to say the result
    stopClock();
    if (chosen.known.result) edit(() => ({do: 'result', text: chosen.known.result}));
  } else if (leftTo(clock.turn) <= 0) {
    stopClock();
    cancel(replying);
    edit(() => ({do: 'result', text: clock.turn ? '1-0' : '0-1'})).then(() => complain(say('lostOnTime', nameOf(clock.turn))));
  }
  drawClocks();
}

function playAgainst() {
  for (const id of ['opponent', 'strength']) {
    $(id).addEventListener('change', () => {
      rival = $('opponent').value;
      if (clock && pace()[0] !== 'clock') clock = undefined;
      drawStrength();
      look(true);
    });
  }
  $('startClock').addEventListener('click', startClock);
  setInterval(tick, 100);
}

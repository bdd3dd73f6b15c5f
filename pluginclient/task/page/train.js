// Exercises: positions of a file, or of a game before its mistakes, in which the reader finds the move. Nothing is played
// into the game.

// training is what is exercised, undefined if nothing. It has
//
//	query               of the address of the exercises
//	exercises, total    those of now, as the server has them, and how many there are in all
//	loss                of the chance of winning: a move that loses less is as good as the best
//	at, side, start     the exercise of now, whose move it is, and the ply at which it begins
//	asked, busy, clean  it is not solved; a move is judged; none was wrong
//	verdict()           what is said of it
//	solved, failed      how many
//	before              what the page has shown
let training;
const isAsked = () => Boolean(training?.asked);
const isMistake = ({glyphs = []}) => glyphs.some((glyph) => [2, 4, 6].includes(glyph));
const pause = () => new Promise((done) => { setTimeout(done, 500); });

async function train(query) {
  const answer = await request(`/train?${new URLSearchParams(query)}`);
  if (!answer) return;
  complain(answer.total ? '' : say('noExercises'));
  if (!answer.total) return;
  if (setup) endSetup();
  training = {...answer, query, at: -1, solved: 0, failed: 0, before: {game: data.number, path: indexPath(chosen), flip: view.flip}};
  page.keys = 'trainKeys';
  await pose();
}

// pose shows the next exercise. After the last one the server has them in another order.
async function pose() {
  const last = training;
  let {at, exercises} = last;
  if (++at === exercises.length) {
    const answer = await request(`/train?${new URLSearchParams(last.query)}`);
    if (last !== training) return;
    if (answer?.total) ({exercises} = answer);
    at = 0;
  }
  const now = training = {...last, exercises, at, asked: true, busy: false, clean: true, verdict: undefined}, {game, path} = exercises[at];
  const isThere = await visitGame(game, path);
  if (now !== training) return;
  if (!isThere) {
    await endTraining();
    return;
  }
  const side = Number(isSecondToMove(chosen));
  view.flip = rules && side === 1;
  Object.assign(now, {side, start: chosen.ply, verdict: () => say('findMove', nameOf(side))});
  show();
  drawTraining();
}

// visitGame shows a game of the file at a path, and reports whether it is there.
async function visitGame(game, path) {
  const answer = await request(`/game?file=${data.file}&game=${game}`);
  if (!answer) return false;
  history.replaceState(null, '', `/?file=${data.file}&game=${game}`);
  take(answer, path);
  look(true);
  return true;
}

// attempt plays a move of the reader's in an exercise.
async function attempt(before, move) {
  const now = training;
  if (!now.asked || now.busy || before.ply < now.start) {
    show();
    return;
  }
  Object.assign(now, {busy: true, verdict: undefined}); // so that the same verdict is said again
  drawTraining();
  wait(1);
  await judge(now, before, move);
  wait(-1);
  now.busy = false;
  drawTraining();
}

// judge says whether a move is right, and plays the replies to it.
async function judge(now, before, move) {
  const step = (node, text) => node.branches.find((other) => other.move === text) || nodeAfter(node, text), next = step(before, move);
  const played = pathTo(next).slice(now.start).map((node) => node.move);
  const line = now.exercises[now.at].lines.find((moves) => played.every((text, i) => moves[i] === text));
  if (line) {
    choose(next);
    now.verdict = () => say('right');
    for (let i = played.length; i < line.length && Number(isSecondToMove(chosen)) !== now.side; i++) {
      await pause();
      if (now !== training) return;
      const node = step(chosen, line[i]);
      choose(node);
      now.verdict = () => say('replied', textOf(node));
    }
    if (chosen.ply === now.start + line.length) finish(() => say('solved'));
    return;
  }
  const isAsGood = now.query.game && !isMistake(next) && await engineAgrees(before, next);
  if (now !== training) return;
  if (isAsGood) {
    choose(next);
    finish(() => say('asGood', textOf(next)));
  } else {
    keepTry(false);
    now.verdict = () => say('wrong', textOf(next));
    show();
  }
}

// finish ends the exercise; engines that are on look at its position again.
function finish(verdict) {
  Object.assign(training, {asked: false, verdict});
  keepTry(true);
  redraw();
  look(true);
}

// keepTry counts the first result of an exercise, and has the server keep it.
function keepTry(solved) {
  const now = training, {game, path} = now.exercises[now.at];
  if (!now.clean) return;
  now.clean = false;
  now[solved ? 'solved' : 'failed']++;
  post('/train', {file: data.file, game, path, solved});
}

// engineAgrees reports whether the first engine that is on finds a move as good as the best one.
async function engineAgrees(before, after) {
  if (!legalMoves(after).length) return true; // it ends the game
  const engine = engines.find(({on}) => on), {loss} = training;
  if (!engine || isChance(after)) return false;
  training.verdict = () => say('checks', textOf(after));
  drawTraining();
  const value = (node) => new Promise((done) => {
    const limits = {time: 2000};
    ask({...asked(node), engine: engine.engine, priority: 2, limits}, ({final, hints}) => { if (final) done(hints?.length ? firstScore(node, hints[0]).win : undefined); });
    setTimeout(done, 3 * limits.time); // the connection may have ended
  });
  const [best, own] = await Promise.all([value(before), value(after)]);
  return (isSecondToMove(before) ? own - best : best - own) < loss;
}

// showSolution shows the line that solves the exercise, which counts as failed.
function showSolution() {
  if (!isAsked() || training.busy) return;
  const {path, lines: [line]} = training.exercises[training.at], from = nodeAt(path) || root;
  keepTry(false);
  choose(from);
  finish(() => say('isSolution', lineAfter(from, line).map((node, i, all) => (isNumbered(node, all[i - 1]) ? numberOf(node) : '') + textOf(node)).join(' ')));
}

// endTraining shows the game as it was.
async function endTraining() {
  if (!training) return;
  const {game, path, flip} = training.before;
  training = undefined;
  page.keys = 'boardKeys';
  view.flip = flip;
  if (!await visitGame(game, path)) redraw(); // it is gone
}

// drawTraining draws what is said of an exercise, and what begins one.
function drawTraining() {
  const main = document.querySelector('main'), whose = $('mistakesOf').value;
  main.classList.toggle('training', Boolean(training));
  main.classList.toggle('asked', isAsked());
  $('mistakesOf').setAttribute('aria-label', say('mistakesOf'));
  $('mistakesOf').replaceChildren(new Option(say('bothSides'), ''), ...[0, 1].map((side) => new Option(nameOf(side), side, false, String(side) === whose)));
  $('retry').hidden = $('mistakesOf').hidden = !mainLine().some(isMistake);
  $('train').hidden = !training;
  if (!training) return;
  const {at, total, exercises, solved, failed, verdict} = training, text = verdict ? verdict() : '', tried = exercises[at] || {};
  if ($('verdict').textContent !== text) $('verdict').textContent = text;
  $('score').textContent = say('score', {n: at + 1, total, solved, failed}) + (tried.solved || tried.failed ? ` · ${say('tried', tried.solved || 0, tried.failed || 0)}` : '');
}

// playExercises has the reader begin and end exercises, and does not step to the moves of one before it is solved.
function playExercises() {
  const starts = {exercises: () => train({file: data.file}), retry: () => train({file: data.file, game: data.number, side: $('mistakesOf').value})};
  for (const [id, act] of Object.entries({...starts, solution: showSolution, nextExercise: pose, endTraining})) $(id).addEventListener('click', act);
  for (const name of ['first', 'back', 'forward', 'last', 'up', 'down', 'best']) {
    const act = acts[name];
    acts[name] = () => {
      if (training && name === 'best') { if (!training.asked) pose(); } else if (!isAsked()) act();
    };
  }
}

// The exercises of a server: the puzzles of a file, and the mistakes of a game.
const isMistake = ({glyphs = []}) => glyphs.some((glyph) => [2, 4, 6].includes(glyph));

// train begins the exercises of an address.
async function train(query) {
  const source = await exercisesOf(query);
  if (!source) return;
  complain(source.total ? '' : say('noExercises'));
  if (!source.total) return;
  if (setup) endSetup();
  training = {source, solved: 0, failed: 0};
  page.keys = 'trainKeys';
  await pose();
}

// exercisesOf is the source of the exercises of an address. After the last one the server has them in another order. A
// move of a game that loses less of the chance of winning than the server says is as good as the best.
async function exercisesOf(query) {
  const ask = () => request(`/train?${new URLSearchParams(query)}`), answer = await ask();
  if (!answer) return undefined;
  let {exercises} = answer, at = -1;
  const {total, loss} = answer, before = {game: data.number, path: indexPath(chosen), flip: view.flip};
  return {
    total, before,
    next() {
      if (++at < exercises.length) return exercises[at];
      at = 0;
      return ask().then((again) => {
        if (again?.total) ({exercises} = again);
        return exercises[0];
      });
    },
    visit: ({game, path}) => visitGame(game, path),
    line: (moves) => training.exercise.lines.find((line) => moves.every((text, i) => line[i] === text)),
    isOwn: (node) => Number(isSecondToMove(node)) === training.side,
    agrees: (from, node) => query.game && !isMistake(node) && engineAgrees(from, node, loss),
    solution: ({path, lines: [line]}) => ({from: nodeAt(path) || root, line}),
    keep: ({game, path}, solved) => post('/train', {file: data.file, game, path, solved}),
    finished: () => look(true), // engines that are on look at its position again
    leave: endTraining,
    busy: wait,
    score() {
      const {solved, failed, exercise: tried} = training;
      return say('score', {n: at + 1, total, solved, failed}) + (tried.solved || tried.failed ? ` · ${say('tried', tried.solved || 0, tried.failed || 0)}` : '');
    },
  };
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

// engineAgrees reports whether the first engine that is on finds a move as good as the best one.
async function engineAgrees(before, after, loss) {
  if (!legalMoves(after).length) return true; // it ends the game
  const engine = engines.find(({on}) => on);
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

// endTraining shows the game as it was.
async function endTraining() {
  if (!training) return;
  const {game, path, flip} = training.source.before;
  training = undefined;
  page.keys = 'boardKeys';
  view.flip = flip;
  if (!await visitGame(game, path)) redraw(); // it is gone
}

// drawRetry draws what begins the exercises of a game.
function drawRetry() {
  const whose = $('mistakesOf').value;
  $('mistakesOf').replaceChildren(new Option(say('bothSides'), ''), ...[0, 1].map((side) => new Option(nameOf(side), side, false, String(side) === whose)));
  $('retry').hidden = $('mistakesOf').hidden = !mainLine().some(isMistake);
}

// beginExercises has the reader begin and end exercises.
function beginExercises() {
  const starts = {exercises: () => train({file: data.file}), retry: () => train(ofGame({side: $('mistakesOf').value})), endTraining};
  for (const [id, act] of Object.entries(starts)) $(id).addEventListener('click', act);
  const {best} = acts;
  acts.best = () => { if (!training) best(); else if (!training.asked) pose(); };
  playExercises();
}

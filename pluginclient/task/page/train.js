// Exercises: positions in which the reader finds the move. Nothing is played into the game.
Object.assign(words.en, {
  solution: 'show the solution', nextExercise: 'next', endTraining: 'end',
  findMove: (side) => `${side} to move: find the best move.`, right: 'Right.', replied: (move) => `Right. The reply is ${move}: go on.`, solved: 'Solved.', asGood: (move) => `${move} is as good: solved.`,
  wrong: (move) => `${move} is wrong: try again.`, checks: (move) => `${move}: the engine looks at it…`, isSolution: (line) => `The solution: ${line}`,
  score: ({n, total, solved, failed}) => `${n} of ${total} · solved: ${solved}, failed: ${failed}`, tried: (solved, failed) => `this one before: solved ${solved}, failed ${failed}`,
  trainKeys: 'Play on the board, or choose the move below it. Space the next one, S the solution, Esc the end, F turn the board, N notation, L 中文.',
});
Object.assign(words.zh, {
  solution: '显示答案', nextExercise: '下一题', endTraining: '结束',
  findMove: (side) => `${side}走：请找出最佳着法。`, right: '正确。', replied: (move) => `正确。对方应 ${move}，请继续。`, solved: '解出。', asGood: (move) => `${move} 同样好：解出。`,
  wrong: (move) => `${move} 不对，请再试。`, checks: (move) => `${move}：引擎正在判断……`, isSolution: (line) => `答案：${line}`,
  score: ({n, total, solved, failed}) => `第 ${n} 题，共 ${total} 题 · 解出 ${solved}，失败 ${failed}`, tried: (solved, failed) => `此题以前：解出 ${solved}，失败 ${failed}`,
  trainKeys: '在棋盘上走子，或在棋盘下选择着法。空格下一题，S 答案，Esc 结束，F 翻转棋盘，N 记谱，L English。',
});

// training is what is exercised, undefined if nothing. It has
//
//	source              of the exercises
//	exercise            that of now
//	side, start         whose move it is, and the ply at which it begins
//	asked, busy, clean  it is not solved; a move is judged; none was wrong
//	verdict()           what is said of it
//	solved, failed      how many
//
// A source has
//
//	next()                the next exercise
//	visit(exercise)       shows it, and reports whether it is there
//	line(moves)           the moves of a line that begins with those that were played; undefined if they are not right
//	isOwn(node)           whether the reader plays the next move of the line
//	reached(node)         the exercise that a node of a line is, if each move is one of its own
//	agrees(before, node)  whether another move is as good
//	solution(exercise)    the node from which a line solves it, and its moves
//	keep(exercise, solved), finished(), leave()
//	busy(more)            a move is judged, or no longer
//	reply(node)           what more is said of a wrong move
//	score()               how far the reader is
//	words                 its own for find and wrong
let training;
const isAsked = () => Boolean(training?.asked);
const pause = () => new Promise((done) => { setTimeout(done, 500); });

// pose shows the next exercise.
async function pose() {
  const last = training, found = last.source.next(), exercise = found?.then ? await found : found;
  if (last !== training) return;
  const now = training = {...last, exercise, asked: true, busy: false, clean: true, verdict: undefined};
  const shows = now.source.visit(exercise), isThere = shows?.then ? await shows : shows;
  if (now !== training) return;
  if (!isThere) {
    await now.source.leave();
    return;
  }
  const side = Number(isSecondToMove(chosen));
  view.flip = rules && side === 1;
  Object.assign(now, {side, start: chosen.ply, verdict: () => say(now.source.words?.find || 'findMove', nameOf(side))});
  show();
  drawTraining();
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
  now.source.busy?.(1);
  await judge(now, before, move);
  now.source.busy?.(-1);
  now.busy = false;
  drawTraining();
}

// judge says whether a move is right, and plays the replies to it.
async function judge(now, before, move) {
  const step = (node, text) => node.branches.find((other) => other.move === text) || nodeAfter(node, text), next = step(before, move), {source} = now;
  const played = pathTo(next).slice(now.start).map((node) => node.move), line = source.line(played);
  if (line) {
    choose(next);
    now.verdict = () => say('right');
    for (let i = played.length; i < line.length && !source.isOwn(chosen); i++) {
      await pause();
      if (now !== training) return;
      const node = step(chosen, line[i]);
      choose(node);
      now.verdict = () => say('replied', textOf(node));
    }
    const reached = source.reached?.(chosen);
    if (chosen.ply === now.start + line.length) {
      finish(() => say('solved'));
    } else if (reached) {
      keepTry(true);
      Object.assign(now, {exercise: reached, clean: true});
    }
    return;
  }
  const isAsGood = await source.agrees?.(before, next);
  if (now !== training) return;
  if (isAsGood) {
    choose(next);
    finish(() => say('asGood', textOf(next)));
  } else {
    keepTry(false);
    now.verdict = () => [say(source.words?.wrong || 'wrong', textOf(next)), source.reply?.(next)].filter(Boolean).join(' ');
    show();
  }
}

// finish ends the exercise.
function finish(verdict) {
  Object.assign(training, {asked: false, verdict});
  keepTry(true);
  redraw();
  training.source.finished?.();
}

// keepTry counts the first result of an exercise, and has it kept.
function keepTry(solved) {
  const now = training;
  if (!now.clean) return;
  now.clean = false;
  now[solved ? 'solved' : 'failed']++;
  now.source.keep(now.exercise, solved);
}

// lineText is a line of nodes as text.
const lineText = (line) => line.map((node, i) => (isNumbered(node, line[i - 1]) ? numberOf(node) : '') + textOf(node)).join(' ');

// showSolution shows the line that solves the exercise, which counts as failed.
function showSolution() {
  if (!isAsked() || training.busy) return;
  const {from, line} = training.source.solution(training.exercise);
  keepTry(false);
  choose(from);
  finish(() => say('isSolution', lineText(lineAfter(from, line))));
}

// drawTraining draws what is said of an exercise.
function drawTraining() {
  const main = document.querySelector('main');
  main.classList.toggle('training', Boolean(training));
  main.classList.toggle('asked', isAsked());
  $('train').hidden = !training;
  if (!training) return;
  const {source, verdict} = training, text = verdict ? verdict() : '';
  if ($('verdict').textContent !== text) $('verdict').textContent = text;
  $('score').textContent = source.score();
}

// playExercises has the reader see solutions and the next exercises, and does not step to the moves of one before it is solved.
function playExercises() {
  for (const [id, act] of Object.entries({solution: showSolution, nextExercise: pose})) $(id).addEventListener('click', act);
  for (const name of ['first', 'back', 'forward', 'last', 'up', 'down']) {
    const act = acts[name];
    acts[name] = () => { if (!isAsked()) act(); };
  }
}

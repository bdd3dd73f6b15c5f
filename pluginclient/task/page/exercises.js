// The page of exercises: the mistakes of games, or a repertoire. Its data have
//
//	exercises   each has the key of its memory, a line with the number of its moves before the position (at), and what is right there
//	graph       of a repertoire: the moves of each place, with their weights and the places after them
//	repertoire  whether it is one
//	intervals   of spacing.js
Object.assign(words.en, {
  mistakesTitle: (n) => `${counted(n, 'mistake')} to correct`, repertoireTitle: (side, n) => `${side}’s repertoire: ${counted(n, 'position')}`,
  findOwn: (side) => `${side} to move: find a move of the repertoire.`, notOwn: (move) => `${move} is not in the repertoire: try again.`,
  inGame: 'in the game', answeredBy: (move, line) => `It was played in the game; the answer is ${line}.`,
  progress: ({due, total, solved, failed}) => `${due} of ${total} due · solved: ${solved}, failed: ${failed}`, nothingDue: (date) => `Nothing is due before ${date}.`,
  export: 'save progress', import: 'load progress', imported: 'loaded', notImported: 'this is no file of progress',
  drillKeys: 'Play on the board, or choose the move below it. Space the next one, S the solution, ← → step when it is solved, F turn the board, N notation, L 中文.',
});
Object.assign(words.zh, {
  mistakesTitle: (n) => `改正失误：${n} 题`, repertoireTitle: (side, n) => `${side}开局库：${n} 个局面`,
  findOwn: (side) => `${side}走：请找出开局库的着法。`, notOwn: (move) => `${move} 不在开局库中，请再试。`,
  inGame: '实战', answeredBy: (move, line) => `实战即走此着，应对为 ${line}。`,
  progress: ({due, total, solved, failed}) => `待练 ${due} 题，共 ${total} 题 · 解出 ${solved}，失败 ${failed}`, nothingDue: (date) => `${date} 之前没有待练题目。`,
  export: '保存进度', import: '载入进度', imported: '已载入', notImported: '此文件不是进度文件',
  drillKeys: '在棋盘上走子，或在棋盘下选择着法。空格下一题，S 答案，解出后 ← → 前后一步，F 翻转棋盘，N 记谱，L English。',
});

const {exercises, graph} = data, byPlace = new Map(exercises.map((one) => [one.place, one]));
const memoryOf = ({key}) => memories[key];
const mostRecent = 5; // exercises that do not come again at once

// nextExercise is the first that is due, in the order of their memories, but for those that have just been there.
let recent = [];
function nextExercise() {
  readMemories();
  const time = Date.now(), all = [...exercises].sort((a, b) => compareMemories(memoryOf(a), memoryOf(b))), due = all.filter((one) => isDue(memoryOf(one), time));
  const fresh = (list) => list.find((one) => !recent.includes(one)), other = (list) => list.find((one) => one !== recent.at(-1));
  const next = fresh(due) || other(due) || due[0] || other(all) || all[0];
  passBy(next);
  return next;
}
const passBy = (exercise) => { recent = [...recent, exercise].slice(-mostRecent); };

// A run is the way through the graph from the exercise that was shown on: the number of its moves up to the reader's next one.
let until = 0, passed = new Set();

// reply is a move of a place by weight.
function replyOf({moves}) {
  let n = Math.random() * moves.reduce((sum, {weight}) => sum + weight, 0);
  return moves.find(({weight}) => (n -= weight) < 0) || moves.at(-1);
}

// lineThrough is the line of a repertoire that begins with moves, up to the reader's next one; undefined if they are not in it. The
// replies are chosen here. A position that comes again ends it.
function lineThrough(first, moves) {
  let {place} = first;
  const line = [...moves], seen = new Set();
  for (const text of moves) {
    seen.add(place);
    const edge = graph[place].moves.find(({move}) => move === text);
    if (!edge) return undefined;
    place = edge.to;
  }
  for (; !graph[place].own && graph[place].moves.length && !seen.has(place);) {
    seen.add(place);
    const edge = replyOf(graph[place]);
    line.push(edge.move);
    place = edge.to;
  }
  until = line.length;
  if (byPlace.has(place) && !seen.has(place)) line.push(graph[place].moves[0].move);
  return line;
}

// placeAfter is the place to which a node leads in the run.
const placeAfter = (node) => pathTo(node).slice(training.start).reduce((place, {move}) => graph[place].moves.find((edge) => edge.move === move).to, training.first.place);

const mistakes = {
  line: (moves) => (training.exercise.right.includes(moves[0]) ? moves : undefined),
  isOwn: () => true,
  solution: ({at}) => ({from: main[at], line: (engineLine(main[at]).length ? engineLine(main[at]) : [{move: training.exercise.right[0]}]).map(({move}) => move)}),
  reply: (node) => (node === main[training.start + 1] && engineLine(node).length ? say('answeredBy', textOf(node), lineText(engineLine(node).slice(0, 4))) : ''),
};
const repertoire = {
  words: {find: 'findOwn', wrong: 'notOwn'},
  line: (moves) => lineThrough(training.first, moves),
  isOwn: (node) => node.ply - training.start >= until,
  reached: (node) => byPlace.get(placeAfter(node)),
  solution: ({at, line}) => ({from: chosen, line: line.slice(at).map(({move}) => move)}),
};
const source = {
  next: nextExercise,
  visit(exercise) {
    load(exercise);
    training.first = exercise;
    page.root = root;
    chosen = main[exercise.at];
    redraw();
    return true;
  },
  keep(exercise, solved) {
    passBy(exercise);
    keepMemory(exercise.key, solved);
  },
  score() {
    const {solved, failed, exercise} = training, {solved: before = 0, failed: lost = 0} = memoryOf(exercise) || {}, time = Date.now();
    const due = exercises.filter((one) => isDue(memoryOf(one), time)).length, soonest = Math.min(...exercises.map((one) => dueOf(memoryOf(one) || {last: 0})));
    const parts = [say('progress', {due, total: exercises.length, solved, failed})];
    if (!due) parts.push(say('nothingDue', new Date(soonest).toLocaleDateString(say('lang'))));
    if (training.asked && training.clean && before + lost) parts.push(say('tried', before, lost));
    return parts.join(' · ');
  },
  ...data.repertoire ? repertoire : mistakes,
};

// aboutMistake is what was played in the game, and why it is bad.
function aboutMistake() {
  const played = main[training.start + 1], {from, loss, reasons = []} = played.judged || {};
  return [
    [`${say('inGame')}: `, moveItem(played, true)],
    ...from === undefined ? [] : [[say('falls', percent(from), percent(from - loss))]],
    ...reasons.map((reason) => [reason[view.language]]),
  ];
}

openPage({
  root, text: () => gameText(root), keys: 'drillKeys',
  at: () => undefined, name: () => '',
  list() {
    const side = nameOf(Number(isSecondToMove(main[data.at])));
    document.title = document.querySelector('h1').textContent = data.repertoire ? say('repertoireTitle', side, exercises.length) : say('mistakesTitle', exercises.length);
    drawMoves(root);
    if (training) drawTraining();
  },
  mark() {
    markItem($('moves'), chosen.item);
    drawBar(chosen);
    $('lead').textContent = data.repertoire && isAsked() ? lineText(pathTo(chosen)) : '';
  },
  about: (node) => (isAsked() ? [] : [...about(node), ...training && !data.repertoire && node !== main[training.start + 1] ? aboutMistake() : []]),
  last: (node) => node.move,
  best(node) {
    const [best] = isAsked() ? [] : engineLine(node);
    return best ? [best.move] : [];
  },
  facts: () => (data.repertoire ? [] : [data.title, data.date, ...data.tags.filter(([name]) => name !== 'Date').map(([, value]) => value), data.result, `${say('judgedBy')} ${data.engine}`]),
  play: (before, move) => (isAsked() ? attempt : tryOut)(before, move),
  acts: {solution: showSolution, next: () => { if (!isAsked()) pose(); }},
  shortcuts: {' ': 'next', s: 'solution'},
});
playExercises();
$('export').addEventListener('click', () => {
  readMemories();
  const own = Object.fromEntries(exercises.filter(memoryOf).map((one) => [one.key, memoryOf(one)]));
  save(new Blob([JSON.stringify(own)], {type: 'application/json'}), 'training.json');
});
$('import').addEventListener('click', () => $('file').click());
$('file').addEventListener('change', async () => {
  const [file] = $('file').files;
  if (!file) return;
  const isRead = mergeMemories(await file.text());
  $('file').value = '';
  $('imported').textContent = say(isRead ? 'imported' : 'notImported');
  recent = [];
  drawTraining();
});
training = {source, solved: 0, failed: 0};
pose();

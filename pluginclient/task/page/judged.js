// What pages of annotated games have: the nodes of a game, and what is known of one.
let root, main;

// load makes the nodes of a game, the first time, and has the page show them.
function load(game) {
  Object.assign(data, game);
  if (!data.start.branches) {
    Object.assign(data.start, {kind: 'main', ply: 0, next: data.line[0], branches: []});
    link(data.line, data.start, 'main');
    for (const node of [data.start, ...data.line]) link(engineLine(node), node, 'engine');
  }
  root = data.start;
  main = [root, ...data.line];
}
load((data.games || data.exercises || [data])[0]);

// about is what is known of a node.
function about(node) {
  const lines = [];
  if (node.move) {
    const {judged} = node, known = isBad(node) || (judged && judged.class === 'best');
    lines.push([make('b', '', numberOf(node) + textOf(node) + signOf(node)), make('span', known ? judged.class : '', known ? ` ${say(judged.class)}` : ''),
      node.kind === 'main' ? '' : ` · ${say({engine: 'engine', other: 'variation', own: 'own'}[node.kind])}`]);
  } else {
    lines.push([make('b', '', say('start'))]);
  }
  if (node.judged) lines.push(...aboutJudged(node));
  for (const text of [node.lead, node.comment]) if (text) lines.push([text]);
  return lines;
}

function aboutJudged(node) {
  const lines = [], {judged} = node;
  if (judged.from !== undefined) lines.push([say('falls', percent(judged.from), percent(judged.from - judged.loss))]);
  for (const reason of judged.reasons || []) lines.push([reason[view.language]]);
  if (judged.luck !== undefined) lines.push([say('luck', nameOf(0), percent(judged.luck), percent(judged.win))]);
  if (judged.book) lines.push([say('inBook')]);
  if (judged.over) lines.push([gameWord(judged.over)]);
  if (judged.error) lines.push([`${say('error')} ${judged.error}`]);
  const score = scoreWords(judged);
  if (score) lines.push([`${score} · ${chanceText()} ${percent(judged.win)} %${judged.depth ? ` · ${say('depth')} ${judged.depth}` : ''}`]);
  if (judged.line && judged.line.length) {
    lines.push([`${say('engine')}: `, ...judged.line.flatMap((node, i, line) => [moveItem(node, isNumbered(node, line[i - 1])), ' '])]);
  }
  if (judged.new) {
    lines.push([make('b', '', say('new')), ` ${say('before', judged.new.games)}`]);
    for (const {game, move} of judged.new.latest) lines.push([game, move ? ` · ${textOf(move, node.prev)}` : '']);
  }
  return lines;
}

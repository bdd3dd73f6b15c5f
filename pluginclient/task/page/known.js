// What the server knows of a position without an engine: its state, the ruling on its repetition, and what was played in it
// in the games of a database. And a game that it annotates.

// know asks what is known of a node and shows it, if it is still the one that is chosen.
let asking;
function know(node) {
  clearTimeout(asking);
  if (asking === undefined) wait(1);
  asking = setTimeout(async () => {
    asking = undefined;
    await editing; // the server has the node then
    if (isOfGame(node)) node.known ??= await post('/look', ofGame({path: indexPath(node)}), 422);
    wait(-1);
    if (node !== chosen || !node.known) return;
    tell(node);
    drawExplored(node);
  }, 120);
}

// drawExplored shows the moves that were played at a node, which a click plays, and games through it, which one opens.
function drawExplored(node) {
  const {explored, games = [], openings = []} = node.known;
  $('explorer').hidden = !explored;
  if (!explored) return;
  $('openings').textContent = openings.map(({games: count, ...names}) => `${names[view.language]} (${count})`).join(' · ');
  const percents = ({wins, draws, losses}) => {
    const n = wins + draws + losses;
    return n ? [wins, draws, losses].map((count) => `${Math.round(100 * count / n)} %`).join(' / ') : '';
  };
  const head = make('tr', '', ...['moves', 'games', 'results', 'lastPlayed'].map((word) => make('th', '', say(word))));
  $('explored').replaceChildren(head, ...(explored.moves || []).map((move) => {
    const button = makeButton(textOfMove(node, move.move), () => enter(node, [{move: move.move}]));
    return make('tr', '', make('td', '', button), make('td', '', String(move.games)), make('td', '', percents(move)), make('td', '', move.last || ''));
  }));
  $('through').replaceChildren(...games.map((game) => make('li', '', makeButton(
    [[game.first, game.second].filter(Boolean).join(' – ') || '?', game.result, game.date, game.event].filter(Boolean).join(' · '),
    async () => {
      const answer = await post('/explored', ofGame({path: indexPath(node), explored: game.n}));
      if (answer) location.href = `/?file=${answer.file}#${node.ply}`;
    }))));
}

// annotateGame has the server judge all moves of the game; a second call stops it. Engines look at nothing else meanwhile.
let annotating;
async function annotateGame() {
  if (annotating) {
    annotating.abort();
    return;
  }
  const word = (name) => { $('annotate').textContent = say($('annotate').dataset.word = name); };
  annotating = new AbortController();
  word('stop');
  for (const engine of engines) cancel(engine.request);
  let isKept = true; // by the server, what the page shows
  try {
    const response = await fetch('/annotate', {method: 'POST', signal: annotating.signal, body: JSON.stringify(ofGame({language: view.language}))});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); // not every browser iterates over it
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (text + part.value).split('\n');
      text = lines.pop();
      for (const line of lines.map(JSON.parse)) {
        if (line.of) $('progress').textContent = `${line.done} / ${line.of}`;
        if (line.error) complain(line.error);
        isKept = !line.error;
        if (line.line && !training) take(line);
      }
    }
  } catch (error) {
    isKept = false;
    if (error.name !== 'AbortError') complain(say('ended'));
  }
  if (!isKept && !training) await editing.then(refresh);
  annotating = undefined;
  $('progress').textContent = '';
  word('annotate');
  look(true);
}

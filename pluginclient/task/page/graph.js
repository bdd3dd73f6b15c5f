// A graph of the first side's chance of winning by ply, from 0 at the bottom to 1 on top.
const graphSize = {width: 640, height: 150};

// sideColors are those of the sides in the graph and in the bar beside the board, by their names.
const sideColors = data.names.map((name, side) => ({red: '#d9534a', black: '#37474f', white: '#cfd8dc'}[name] || ['#8d6e63', '#546e7a'][side]));
const graphColors = {inaccuracy: '#ffb300', mistake: '#ff7043', blunder: '#ec407a'};
const graphX = (ply, line) => (line.length > 1 ? 7 + (graphSize.width - 14) * ply / (line.length - 1) : graphSize.width / 2);
const graphY = (win) => 6 + (graphSize.height - 12) * (1 - win);

function drawGraph(line) {
  const {width, height} = graphSize, graph = $('graph');
  graph.replaceChildren();
  graph.setAttribute('aria-label', chanceText());
  graph.style.background = sideColors[1];
  const known = line.filter((node) => node.judged && node.judged.win !== undefined);
  if (known.length) {
    const points = known.map((node) => `${graphX(node.ply, line).toFixed(1)} ${graphY(node.judged.win).toFixed(1)}`);
    const edges = [known[0], known.at(-1)].map((node) => graphX(node.ply, line).toFixed(1));
    graph.append(shape('path', {d: `M${edges[0]} ${height}L${points.join('L')}L${edges[1]} ${height}z`, fill: sideColors[0]}));
    graph.append(shape('path', {d: `M${points.join('L')}`, fill: 'none', stroke: '#fff', 'stroke-width': 1.5}));
  }
  graph.append(shape('path', {d: `M0 ${graphY(.5)}H${width}`, stroke: '#fff', 'stroke-opacity': .45, 'stroke-dasharray': '4 4'}));
  graph.append(shape('path', {id: 'cursor', stroke: '#ffe082', 'stroke-width': 2}));
  for (const node of known) {
    if (!isBad(node)) continue;
    const dot = shape('circle', {
      cx: graphX(node.ply, line).toFixed(1), cy: graphY(node.judged.win).toFixed(1), r: 4, fill: graphColors[node.judged.class], stroke: '#fff',
    });
    const title = shape('title', {});
    title.textContent = `${numberOf(node)}${textOf(node)} ${say(node.judged.class)}`;
    dot.append(title);
    graph.append(dot);
  }
}

// markGraph marks the position of the line that is chosen, or was the last before it.
function markGraph(line) {
  const x = graphX(mainBefore(chosen).ply, line).toFixed(1);
  $('cursor').setAttribute('d', `M${x} 0V${graphSize.height}`);
}

// playOnGraph has the reader choose positions in the graph, by a click or by dragging. lineOf returns them.
function playOnGraph(lineOf) {
  let dragging = false;
  const follow = (event) => {
    const box = $('graph').getBoundingClientRect();
    const line = lineOf(), at = (event.clientX - box.left) / box.width * graphSize.width;
    const ply = Math.round((at - 7) / (graphSize.width - 14) * (line.length - 1));
    choose(line[Math.max(0, Math.min(line.length - 1, ply))]);
  };
  $('graph').addEventListener('pointerdown', (event) => { dragging = true; follow(event); });
  $('graph').addEventListener('pointermove', (event) => { if (dragging) follow(event); });
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => { dragging = false; });
}

// drawing makes the board of a page from the look of a game and its rules: it draws as Look.SVG does.
const drawing = (look, rules) => {
  function place(name, flip) {
    const [x, y, kind] = look.points[name] || [0, 0, ''];
    return flip ? [look.width - x, look.height - y, kind] : [x, y, kind];
  }

  const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

  // parts are the board itself, which begins a picture and is the same for all positions, and the layers of what stands
  // on it, each with what is around it.
  function parts(position, {letters, flip, chinese, last, arrows = [], grouped} = {}) {
    const skin = look.skins[Number(Boolean(letters && look.skins[1].head))], layers = look.layers.map(() => '');
    const items = rules.items(position), occupied = new Set(items.map(([, point]) => point));

    function add(shape, from, to, text = '') {
      const [x, y, kind] = place(from, flip), [X, Y] = place(to, flip), values = {x, y, X, Y}, found = skin.shapes[shape + kind];
      if (!found) return;
      layers[found.layer] += found.svg.replace(/\$([xyXYt])([+-]\d+)?/g, (_, name, more = '') =>
        name === 't' ? escape(text) + more : values[name] + Number(more));
    }

    for (const point of last ? rules.ends(last) : []) add('last', point, point);
    for (const [shape, point, text] of items) {
      const layer = skin.shapes[shape + place(point)[2]]?.layer;
      if (grouped && layer !== undefined) layers[layer] += `<g data-point="${point}">`;
      add(shape, point, point, text);
      if (grouped && layer !== undefined) layers[layer] += '</g>';
    }
    for (const points of arrows.map(rules.ends)) {
      if (points.length === 1) add(occupied.has(points[0]) ? 'ring' : 'dot', points[0], points[0]);
      else if (points.length) add('arrow', points[0], points.at(-1));
    }
    return [skin.head + look.edges[Number(Boolean(flip))][Number(Boolean(chinese))],
      layers.map((text, i) => [look.layers[i][0], text, look.layers[i][1]])];
  }

  function draw(position, options) {
    const [head, layers] = parts(position, options);
    return `${head}${layers.map(([open, text, close]) => text && open + text + close).join('')}</svg>\n`;
  }

  const points = (move, flip, position) => (rules.path || rules.ends)(move, position).map((name) => place(name, flip).slice(0, 2));
  const names = Object.keys(look.points);
  return {...rules, draw, parts, points, names, place: (name, flip) => place(name, flip).slice(0, 2)};
};

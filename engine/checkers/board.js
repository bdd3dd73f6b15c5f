// board draws positions of checkers as SVG text, like Board.SVG.
const board = (() => {
  const parts = PARTS, cell = 50;

  // ends are the numbers of the first and the last square of a move.
  const ends = (move) => { const all = move.match(/\d+/g).map(Number); return [all[0], all.at(-1)]; };
  const middleOf = (number, flip) => parts.views[Number(Boolean(flip))].middles[number];

  // parse returns the squares of each side, Black's first, and those of kings.
  function parse(text) {
    const fields = text.split(':').slice(1), kings = new Set();
    const sides = ['B', 'W'].map((letter) => new Set(fields.find((field) => field[0] === letter).slice(1).split(',').filter(Boolean).map((name) => {
      const number = Number(name.replace('K', ''));
      if (name[0] === 'K') kings.add(number);
      return number;
    })));
    return {sides, kings};
  }

  function drawArrow([x1, y1], [x2, y2]) {
    const dx = 10 * Math.sign(x2 - x1), dy = 10 * Math.sign(y2 - y1);
    return `<path d="M${x1} ${y1}L${x2} ${y2}m${-dx} 0h${dx}v${-dy}" fill="none" stroke="#1565c0" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>\n`;
  }

  function draw(text, {flip, last, arrows = []} = {}) {
    const {sides, kings} = parse(text), marked = last ? ends(last) : [];
    let svg = parts.head;
    for (const number of parts.order) {
      const [x, y] = middleOf(number, flip);
      svg += `<rect x="${x - cell / 2}" y="${y - cell / 2}" width="${cell}" height="${cell}" fill="${marked.includes(number) ? '#6f9a4d' : '#8a6a45'}"/>\n`;
    }
    svg += parts.views[Number(Boolean(flip))].labels;
    sides.forEach((squares, side) => {
      const [fill, line] = side ? ['#fdfdf6', '#5a5a5a'] : ['#2b2b2b', '#c8c8c8'];
      for (const number of parts.order.filter((number) => squares.has(number))) {
        const [x, y] = middleOf(number, flip);
        svg += `<circle cx="${x}" cy="${y}" r="20" fill="${fill}" stroke="${line}" stroke-width="2"/>\n`;
        if (kings.has(number)) svg += `<circle cx="${x}" cy="${y}" r="11" fill="none" stroke="#c9a227" stroke-width="4"/>\n`;
      }
    });
    for (const move of arrows) svg += drawArrow(...ends(move).map((number) => middleOf(number, flip)));
    return svg + '</svg>\n';
  }

  const points = (move, flip) => move.match(/\d+/g).map((number) => middleOf(Number(number), flip));

  return {draw, points};
})();

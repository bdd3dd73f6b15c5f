// board draws positions of quantum chess as SVG text, like Board.SVG.
const board = (() => {
  const cell = 100, size = 8 * cell;

  // parse returns the pieces of a position in the order of their squares, and the selected square.
  function parse(text) {
    const [, white, black, selected] = text.split(' ');
    const pieces = [];
    [white, black].forEach((field, side) => field.split(',').forEach((piece) => {
      const found = /^([a-z+])([a-z+?])([a-z]?)([01]?)@(\d)(\d)$/.exec(piece);
      if (!found) return; // captured
      const kinds = found.slice(1, 3).map((letter) => letter.replace('+', 'q'));
      const [x, y] = found.slice(5).map(Number);
      pieces.push({side, kinds, state: found[4], x, y});
    }));
    pieces.sort((a, b) => a.y - b.y || a.x - b.x);
    return {pieces, selected: selected === '-' ? [] : squares(selected)};
  }

  // squares are those that a move names.
  const squares = (move) => (move.replace(/^[01]=.*/, '').match(/[0-7]{2}/g) || []).map((name) => [...name].map(Number));

  function drawPiece({side, kinds, state}, x, y) {
    const [fill, ink] = side ? ['#202020', '#ffffff'] : ['#ffffff', '#202020'];
    const now = kinds[0] === kinds[1] ? kinds[0] : state ? kinds[state] : '?';
    let svg = `<circle cx="${x}" cy="${y}" r="42" fill="${fill}" stroke="#202020" stroke-width="3"/>\n` +
      `<text x="${x}" y="${y + 6}" font-size="40" font-weight="bold" fill="${ink}">${now.toUpperCase()}</text>\n`;
    if (now === 'k') return svg;
    kinds.forEach((kind, i) => {
      const weight = state === String(i) ? ' font-weight="bold" text-decoration="underline"' : '';
      svg += `<text x="${x - 14 + 28 * i}" y="${y + 30}" font-size="22"${weight} fill="${ink}">${kind}</text>\n`;
    });
    return svg;
  }

  const placeOf = ([x, y], flip) => (flip ? [7 - x, 7 - y] : [x, y]).map((n) => n * cell);
  const middleOf = (square, flip) => placeOf(square, flip).map((n) => n + cell / 2);

  function draw(text, {flip, last, arrows = []} = {}) {
    const place = (square) => placeOf(square, flip), middle = (square) => middleOf(square, flip);
    const rect = (square, paint) => {
      const [x, y] = place(square);
      return `<rect x="${x}" y="${y}" width="${cell}" height="${cell}" ${paint}/>\n`;
    };
    const {pieces, selected} = parse(text);
    let svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" font-family="sans-serif" text-anchor="middle">\n`;
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) svg += rect([x, y], `fill="${(x + y) % 2 ? '#b58863' : '#f0d9b5'}"`);
    }
    for (const square of [...selected, ...squares(last || '')]) svg += rect(square, 'fill="#ffe04d" fill-opacity="0.6"');
    for (const piece of pieces) svg += drawPiece(piece, ...middle([piece.x, piece.y]));
    const drawn = arrows.map(squares);
    for (const [at] of drawn.filter((list) => list.length === 1)) {
      const [x, y] = middle(at);
      svg += `<circle cx="${x}" cy="${y}" r="46" fill="none" stroke="#1a7f37" stroke-width="6"/>\n`;
    }
    for (const [from, to] of drawn.filter((list) => list.length === 2)) {
      const [x1, y1] = middle(from), [x2, y2] = middle(to);
      svg += `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#1a7f37" stroke-width="10" stroke-opacity="0.7" stroke-linecap="round"/>\n` +
        `<circle cx="${x2}" cy="${y2}" r="14" fill="#1a7f37"/>\n`;
    }
    return svg + '</svg>\n';
  }

  const points = (move, flip) => squares(move).map((square) => middleOf(square, flip));

  return {draw, points};
})();

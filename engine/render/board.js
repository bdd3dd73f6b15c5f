// drawBoard draws a Xiangqi position as SVG text.
const drawBoard = (() => {
  const parts = PARTS;

  // square is the number of a point: rank x 9 + file.
  const square = (name) => (name.charCodeAt(1) - 48) * 9 + (name.toUpperCase().charCodeAt(0) - 65);

  // squares are the 90 points of a FEN's board, each a letter or empty.
  function squares(fen) {
    const board = new Array(90).fill('');
    fen.split(' ')[0].split('/').slice(0, 10).forEach((rank, row) => {
      let sq = (9 - row) * 9;
      for (const c of rank) {
        if (c >= '1' && c <= '9') sq += Number(c);
        else board[sq++] = c;
      }
    });
    return board;
  }

  // use draws a character in the colour of its group.
  const use = (name, x, y, scale, more = '') =>
    `<use xlink:href="#glyph-${name.codePointAt(0).toString(16)}" transform="translate(${x} ${y}) scale(${scale})"${more}/>`;

  return (fen, options = {}) => {
    const {letters, flip, last, targets = [], arrows = []} = options;
    const board = squares(fen);

    function place(sq) {
      let file = sq % 9, rank = Math.floor(sq / 9);
      if (flip) [file, rank] = [8 - file, 9 - rank];
      return [parts.unit + parts.unit * file, parts.height - parts.unit - parts.unit * rank];
    }

    function names() {
      let svg = parts.names;
      for (let file = 0; file < 9; file++) {
        const [x] = place(file), name = 'ABCDEFGHI'[file];
        svg += use(name, x, parts.topNames, parts.scaleName) + use(name, x, parts.bottomNames, parts.scaleName);
      }
      for (let rank = 0; rank < 10; rank++) {
        const [, y] = place(rank * 9), name = String(rank);
        svg += use(name, parts.leftNames, y, parts.scaleName) + use(name, parts.rightNames, y, parts.scaleName);
      }
      return svg + parts.groupEnd;
    }

    function pieces(side, group) {
      let svg = group;
      board.forEach((letter, sq) => {
        const kind = parts.letters.indexOf(letter.toUpperCase());
        if (!letter || kind < 1 || (letter === letter.toUpperCase()) !== (side === 0)) return;
        const [x, y] = place(sq), name = letters ? letter : parts.hanzi[side][kind];
        svg += `<circle cx="${x}" cy="${y}" r="21" fill="#fff8e7" stroke-width="2"/>` +
          use(name, x, y, parts.scalePiece, ' stroke="none"');
      });
      return svg + parts.groupEnd;
    }

    // marks are a group with something for each of several points or moves.
    function marks(group, list, draw) {
      return list.length ? group + list.map(draw).join('') + parts.groupEnd : '';
    }

    function target(sq) {
      const [x, y] = place(sq), shape = board[sq] ? 'r="23" fill="none"' : 'r="6" fill="#2e7d32"';
      return `<circle cx="${x}" cy="${y}" ${shape}/>`;
    }

    const points = (move) => [move.slice(0, 2), move.slice(-2)].map(square).map(place);

    return (letters ? parts.headLetters : parts.headHanzi + parts.river) + names() +
      marks(parts.last, last ? points(last) : [], ([x, y]) =>
        `<rect x="${x - 23}" y="${y - 23}" width="46" height="46" rx="6"/>`) +
      pieces(0, parts.red) + pieces(1, parts.black) +
      marks(parts.targets, targets.map(square), target) +
      marks(parts.arrows, arrows.map(points), ([[x1, y1], [x2, y2]]) => `<path d="M${x1} ${y1}L${x2} ${y2}"/>`) +
      parts.end;
  };
})();

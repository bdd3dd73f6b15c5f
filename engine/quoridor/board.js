// The rules of Quoridor.
(() => {
  // nameOf names the cell of a column and a row, both from 0 at A1.
  const nameOf = (column, row) => String.fromCharCode(65 + column) + (row + 1);

  // parseMove reads a move, whose side is named if it is not to move. A wall has the cell to the upper
  // left of its middle.
  function parseMove(move, turn) {
    const [, side, letter, number, kind] = /^(?:(black|white):)?([A-Z])(\d+)([hv]?)$/.exec(move);
    return {side: side ? Number(side === 'white') : turn, column: letter.charCodeAt(0) - 65, row: Number(number) - 1, kind};
  }

  function parse(text) {
    const [size, turn, ...rest] = text.split(' ');
    const walls = rest.pop();
    return {
      size: Number(size), turn: Number(turn === 'w'),
      pawns: rest.map((field) => parseMove(field.split('/')[0])), left: rest.map((field) => Number(field.split('/')[1])),
      walls: new Set(walls === '-' ? [] : walls.split(',')),
    };
  }

  // format writes a position. Walls are in the order of their kinds, rows and columns.
  function format({size, turn, pawns, left, walls}) {
    const order = (wall) => { const {kind, row, column} = parseMove(wall); return [Number(kind === 'v'), row, column]; };
    const sorted = [...walls].sort((a, b) => order(a).map((n, i) => n - order(b)[i]).find(Boolean) || 0);
    const sides = pawns.map(({column, row}, side) => `${nameOf(column, row)}/${left[side]}`);
    return `${size} ${'bw'[turn]} ${sides.join(' ')} ${sorted.join(',') || '-'}`;
  }

  const directions = [[0, 1], [1, 0], [0, -1], [-1, 0]];

  // step is the cell beside another; undefined if it is off the board or behind a wall.
  function step({size, walls}, {column, row}, [dx, dy]) {
    const to = {column: column + dx, row: row + dy};
    if (to.column < 0 || to.column >= size || to.row < 0 || to.row >= size) return undefined;
    const left = Math.min(column, to.column), upper = Math.max(row, to.row);
    const barring = dx ? [nameOf(left, row) + 'v', nameOf(left, row + 1) + 'v'] : [nameOf(column, upper) + 'h', nameOf(column - 1, upper) + 'h'];
    return barring.some((wall) => walls.has(wall)) ? undefined : to;
  }

  const isSame = (a, b) => a.column === b.column && a.row === b.row;

  // steps are the cells that the pawn of the side to move can go to. It jumps over the other pawn, aside
  // if it cannot jump straight.
  function steps(position) {
    const own = position.pawns[position.turn], other = position.pawns[1 - position.turn];
    return directions.flatMap((way, i) => {
      const next = step(position, own, way);
      if (!next || !isSame(next, other)) return next || [];
      return step(position, other, way) || [1, 3].flatMap((turn) => step(position, other, directions[(i + turn) % 4]) || []);
    });
  }

  const goalOf = ({size}, side) => (side ? size - 1 : 0);

  // reaches reports whether there is a way for a pawn to its goal row.
  function reaches(position, side) {
    const seen = new Set(), found = [position.pawns[side]];
    for (const at of found) {
      if (at.row === goalOf(position, side)) return true;
      for (const way of directions) {
        const next = step(position, at, way);
        if (!next || seen.has(next.row * position.size + next.column)) continue;
        seen.add(next.row * position.size + next.column);
        found.push(next);
      }
    }
    return false;
  }

  // isFree reports whether a wall neither crosses nor overlaps another.
  function isFree(walls, column, row, kind) {
    const [dx, dy] = kind === 'h' ? [1, 0] : [0, 1];
    return ![nameOf(column, row) + 'h', nameOf(column, row) + 'v', nameOf(column - dx, row - dy) + kind, nameOf(column + dx, row + dy) + kind]
      .some((wall) => walls.has(wall));
  }

  // buildable are the walls that the side to move can build.
  function buildable(position) {
    const {size, walls, left, turn} = position, found = [];
    if (!left[turn]) return found;
    for (const kind of 'hv') {
      for (let row = 1; row < size; row++) {
        for (let column = 0; column < size - 1; column++) {
          if (!isFree(walls, column, row, kind)) continue;
          const wall = nameOf(column, row) + kind, after = {...position, walls: new Set(walls).add(wall)};
          if (reaches(after, 0) && reaches(after, 1)) found.push(wall);
        }
      }
    }
    return found;
  }

  // moves returns the legal moves; none if the game is over.
  function moves(text) {
    const position = parse(text);
    if (position.pawns.some(({row}, side) => row === goalOf(position, side))) return [];
    return [...steps(position).map(({column, row}) => nameOf(column, row)), ...buildable(position)];
  }

  // play returns the position after a legal move.
  function play(text, move) {
    const position = parse(text), {side, column, row, kind} = parseMove(move, position.turn);
    if (kind) {
      position.walls.add(nameOf(column, row) + kind);
      position.left[side]--;
    } else {
      position.pawns[side] = {column, row};
    }
    position.turn = 1 - side;
    return format(position);
  }

  const colours = ['black', 'white'];

  // items are the walls, and each side's pawn and walls left.
  function items(text) {
    const {pawns, left, walls} = parse(text);
    return [...[...walls].map((name) => ['wall', name, '']),
      ...pawns.flatMap(({column, row}, side) => [[colours[side], nameOf(column, row), ''], [`${colours[side]} walls`, '', String(left[side])]])];
  }

  const edit = {
    pieces: [...colours, 'wall'], empty: (text) => format({...parse(text), walls: []}),
    put(text, point, piece) {
      const position = parse(text), [wall] = point.split(' '), {kind, column, row} = parseMove(wall), side = colours.indexOf(piece);
      if (kind && piece === 'wall') position.walls.add(wall);
      else if (kind) position.walls.delete(wall);
      else if (side >= 0) position.pawns[side] = {column, row};
      return format(position);
    },
    handOver: (text) => text.replace(/ [bw] /, (turn) => (turn === ' b ' ? ' w ' : ' b ')),
    side: (text) => colours[parse(text).turn],
  };

  const ends = (move) => [move.split(':').at(-1)];

  // path is where a move is made: in its cell, or in the groove at the left or upper half of its wall.
  const path = (move) => ends(move).map((name) => (/[hv]$/.test(name) ? `${name} groove` : name));

  return {items, ends, path, moves, play, edit, name: (text, move) => move};
})();

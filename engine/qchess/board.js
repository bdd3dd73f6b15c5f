// The rules of quantum chess.
(() => {
  const names = {p: 'pawn', r: 'rook', n: 'knight', b: 'bishop', q: 'queen', k: 'king', '+': 'queen'}; // of kinds
  const counts = {p: 8, r: 2, n: 2, b: 2, q: 1}; // of the second kinds of a side

  // parse returns the pieces of each side in their order in the text. A piece has two kinds, and a
  // square as in moves: the empty one if it is captured. Its state is the index of its kind of now,
  // empty in superposition.
  function parse(text) {
    const [turn, white, black, selected] = text.split(' ');
    const sides = [white, black].map((field, side) => field.split(',').map((piece) => {
      const [, first, second, hidden, state, at] = /^([a-z+])([a-z+?])([a-z]?)([01]?)@(\d\d)$/.exec(piece) || ['', '', piece[1] || '?', '', '', ''];
      return {side, kinds: [first, second], hidden, state, at};
    }));
    const all = sides.flat();
    return {turn: Number(turn === 'b'), sides, at: (square) => all.find(({at}) => at && at === square), selected: selected === '-' ? '' : selected};
  }

  // shown is the letter of a piece's second kind as it was drawn, if it has been revealed.
  const shown = ({kinds: [, second]}) => (/[?k]/.test(second) ? '' : second.replace('+', 'p'));

  function format({turn, sides, selected}) {
    const write = (piece) => (piece.at ? `${piece.kinds.join('')}${piece.hidden}${piece.state}@${piece.at}` : `-${shown(piece)}`);
    return ['wb'[turn], ...sides.map((pieces) => pieces.map(write).join()), selected || '-'].join(' ');
  }

  // squares are those that a move names.
  const squares = (move) => (isOutcome(move) ? [] : move.match(/\d\d/g));
  const isOutcome = (move) => move[1] === '=';

  const ways = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]]; // of a rook, and of a bishop
  const leaps = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];

  // targets are the squares to which a piece can move as its kind of now.
  function targets(position, piece) {
    const [x, y] = [...piece.at].map(Number), isFree = (square) => !position.at(square);

    // walk returns up to a number of squares in each direction, the last of which may have an enemy.
    const walk = (steps, most) => steps.flatMap(([dx, dy]) => {
      const found = [];
      for (let n = 1; n <= most; n++) {
        const square = `${x + n * dx}${y + n * dy}`, other = position.at(square);
        if (!/^[0-7][0-7]$/.test(square) || (other && other.side === piece.side)) break;
        found.push(square);
        if (other) break;
      }
      return found;
    });

    const [ahead, second] = piece.side ? [1, 1] : [-1, 6];
    switch (names[piece.kinds[piece.state]]) {
      case 'king': return walk(ways, 1);
      case 'knight': return walk(leaps, 1);
      case 'queen': return walk(ways, 7);
      case 'rook': return walk(ways.slice(0, 4), 7);
      case 'bishop': return walk(ways.slice(4), 7);
    }
    return [...walk([[0, ahead]], y === second ? 2 : 1).filter(isFree), ...walk([[-1, ahead], [1, ahead]], 1).filter((square) => !isFree(square))];
  }

  // outcomes are what a piece in superposition may become. A second kind that is not known is any of
  // which the side has not had all.
  function outcomes({sides}, {side, kinds: [first, second], hidden}) {
    const isLeft = ([kind, count]) => sides[side].filter((piece) => shown(piece) === kind).length < count;
    const seconds = second !== '?' ? [second] : hidden ? [hidden] : Object.entries(counts).filter(isLeft).map(([kind]) => kind);
    return [`0=${names[first]}`, ...seconds.map((kind) => `1=${names[kind]}`)];
  }

  const isOver = ({sides}) => sides.some((pieces) => !pieces[3].at) || sides.every((pieces) => pieces.filter(({at}) => at).length === 1);

  // moves returns the legal steps.
  function moves(text) {
    const position = parse(text), {sides, turn, selected} = position, piece = position.at(selected);
    if (isOver(position)) return [];
    if (!piece) return sides[turn].filter(({at}) => at).map(({at}) => `@${at}`);
    return piece.state ? targets(position, piece).map((to) => `${selected}-${to}`) : outcomes(position, piece);
  }

  // become gives a piece the kind of an outcome.
  function become(piece, outcome) {
    const [index, name] = outcome.split('=');
    if (piece.kinds[index] === '?') piece.kinds[index] = Object.keys(counts).find((kind) => names[kind] === name);
    if (index === '1') piece.hidden = '';
    piece.state = index;
  }

  function move(position, piece, to) {
    const victim = position.at(to);
    if (victim) victim.at = '';
    piece.at = to;
    if (piece.kinds[piece.state] === 'p' && to[1] === '07'[piece.side]) piece.kinds[piece.state] = '+';
  }

  // endTurn ends the turn of a piece, which goes into superposition on an odd square.
  function endTurn(position, piece) {
    const [x, y] = piece.at, [first, second] = piece.kinds.map((kind) => names[kind]);
    if ((Number(x) + Number(y)) % 2) piece.state = first === second ? '0' : '';
    position.selected = '';
    position.turn = 1 - position.turn;
  }

  // play returns the position after a legal step.
  function play(text, step) {
    const position = parse(text), [from, to] = squares(step), piece = position.at(position.selected || from);
    position.selected = piece.at;
    if (isOutcome(step)) become(piece, step);
    if (to) move(position, piece, to);
    if (to || (piece.state && !targets(position, piece).length)) endTurn(position, piece);
    return format(position);
  }

  // items are the square that is selected, and of each piece its kind of now and both kinds.
  function items(text) {
    const {at, selected} = parse(text), found = selected ? [['last', selected, '']] : [];
    for (let n = 0; n < 64; n++) {
      const square = `${n % 8}${n >> 3}`, piece = at(square);
      if (!piece) continue;
      const side = 'wb'[piece.side], kinds = piece.kinds.map((kind) => kind.replace('+', 'q')), {state} = piece;
      const now = kinds[0] === kinds[1] ? kinds[0] : state ? kinds[state] : '?';
      found.push([side, square, ''], [`${side}now`, square, now.toUpperCase()]);
      if (now !== 'k') kinds.forEach((kind, i) => found.push([side + i + (state === String(i) ? 'now' : ''), square, kind]));
    }
    return found;
  }

  // choice is what an outcome says: which of the two kinds, with its odds, and its name.
  const choice = (step) => (isOutcome(step) ? [step[0] === '0' ? 'first kind, 50 %' : 'second kind, 50 %', step.slice(2)] : undefined);

  return {items, ends: squares, moves, play, choice, turn: (text) => parse(text).turn, name: (text, step) => step};
})();

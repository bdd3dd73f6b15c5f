// The rules of a variant of checkers.
(() => {
  const rules = RULES;

  const numbersOf = (move) => move.match(/\d+/g).map(Number);

  // parse returns the squares of each side, Black's first, those of kings, and the side to move.
  function parse(text) {
    const fields = text.split(':').slice(1), kings = new Set();
    const sides = ['B', 'W'].map((letter) => new Set(fields.find((field) => field[0] === letter).slice(1).split(',').filter(Boolean).map((name) => {
      const number = Number(name.replace('K', ''));
      if (name[0] === 'K') kings.add(number);
      return number;
    })));
    return {sides, kings, turn: Number(text[0] === 'W')};
  }

  function format({sides, kings, turn}) {
    const list = (side) => [...side].sort((a, b) => a - b).map((number) => (kings.has(number) ? 'K' : '') + number);
    return `${'BW'[turn]}:W${list(sides[1])}:B${list(sides[0])}`;
  }

  // steps are the squares beside each one, 0 for none, in the four ways:
  // Black's men move in the first two, White's in the others.
  const {steps} = rules, ways = [0, 1, 2, 3];
  const isForward = (side, way) => (way < 2) === (side === 0);
  const isLast = (side, at) => ways.every((way) => !isForward(side, way) || !steps[at][way]);

  // slides are the empty squares from one on, of which only kings that fly have more than the first.
  function slides(at, way, isFree, flies) {
    const found = [];
    for (; at && isFree(at) && (flies || !found.length); at = steps[at][way]) found.push(at);
    return found;
  }

  // captures are the complete series of captures of the piece on a square: the squares on which it
  // lands, and the pieces that it takes, which stay on the board until its end.
  function captures({sides, kings, turn}, from) {
    const found = [], isFree = (at) => at === from || !(sides[0].has(at) || sides[1].has(at));

    // extend continues a series, and reports whether it could.
    function extend(at, path, taken, king) {
      return ways.filter((way) => {
        if (!king && !rules.backward && !isForward(turn, way)) return false;
        const flies = king && rules.flying;
        const victim = steps[flies ? slides(steps[at][way], way, isFree, true).at(-1) || at : at][way];
        if (!sides[1 - turn].has(victim) || taken.includes(victim) || (!king && rules.kingImmune && kings.has(victim))) return false;
        const lands = slides(steps[victim][way], way, isFree, flies);
        if (lands.length) capture(lands, path, [...taken, victim], king);
        return lands.length;
      }).length;
    }

    // capture lands on one of several squares; if it can continue from some, it must.
    function capture(lands, path, taken, king) {
      const more = lands.filter((land) => {
        const crowned = !king && isLast(turn, land);
        return !(crowned && rules.promotion === 'stop') && extend(land, [...path, land], taken, king || (crowned && rules.promotion === 'continue'));
      });
      if (!more.length) for (const land of lands) found.push({from, to: land, path: [...path, land], taken, king: king || isLast(turn, land)});
    }

    extend(from, [], [], kings.has(from));
    return found;
  }

  // rank orders captures where the rules restrict the choice: only those of the highest are legal.
  function rank({kings}, {from, taken}) {
    const crowns = taken.map((number) => Number(kings.has(number))), count = crowns.filter(Boolean).length;
    const early = crowns.reduce((bits, crown) => 2 * bits + crown, 0); // the earlier a king is taken, the higher
    return {
      any: 0,
      most: taken.length,
      kings: 16 * taken.length + count,
      italian: ((2 * taken.length + Number(kings.has(from))) * 16 + count) * 4096 + early,
    }[rules.choice];
  }

  // quiet are the moves without a capture of the piece on a square.
  function quiet({sides, kings, turn}, from) {
    const isFree = (at) => !(sides[0].has(at) || sides[1].has(at)), king = kings.has(from);
    return ways.filter((way) => king || isForward(turn, way)).flatMap((way) => slides(steps[from][way], way, isFree, king && rules.flying))
      .map((to) => ({from, to, path: [to], taken: [], king: king || isLast(turn, to)}));
  }

  const fromTo = ({from, to}) => `${from} ${to}`;
  const endsAndTaken = (move) => `${fromTo(move)} ${[...move.taken].sort()}`;

  // legal returns the legal moves by their names. Series of captures that differ only in their order
  // are one move. If others with the same ends take other pieces, the name has all squares.
  function legal(text) {
    const position = parse(text), own = [...position.sides[position.turn]];
    const all = own.flatMap((from) => captures(position, from)), best = Math.max(...all.map((move) => rank(position, move)));
    if (!all.length) return new Map(own.flatMap((from) => quiet(position, from)).map((move) => [`${move.from}-${move.to}`, move]));
    const chosen = new Map(all.filter((move) => rank(position, move) === best).reverse().map((move) => [endsAndTaken(move), move]));
    const isOnly = (move) => [...chosen.values()].filter((other) => fromTo(other) === fromTo(move)).length === 1;
    return new Map([...chosen.values()].map((move) => [[move.from, ...(isOnly(move) ? [move.to] : move.path)].join('x'), move]));
  }

  const moves = (text) => [...legal(text).keys()];

  // play returns the position after a legal move.
  function play(text, name) {
    const position = parse(text), {from, to, taken, king} = legal(text).get(name), {sides, kings, turn} = position;
    for (const number of [from, ...taken]) for (const set of [...sides, kings]) set.delete(number);
    sides[turn].add(to);
    if (king) kings.add(to);
    return format({...position, turn: 1 - turn});
  }

  // name returns a move with the names of squares as the notation has them.
  const name = (text, move, notation) => (notation === 'algebraic' ? move.replace(/\d+/g, (number) => rules.algebraic[number]).replaceAll('x', ':') : move);

  // items are the pieces: men by the letters of their sides, kings in upper case.
  function items(text) {
    const {sides, kings} = parse(text);
    return sides.flatMap((squares, side) => rules.order.filter((number) => squares.has(number))
      .map((number) => [kings.has(number) ? 'BW'[side] : 'bw'[side], String(number)]));
  }

  const edit = {
    pieces: ['w', 'W', 'b', 'B'], empty: () => 'B:W:B',
    put(text, point, piece) {
      const position = parse(text), number = Number(point), {sides, kings} = position;
      for (const set of [...sides, kings]) set.delete(number);
      if (piece) sides['bw'.indexOf(piece.toLowerCase())].add(number);
      if (piece && piece < 'a') kings.add(number);
      return format(position);
    },
    handOver: (text) => (text[0] === 'W' ? 'B' : 'W') + text.slice(1),
    side: (text) => (text[0] === 'W' ? 'white' : 'black'),
  };

  const ends = (move) => { const all = move.match(/\d+/g); return [all[0], all.at(-1)]; };

  // path has all squares on which a move lands if it ends where it begins.
  function path(move, text) {
    const numbers = numbersOf(move), isRound = numbers.length === 2 && numbers[0] === numbers[1];
    return (isRound ? [numbers[0], ...legal(text).get(move).path] : numbers).map(String);
  }

  return {items, ends, path, moves, play, name, edit};
})();

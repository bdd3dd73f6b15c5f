// board draws positions of checkers as SVG text, like Board.SVG, and has the rules of a variant.
const board = (() => {
  const parts = PARTS, cell = 50;

  const numbersOf = (move) => move.match(/\d+/g).map(Number);
  const endsOf = (move) => { const all = numbersOf(move); return [all[0], all.at(-1)]; };
  const middleOf = (number, flip) => parts.views[Number(Boolean(flip))].middles[number];

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

  // rules are those of the variant. steps are the squares beside each one, 0 for none, in the four ways:
  // Black's men move in the first two, White's in the others.
  const {rules, steps} = parts, ways = [0, 1, 2, 3];
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

  const ends = ({from, to}) => `${from} ${to}`;
  const endsAndTaken = (move) => `${ends(move)} ${[...move.taken].sort()}`;

  // legal returns the legal moves by their names. Series of captures that differ only in their order
  // are one move. If others with the same ends take other pieces, the name has all squares.
  function legal(text) {
    const position = parse(text), own = [...position.sides[position.turn]];
    const all = own.flatMap((from) => captures(position, from)), best = Math.max(...all.map((move) => rank(position, move)));
    if (!all.length) return new Map(own.flatMap((from) => quiet(position, from)).map((move) => [`${move.from}-${move.to}`, move]));
    const chosen = new Map(all.filter((move) => rank(position, move) === best).reverse().map((move) => [endsAndTaken(move), move]));
    const isOnly = (move) => [...chosen.values()].filter((other) => ends(other) === ends(move)).length === 1;
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
  const name = (text, move, notation) => (notation === 'algebraic' ? move.replace(/\d+/g, (number) => parts.algebraic[number]).replaceAll('x', ':') : move);

  function drawArrow([x1, y1], [x2, y2]) {
    const dx = 10 * Math.sign(x2 - x1), dy = 10 * Math.sign(y2 - y1);
    return `<path d="M${x1} ${y1}L${x2} ${y2}m${-dx} 0h${dx}v${-dy}" fill="none" stroke="#1565c0" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>\n`;
  }

  function draw(text, {flip, last, arrows = []} = {}) {
    const {sides, kings} = parse(text), marked = last ? endsOf(last) : [];
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
    for (const move of arrows) svg += drawArrow(...endsOf(move).map((number) => middleOf(number, flip)));
    return svg + '</svg>\n';
  }

  // points are the squares of a move's name, and all on which it lands if it ends where it begins.
  function points(move, flip, text) {
    const numbers = numbersOf(move), isRound = numbers.length === 2 && numbers[0] === numbers[1];
    return (isRound ? [numbers[0], ...legal(text).get(move).path] : numbers).map((number) => middleOf(number, flip));
  }

  return {draw, points, moves, play, name};
})();

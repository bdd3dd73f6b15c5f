// The rules of Xiangqi but for those on repetition, so that a reader can try moves without an engine.
(() => {
  // square is the number of a point: rank x 9 + file.
  const square = (name) => (name.charCodeAt(1) - 48) * 9 + (name.toUpperCase().charCodeAt(0) - 65);
  const nameOf = (sq) => 'ABCDEFGHI'[sq % 9] + Math.floor(sq / 9);
  const endsOf = (move) => ends(move).map(square);

  // squares are the 90 points of a FEN's board, each a letter or empty.
  function squares(fen) {
    const list = new Array(90).fill('');
    fen.split(' ')[0].split('/').slice(0, 10).forEach((rank, row) => {
      let sq = (9 - row) * 9;
      for (const c of rank) {
        if (c >= '1' && c <= '9') sq += Number(c);
        else list[sq++] = c;
      }
    });
    return list;
  }

  const ends = (move) => [move.slice(0, 2), move.slice(-2)];

  // items are the pieces by their letters.
  const items = (fen) => squares(fen).flatMap((letter, sq) => (letter ? [[letter, nameOf(sq)]] : []));

  const straight = [[1, 0], [-1, 0], [0, 1], [0, -1]], diagonal = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
  const isRed = (letter) => letter < 'a';

  // reach returns the points that the piece on a point may move to, whatever check it leaves.
  function reach(list, from) {
    const letter = list[from], red = isRed(letter), x = from % 9, y = (from - x) / 9;
    const at = (x, y) => x < 0 || x > 8 || y < 0 || y > 9 ? undefined : list[9 * y + x];
    const inPalace = (x, y) => x > 2 && x < 6 && (red ? y < 3 : y > 6);
    const isHome = (y) => (red ? y < 5 : y > 4);
    const found = [];
    const add = (x, y) => {
      const there = at(x, y);
      if (there === '' || (there && isRed(there) !== red)) found.push(9 * y + x);
    };
    const slide = ([dx, dy], isCannon) => {
      let to = [x + dx, y + dy];
      const step = () => { to = [to[0] + dx, to[1] + dy]; };
      for (; at(...to) === ''; step()) found.push(9 * to[1] + to[0]);
      if (isCannon) {
        do step(); while (at(...to) === '');
      }
      if (at(...to)) add(...to);
    };
    const kinds = {
      K: () => { for (const [dx, dy] of straight) if (inPalace(x + dx, y + dy)) add(x + dx, y + dy); },
      A: () => { for (const [dx, dy] of diagonal) if (inPalace(x + dx, y + dy)) add(x + dx, y + dy); },
      B: () => { for (const [dx, dy] of diagonal) if (at(x + dx, y + dy) === '' && isHome(y + 2 * dy)) add(x + 2 * dx, y + 2 * dy); },
      N: () => {
        for (const [dx, dy] of straight) {
          if (at(x + dx, y + dy) === '') for (const turn of [1, -1]) add(x + 2 * dx + turn * dy, y + 2 * dy + turn * dx);
        }
      },
      R: () => straight.forEach((way) => slide(way, false)),
      C: () => straight.forEach((way) => slide(way, true)),
      P: () => {
        add(x, red ? y + 1 : y - 1);
        if (!isHome(y)) { add(x - 1, y); add(x + 1, y); }
      },
    };
    kinds[letter.toUpperCase()]?.();
    return found;
  }

  // isAttacked reports whether a side's king may be captured, the other king's view included.
  function isAttacked(list, red) {
    const king = list.indexOf(red ? 'K' : 'k'), other = list.indexOf(red ? 'k' : 'K');
    if (other % 9 === king % 9) {
      let sq = Math.min(king, other) + 9;
      while (list[sq] === '') sq += 9;
      if (sq === Math.max(king, other)) return true;
    }
    return list.some((letter, sq) => letter && isRed(letter) !== red && reach(list, sq).includes(king));
  }

  const isRedToMove = (fen) => fen.split(' ')[1] !== 'b';

  // moves returns the legal moves of a position, without the rules on repetition.
  function moves(fen) {
    const list = squares(fen), red = isRedToMove(fen), found = [];
    list.forEach((letter, from) => {
      if (!letter || isRed(letter) !== red) return;
      for (const to of reach(list, from)) {
        const after = list.slice();
        [after[from], after[to]] = ['', letter];
        if (!isAttacked(after, red)) found.push(`${nameOf(from)}-${nameOf(to)}`);
      }
    });
    return found;
  }

  // placement writes the 90 points of a board.
  function placement(list) {
    const ranks = [];
    for (let rank = 9; rank >= 0; rank--) {
      ranks.push(list.slice(9 * rank, 9 * rank + 9).map((letter) => letter || '1').join('').replace(/1+/g, (gap) => gap.length));
    }
    return ranks.join('/');
  }

  const edit = {
    pieces: [...'KABNRCPkabnrcp'], empty: () => '9/9/9/9/9/9/9/9/9/9 w - - 0 1',
    put(fen, point, piece) {
      const list = squares(fen);
      list[square(point)] = piece;
      return `${placement(list)} ${isRedToMove(fen) ? 'w' : 'b'} - - 0 1`;
    },
    handOver: (fen) => fen.replace(/ [wb] .*/, (rest) => ` ${rest[1] === 'w' ? 'b' : 'w'} - - 0 1`),
    side: (fen) => (isRedToMove(fen) ? 'red' : 'black'),
  };

  // play returns the FEN after a legal move.
  function play(fen, move) {
    const list = squares(fen), [from, to] = endsOf(move), fields = fen.split(' ');
    const quiet = list[to] ? 0 : Number(fields[4]) + 1, number = Number(fields[5]);
    [list[from], list[to]] = ['', list[from]];
    const red = isRedToMove(fen);
    return `${placement(list)} ${red ? 'b' : 'w'} - - ${quiet} ${red ? number : number + 1}`;
  }

  // The characters of the Chinese notations: the pieces of each side in the order RNBAKCP,
  // the first, the middle and the last of several, and the ways ahead, back and aside.
  const scripts = {
    chinese: {pieces: ['车马相仕帅炮兵', '车马象士将炮卒'], rows: '前中后', ways: '进退平'},
    traditional: {pieces: ['車馬相仕帥炮兵', '車馬象士將炮卒'], rows: '前中後', ways: '進退平'},
  };

  // placeOf tells a piece from the others of its kind: its file as its side counts, how many are on it,
  // which of these it is, from 1 at the front, and which of the pieces on all files that have several.
  function placeOf(list, sq, red) {
    const fileOf = (sq) => (red ? 9 - sq % 9 : sq % 9 + 1), row = (sq) => Math.floor(sq / 9);
    const file = fileOf(sq), files = new Array(10).fill(0);
    let nth = 1, several = false;
    list.forEach((letter, other) => {
      if (letter !== list[sq]) return;
      files[fileOf(other)]++;
      if (fileOf(other) === file && row(other) !== row(sq) && (other > sq) === red) nth++;
    });
    let count = nth;
    files.forEach((n, other) => {
      if (n < 2 || other === file) return;
      several ||= files[file] > 1;
      if (other < file) count += n;
    });
    return {file, nth, count, several, onFile: files[file], fileOf};
  }

  // wayOf returns which way a move goes, 0 ahead, 1 back, 2 aside, and its number: the file that it goes
  // to, or the number of ranks.
  function wayOf(from, to, red, kind, fileOf) {
    const ranks = Math.floor(to / 9) - Math.floor(from / 9);
    if (!ranks) return [2, fileOf(to)];
    return [(ranks > 0) === red ? 0 : 1, 'NBA'.includes(kind) ? fileOf(to) : Math.abs(ranks)];
  }

  function wxfPiece({file, nth, several, onFile}, letter, alone) {
    if (alone) return letter + file;
    if (onFile === 2 && !several) return letter + '+-'[nth - 1];
    if (several && onFile === 3 && nth === file && nth !== 2) return file + '+ -'[nth - 1];
    return String(nth) + file;
  }

  function chinesePiece({file, nth, count, several, onFile}, piece, rows, digits, alone) {
    if (alone) return piece + digits[file - 1];
    if (several || onFile > 3) return '一二三四五六七八九'[count - 1] + piece;
    return rows[nth === 1 ? 0 : nth === onFile ? 2 : 1] + piece;
  }

  // name returns a legal move in a notation; as it is if the notation is another.
  function name(fen, move, notation) {
    const list = squares(fen), [from, to] = endsOf(move), red = isRed(list[from]), kind = list[from].toUpperCase();
    const place = placeOf(list, from, red), alone = place.onFile === 1 || 'BA'.includes(kind);
    const [way, n] = wayOf(from, to, red, kind, place.fileOf), index = 'RNBAKCP'.indexOf(kind);
    if (notation === 'wxf') return wxfPiece(place, 'RHEAKCP'[index], alone) + '+-='[way] + n;
    const script = scripts[notation];
    if (!script) return move;
    const digits = red ? '一二三四五六七八九' : '１２３４５６７８９';
    return chinesePiece(place, script.pieces[red ? 0 : 1][index], script.rows, digits, alone) + script.ways[way] + digits[n - 1];
  }

  return {items, ends, moves, play, name, edit};
})();

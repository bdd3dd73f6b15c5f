// gameText is the game as PGN, with its variations and comments, what the engine would have played
// instead of bad moves, and the reader's own moves. before are the moves that led to the root.
function gameText(root, before = []) {
  const words = [];
  let prefix = '';
  const add = (word) => { words.push(prefix + word); prefix = ''; };

  // comment adds a comment, in which nothing ends it or looks like a tag, and reports whether there
  // is one.
  function comment(...texts) {
    const text = texts.filter(Boolean).join('\n');
    if (text) add(`{${text.replaceAll('{', '(').replaceAll('}', ')').replace(/^[ \t]*\[(?=[A-Za-z]\w*[ \t]+")/gm, '(')}}`);
    return Boolean(text);
  }

  function move(node, numbered) {
    if (node.chance) {
      comment(`chance: ${node.move}`);
    } else {
      add((numbered || !node.second ? `${node.n}${node.second ? '...' : '.'} ` : '') + node.move.replaceAll(' ', '_'));
    }
    const glyphs = [...node.glyphs || []];
    if (isBad(node) && !glyphs.some((glyph) => glyph <= 6)) glyphs.push(badMoves[node.judged.class].glyph);
    if (node.judged?.new) glyphs.push(146); // a novelty
    for (const glyph of glyphs) add(`$${glyph}`);
  }

  // isWritten reports whether a branch belongs to the text: lines of the engine do if they are better
  // than a bad move, or have moves of the reader's.
  const isWritten = (node) => node.kind !== 'engine' || hasOwn(node) || node.prev.kind === 'engine' || isBad(node.prev.next);

  function line(node, numbered) {
    for (;;) {
      const [main, ...others] = node.branches.filter(isWritten);
      if (!main) return;
      move(main, numbered);
      numbered = comment(main.lead, main.note ?? main.comment);
      for (const other of others) {
        variation(other);
        numbered = true;
      }
      node = main;
    }
  }

  function variation(node) {
    prefix = '(';
    comment(node.lead);
    move(node, true);
    line(node, comment(node.note ?? node.comment));
    words.push(`${words.pop()})`);
  }

  comment(root.note ?? root.comment);
  before.forEach((node, i) => move(node, i === 0));
  line(root, true);
  return `${data.pgn}\n${wrap([...words, data.result])}\n`;
}

// wrap puts words on lines of up to 80 characters, as far as words allow.
function wrap(words) {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > 80) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}

// badMoves are the classes of moves that give something away, with their signs and glyphs.
const badMoves = {inaccuracy: {sign: '?!', glyph: 6}, mistake: {sign: '?', glyph: 2}, blunder: {sign: '??', glyph: 4}};
const isBad = (node) => Boolean(node && node.judged && badMoves[node.judged.class]);

// The languages of a page.
const words = {
  en: {
    name: 'English', lang: 'en', notation: 'notation', start: 'start', engine: 'engine', variation: 'variation', own: 'your move', outcome: 'outcome',
    dark: 'dark', light: 'light', flip: 'turn the board', letters: 'letters',
    first: 'to the start (Home)', back: 'back (←)', forward: 'forward (→)', last: 'to the end (End)',
    try: 'try a move', choose: 'on the board, or here', play: 'play', forget: 'remove this line', noMoves: 'no legal move',
    position: 'position', copy: 'copy position', copied: 'copied', copyYourself: 'press Ctrl+C', download: 'save PGN',
    mates: (side, n) => `${side} mates in ${n}`,
    depth: 'depth', error: 'the engine has not answered:',

    moves: 'moves', worse: 'next mistake', judgedBy: 'judged by', level: 'level', deeper: 'suspicious moves at level',
    chance: (side) => `${side}'s chance of winning`, would: 'better was', loss: 'average loss', accuracy: 'accuracy',
    best: 'best', good: 'good', inaccuracy: 'inaccuracy', mistake: 'mistake', blunder: 'blunder',
    book: 'book', bookMoves: (n) => `${counted(n, 'move')} of the book`, inBook: 'in the book', new: 'new move',
    before: (n) => (n ? `· ${counted(n, 'game')} had the position before:` : ''),
    falls: (from, to) => `the chance of winning falls from ${from} % to ${to} %`,
    luck: (side, from, to) => `luck: ${side}'s chance of winning ${from < to ? 'rises' : 'falls'} from ${from} % to ${to} %`,
    reportKeys: '← → step, Home and End, ↑ ↓ variations, E the engine’s line, M next mistake, F turn the board, N notation, L 中文. The wheel over the board steps, a click in the graph goes there.',

    hints: (engine) => `Hints of ${engine}`, tree: 'A tree of hints',
    summary: ({searched, failed, size, open}) => [`${counted(searched, 'position')} searched`, counted(size, 'move'),
      failed && `${failed} failed`, open && `${open} left out`].filter(Boolean).join(', '),
    after: 'after', value: 'value', rank: 'rank', nodes: 'nodes', expects: 'expects', says: 'says', odds: 'odds', failed: 'error:',
    same: (moves) => `as after ${moves}`, loop: ', which leads here',
    repeats: 'repeats a position of the game', backAt: (moves) => `back at the position after ${moves}`, backAtFirst: 'back at the first position',
    treeKeys: '↑ ↓ and ← → go through the tree, Home to its start, F turns the board, N notation, L 中文.',
  },
  zh: {
    name: '中文', lang: 'zh-Hans', notation: '记谱', start: '开局', engine: '引擎', variation: '变着', own: '试走', outcome: '结果',
    dark: '深色', light: '浅色', flip: '翻转棋盘', letters: '字母棋子',
    first: '到开局 (Home)', back: '后退 (←)', forward: '前进 (→)', last: '到终局 (End)',
    try: '试走', choose: '在棋盘上，或在此选择', play: '走', forget: '删除此变着', noMoves: '无合法着法',
    position: '局面', copy: '复制局面', copied: '已复制', copyYourself: '请按 Ctrl+C', download: '保存 PGN',
    mates: (side, n) => `${side} ${n} 步杀`,
    depth: '深度', error: '引擎没有回答：',

    moves: '着法', worse: '下一失误', judgedBy: '点评引擎', level: '级别', deeper: '可疑着法级别',
    chance: (side) => `${side}胜率`, would: '应走', loss: '平均损失', accuracy: '准确度',
    best: '最佳', good: '好棋', inaccuracy: '缓着', mistake: '失误', blunder: '漏着',
    book: '谱', bookMoves: (n) => `谱着 ${n} 步`, inBook: '谱着', new: '新着', before: (n) => (n ? `· 此前 ${n} 局有此局面：` : ''),
    falls: (from, to) => `胜率由 ${from}% 降为 ${to}%`,
    luck: (side, from, to) => `运气：${side}胜率由 ${from}% ${from < to ? '升' : '降'}为 ${to}%`,
    reportKeys: '← → 前后一步，Home、End 到头到尾，↑ ↓ 换变着，E 引擎着法，M 下一失误，F 翻转棋盘，N 记谱，L English。棋盘上滚轮走子，点曲线跳转。',

    hints: (engine) => `${engine} 的提示`, tree: '提示树',
    summary: ({searched, failed, size, open}) => [`搜索 ${searched} 个局面`, `${size} 步着法`,
      failed && `${failed} 个失败`, open && `${open} 个未搜索`].filter(Boolean).join('，'),
    after: '走过', value: '分值', rank: '名次', nodes: '节点', expects: '预计', says: '引擎说', odds: '概率', failed: '错误：',
    same: (moves) => `同 ${moves} 之后的局面`, loop: '，该局面又到此处',
    repeats: '重复对局中的局面', backAt: (moves) => `回到 ${moves} 之后的局面`, backAtFirst: '回到最初局面',
    treeKeys: '↑ ↓ 与 ← → 在树中移动，Home 到根，F 翻转棋盘，N 记谱，L English。',
  },
};
const notationNames = {chinese: '中文', traditional: '中文（繁體）', wxf: 'WXF', iccs: 'ICCS', uci: 'UCI', san: 'SAN'};
const counted = (n, one) => `${n} ${one}${n === 1 ? '' : 's'}`;

// The language is the one that the reader has chosen on any page, that of the page, or the browser's.
const readersLanguage = () => (navigator.language.startsWith('zh') ? 'zh' : 'en');
const view = {language: words[recall('language')] ? recall('language') : data.language || readersLanguage(), flip: false, letters: false};
view.notation = data.notation || data.usual[view.language];

const say = (word, ...rest) => {
  const text = words[view.language][word];
  return rest.length ? text(...rest) : text;
};

// gameWord is a word of the game, openingName the name of its opening if no tag has one, nameOf that of side 0 or 1.
const gameWord = (word) => (data.words[view.language] || {})[word] || word;
const openingName = () => (data.opening || {})[view.language];
const nameOf = (side) => { const name = gameWord(data.names[side]); return name[0].toUpperCase() + name.slice(1); };

// speak changes the language, and with it a notation that is the usual one of the old language.
function speak(language) {
  if (view.notation === data.usual[view.language]) view.notation = data.usual[language];
  view.language = language;
}

// The words of the page to work on.
Object.assign(words.en, {
  lines: 'lines', seconds: 'seconds', arrowsOf: 'arrows', depthOf: 'depth', perSecond: 'nodes/s', noEngine: 'no engine plays this game',
  options: 'options', asUsual: 'as usual', enginesOf: 'engines…', startAgain: 'start again', starts: 'starts…',
  ended: 'the connection has ended: is qhsh serve running?', again: 'connect again', bestIs: (move) => `best: ${move}`,
  open: 'open…', fresh: 'new game', save: 'save', saveAs: 'save as', one: 'this game', all: 'all games', undo: 'undo', redo: 'redo', mirror: 'mirror', picture: 'PNG', drawing: 'SVG', copyGame: 'copy', noText: (format) => `${format} is not a text that can be copied: choose pgn or dhtmlxq`, swap: 'swap colours', edit: 'edit position', link: 'copy link', linkCopied: 'An address that opens this position is copied.',
  movePieces: 'move pieces', removePieces: 'remove pieces', toMove: (side) => `${side} to move`, clear: 'clear', begin: 'start position', done: 'use this position', cancel: 'cancel', isValid: 'this position can be used',
  tags: 'about the game', tagNames: {},
  comment: 'comment', promote: 'promote', makeMain: 'main line', remove: 'delete from here', games: 'games', find: 'find', addGame: 'add a game', deleteGame: 'delete this game', earlier: 'earlier', later: 'later', closeFile: 'close', sure: 'This cannot be undone. Go on?', file: 'file',
  lost: (format, parts) => `${format} cannot hold: ${parts}. Save all the same?`, damaged: 'not read:', changed: 'changed', result: 'result', glyphs: 'judgement',
  annotate: 'annotate this game', stop: 'stop', results: 'won / drawn / lost', lastPlayed: 'last',
  opponent: 'play against', none: 'nobody', strength: 'level', hint: 'hint', takeBack: 'take back',
  boardKeys: '← → step, Home and End, ↑ ↓ variations, Space the best move, F turn the board, N notation, L 中文, Ctrl+Z undo, Ctrl+Y redo. Drag with the right button for arrows. Paste a position or a game anywhere, or drop a file.',
});
Object.assign(words.zh, {
  lines: '路数', seconds: '秒', arrowsOf: '箭头', depthOf: '深度', perSecond: '节点/秒', noEngine: '没有此棋种的引擎',
  options: '选项', asUsual: '恢复默认', enginesOf: '引擎…', startAgain: '重新启动', starts: '正在启动…',
  ended: '连接已断开：qhsh serve 还在运行吗？', again: '重新连接', bestIs: (move) => `最佳：${move}`,
  open: '打开…', fresh: '新对局', save: '保存', saveAs: '另存为', one: '本局', all: '全部对局', undo: '撤销', redo: '重做', mirror: '左右镜像', picture: 'PNG', drawing: 'SVG', copyGame: '复制', noText: (format) => `${format} 不是文本，不能复制：请选 pgn 或 dhtmlxq`, swap: '交换红黑', edit: '编辑局面', link: '复制链接', linkCopied: '已复制打开此局面的地址。',
  movePieces: '移动棋子', removePieces: '删除棋子', toMove: (side) => `${side}走`, clear: '清空', begin: '最初局面', done: '使用此局面', cancel: '取消', isValid: '此局面可用',
  tags: '对局信息', tagNames: {Title: '标题', Event: '赛事', Date: '日期', Site: '地点', Round: '轮次', Opening: '布局', Result: '结果', Annotator: '点评'},
  comment: '注解', promote: '提升变着', makeMain: '设为主线', remove: '删除此后着法', games: '对局', find: '查找', addGame: '添加对局', deleteGame: '删除本局', earlier: '上移', later: '下移', closeFile: '关闭', sure: '此操作不能撤销，要继续吗？', file: '文件',
  lost: (format, parts) => `${format} 不能保存：${parts}。仍要保存吗？`, damaged: '未能读取：', changed: '已改动', result: '结果', glyphs: '评价',
  annotate: '点评本局', stop: '停止', results: '胜 / 和 / 负', lastPlayed: '最近',
  opponent: '对手', none: '无', strength: '级别', hint: '提示', takeBack: '悔棋',
  boardKeys: '← → 前后一步，Home、End 到头到尾，↑ ↓ 换变着，空格走最佳着法，F 翻转棋盘，N 记谱，L English，Ctrl+Z 撤销，Ctrl+Y 重做。右键拖动画箭头。可随处粘贴局面或棋谱，或拖入文件。',
});

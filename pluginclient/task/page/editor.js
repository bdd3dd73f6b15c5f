// The editor of positions, for games whose script has one: pieces are put on the board, and what is wrong with the
// position is said all the time.

// setup is the position that the reader sets up, as a node without moves, and what the server says of it; undefined if
// there is none. brush is the piece
// that a click puts down: empty to remove what stands there, undefined to move it.
let setup, brush;

// check asks the server for the text of a position, or what is wrong with it; that of the start if it is empty.
const check = (text) => request(`/check?${queryOf({text})}`);

// setUp shows another position in the editor.
async function setUp(text) {
  const now = setup = {position: text, kind: 'own', ply: 0, n: 1, branches: [], legal: []};
  show();
  drawEditor();
  now.checked = await check(text);
  if (setup === now) drawEditor();
}

// setUpText shows the position of a text in the editor, or says what is wrong with it.
async function setUpText(text) {
  const answer = await check(text);
  if (!answer) return;
  complain(answer.error);
  if (answer.position) setUp(answer.position);
}

// editPosition opens the editor, or closes it.
function editPosition() {
  brush = undefined;
  if (setup) endSetup();
  else setUp(positionOf(chosen));
}

function endSetup() {
  setup = undefined;
  drawEditor();
  show();
}

// drawEditor draws the pieces to choose from, and the buttons.
function drawEditor() {
  $('editor').hidden = !setup;
  $('edit').setAttribute('aria-pressed', String(Boolean(setup)));
  if (!setup) return;
  const tools = board.edit, text = setup.position, empty = tools.empty(text);
  const choice = (value, content, label) => {
    const button = makeButton(content, () => { brush = value; drawEditor(); });
    button.setAttribute('aria-pressed', String(brush === value));
    button.setAttribute('aria-label', label);
    button.title = label;
    return button;
  };
  const {position, error} = setup.checked || {}, done = makeButton(say('done'), () => { endSetup(); edit(() => ({do: 'start', text})); });
  done.disabled = !position;
  $('pieces').replaceChildren(
    make('p', 'palette', choice(undefined, '✥', say('movePieces')), choice('', '⌫', say('removePieces')), ...tools.pieces.map((piece) => choice(piece, pictureOf(piece, empty), piece))),
    make('p', '', makeButton(say('toMove', gameWord(tools.side(text))), () => setUp(tools.handOver(text))), ' ', makeButton(say('clear'), () => setUp(empty)), ' ',
      makeButton(say('begin'), () => setUpText(''))),
    make('p', '', done, ' ', makeButton(say('cancel'), endSetup)),
  );
  if (setup.checked) $('validity').textContent = error || say('isValid');
  $('validity').className = error ? 'blunder' : 'best';
}

// pictureOf is the part of a board on which a piece stands.
function pictureOf(piece, empty) {
  const draw = (text) => board.draw(text, {letters: view.letters, chinese: view.language === 'zh', grouped: true});
  const at = board.names.find((name) => draw(board.edit.put(empty, name, piece)) !== draw(empty));
  const picture = make('span');
  picture.innerHTML = draw(board.edit.put(empty, at, piece));
  const svg = picture.querySelector('svg'), [x, y] = board.place(at), size = .11 * svg.viewBox.baseVal.width;
  svg.setAttribute('viewBox', `${x - size / 2} ${y - size / 2} ${size} ${size}`);
  svg.setAttribute('aria-hidden', 'true');
  return picture;
}

// nearestPoint is the name of the point at which a pointer is; undefined if it is beside all.
function nearestPoint(event) {
  const pointer = rules && pointerAt(event);
  if (!pointer) return undefined;
  const distance = (name) => { const [x, y] = board.place(name, view.flip); return Math.hypot(x - pointer.x, y - pointer.y); };
  const best = board.names.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  return distance(best) < pointer.reach ? best : undefined;
}

// setUpOnBoard has the reader put pieces on the board, move them, off the board too, and remove them by the right button.
function setUpOnBoard() {
  let from, held;
  const put = (point, piece) => board.edit.put(setup.position, point, piece);
  const standing = (point) => board.items(setup.position).find(([piece, at]) => at === point && board.edit.pieces.includes(piece))?.[0];
  $('board').addEventListener('pointerdown', (event) => {
    const point = setup && nearestPoint(event);
    if (!point) return;
    event.preventDefault();
    const piece = standing(point);
    if (event.button === 2) setUp(put(point, ''));
    else if (brush !== undefined) setUp(put(point, piece === brush ? '' : brush));
    else if (piece) [from, held] = [point, piece];
  });
  addEventListener('pointerup', (event) => {
    const point = setup && held && nearestPoint(event);
    if (setup && held && point !== from) {
      setup.position = put(from, '');
      setUp(point ? put(point, held) : setup.position);
    }
    [from, held] = [];
  });
}

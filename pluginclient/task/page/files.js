// The files and their games on a page of a server, and how the page asks the server.
const rowHeight = 26; // of the list of games, in pixels
let listing; // what the server has said of its files
let waiting = 0; // how many answers the page waits for

// wait counts one more, or less, and says it to those who look at the page with a program.
function wait(more) {
  waiting += more;
  document.querySelector('main').setAttribute('aria-busy', String(waiting > 0));
}

// request asks the server, and returns its answer; undefined if it refuses, which the page says unless the refusal has
// the status quiet: of a game that has changed, which the page is about to be told.
async function request(address, options, quiet) {
  wait(1);
  try {
    const response = await fetch(address, options), answer = await response.json();
    if (response.ok) return answer;
    if (response.status === 409) { await page.refresh(); complain(say('changed')); } else if (response.status !== quiet) complain(answer.error);
  } catch {
    complain(say('ended'));
  } finally {
    wait(-1);
  }
  return undefined;
}

const post = (address, body, quiet) => request(address, {method: 'POST', body: typeof body === 'object' && !(body instanceof Blob) ? JSON.stringify(body) : body}, quiet);

// ofGame is what a request says of the game, and more; queryOf is that as the query of an address.
const ofGame = (more) => ({file: data.file, game: data.number, ...more});
const queryOf = (more) => new URLSearchParams(ofGame(more));
const visit = (file, game = 0) => { location.href = `/?file=${file}&game=${game}`; };

// complain shows a message, with a button that repeats what has failed if again is given.
function complain(text, again) {
  $('message').hidden = !text;
  $('message').replaceChildren(text || '', ' ', ...(again ? [makeButton(say('again'), () => { complain(); again(); })] : []));
}

// openText opens a text or a file as games.
async function openText(body, name = '') {
  const answer = await post(`/open?${new URLSearchParams({name, kind: data.kind})}`, body);
  if (answer) visit(answer.file);
}

// drawFiles asks for the files and draws what depends on them.
async function drawFiles() {
  const answer = await request('/files');
  if (!answer) return;
  listing = answer;
  const own = listing.files.find(({file}) => file === data.file) || {formats: [], damage: []};
  $('file').replaceChildren(...listing.files.map(({file, name, games, edited}) => new Option(`${name}${edited ? ' *' : ''} (${games})`, file, false, file === data.file)));
  $('format').replaceChildren(...own.formats.map((name) => new Option(name, name, false, name === (recall('format') || 'pgn'))));
  $('fresh').replaceChildren(new Option(say('fresh'), ''), ...listing.kinds.map(([kind, title]) => new Option(title, kind)));
  $('save').hidden = !own.save;
  $('exercises').hidden = !own.puzzles;
  $('save').disabled = !own.edited;
  $('damage').textContent = (own.damage || []).length ? `${say('damaged')} ${own.damage.join(' · ')}` : '';
  $('files').open ||= own.games > 1;
  listGames();
}

// listGames shows the rows of the list that are in sight.
let pointed; // the place of the row at which the keys point; undefined: the game of the page
async function listGames() {
  if (!$('files').open) return;
  const list = $('games'), from = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 20), find = $('find').value;
  const answer = await request(`/list?${queryOf({from, find})}`);
  if (!answer) return;
  const space = make('div', 'space'), isFirst = !list.firstChild;
  space.style.height = `${rowHeight * answer.total}px`;
  answer.rows.forEach((row, i) => {
    const at = from + i, isPointed = at === (pointed ?? -1) || (pointed === undefined && row.game === data.number);
    const item = make('div', `game${row.game === data.number ? ' chosen' : ''}${isPointed ? ' pointed' : ''}`,
      ...[row.n, row.first, row.second, row.result, row.plies, row.date, row.event].map((text) => make('span', '', String(text))));
    item.id = `game${row.game}`;
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', String(row.game === data.number));
    item.setAttribute('aria-posinset', String(at + 1));
    item.setAttribute('aria-setsize', String(answer.total));
    item.style.top = `${rowHeight * at}px`;
    item.addEventListener('click', () => visit(data.file, row.game));
    if (isPointed) {
      pointed = at;
      list.setAttribute('aria-activedescendant', item.id);
    }
    space.append(item);
  });
  list.replaceChildren(space);
  if (isFirst && answer.at > 1) {
    list.scrollTop = rowHeight * (answer.at - 3);
    listGames();
  }
}

// pointAt has the keys point at another row of the list of games, and Enter open it.
async function pointAt(event) {
  const list = $('games'), page = Math.floor(list.clientHeight / rowHeight) - 1;
  const step = {ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity}[event.key];
  if (event.key === 'Enter') list.querySelector('.pointed')?.click();
  if (step === undefined) return;
  event.preventDefault();
  event.stopPropagation(); // or the moves would be stepped through
  pointed = Math.min(list.firstChild.clientHeight / rowHeight - 1, Math.max(0, (pointed ?? 0) + step));
  const top = rowHeight * pointed;
  list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + rowHeight - list.clientHeight));
  await listGames();
}

// exportGames saves games in the format that is chosen, after saying what that cannot hold, or copies their text.
async function exportGames(all, isCopy) {
  const format = $('format').value;
  const response = await fetch(`/export?${queryOf({format, notation: format === 'pgn' ? view.notation : '', ...(all ? {all: ''} : {})})}`);
  if (!response.ok) return complain(await response.text());
  const lost = JSON.parse(decodeURIComponent(response.headers.get('X-Lost') || 'null')) || [];
  if (lost.length && !confirm(say('lost', format, lost.join(', ')))) return undefined;
  if (isCopy && !response.headers.get('Content-Type').startsWith('text')) return complain(say('noText', format));
  if (isCopy) return copyText(await response.text(), say('copied'));
  const [, name] = /filename="?([^";]*)/.exec(response.headers.get('Content-Disposition')) || [];
  return save(await response.blob(), name || `game.${format}`);
}

async function savePicture(kind) {
  const options = {position: positionOf(chosen), last: chosen.move || '', [kind]: '', ...(view.flip ? {flip: ''} : {}), ...(view.letters ? {letters: ''} : {}), ...(view.language === 'zh' ? {chinese: ''} : {})};
  const response = await fetch(`/picture?${queryOf(options)}`);
  if (!response.ok) return complain(await response.text());
  return save(await response.blob(), `board.${kind}`);
}

// copyLink copies an address that opens the position with the moves before it.
function copyLink() {
  const open = [positionOf(root), 'moves', ...pathTo(chosen).map(({move}) => move)].join(' ').replace(/ moves$/, '');
  return copyText(`${location.origin}/?${new URLSearchParams({kind: data.kind, open})}`, say('linkCopied'));
}

// copyText copies a text and says so, or shows it where the browser refuses.
const copyText = (text, done) => navigator.clipboard.writeText(text).then(() => complain(done), () => complain(text));

// playWithFiles has the reader open, save and choose files and games.
function playWithFiles() {
  const arrange = (change) => editing = editing.then(async () => { // one after the other, as changes of the game
    const done = await post('/arrange', {file: data.file, version: data.version, ...change});
    if (!done) return undefined;
    data.version = done.version;
    await drawFiles();
    return done;
  });
  const on = (id, act) => $(id).addEventListener('click', act);
  on('open', () => {
    const field = make('input');
    field.type = 'file';
    field.addEventListener('change', () => { if (field.files[0]) openText(field.files[0], field.files[0].name); });
    field.click();
  });
  $('fresh').addEventListener('change', async () => {
    const answer = $('fresh').value && await post(`/open?kind=${$('fresh').value}`, '');
    if (answer) visit(answer.file);
  });
  on('save', async () => { if (await post(`/save?file=${data.file}`, '')) { complain(); drawFiles(); } });
  on('one', () => exportGames(false));
  on('all', () => exportGames(true));
  on('copyGame', () => exportGames(false, true));
  on('picture', () => savePicture('png'));
  on('drawing', () => savePicture('svg'));
  $('format').addEventListener('change', () => remember('format', $('format').value));
  $('file').addEventListener('change', () => visit($('file').value));
  on('closeFile', async () => {
    if (!confirm(say('sure'))) return;
    const done = await post('/arrange', {file: data.file, version: data.version, close: true});
    if (done) location.href = '/';
  });
  on('addGame', async () => { const done = await arrange({add: true}); if (done) visit(data.file, done.game); });
  on('deleteGame', async () => { const done = confirm(say('sure')) && await arrange({delete: data.number}); if (done) visit(data.file, done.game); });
  on('earlier', () => arrange({move: data.number, by: -1}));
  on('later', () => arrange({move: data.number, by: 1}));
  $('find').addEventListener('input', () => { pointed = 0; listGames(); });
  $('games').addEventListener('keydown', pointAt);
  $('files').addEventListener('toggle', listGames);
  let drawing;
  $('games').addEventListener('scroll', () => { cancelAnimationFrame(drawing); drawing = requestAnimationFrame(listGames); });
  document.addEventListener('paste', (event) => {
    const text = event.clipboardData.getData('text');
    if (event.target.closest?.('input, textarea') || !text.trim()) return;
    event.preventDefault();
    openText(text);
  });
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) openText(file, file.name);
  });
}

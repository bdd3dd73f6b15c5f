// Which engines run on a page of a server, their options, and what is said to them. The server keeps the first two.

let offers = []; // what the server has said of the engines for the game
const known = new Map(); // engines that have run, by name
const offerOf = ({engine}) => offers.find((offer) => offer.engine === engine) || {};

// listEngines asks which engines there are and which of them run, and calls listed then.
function listEngines(listed) {
  ask({action: 'versions'}, async (answer) => {
    const list = await request(`/engines?${queryOf()}`);
    if (!list) return;
    const before = engines.splice(0), isFirst = !offers.length;
    const running = answer.engines || []; // none if there are none
    offers = list.engines;
    hasThreats = list.threat;
    for (const {engine, name = '', levels = []} of running) {
      const isShared = !name || running.filter((other) => other.name === name).length > 1;
      if (!known.has(engine)) known.set(engine, {engine, on: !isFirst || !engines.length && recall('off') !== 'true', lines: Number(recall('lines')) || 3, panels: {}});
      const found = known.get(engine);
      if (!before.includes(found)) Object.assign(found, {node: undefined, request: undefined, answer: {}, hints: []}); // it has started
      engines.push(Object.assign(found, {levels, name: isShared ? `${name} (${engine})`.trim() : name}));
    }
    listed();
  });
}

// chooseEngine has the server change an engine; that it has is an event.
const chooseEngine = (engine, change) => post('/engines', ofGame({engine, ...change}));

// checkbox is a field to switch something on and off.
function checkbox(checked, changed) {
  const box = make('input');
  Object.assign(box, {type: 'checkbox', checked});
  box.addEventListener('change', () => changed(box.checked));
  return box;
}

// A panel is a part of the page that the reader opens, and that stays open when the rest is drawn anew.
function panelOf(panels, name, ...content) {
  panels[name] ??= make('details', 'panel', make('summary'));
  panels[name].firstChild.textContent = say(name);
  panels[name].replaceChildren(panels[name].firstChild, ...content);
  return panels[name];
}

// panelsOf are the panels of an engine that runs.
function panelsOf(engine) {
  const {options = [], set = {}} = offerOf(engine);
  if (!options.length) return [tracePanel(engine)];
  return [tracePanel(engine), panelOf(engine.panels, 'options', ...options.map((option) => optionField(engine, option, set)),
    ...Object.keys(set).length ? [makeButton(say('asUsual'), () => chooseEngine(engine.engine, {set: {}}))] : [])];
}

// optionField is a field for an option of an engine. One that is empty, or as usual, is not set.
function optionField(engine, {name, help = '', words, text, min, max, default: usual = ''}, set) {
  const field = make(words ? 'select' : 'input');
  if (words) field.append(...words.map((word) => new Option(word)));
  else Object.assign(field, {type: text ? 'text' : 'number', placeholder: usual}, max || min ? {min: min || 0, max: max || 0} : {});
  field.value = set[name] ?? (words ? usual : '');
  field.addEventListener('change', () => {
    const {[name]: old, ...others} = set;
    if (!field.reportValidity()) return;
    chooseEngine(engine.engine, {set: field.value === '' || field.value === usual ? others : {...others, [name]: field.value}});
  });
  const bounds = max || min ? ` ${min || 0}–${max || 0}` : '';
  const label = make('label', '', `${name} `, field, make('span', 'facts', ` ${usual}${words ? '' : bounds && ` (${bounds.trim()})`}`));
  label.title = help;
  return label;
}

// chooser is where the reader adds and removes engines, and what has become of those that do not run.
const choicePanels = {};
function chooser() {
  const again = (engine) => makeButton(say('startAgain'), () => chooseEngine(engine, {on: true}));
  const failed = offers.filter(({error}) => error).map(({engine, error}) => make('p', 'blunder', `${engine}: ${error} `, again(engine)));
  const waiting = offers.filter(({starting}) => starting).map(({engine}) => make('p', 'facts', `${engine}: ${say('starts')}`));
  const boxes = offers.map(({engine, on: isOn}) => make('label', '', checkbox(isOn, (on) => chooseEngine(engine, {on})), ` ${engine}`));
  return [...failed, ...waiting, ...offers.length ? [panelOf(choicePanels, 'enginesOf', ...boxes)] : [make('p', '', say('noEngine'))]];
}

// What the side that is not to move threatens: what it would play if it were.
let hasThreats, wantsThreat = false;

// threatOf is a node with the position of another as if the other side were to move; nothing where that is not legal.
async function threatOf(node) {
  if (!hasThreats || !node) return undefined;
  node.threat ??= request(`/threat?${queryOf({position: positionOf(node)})}`)
    .then((answer) => answer?.position && {position: answer.position, threatens: node, n: node.n, second: !isSecondToMove(node), ply: 0, branches: []});
  return node.threat;
}

function threatSwitch(look) {
  if (!hasThreats) return [];
  const box = checkbox(wantsThreat, (on) => { wantsThreat = on; look(); });
  box.id = 'threat';
  return [make('label', '', box, ` ${say('threat')}`)];
}

const maxSaid = 300; // lines

// tracePanel has what is said to an engine and by it, which follows while it is open.
function tracePanel(engine) {
  if (!engine.said) {
    engine.said = make('pre', 'said');
    engine.said.tabIndex = 0;
    engine.said.setAttribute('role', 'region');
    panelOf(engine.panels, 'trace', engine.said).addEventListener('toggle', () => follow(engine));
  }
  engine.said.setAttribute('aria-label', `${engine.name}: ${say('trace')}`);
  follow(engine);
  queueMicrotask(() => { engine.said.scrollTop = engine.said.scrollHeight; });
  return panelOf(engine.panels, 'trace', engine.said);
}

function follow(engine) {
  const {said, trace} = engine;
  if (!engine.panels.trace.open) trace?.close();
  if (!engine.panels.trace.open || trace) return;
  said.replaceChildren();
  const lines = [], socket = new WebSocket(`ws://${location.host}/trace?${queryOf({engine: engine.engine})}`);
  engine.trace = socket;
  const draw = () => {
    const isAtEnd = said.scrollTop + said.clientHeight >= said.scrollHeight - 4;
    said.append(...lines.splice(0).slice(-maxSaid));
    while (said.childNodes.length > maxSaid) said.firstChild.remove();
    if (isAtEnd) said.scrollTop = said.scrollHeight;
  };
  socket.addEventListener('message', (event) => { if (lines.push(event.data) === 1) requestAnimationFrame(draw); });
  socket.addEventListener('close', () => { if (engine.trace === socket) engine.trace = undefined; });
}

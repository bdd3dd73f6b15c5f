// Which engines run on a page of a server, and their options. The server keeps both.

let offers = []; // what the server has said of the engines for the game
const known = new Map(); // engines that have run, by name
const offerOf = ({engine}) => offers.find((offer) => offer.engine === engine) || {};

// listEngines asks which engines there are and which of them run, and calls listed then.
function listEngines(listed) {
  ask({action: 'versions'}, async (answer) => {
    const list = await request(`/engines?file=${data.file}&game=${data.number}`);
    if (!list) return;
    const before = engines.splice(0), isFirst = !offers.length;
    const running = answer.engines || []; // none if there are none
    offers = list.engines;
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
const chooseEngine = (engine, change) => post('/engines', {file: data.file, game: data.number, engine, ...change});

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
  if (!options.length) return [];
  return [panelOf(engine.panels, 'options', ...options.map((option) => optionField(engine, option, set)),
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
  const boxes = offers.map(({engine, on}) => {
    const box = make('input');
    box.type = 'checkbox';
    box.checked = on;
    box.addEventListener('change', () => chooseEngine(engine, {on: box.checked}));
    return make('label', '', box, ` ${engine}`);
  });
  return [...failed, ...waiting, ...offers.length ? [panelOf(choicePanels, 'enginesOf', ...boxes)] : [make('p', '', say('noEngine'))]];
}

// The data of the page, and small helpers.
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);

// make makes an element. Texts among its content are shown as they are.
function make(tag, className, ...content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

function makeButton(content, act) {
  const button = make('button', '', content);
  button.type = 'button';
  button.addEventListener('click', act);
  return button;
}

// afterPaint calls a function when what has changed is on the screen.
const afterPaint = (act) => requestAnimationFrame(() => setTimeout(act));

// shape makes an element of an SVG.
function shape(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return element;
}

// recall returns what the reader has chosen on an earlier page; undefined if nothing, or if the
// browser keeps nothing for files.
function recall(what) {
  try {
    return localStorage.getItem(`qhsh.${what}`) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(what, value) {
  try {
    localStorage.setItem(`qhsh.${what}`, value);
  } catch {
    // It is chosen for this page only.
  }
}

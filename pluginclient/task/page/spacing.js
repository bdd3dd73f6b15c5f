// When exercises come again. The rule is that of package exercise, whose intervals the page has; it says there why it stands
// here once more. A memory is what is kept of the tries at a position, undefined if there were none.
const triedAgain = ({solved = 0, failed = 0, step = 0} = {}, isSolved, time) => ({
  solved: solved + Number(isSolved), failed: failed + Number(!isSolved), missed: !isSolved,
  step: isSolved ? Math.min(step + 1, data.intervals.length - 1) : Math.max(step - 1, 0),
  last: `${time.toISOString().slice(0, 19)}Z`,
});
const dueOf = ({step = 0, last}) => Date.parse(last) + 864e5 * data.intervals[Math.min(Math.max(step, 0), data.intervals.length - 1)];
const isDue = (memory, time) => !memory?.solved || Boolean(memory.missed) || dueOf(memory) <= time;

// compareMemories puts first what was failed, then what is new, and then what was solved, by when it is due.
function compareMemories(a, b) {
  const classOf = (memory) => (memory?.missed ? 0 : memory?.solved ? 2 : 1), due = (memory) => (memory ? dueOf(memory) : 0);
  return classOf(a) - classOf(b) || due(a) - due(b);
}

// memories are those of all pages in this browser, by the keys of positions; of this page alone if it keeps nothing.
let memories = {};

function readMemories() {
  try {
    memories = {...memories, ...JSON.parse(recall('training') || '{}')};
  } catch {
    // What is kept is damaged.
  }
}

function keepMemory(key, isSolved) {
  readMemories();
  memories[key] = triedAgain(memories[key], isSolved, new Date());
  remember('training', JSON.stringify(memories));
}

// mergeMemories takes over those of a text that are later than the own ones, and reports whether it has any.
function mergeMemories(text) {
  let read = {};
  try {
    read = JSON.parse(text);
  } catch {
    return false;
  }
  const all = Object.entries(read || {}).filter(([, memory]) => Number.isFinite(Date.parse(memory?.last)));
  readMemories();
  for (const [key, {solved = 0, failed = 0, missed, step = 0, last}] of all) {
    const own = memories[key];
    if (!own || Date.parse(own.last) < Date.parse(last)) memories[key] = {solved: Number(solved) || 0, failed: Number(failed) || 0, missed: Boolean(missed), step: Number(step) || 0, last};
  }
  remember('training', JSON.stringify(memories));
  return all.length > 0;
}

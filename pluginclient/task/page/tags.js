// What a record says of the whole game, as fields that can be changed.
function drawTags() {
  const known = [...data.players, 'Title', 'Event', 'Date', 'Site', 'Round', 'Opening'], more = data.tags.map(([name]) => name).filter((name) => !known.includes(name));
  const field = (name) => {
    const input = make('input');
    input.value = data.tags.find(([other]) => other === name)?.[1] || '';
    input.addEventListener('change', () => edit(() => ({do: 'tag', name, text: input.value}), pathTo(chosen)));
    return make('label', '', make('span', '', say('tagNames')[name] || gameWord(name.toLowerCase()) || name), input);
  };
  if (!$('tags').contains(document.activeElement)) $('fields').replaceChildren(...[...known, ...more].map(field));
}

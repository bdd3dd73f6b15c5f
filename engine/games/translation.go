package games

import "qhsh/engine"

// A Translator is a Row whose game's words are known in other languages than English.
type Translator interface {
	// Words returns the names of the sides, of the game and of why it ends in a language, such as
	// "zh", by the English ones; none if the language is not known.
	Words(language string) map[string]string
	// Notation returns the one that readers of a language expect; empty: that of the game's positions.
	Notation(language string) string
}

// Words returns a game's words in a language, by the English ones.
func (t Table) Words(g engine.Game, language string) map[string]string {
	if w, ok := t.row(g).(Translator); ok {
		return w.Words(language)
	}
	return nil
}

// Word returns one of a game's words in a language, or itself where it is not known.
func (t Table) Word(g engine.Game, language, word string) string {
	if translated := t.Words(g, language)[word]; translated != "" {
		return translated
	}
	return word
}

// NotationFor returns the notation of moves that readers of a language expect.
func (t Table) NotationFor(g engine.Game, language string) string {
	name := ""
	if w, ok := t.row(g).(Translator); ok {
		name = w.Notation(language)
	}
	if n, ok := t.row(g).(Notator); ok && name == "" {
		name = n.Notations()[0]
	}
	return name
}

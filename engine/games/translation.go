package games

import "qhsh/engine"

// A Translator is a Row whose game's words are translated.
type Translator interface {
	// Words maps the English names of the sides, the game and the reasons of results to a language
	// such as "zh"; nil if the language is unknown.
	Words(language string) map[string]string
	// Notation returns the notation that readers of a language expect; empty: that of the game's
	// positions.
	Notation(language string) string
}

// Words returns the translations of a game's words, by the English ones.
func (t Table) Words(g engine.Game, language string) map[string]string {
	if w, ok := t.row(g).(Translator); ok {
		return w.Words(language)
	}
	return nil
}

// Word returns the translation of a word, or the word itself if it has none.
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

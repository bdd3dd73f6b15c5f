package games

import (
	"fmt"
	"strings"
	"sync"

	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/net"
	"qhsh/engine/xiangqi/search"
)

// Values of the option eval. The others are files of weights.
const (
	embeddedName = "net" // the network in the program; the default
	taperedName  = "tapered"
)

// evaluationHelp is the Help of the option eval.
const evaluationHelp = "how positions are evaluated: net (by the network in the program), tapered (by hand-made terms) or a file of a network's weights"

// evaluationWords are the values of the option eval that are no files.
var evaluationWords = []string{embeddedName, taperedName}

// An evaluation is what the embedded engine evaluates positions with.
type evaluation struct {
	identity string       // name and checksum
	text     string       // for users
	files    []string     // that it was read from
	weights  *net.Weights // nil: the hand-made terms
}

// evalKey is the key of the option eval.
const evalKey = "eval"

// chooseEvaluation returns the evaluation of settings.
func chooseEvaluation(settings []Setting) (by evaluation, err error) {
	by = embeddedEvaluation()
	for _, s := range settings {
		if s.Key == evalKey && err == nil {
			by, err = readEvaluation(s.Value)
		}
	}
	return by, err
}

// options returns the options of a search with the evaluation.
func (e evaluation) options() search.Options {
	o := search.DefaultOptions()
	if e.weights != nil {
		o.UseNetwork(e.weights)
	}
	return o
}

// readEvaluation returns the evaluation of a value of the option eval.
func readEvaluation(value string) (evaluation, error) {
	switch value {
	case embeddedName:
		return embeddedEvaluation(), nil
	case taperedName:
		return taperedEvaluation(), nil
	}
	want := fmt.Sprintf("want %s or a file of weights", strings.Join(evaluationWords, ", "))
	if value == "" {
		return evaluation{}, fmt.Errorf("eval=: %s", want)
	}
	w, err := net.ReadFile(value)
	if err != nil {
		return evaluation{}, fmt.Errorf("eval=%s: %s: %w", value, want, err)
	}
	e := networkEvaluation(w, w.Checksum())
	e.files = []string{value}
	return e, nil
}

var embeddedEvaluation = sync.OnceValue(func() evaluation {
	return networkEvaluation(net.Embedded(), net.EmbeddedChecksum())
})

func networkEvaluation(w *net.Weights, checksum string) evaluation {
	identity := w.Name + "-" + checksum
	return evaluation{
		identity: identity,
		text:     "Positions are evaluated by the network " + identity,
		weights:  w,
	}
}

func taperedEvaluation() evaluation {
	return evaluation{
		identity: taperedName + "-" + eval.Checksum(),
		text:     "Positions are evaluated by hand-made terms",
	}
}

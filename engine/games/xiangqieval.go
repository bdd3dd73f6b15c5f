package games

import (
	"fmt"
	"strings"

	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/net"
)

// Values of the option eval. The others are files of weights.
const (
	taperedName  = "tapered"
	embeddedName = "net"      // the network in the program
	plusTapered  = "+tapered" // after a network: the mean of both
)

// evaluationHelp is the Help of the option eval.
const evaluationHelp = "how positions are evaluated: tapered (by hand-made terms), net (by the network in the program) or a file of a network's weights; +tapered behind a network: by the mean of both"

// evaluationWords are the values of the option eval that are no files.
var evaluationWords = []string{taperedName, embeddedName, embeddedName + plusTapered}

// An evaluation is what the embedded engine evaluates positions with.
type evaluation struct {
	identity string                // name and checksum
	text     string                // for users; empty: as usual
	files    []string              // that it was read from
	new      func() eval.Evaluator // for one thread
}

func taperedEvaluation() evaluation {
	return evaluation{
		identity: taperedName + "-" + eval.Checksum(),
		new:      func() eval.Evaluator { return eval.NewTapered() },
	}
}

// readEvaluation returns the evaluation of a value of the option eval.
func readEvaluation(value string) (evaluation, error) {
	if value == taperedName {
		return taperedEvaluation(), nil
	}
	name, mixed := strings.CutSuffix(value, plusTapered)
	e, err := readNetwork(name)
	if err != nil {
		return e, fmt.Errorf("eval=%s: want %s or a file of weights: %w", value, strings.Join(evaluationWords, ", "), err)
	}
	if mixed {
		e = meanOf(e, taperedEvaluation())
	}
	e.text = "Positions are evaluated by the network " + e.identity
	return e, nil
}

// readNetwork returns the evaluation of the network in the program or in a file.
func readNetwork(name string) (e evaluation, err error) {
	var w *net.Weights
	if name == embeddedName {
		w = net.Embedded()
	} else {
		w, err = net.ReadFile(name)
		e.files = []string{name}
	}
	if err != nil {
		return e, err
	}
	e.identity = w.Name + "-" + w.Checksum()
	e.new = func() eval.Evaluator { return net.NewEvaluator(w) }
	return e, nil
}

// meanOf returns the mean of two evaluations.
func meanOf(a, b evaluation) evaluation {
	return evaluation{
		identity: a.identity + "+" + b.identity,
		files:    append(a.files, b.files...),
		new:      func() eval.Evaluator { return eval.Mean{First: a.new(), Second: b.new()} },
	}
}

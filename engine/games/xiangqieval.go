package games

import (
	"fmt"
	"os"

	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/net"
)

// taperedName is the value of the option eval for the tapered evaluation.
const taperedName = "tapered"

// An evaluation is what the embedded engine evaluates positions with.
type evaluation struct {
	identity string                // name and checksum
	text     string                // for users; empty: as usual
	file     string                // that it was read from, if any
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
	w, err := readWeights(value)
	if err != nil {
		return evaluation{}, fmt.Errorf("eval=%s: want %s or a file of weights: %w", value, taperedName, err)
	}
	identity := w.Name + "-" + w.Checksum()
	return evaluation{
		identity: identity,
		text:     "Positions are evaluated by the network " + identity,
		file:     value,
		new:      func() eval.Evaluator { return net.NewEvaluator(w) },
	}, nil
}

func readWeights(path string) (*net.Weights, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return net.Read(file)
}

package games

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/endings"
	"qhsh/engine/xiangqi/net"
	"qhsh/engine/xiangqi/search"
)

func xiangqiOptions() []Option {
	usual := search.DefaultOptions()
	return []Option{
		{Name: "nodes", Help: "nodes a move, at every level"},
		{Name: "hash", Help: "MiB of memory for the table", Min: 1, Max: search.MaxHash, Default: strconv.Itoa(usual.Hash)},
		{Name: "threads", Help: "threads of a search, one for every 16,384 nodes at most", Min: 1, Max: search.MaxThreads, Default: strconv.Itoa(usual.Threads)},
		{Name: "rules", Help: "rules on repetition: asian, wxf, chinese or computer", Words: names(xiangqi.RuleSets()...), Default: usual.Rules.String()},
		{Name: evalKey, Help: "how positions are evaluated: net (by the network in the program), small (by a much weaker one that no new version changes) or a file of a network's weights", Words: evaluationWords, File: true, Default: embeddedName},
		{Name: endingsKey, Help: "folder of more tables of 'qhsh endings make': positions that they have are known exactly; none: not even those in the program", Words: []string{noEndings}, File: true},
		{Name: "on", Help: "rules of the search to put in, with + between them", Repeats: true, Words: search.Rules(), Inner: true},
		{Name: "off", Help: "rules of the search to leave out, with + between them", Repeats: true, Words: search.Rules(), Inner: true},
		{Name: marginPrefix + "NAME", Help: fmt.Sprintf("threshold of a rule of the search, 1 to %d; the defaults are %s", search.MaxMargin, usual.Margins), Words: search.MarginNames(), Inner: true},
	}
}

const (
	evalKey      = "eval"
	endingsKey   = "endings"
	noEndings    = "none"
	marginPrefix = "margin." // of the options that are margins of the search
)

func xiangqiEngine(_ engine.Game, settings []Setting) (Engine, error) {
	by := embeddedEvaluation()
	o := search.DefaultOptions()
	o.Endings = endings.Open("")
	known := ""                     // checksum of other tables of endings
	switched := map[string]string{} // the option on or off, by the rules of the search that it named
	for _, s := range settings {
		var err error
		var n int
		margin, isMargin := strings.CutPrefix(s.Key, marginPrefix)
		switch {
		case s.Key == evalKey:
			by, err = readEvaluation(s.Value)
		case s.Key == endingsKey && s.Value == noEndings:
			o.Endings, known = nil, noEndings
		case s.Key == endingsKey:
			tables := endings.Open(s.Value)
			if known, err = tables.Load(); err != nil {
				err = fmt.Errorf("endings=%s: %w", s.Value, err)
			}
			o.Endings = tables
		case isMargin:
			if n, err = s.Number(); err == nil {
				err = o.Margins.Set(margin, n)
			}
		case s.Key == "nodes":
			n, err = s.Positive()
			o.Nodes = int64(n)
		case s.Key == "hash":
			o.Hash, err = s.Positive()
		case s.Key == "threads":
			o.Threads, err = s.Positive()
		case s.Key == "rules":
			o.Rules, err = xiangqi.ParseRuleSet(s.Value)
		default:
			err = switchRules(&o, s, switched)
		}
		if err != nil {
			return Engine{}, err
		}
	}
	o.UseNetwork(by.weights)
	text := []string{"Repetitions are judged by the rules " + o.Rules.String(), "Positions are evaluated by the network " + by.identity}
	if known != "" {
		by.identity += "+endings-" + known
		text = append(text, "Endings are known by the tables "+known)
	}
	return Engine{
		New:    func() (engine.Searcher, error) { return search.New(o) },
		Memory: o.Hash, MaxMemory: search.MaxHash, Threads: o.Threads, Budget: o.Nodes > 0,
		Evaluation: by.identity, Files: by.files,
		Text: text,
	}, nil
}

// switchRules enables or disables search rules.
func switchRules(o *search.Options, s Setting, switched map[string]string) (err error) {
	names := strings.Split(s.Value, "+")
	if s.Key == "on" {
		*o, err = o.With(names...)
	} else {
		*o, err = o.Without(names...)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Key, err)
	}
	for _, name := range names {
		name = strings.ToLower(name)
		if before, ok := switched[name]; ok && before != s.Key {
			return fmt.Errorf("the rule %s is to be on and off: give one of the two", name)
		}
		switched[name] = s.Key
	}
	return nil
}

// Values of the option eval. The others are files of weights.
const (
	embeddedName = "net" // the network in the program; the default
	smallName    = "small"
	taperedName  = "tapered" // of earlier versions
)

// evaluationWords are the values of the option eval that are no files.
var evaluationWords = []string{embeddedName, smallName}

// An evaluation is the network that the embedded engine evaluates positions with.
type evaluation struct {
	identity string   // name and checksum
	files    []string // that it was read from
	weights  *net.Weights
}

// readEvaluation returns the evaluation of a value of the option eval.
func readEvaluation(value string) (evaluation, error) {
	switch value {
	case embeddedName:
		return embeddedEvaluation(), nil
	case smallName:
		return smallEvaluation(), nil
	case taperedName:
		return evaluation{}, fmt.Errorf("eval=%s: the hand-made evaluation is gone: use eval=%s", value, smallName)
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

var smallEvaluation = sync.OnceValue(func() evaluation {
	return networkEvaluation(net.Small(), net.Small().Checksum())
})

func networkEvaluation(w *net.Weights, checksum string) evaluation {
	return evaluation{identity: w.Name + "-" + checksum, weights: w}
}

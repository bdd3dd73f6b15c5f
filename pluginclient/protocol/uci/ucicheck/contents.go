package ucicheck

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// Checks of what option and info lines say, and of what a search finds.

// withOptions makes checks of options absent for an engine without options.
func withOptions(e *exam) error {
	if len(e.optionLines()) == 0 {
		return check.NotApplicablef("it offers no options")
	}
	return nil
}

func (e *exam) optionLines() (lines []string) {
	for _, line := range e.lines {
		if word, _, _ := strings.Cut(line, " "); word == "option" {
			lines = append(lines, line)
		}
	}
	return lines
}

func optionFormat(e *exam) error {
	for _, line := range e.optionLines() {
		o, ok := uci.ParseOption(line)
		var n int64
		_, err := fmt.Sscan(o.Default, &n)
		switch {
		case !ok:
			return check.Faultf("a name, the word type and a type", "%q", line)
		case o.Kind == uci.Spin && (err != nil || o.Min > o.Max || n < o.Min || n > o.Max):
			return check.Faultf("a spin with min, max and a default between them", "%q", line)
		case o.Kind == uci.Check && o.Default != "true" && o.Default != "false":
			return check.Faultf("a check with the default true or false", "%q", line)
		case o.Kind == uci.Combo && !slices.Contains(o.Vars, o.Default):
			return check.Faultf("a combo with a default that is one of its values", "%q", line)
		}
	}
	return nil
}

func optionDistinct(e *exam) error {
	var names []string
	for _, o := range e.options {
		name := strings.ToLower(o.Name)
		if slices.Contains(names, name) {
			return check.Faultf("different names", "%q twice", o.Name)
		}
		names = append(names, name)
	}
	return nil
}

func optionSet(e *exam) error {
	if err := newProcess(e); err != nil {
		return err
	}
	for _, o := range e.options {
		if o.Kind != uci.Spin && o.Kind != uci.Check || o.Default == "" {
			continue
		}
		if err := e.Send(e.Dialect.SetOption(o.Name, o.Default)); err != nil {
			return e.MissingReply("an engine that takes "+o.Name, err)
		}
	}
	return alive("setoption with every default")(e)
}

func optionUnknown(e *exam) error {
	if err := e.Send(e.Dialect.SetOption("nosuchoption", "1")); err != nil {
		return err
	}
	return alive("an option that it does not offer")(e)
}

func infoFormat(e *exam) error {
	t, err := e.ask(boards.Middlegame, "go depth 4")
	for _, r := range t.infos {
		if expected := r.Defect(e.Dialect == uci.UCCI); expected != "" {
			return check.Faultf(expected, "%q", r.text)
		}
	}
	return err
}

func infoPV(e *exam) error {
	for _, pos := range []*xiangqi.Position{boards.Middlegame, boards.MateInOne[0]} {
		t, err := e.ask(pos, "go depth 4")
		if err != nil {
			return err
		}
		for _, r := range t.infos {
			if n := len(e.ranks().LegalPrefix(pos, r.PV)); n < len(r.PV) {
				return check.Faultf("legal moves behind pv", "%s in %q", r.PV[n], r.text)
			}
		}
	}
	return nil
}

func multiPV(e *exam) error {
	const want = 3
	if err := e.Send(e.setOption("MultiPV", fmt.Sprint(want))); err != nil {
		return err
	}
	t, err := e.ask(boards.Middlegame, "go depth 4")
	if err != nil {
		return err
	}
	last := map[int]info{}
	for _, r := range t.infos {
		if r.MultiPV > 0 && len(r.PV) > 0 && r.Bound == "" {
			last[r.MultiPV] = r
		}
	}
	var moves []string
	for i := 1; i <= want; i++ {
		r, ok := last[i]
		if !ok {
			return check.Faultf(fmt.Sprintf("lines with multipv 1 to %d", want), "none with multipv %d", i)
		}
		if slices.Contains(moves, r.PV[0]) {
			return check.Faultf("lines that begin with different moves", "%s twice", r.PV[0])
		}
		moves = append(moves, r.PV[0])
		if before := last[i-1]; i > 1 && r.Depth == before.Depth && r.Score.Known() && r.Score.Compare(before.Score) > 0 {
			return check.Faultf("the best line first", "%v behind %v", r.Score, before.Score)
		}
	}
	return nil
}

// forgetNodes limits the searches to compare by nodes: a time limit would make them vary.
const forgetNodes = "go nodes 20000"

// newGameForgets searches positions in a new game, then a related one, whose hash entries would be
// reused, then the first again in a new game.
func newGameForgets(e *exam) error {
	for _, r := range []struct{ pos, between *xiangqi.Position }{
		{start, boards.MustPlay(start, "H2-E2", "H9-G7")},
		{boards.MustPlay(start, "C3-C4"), start},
		{boards.Middlegame, start},
	} {
		before, err := e.searchInNewGame(r.pos)
		if err != nil {
			return err
		}
		if _, err := e.ask(r.between, forgetNodes); err != nil {
			return err
		}
		after, err := e.searchInNewGame(r.pos)
		if err != nil {
			return err
		}
		if after == before {
			continue
		}
		var own [2]string // of new processes
		for i := range own {
			if err := newProcess(e); err != nil {
				return err
			}
			if own[i], err = e.searchInNewGame(r.pos); err != nil {
				return err
			}
		}
		if own[0] != own[1] {
			return check.NotApplicablef("two processes of it differ at the same search, as with several threads, so nobody can tell what it remembers")
		}
		return check.Faultf("the answer to "+forgetNodes+" as it was before another search and the new game: "+before, "%s", after)
	}
	return nil
}

// searchInNewGame returns those parts of the reply to a search in a new game that must be reproducible.
func (e *exam) searchInNewGame(pos *xiangqi.Position) (string, error) {
	if _, err := e.newGame(); err != nil {
		return "", err
	}
	if e.answersIsReady {
		if err := e.isReady(e.Deadlines.Think); err != nil {
			return "", err
		}
	}
	t, err := e.ask(pos, forgetNodes)
	var last info
	for _, r := range t.infos {
		if len(r.PV) > 0 {
			last.Depth, last.Score = r.Depth, r.Score
		}
		last.Nodes = max(last.Nodes, r.Nodes)
	}
	return fmt.Sprintf("bestmove %s, depth %d, score %v, nodes %d", t.best.Move, last.Depth, last.Score, last.Nodes), err
}

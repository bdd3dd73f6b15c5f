package uci

import (
	"fmt"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// forgetNodes limits the searches to compare by nodes: a time limit would make them vary.
const forgetNodes = "go nodes 20000"

// forgetTests are positions, each with a related one to search between two searches of it, whose
// hash entries would be reused.
var forgetTests = []struct{ pos, between *xiangqi.Position }{
	{start, boards.MustPlay(start, "H2-E2", "H9-G7")},
	{boards.MustPlay(start, "C3-C4"), start},
	{boards.Middlegame, start},
}

// newGameForgets searches each position in a new game, then the other one, then the first again in
// a new game.
func newGameForgets(e *exam) error {
	for _, r := range forgetTests {
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
		if after != before {
			return e.explainDifference(r.pos, before, after)
		}
	}
	return nil
}

// explainDifference returns the fault of two different replies, unless new processes differ as
// well.
func (e *exam) explainDifference(pos *xiangqi.Position, before, after string) error {
	var first string
	for i := range 2 {
		if err := newProcess(e); err != nil {
			return err
		}
		answer, err := e.searchInNewGame(pos)
		if err != nil {
			return err
		}
		if i == 1 && answer != first {
			return check.NotApplicablef("two processes of it differ at the same search, as with several threads, so nobody can tell what it remembers")
		}
		first = answer
	}
	return check.Faultf("the answer to "+forgetNodes+" as it was before another search and the new game: "+before, "%s", after)
}

// searchInNewGame returns the summary of a search in a new game.
func (e *exam) searchInNewGame(pos *xiangqi.Position) (string, error) {
	command, err := e.newGameCommand()
	if err != nil {
		return "", err
	}
	if err := e.Send(command); err != nil {
		return "", err
	}
	if e.ready {
		if err := e.isReady(e.Deadlines.Think); err != nil {
			return "", err
		}
	}
	t, err := e.ask(pos, forgetNodes)
	return t.summary(), err
}

// summary returns the parts of a reply that must be reproducible.
func (t reply) summary() string {
	best, _ := uci.ParseBestMove(t.best)
	var last uci.InfoLine
	for _, line := range t.infos {
		r, _ := uci.ParseInfoLine(line, 0)
		if len(r.PV) > 0 {
			last.Depth, last.Score = r.Depth, r.Score
		}
		last.Nodes = max(last.Nodes, r.Nodes)
	}
	return fmt.Sprintf("bestmove %s, depth %d, score %v, nodes %d", best.Move, last.Depth, last.Score, last.Nodes)
}

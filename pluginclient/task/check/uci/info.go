package uci

import (
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

func infoFormat(e *exam) error {
	t, err := e.ask(boards.Middlegame, "go depth 4")
	if err != nil {
		return err
	}
	for _, line := range t.infos {
		r, _ := uci.ParseInfoLine(line, 0)
		if expected := r.Defect(e.engine.Dialect == uci.UCCI); expected != "" {
			return check.Faultf(expected, "%q", line)
		}
	}
	return nil
}

// infoPV checks that the moves after pv are legal.
func infoPV(e *exam) error {
	for _, pos := range []*xiangqi.Position{boards.Middlegame, boards.MateInOne[0]} {
		t, err := e.ask(pos, "go depth 4")
		if err != nil {
			return err
		}
		for _, line := range t.infos {
			r, ok := uci.ParseInfoLine(line, 0)
			if !ok {
				continue
			}
			if m, ok := e.playable(pos, r.PV); !ok {
				return check.Faultf("legal moves behind pv", "%s in %q", m, line)
			}
		}
	}
	return nil
}

// playable reports whether all moves are legal in sequence; bad is the first that is not.
func (e *exam) playable(pos engine.Position, texts []string) (bad string, ok bool) {
	for _, text := range texts {
		m, ok := e.ranks().Parse(text)
		if !ok {
			return text, false
		}
		next, err := pos.Play(m)
		if err != nil {
			return text, false
		}
		pos = next
	}
	return "", true
}

// multiPV checks that MultiPV lines are numbered from 1, start with different moves and are sorted
// by score.
func multiPV(e *exam) error {
	const want = 3
	if err := e.Send(e.setOption("MultiPV", fmt.Sprint(want))); err != nil {
		return err
	}
	t, err := e.ask(boards.Middlegame, "go depth 4")
	if err != nil {
		return err
	}
	last := map[int]uci.InfoLine{}
	for _, line := range t.infos {
		r, ok := uci.ParseInfoLine(line, 0)
		if ok && r.MultiPV > 0 && len(r.PV) > 0 && r.Bound == "" {
			last[r.MultiPV] = r
		}
	}
	return checkMultiPVOrder(last, want)
}

func checkMultiPVOrder(last map[int]uci.InfoLine, want int) error {
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

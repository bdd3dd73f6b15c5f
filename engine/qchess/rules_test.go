package qchess_test

import (
	"errors"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/qchess"
)

// side returns a side with a few pieces: "kk@37" stands for the king, anything else for a pawn of the
// start, in their order.
func side(pieces ...string) string {
	all := strings.Split("-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-", ",")
	pawn := 8
	for _, p := range pieces {
		if strings.HasPrefix(p, "kk") {
			all[3] = p
			continue
		}
		all[pawn] = p
		pawn++
	}
	return strings.Join(all, ",")
}

func TestRules(t *testing.T) {
	kings := []string{side("kk@37"), side("kk@30")}
	for _, c := range []struct{ name, from, steps, to string }{
		{
			"a piece on an odd square is in superposition again",
			"w " + side("kk@37", "pr@36") + " " + kings[1] + " -", "@36 0=pawn 36-34",
			"b " + side("kk@37", "pr@34") + " " + kings[1] + " -",
		},
		{
			"on an even one it keeps its kind",
			"w " + side("kk@37", "pr@36") + " " + kings[1] + " -", "@36 0=pawn 36-35",
			"b " + side("kk@37", "pr0@35") + " " + kings[1] + " -",
		},
		{
			"a pawn that moves onto the last row has a queen in place of that kind alone",
			"w " + side("kk@37", "rp1@01") + " " + kings[1] + " -", "@01 01-00",
			"b " + side("kk@37", "r+1@00") + " " + kings[1] + " -",
		},
		{
			"a pawn that shows on the last row cannot move, and is no queen",
			"w " + side("kk@37", "rp@10") + " " + kings[1] + " -", "@10 1=pawn",
			"b " + side("kk@37", "rp@10") + " " + kings[1] + " -",
		},
		{
			"a second kind that shows stays known",
			"w " + side("kk@37", "r?@10") + " " + kings[1] + " -", "@10 1=pawn",
			"b " + side("kk@37", "rp@10") + " " + kings[1] + " -",
		},
		{
			"a hidden kind is no longer hidden then",
			"w " + side("kk@37", "r?n@10") + " " + kings[1] + " -", "@10 1=knight",
			"w " + side("kk@37", "rn1@10") + " " + kings[1] + " 10",
		},
		{
			"a piece whose kinds are known and equal keeps them on an odd square, as its first",
			"w " + side("kk@37", "nn1@00") + " " + kings[1] + " -", "@00 00-21",
			"b " + side("kk@37", "nn0@21") + " " + kings[1] + " -",
		},
		{
			"equal kinds one of which is hidden do not count",
			"w " + side("kk@37", "n?n0@00") + " " + kings[1] + " -", "@00 00-21",
			"b " + side("kk@37", "n?n@21") + " " + kings[1] + " -",
		},
		{
			"the king's first selection draws which kind it is",
			"w " + kings[0] + " " + side("kk@30", "pr@36") + " -", "@37 1=king 37-27",
			"b " + side("kk0@27") + " " + side("kk@30", "pr@36") + " -",
		},
		{
			"a captured piece does not show what it was",
			"w " + side("kk@37", "rr0@00") + " " + side("kk@30", "p?q@04", "pn@11") + " -", "@00 00-04",
			"b " + side("kk@37", "rr0@04") + " " + side("kk@30", "-", "pn@11") + " -",
		},
		{
			"of a piece whose kind has shown it stays known",
			"w " + side("kk@37", "rr0@11") + " " + side("kk@30", "pn@14", "pq@15") + " -", "@11 11-14",
			"b " + side("kk@37", "rr0@14") + " " + side("kk@30", "-n", "pq@15") + " -",
		},
	} {
		pos, err := qchess.Rules.Position(c.from)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, step := range strings.Fields(c.steps) {
			m, err := pos.Parse(step)
			if err == nil {
				pos, err = pos.Play(m)
			}
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if pos.String() != c.to {
			t.Errorf("%s:\n%v\nwant\n%v", c.name, pos, c.to)
		}
	}
}

func TestResults(t *testing.T) {
	kings := side("kk@37") + " " + side("kk@30")
	for _, c := range []struct {
		position string
		want     engine.Result
	}{
		{"w " + kings + " -", engine.Result{Outcome: engine.Draw, Reason: "lone kings"}},
		{"w " + side("kk@37", "pp0@36") + " " + side("kk@30") + " -", engine.Result{}},
		{"w " + side("pp0@36") + " " + side("kk@30") + " -", engine.Result{Outcome: engine.SecondWins, Reason: "king captured"}},
		{"b " + side("kk@37") + " " + side() + " -", engine.Result{Outcome: engine.FirstWins, Reason: "king captured"}},
	} {
		pos, err := qchess.Rules.Position(c.position)
		if err != nil || pos.Result() != c.want {
			t.Errorf("%s: %v, %v; want %v", c.position, pos.Result(), err, c.want)
		}
	}
}

// What the protocol says is read, and joined from words.
func TestParse(t *testing.T) {
	pos := qchess.Rules.Start()
	words := strings.Fields("3 6 0 pawn 3 6 -> 3 4 @31 1=rook 7 7")
	moves := engine.JoinMoves(qchess.Rules, words)
	if got := strings.Join(moves, "|"); got != "3 6|0 pawn|3 6 -> 3 4|@31|1=rook|7 7" {
		t.Errorf("joined as %s", got)
	}
	for _, text := range []string{"3 6", "0 pawn", "3 4", "@31", "1 rook", "3 1 -> 3 2"} {
		m, err := pos.Parse(text)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"@33":       "selection 33: illegal: the square is empty",
		"@01":       "selection 01: illegal: the piece is black's",
		"1=rook":    "outcome 1 rook: illegal: no outcome is pending",
		"36-35":     "move to 35: illegal: no piece is ready to move",
		"e4":        `"e4": want a selection such as @36, an outcome such as 1=rook, or a move such as 36-35`,
		"@88":       `"@88": want a selection such as @36, an outcome such as 1=rook, or a move such as 36-35`,
		"2=unknown": `"2=unknown": want a selection such as @36, an outcome such as 1=rook, or a move such as 36-35`,
	} {
		_, err := pos.Parse(text)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if errors.Is(err, qchess.ErrIllegal) == errors.Is(err, engine.ErrMalformed) {
			t.Errorf("%s: illegal and malformed at once", text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	kings := []string{side("kk@37"), side("kk@30")}
	for position, want := range map[string]string{
		"w":                                 `position "w": want four fields: w or b, White's pieces, Black's pieces, and the square of the selected piece or -`,
		"x a b c":                           `side to move "x": want w or b`,
		"w kk@37 kk@30 -":                   "white: 1 pieces: want 16, the captured ones as -",
		"w " + side() + " " + side() + " -": "missing king",
		"w " + kings[0] + " " + side("kk@37") + " -":                   `black: piece "kk@37": two pieces on 37`,
		"w " + side("kk@37", "rk@00") + " " + kings[1] + " -":          `white: piece "rk@00": want kk as piece 4 of a side, and nowhere else`,
		"w " + side("kk@37", "rq@00", "rq@01") + " " + kings[1] + " -": `white: piece "rq@01": more than 1 pieces with the second kind queen`,
		"w " + side("kk@37", "rq2@00") + " " + kings[1] + " -":         `white: piece "rq2@00": want two kinds of prnbqk+?, then 0 or 1 for the current kind, and a square, such as r?@07 or -`,
		"w " + side("kk@37", "?q@00") + " " + kings[1] + " -":          `white: piece "?q@00": want two kinds of prnbqk+?, then 0 or 1 for the current kind, and a square, such as r?@07 or -: the first kind and the current one must be known`,
		"w " + kings[0] + " " + side("kk@30", "pp0@31") + " 31":        `selected piece "31": selection 31: illegal: the piece is black's`,
		"w " + side("kk@37", "pp0@30") + " " + side("kk@22") + " 30":   `selected piece "30": the piece cannot move`,
	} {
		if _, err := qchess.Rules.Position(position); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s:\n%v, want\n%s", position, err, want)
		}
	}
}

func FuzzPosition(f *testing.F) {
	f.Add(qchess.Rules.Start().String())
	f.Add("b " + side("kk@37", "r?n1@00", "-q", "p+@21") + " " + side("kk1@30") + " 30")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := qchess.Rules.Position(text)
		if err != nil || text == "startpos" {
			return
		}
		back, err := qchess.Rules.Position(p.String())
		if err != nil || back.String() != p.String() || back.Key() != p.Key() {
			t.Fatalf("%q reads as %v, and that as %v, %v", text, p, back, err)
		}
		for _, m := range p.Moves() {
			if _, err := p.Play(m); err != nil {
				t.Fatalf("%v: %v", p, err)
			}
		}
	})
}

package records

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// A Ruling is what the rules say about a game at one of its positions.
type Ruling struct {
	games.Ruling                 // only Rules and Result in a game without rule sets
	Pos          engine.Position // that is judged
	Ply          int             // of Pos
	Move         string          // that led to Pos; empty at the start
	Decisive     bool            // the first ruling that ends the game
	Agreement    Agreement       // of the recorded result with a decisive ruling
	Second       SecondOpinion   // empty if there is none
	Ending       *engine.Ending  // what Pos is worth if the game goes on, nil if that is not certain
}

// An Agreement says whether a recorded result is that of the rules. It is empty if the result is
// unknown, or if the rules have not ended the game: it may have been resigned.
type Agreement string

// The agreements.
const (
	Agrees      Agreement = "agrees"
	Contradicts Agreement = "contradicts" // the rules give another result at the end of the game
	PlayedOn    Agreement = "played on"   // past the verdict, to a position that the rules leave open or that has the recorded result
)

// A Referee judges the main lines of games.
type Referee struct {
	Games games.Table
	Rules string       // the rule set; empty for the default, and for games without several
	All   bool         // every repetition is judged, not only what ends the game
	Known engine.Known // sets the Ending of rulings
	// Second, if not nil, is asked about a move of each repetition: whether it is forbidden, "ban", a "draw", or "none" of
	// them. pos is the position after it, which has occurred the given number of times.
	Second func(pos engine.Position, times int) (string, error)
}

// A SecondOpinion is what another judge says about a move of a repetition.
type SecondOpinion struct {
	Move    string
	Verdict string // empty: it was not asked, or did not answer
	Err     error  // why it did not answer
	own     string // what the ruling says, in the same words
}

// Differs reports whether the ruling says something else.
func (o SecondOpinion) Differs() bool { return o.Verdict != "" && o.Verdict != o.own }

// String returns a line for a person, or "".
func (o SecondOpinion) String() string {
	switch {
	case o.Verdict == "":
		return ""
	case o.Differs():
		return fmt.Sprintf("second opinion on %s: %s, which differs: %s by these rules\n", o.Move, o.Verdict, o.own)
	}
	return fmt.Sprintf("second opinion on %s: %s\n", o.Move, o.Verdict)
}

// SecondOn asks Second about a ruling at a position: about the last move, or, if the side to move loses, about the move by which it
// repeats the cycle.
func (r Referee) SecondOn(pos engine.Position, ruling games.Ruling) (o SecondOpinion, err error) {
	if r.Second == nil || len(ruling.Cycle) == 0 {
		return o, nil
	}
	before, move := pos.Undo()
	times := ruling.Times
	switch ruling.Repetition.Outcome {
	case engine.Draw:
		o.own = "draw"
	case engine.Win(pos.Turn()):
		o.own = "ban"
	default:
		o.own = "ban"
		before, move = pos, ruling.Cycle[0].Move
		if pos, err = pos.Play(move); err != nil {
			return o, err
		}
		times = r.Games.Row(pos.Game()).Occurrences(pos)
	}
	o.Move = before.Format(move)
	o.Verdict, err = r.Second(pos, times)
	return o, err
}

// Judge returns the rulings on a game: the decisive one, or that at its end if there is none. With
// All there are also those on each repetition, in order. Consecutive positions that have all
// occurred before are one repetition, which is judged where it is decided, or else at the first;
// again if the verdict changes.
func (r Referee) Judge(g *record.Game) (all []Ruling, err error) {
	game := g.Start.Game()
	adjudicate, rules, err := r.Games.Adjudicator(game, r.Rules)
	if err != nil {
		return nil, err
	}
	row := r.Games.Row(game)
	several := games.HasRuleSets(row)
	seen := map[uint64]bool{}
	decisive, repeating := -1, false
	now := Ruling{Ply: -1}
	for n, pos := range g.Positions(false) {
		move := ""
		if now.Pos != nil {
			move = now.Pos.Format(n.Move)
		}
		now = Ruling{Ruling: games.Ruling{Rules: rules}, Pos: pos, Ply: now.Ply + 1, Move: move}
		if decisive < 0 {
			now.Result = adjudicate(pos)
			now.Decisive = now.Result.Over()
		}
		repeated := false
		if r.All && several {
			repeated = seen[pos.Key()]
			seen[pos.Key()] = true
		}
		same := repeating && repeated // the last ruling is on this repetition, too
		repeating = repeated
		if !now.Decisive && !repeated {
			continue
		}
		if several {
			if now.Ruling, err = row.Judge(pos, rules); err != nil {
				return nil, err
			}
		}
		switch last := len(all) - 1; {
		case same && (!now.Result.Over() || now.Result == all[last].Result):
		case same && !all[last].Result.Over():
			all[last] = now
		default:
			all = append(all, now)
		}
		if now.Decisive {
			decisive = len(all) - 1
		}
	}
	if decisive >= 0 && g.Result != engine.Ongoing {
		verdict, end := all[decisive].Result.Outcome, adjudicate(now.Pos).Outcome
		agreement := PlayedOn
		switch {
		case g.Result == verdict:
			agreement = Agrees
		case end != engine.Ongoing && end != g.Result:
			agreement = Contradicts
		}
		all[decisive].Agreement = agreement
	}
	if len(all) == 0 {
		all = append(all, now)
	}
	for i := range all {
		second, err := r.SecondOn(all[i].Pos, all[i].Ruling)
		second.Err = err
		all[i].Second = second
		all[i].Ending = r.EndingOf(all[i].Pos, all[i].Ruling)
	}
	return all, nil
}

// EndingOf returns what a position is worth if its ruling has not ended the game, or nil if that is not certain.
func (r Referee) EndingOf(pos engine.Position, ruling games.Ruling) *engine.Ending {
	if ruling.Result.Over() {
		return nil
	}
	return r.Known.Ending(pos)
}

// A RulingSink writes the rulings on a game. file is empty if there is only one file.
type RulingSink func(file string, number int, g *record.Game, rulings []Ruling) error

// A RulingWriter returns a RulingSink that writes to w.
type RulingWriter = func(w io.Writer, s Style) (RulingSink, error)

// RulingFormats returns the output formats for rulings. The first is the default.
func RulingFormats() format.Table[RulingWriter] {
	return format.Table[RulingWriter]{
		{Name: "text", Extensions: []string{".txt"}, Write: rulingText},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: rulingJSON},
		{Name: "csv", Extensions: []string{".csv"}, Write: rulingCSV},
	}
}

// rulingText writes a table as listText does, and below each row what the ruling rests on.
func rulingText(w io.Writer, s Style) (RulingSink, error) {
	const row = "%5v  %-7s  %-7s  %-11s  %5v  %-23s  %s"
	rows := rowWriter{w: w, width: s.Width, header: fmt.Sprintf(row, "#", "result", "verdict", "agreement", "ply", "reason", "players")}
	return func(file string, number int, g *record.Game, rulings []Ruling) error {
		names := ""
		if first, second := players(g, s.Library); first+second != "" {
			names = printable.Line(first + " - " + second)
		}
		for _, r := range rulings {
			err := rows.write(file, fmt.Sprintf(row, number, s.Library.PGN.FormatResult(g.Result), s.Library.PGN.FormatResult(r.Result.Outcome),
				r.Agreement, r.Ply, r.Result.Reason, names))
			if err == nil && (r.Result.Over() || r.Times > 1 || r.Ending != nil) {
				_, err = io.WriteString(w, rulingDetails(g, r))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// rulingDetails returns the position of a ruling, and its report without the verdict, as indented
// lines.
func rulingDetails(g *record.Game, r Ruling) string {
	place := "at the start"
	if r.Move != "" {
		place = "after " + r.Move
	}
	if plies := g.Plies(); plies > r.Ply {
		place += fmt.Sprintf(", ply %d of %d", r.Ply, plies)
	}
	text := place + ": " + r.Pos.String() + "\n" + strings.TrimPrefix(r.Text, r.Verdict+"\n") + KnownLine(r.Ending) + r.Second.String()
	const indent = "       "
	return indent + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent) + "\n"
}

// KnownLine returns a line for a person that says what a position is worth, or "".
func KnownLine(e *engine.Ending) string {
	if e == nil {
		return ""
	}
	return "known: " + e.String() + "\n"
}

func rulingJSON(w io.Writer, s Style) (RulingSink, error) {
	return func(file string, number int, g *record.Game, rulings []Ruling) error {
		for _, r := range rulings {
			if err := format.JSONLine(w, rulingObject(file, number, g, r, s)); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func rulingCSV(w io.Writer, s Style) (RulingSink, error) {
	var header []string
	for _, field := range rulingObject("", 0, record.NewGame(s.Library.Game.Start()), Ruling{Pos: s.Library.Game.Start()}, s) {
		header = append(header, field.key)
	}
	return func(file string, number int, g *record.Game, rulings []Ruling) error {
		var rows [][]string
		for _, r := range rulings {
			var cells []string
			for _, field := range rulingObject(file, number, g, r, s) {
				cells = append(cells, fmt.Sprint(field.value))
			}
			rows = append(rows, cells)
		}
		return format.CSV(w, rows...)
	}, format.CSV(w, header)
}

// A rulingCycle is the cycle of a ruling. In a cell of a table its moves are separated by
// semicolons.
type rulingCycle []cycleMove

// A cycleMove is a move of a cycle and what it does.
type cycleMove struct {
	Move string `json:"move"`
	Does string `json:"does,omitempty"`
}

func (c rulingCycle) String() string {
	var moves []string
	for _, m := range c {
		moves = append(moves, strings.TrimSpace(m.Move+" "+m.Does))
	}
	return strings.Join(moves, "; ")
}

// rulingObject returns the columns of a table of rulings, the keys of a JSON object. What does not
// apply is "".
func rulingObject(file string, number int, g *record.Game, r Ruling, s Style) object {
	lib := s.Library
	first, second := strings.ToLower(lib.PGN.First), strings.ToLower(lib.PGN.Second)
	firstName, secondName := players(g, lib)
	var times, cycle, third, ending any = "", "", "", ""
	if r.Times > 1 {
		var moves rulingCycle
		for _, m := range r.Cycle {
			moves = append(moves, cycleMove{r.Pos.Format(m.Move), m.Text})
		}
		times, cycle = r.Times, moves
	}
	if r.Times > 1 && !r.Result.Over() {
		third = lib.PGN.FormatResult(r.Repetition.Outcome)
	}
	if r.Ending != nil {
		ending = r.Ending
	}
	o := object{
		{"file", file},
		{"game", number},
		{first, firstName},
		{second, secondName},
		{"result", lib.PGN.FormatResult(g.Result)},
		{"rules", r.Rules},
		{"verdict", lib.PGN.FormatResult(r.Result.Outcome)},
		{"reason", r.Result.Reason},
		{"agreement", string(r.Agreement)},
		{"ply", r.Ply},
		{"plies", g.Plies()},
		{"move", r.Move},
		{"fen", r.Pos.String()},
		{"times", times},
		{"cycle", cycle},
		{first + "_does", r.Conduct[engine.First]},
		{second + "_does", r.Conduct[engine.Second]},
		{"third", third},
		{"ending", ending},
	}
	if s.Second {
		var differs any = ""
		if r.Second.Verdict != "" {
			differs = r.Second.Differs()
		}
		o = append(o, object{{"asked", r.Second.Move}, {"second", r.Second.Verdict}, {"differs", differs}}...)
	}
	return o
}

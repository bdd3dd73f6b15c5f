package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/explore"
)

// A place is a position of a game. Explored, if not 0, is the number of one of the games through it, from 1.
type place struct {
	File     int    `json:"file"`
	Game     int    `json:"game"`
	Path     []int  `json:"path"`
	Explored int    `json:"explored"`
	Language string `json:"language"` // of what is written into the game
	Solved   bool   `json:"solved"`   // the exercise there, and not failed
}

// placeOf returns the place of a request, and its position.
func (s *Server) placeOf(r *http.Request) (p place, pos engine.Position, err error) {
	if err := readBody(r, &p); err != nil {
		return p, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, e, err := s.at(p.File, p.Game)
	if err != nil {
		return p, nil, err
	}
	if _, pos, err = at(e.game, p.Path); err != nil {
		err = refuse(http.StatusUnprocessableEntity, "%w", err)
	}
	return p, pos, err
}

// A look is what is known of a position without an engine.
type look struct {
	Status   string          `json:"status"`             // in words of the game
	Over     string          `json:"over,omitempty"`     // why the game is over, with the rules on repetition
	Result   string          `json:"result,omitempty"`   // if it is over, as in PGN
	Ruling   string          `json:"ruling,omitempty"`   // on a position that has occurred before
	Ending   *ending         `json:"ending,omitempty"`   // what it is worth, if that is known exactly
	Explored json.RawMessage `json:"explored,omitempty"` // what was played in it
	Games    []gameInfo      `json:"games,omitempty"`    // the first games of the database through it
	Openings []openingInfo   `json:"openings,omitempty"` // the most frequent names of openings in these
}

// An ending is what a position with few men is worth.
type ending struct {
	Value string `json:"value"`          // for the side to move
	Moves int    `json:"n,omitempty"`    // of the winner to the end
	Best  string `json:"best,omitempty"` // a move that keeps the value
}

// An openingInfo is an opening by its names in English and Chinese, which are the same if the record has it.
type openingInfo struct {
	English string `json:"en"`
	Chinese string `json:"zh"`
	Games   int    `json:"games"`
}

// How many games through a position are listed, and how many names of openings.
const maxExplored, maxOpenings = 50, 3

// look answers with what is known of a position.
func (s *Server) look(r *http.Request) (any, error) {
	_, pos, err := s.placeOf(r)
	if err != nil {
		return nil, err
	}
	l, result := look{Status: s.Games.Status(pos)}, engine.Adjudicate(pos)
	if row := s.Games.Row(pos.Game()); row.Judge != nil {
		ruling, err := row.Judge(pos, row.RuleSets[0])
		if err != nil {
			return nil, err
		}
		if ruling.Times > 1 {
			l.Ruling = ruling.Text
			if ruling.Result.Over() {
				result = ruling.Result
			}
		}
	}
	if result.Over() {
		l.Over, l.Result = result.Reason, record.FormatResult(result.Outcome)
	} else if e, ok := s.Games.Known(pos.Game()).Of(pos); ok {
		l.Ending = &ending{Value: e.Value, Best: pos.Format(e.Moves[0])}
		if e.Plies != nil {
			l.Ending.Moves = (*e.Plies + 1) / 2
		}
	}
	if s.DB == nil || s.Games.Describe(s.DB.Game()) != s.Games.Describe(pos.Game()) {
		return l, nil
	}
	report, err := s.DB.Query(r.Context(), pos, explore.Filter{})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := explore.WriteJSON(&text, report, explore.WriteOptions{Games: s.Games}); err != nil {
		return nil, err
	}
	l.Explored = text.Bytes()
	openings, err := s.DB.Openings(r.Context(), explore.Filter{Position: pos})
	if err != nil {
		return nil, err
	}
	for _, o := range openings[:min(len(openings), maxOpenings)] {
		name := printable.Line(o.Name)
		l.Openings = append(l.Openings, openingInfo{name, s.Games.Word(pos.Game(), annotate.Chinese.String(), name), o.Games})
	}
	err = s.explored(r.Context(), pos, maxExplored, func(id explore.GameID, g *record.Game) {
		l.Games = append(l.Games, s.gameInfo(len(l.Games)+1, 0, g))
	})
	return l, err
}

// check answers with the text of a position, that of the start if the request has none, or with what is wrong with it.
func (s *Server) check(r *http.Request) (any, error) {
	q := r.URL.Query()
	_, g, err := s.find(q)
	if err != nil {
		return nil, err
	}
	pos, text := g.Start.Game().Start(), q.Get("text")
	if text != "" {
		if pos, err = pos.Game().Position(text); err != nil {
			return map[string]string{"error": printable.Text(err.Error())}, nil
		}
	}
	return map[string]string{"position": pos.String()}, nil
}

// explored calls f with the first games of the database through a position, up to a number.
func (s *Server) explored(ctx context.Context, pos engine.Position, most int, f func(explore.GameID, *record.Game)) error {
	enough := errors.New("enough")
	err := s.DB.Each(ctx, explore.Filter{Position: pos}, func(id explore.GameID, g *record.Game) error {
		f(id, g)
		if most--; most == 0 {
			return enough
		}
		return nil
	})
	if errors.Is(err, enough) {
		return nil
	}
	return err
}

// openExplored opens a game of the database as a new file.
func (s *Server) openExplored(r *http.Request) (any, error) {
	p, pos, err := s.placeOf(r)
	if err != nil {
		return nil, err
	}
	if s.DB == nil || p.Explored < 1 || p.Explored > maxExplored {
		return nil, refuse(http.StatusBadRequest, "there is no such game")
	}
	var found *record.Game
	name := ""
	if err := s.explored(r.Context(), pos, p.Explored, func(id explore.GameID, g *record.Game) { found, name = g, id.String() }); err != nil {
		return nil, err
	}
	if found == nil {
		return nil, refuse(http.StatusNotFound, "there is no such game")
	}
	return map[string]int{"file": s.add(name, found).id}, nil
}

// annotate has the first engine judge the moves of a game, and marks the bad ones. Each line of its answer is an
// object: how far it is, the view of the game as it would be with the marks found so far, and at the end as it is,
// or an error. It stops when nobody waits for it.
func (s *Server) annotate(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	out := json.NewEncoder(w)
	v, err := s.annotated(r, func(part any) {
		_ = out.Encode(part) // who has gone has ended the request
		_ = http.NewResponseController(w).Flush()
	})
	if err != nil {
		_ = out.Encode(map[string]string{"error": printable.Text(err.Error())})
		return
	}
	_ = out.Encode(v)
}

var errChanged = errors.New("the game has changed meanwhile")

func (s *Server) annotated(r *http.Request, tell func(part any)) (any, error) {
	var p place
	if err := readBody(r, &p); err != nil {
		return nil, err
	}
	language, err := annotate.ParseLanguage(cmp.Or(p.Language, annotate.English.String()))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	f, e, err := s.at(p.File, p.Game)
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	before, edits := e.game, e.edits
	s.mu.Unlock()
	isUnchanged := func() bool { return e.edits == edits && slices.Contains(f.games, e) }
	b, leave, err := s.sit(before.Start.Game())
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, stop := context.WithCancelCause(r.Context())
	defer stop(nil)
	first, ctx, giveBack, err := s.borrow(ctx, b)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	var shown []annotate.Class
	a, err := annotate.Game(ctx, first.Pool, before, annotate.Options{
		Games: s.Games, Deeper: first.Pool.Deeper(),
		Progress: func(so *annotate.Annotated, p annotate.Progress) {
			s.mu.Lock()
			isAsBefore := isUnchanged()
			s.mu.Unlock()
			if !isAsBefore { // what the reader has changed stays on the page
				stop(errChanged)
				return
			}
			tell(map[string]int{"done": p.First.Done + p.Second.Done, "of": before.Plies() + 1 + p.Again})
			if marks := so.Marks(); !slices.Equal(marks, shown) {
				shown = marks
				s.mu.Lock()
				v, err := s.view(f, &entry{number: e.number, game: so.Record(language), undo: e.undo, redo: e.redo})
				s.mu.Unlock()
				if err == nil {
					tell(v)
				}
			}
		},
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isUnchanged() {
		return nil, errChanged
	}
	s.replace(f, e, a.Record(language))
	return s.view(f, e)
}

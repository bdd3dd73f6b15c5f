package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/engine/render/raster"
	"qhsh/pluginclient/task/page"
	"qhsh/pluginclient/task/records"
)

// A view is what a page is told of a game: the data of a [page.Board].
type view struct {
	page.Game
	Title   string      `json:"title"`
	File    int         `json:"file"`
	Number  int         `json:"number"` // of the game, see entry
	Version int         `json:"version"`
	Kind    string      `json:"kind"`   // the name of the game that is played
	Mirror  bool        `json:"mirror"` // its boards have a mirror image
	Swap    bool        `json:"swap"`   // its sides can be exchanged
	Tags    [][2]string `json:"tags"`
	Players [2]string   `json:"players"` // the names of their tags
	Start   page.Move   `json:"start"`
	Line    []page.Move `json:"line"`
	Undo    int         `json:"undo"` // how much can be undone
	Redo    int         `json:"redo"`
	Path    []int       `json:"path,omitzero"` // of the node that an edit has led to; nil if it is none of them
}

// A score is a score for the first side with its chance of winning.
type score struct {
	engine.ScoreJSON
	Win *float64 `json:"win,omitempty"`
}

// command matches what a comment says to programs.
var command = lazyregexp.New(`\[%(\w+) ([^\]\n]*)\] ?`)

// textOf returns what a comment says to people.
func textOf(comment string) string {
	return strings.TrimSpace(command().ReplaceAllString(comment, ""))
}

// commandsOf returns what a comment says to programs, but for the commands of some names.
func commandsOf(comment string, but ...string) string {
	var found []string
	for _, c := range command().FindAllStringSubmatch(comment, -1) {
		if !slices.Contains(but, c[1]) {
			found = append(found, strings.TrimSpace(c[0]))
		}
	}
	return strings.Join(found, " ")
}

// The names of the commands for marks on points, and between two of them, as other programs have them.
const pointMarks, arrowMarks = "csl", "cal"

// marksOf returns the marks of a comment: a colour's letter, and a point or two.
func marksOf(comment string) (marks []string) {
	for _, c := range command().FindAllStringSubmatch(comment, -1) {
		if c[1] == pointMarks || c[1] == arrowMarks {
			marks = append(marks, strings.FieldsFunc(c[2], func(r rune) bool { return r == ',' || r == ' ' })...)
		}
	}
	return marks
}

// dress adds to a move what its comment says to the page.
func dress(m *page.Move, comment string) {
	m.Comment, m.Lead, m.Marks = printable.Text(textOf(comment)), printable.Text(m.Lead), marksOf(comment)
	if eval := record.ParseEval(comment); eval.Known() {
		s := score{ScoreJSON: eval.JSON()}
		if chance, ok := eval.Chance(engine.DefaultScale); ok {
			s.Win = &chance
		}
		m.Judged = s
	}
}

// view returns what a page is told of a game. The caller holds s.mu.
func (s *Server) view(f *file, e *entry) (view, error) {
	g := e.game
	common, err := page.NewGame(s.Games, g, "", "")
	if err != nil {
		return view{}, err
	}
	row := s.Games.Row(g.Start.Game())
	v := view{
		Game: common, Title: s.title(f, g), File: f.id, Number: e.number, Version: f.version, Kind: g.Start.Game().Name(),
		Mirror: row.Mirror != nil, Swap: row.Swap != nil, Tags: [][2]string{}, Undo: len(e.undo), Redo: len(e.redo),
	}
	v.PGN = printable.Text(v.PGN)
	style := s.Games.PGN(g.Start.Game())
	v.Players = [2]string{style.First, style.Second}
	for _, tag := range g.Tags {
		v.Tags = append(v.Tags, [2]string{printable.Line(tag.Name), printable.Line(tag.Value)})
	}
	v.Start = page.Move{Node: v.Root(g.Start)}
	dress(&v.Start, g.Root.Comment)
	v.Line = v.Game.Line(g.Root, g.Start, v.Start.Number, func(m *page.Move, n *record.Node, _ engine.Position, _ int) { dress(m, n.Comment) })
	return v, nil
}

// title returns what a game is called: its players, or its file.
func (s *Server) title(f *file, g *record.Game) string {
	return printable.Line(cmp.Or(record.Versus(s.Games.PGN(g.Start.Game()).Names(g.Tags)), f.name))
}

func (s *Server) showGame(r *http.Request) (any, error) {
	return s.viewOf(r.URL.Query())
}

func (s *Server) viewOf(q url.Values) (view, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e, err := s.named(q)
	if err != nil {
		return view{}, err
	}
	return s.view(f, e)
}

// showPage writes the page of a game, that of the file that was opened last if there is none. An address with a text to
// open leads to its page.
func (s *Server) showPage(w http.ResponseWriter, r *http.Request) error {
	if q := r.URL.Query(); q.Has("open") {
		f, err := s.openText(q, []byte(q.Get("open")))
		if err != nil {
			return err
		}
		s.mu.Lock()
		address := fmt.Sprintf("/?file=%d#%d", f.id, f.games[0].game.Plies())
		s.mu.Unlock()
		http.Redirect(w, r, address, http.StatusSeeOther)
		return nil
	}
	v, err := s.viewOf(r.URL.Query())
	switch {
	case err != nil && statusOf(err) != http.StatusInternalServerError:
		http.Redirect(w, r, "/?file="+strconv.Itoa(s.latest()), http.StatusSeeOther)
		return nil
	case err != nil:
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	script := fmt.Sprintf("page.js?file=%d&game=%d", v.File, v.Number)
	_ = v.Serve(w, v.Title, script, v) // the page has gone
	return nil
}

// showScript writes the script of the page of a game.
func (s *Server) showScript(w http.ResponseWriter, r *http.Request) error {
	_, g, err := s.find(r.URL.Query())
	if err != nil {
		return err
	}
	asset("text/javascript", page.BoardScript(s.Games, g.Start.Game()))(w, r)
	return nil
}

func asset(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		_, _ = io.WriteString(w, text)
	}
}

// A fileInfo is what a page is told of a file.
type fileInfo struct {
	File    int      `json:"file"`
	Name    string   `json:"name"`
	Games   int      `json:"games"`
	Version int      `json:"version"`
	Kind    string   `json:"kind"`
	Formats []string `json:"formats"`           // in which its games can be saved
	Reading bool     `json:"reading,omitempty"` // there are more games
	Edited  bool     `json:"edited,omitempty"`  // it differs from its file
	Save    bool     `json:"save,omitempty"`    // it can be written back
	Puzzles bool     `json:"puzzles,omitempty"` // some of its games are puzzles
	Damage  []string `json:"damage,omitempty"`
}

// listFiles answers with the files that are open, and the games that a new one may be of.
func (s *Server) listFiles(*http.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []fileInfo{}
	for _, f := range s.files {
		info := fileInfo{
			File: f.id, Name: printable.Line(f.name), Games: len(f.games), Version: f.version, Kind: f.game.Name(),
			Reading: f.reading, Edited: f.edited, Damage: f.damage, Puzzles: slices.ContainsFunc(f.games, func(e *entry) bool { return e.isPuzzle }),
		}
		_, err := s.formatToSave(f)
		info.Save = err == nil
		for _, form := range s.Games.Records(f.game).Formats() {
			if form.CanWrite() {
				info.Formats = append(info.Formats, form.Name)
			}
		}
		list = append(list, info)
	}
	kinds := [][2]string{}
	for _, g := range s.Games.Games() {
		kinds = append(kinds, [2]string{g.Name(), engine.Title(g)})
	}
	return map[string]any{"files": list, "kinds": kinds}, nil
}

// A gameInfo is a row of the list of games.
type gameInfo struct {
	Place  int    `json:"n"`              // in the list, from 1
	Number int    `json:"game,omitempty"` // of the game, see entry
	First  string `json:"first"`
	Second string `json:"second"`
	Result string `json:"result"`
	Plies  int    `json:"plies"`
	Date   string `json:"date"`
	Event  string `json:"event"`
}

func (s *Server) gameInfo(place, number int, g *record.Game) gameInfo {
	players := s.Games.PGN(g.Start.Game()).Names(g.Tags)
	return gameInfo{
		place, number, printable.Line(players[0]), printable.Line(players[1]), record.FormatResult(g.Result), g.Plies(),
		printable.Line(g.Tags.Known("Date")), printable.Line(cmp.Or(g.Tags.Known("Event"), g.Tags.Known("Title"))),
	}
}

// maxRows is how many rows of a list are told at once.
const maxRows = 500

// listGames answers with the part of the list of games that begins with the row from, of those that have a text
// in a tag, and with the row at which a game stands, 0 if there is none.
func (s *Server) listGames(r *http.Request) (any, error) {
	q := r.URL.Query()
	id, number, err := numbers(q)
	if err != nil {
		return nil, err
	}
	from, _ := strconv.Atoi(q.Get("from")) // wrong: 0
	text := q.Get("find")
	rows, total, at := []gameInfo{}, 0, 0
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.file(id)
	if err != nil {
		return nil, err
	}
	for i, e := range f.games {
		tags := e.game.Tags
		found := text == ""
		for _, tag := range tags {
			found = found || records.ContainsFold(tag.Value, text)
		}
		if !found {
			continue
		}
		total++
		if e.number == number {
			at = total
		}
		if total > from && len(rows) < maxRows {
			rows = append(rows, s.gameInfo(i+1, e.number, e.game))
		}
	}
	return map[string]any{"total": total, "rows": rows, "at": at}, nil
}

// export writes the game that a request names, or all of its file, in a format, with what that cannot hold in a header,
// as JSON.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	f, g, err := s.find(q)
	if err != nil {
		return err
	}
	form, ok := s.Games.Records(f.game).FormatByName(q.Get("format"))
	if !ok || !form.CanWrite() {
		return refuse(http.StatusBadRequest, "there is no format %q to write games in", q.Get("format"))
	}
	name, chosen := s.title(f, g), []*record.Game{g}
	if q.Has("all") {
		name = printable.Line(f.name)
		s.mu.Lock()
		chosen = f.present()
		s.mu.Unlock()
	}
	var text strings.Builder
	lost, err := s.write(&text, f, form, q.Get("notation"), chosen)
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, "%w", err)
	}
	kind := "text/plain; charset=utf-8"
	if form.Binary {
		kind = "application/octet-stream"
	}
	name = strings.TrimSuffix(name, filepath.Ext(f.name)) + form.Extensions[0]
	parts, _ := json.Marshal(lost)
	w.Header().Set("X-Lost", url.PathEscape(string(parts)))
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	_, _ = io.WriteString(w, text.String())
	return nil
}

// picture writes the board of a position as SVG or PNG.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	_, g, err := s.find(q)
	if err != nil {
		return err
	}
	pos, err := g.Start.Game().Position(q.Get("position"))
	if err != nil {
		return refuse(http.StatusBadRequest, "%w", err)
	}
	width, _ := strconv.Atoi(q.Get("width")) // wrong: the usual one
	pic := games.ImageOptions{Flip: q.Has("flip"), Letters: q.Has("letters"), Chinese: q.Has("chinese"), Last: q.Get("last"), Width: min(max(width, 0), 4000)}
	svg, err := s.Games.SVG(pos, pic)
	if err != nil {
		return refuse(http.StatusBadRequest, "%w", err)
	}
	if !q.Has("png") {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = io.WriteString(w, svg)
		return nil
	}
	w.Header().Set("Content-Type", "image/png")
	return raster.PNG(w, svg, cmp.Or(pic.Width, 900))
}

package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
)

// maxUndo is how many changes of a game can be undone.
const maxUndo = 200

// An edit is a change of a game. A path leads from the start to a move: the index of each among its siblings.
type edit struct {
	File    int      `json:"file"`
	Game    int      `json:"game"`
	Version int      `json:"version"` // of the file that the page shows
	Do      string   `json:"do"`
	Path    []int    `json:"path"`
	Moves   []string `json:"moves"`
	Text    string   `json:"text"`
	Name    string   `json:"name"`
	Glyphs  []uint8  `json:"glyphs"`
	Marks   []string `json:"marks"`
	engine.ScoreJSON
}

// edits are what an edit can do. Each changes a game, and returns the path of the move to show.
var edits = map[string]func(s *Server, g *record.Game, e edit) ([]int, error){
	"play": func(s *Server, g *record.Game, e edit) ([]int, error) {
		n, pos, err := at(g, e.Path)
		path := e.Path
		for _, text := range e.Moves {
			if err != nil {
				break
			}
			var m engine.Move
			if m, err = s.Games.ReadMove(pos, text); err != nil {
				break
			}
			if pos, err = pos.Play(m); err == nil {
				next := n.Add(m)
				path = append(slices.Clone(path), slices.Index(n.Next, next))
				n = next
			}
		}
		return path, err
	},
	"delete": func(_ *Server, g *record.Game, e edit) ([]int, error) {
		if len(e.Path) == 0 {
			g.Root.Next = nil
			return []int{}, nil
		}
		before, i := e.Path[:len(e.Path)-1], e.Path[len(e.Path)-1]
		n, _, err := at(g, before)
		if err == nil {
			_, _, err = at(g, e.Path)
		}
		if err != nil {
			return nil, err
		}
		n.Next = slices.Delete(n.Next, i, i+1)
		return before, nil
	},
	"promote": func(_ *Server, g *record.Game, e edit) ([]int, error) { return promote(g, e.Path, false) },
	"main":    func(_ *Server, g *record.Game, e edit) ([]int, error) { return promote(g, e.Path, true) },
	"comment": change(func(n *record.Node, e edit) {
		n.Comment = strings.TrimSpace(commandsOf(n.Comment) + " " + record.CleanText(command().ReplaceAllString(e.Text, "")))
	}),
	"glyphs": change(func(n *record.Node, e edit) { n.Glyphs = e.Glyphs }),
	"marks":  change(func(n *record.Node, e edit) { n.Comment = withMarks(n.Comment, e.Marks) }),
	"eval": change(func(n *record.Node, e edit) {
		n.Comment = withEval(n.Comment, e.Score())
	}),
	"tag": func(_ *Server, g *record.Game, e edit) ([]int, error) {
		name, value := record.CleanLine(e.Name), record.CleanLine(e.Text)
		if !tagName.MatchString(name) {
			return nil, fmt.Errorf("a tag is a word of letters and digits, not %q", e.Name)
		}
		g.Tags.Set(name, value)
		return e.Path, nil
	},
	"result": func(_ *Server, g *record.Game, e edit) ([]int, error) {
		result, ok := record.ParseResult(e.Text)
		if !ok {
			return nil, fmt.Errorf("a result is 1-0, 0-1, 1/2-1/2 or *, not %q", e.Text)
		}
		g.Result = result
		return e.Path, nil
	},
	"start": func(_ *Server, g *record.Game, e edit) ([]int, error) {
		pos, err := g.Start.Game().Position(e.Text)
		if err != nil {
			return nil, err
		}
		g.Start, g.Root, g.Result = pos, &record.Node{}, engine.Ongoing
		return []int{}, nil
	},
	"mirror": func(s *Server, g *record.Game, e edit) ([]int, error) {
		return e.Path, retell(g, s.Games.Row(g.Start.Game()).Mirror)
	},
	"swap": func(s *Server, g *record.Game, e edit) ([]int, error) {
		if err := retell(g, s.Games.Row(g.Start.Game()).Swap); err != nil {
			return nil, err
		}
		g.Walk(func(n *record.Node) bool {
			if score := record.ParseEval(n.Comment); score.Known() {
				n.Comment = withEval(n.Comment, score.Neg())
			}
			for i, glyph := range n.Glyphs {
				n.Glyphs[i] = record.OtherGlyph(glyph)
			}
			return true
		})
		s.Games.PGN(g.Start.Game()).Swap(&g.Tags)
		g.Result = map[engine.Outcome]engine.Outcome{engine.FirstWins: engine.SecondWins, engine.SecondWins: engine.FirstWins, engine.Draw: engine.Draw}[g.Result]
		return e.Path, nil
	},
}

var tagName = regexp.MustCompile(`^\w{1,60}$`)

// change returns an edit of the node of its path.
func change(f func(n *record.Node, e edit)) func(*Server, *record.Game, edit) ([]int, error) {
	return func(_ *Server, g *record.Game, e edit) ([]int, error) {
		n, _, err := at(g, e.Path)
		if err == nil {
			f(n, e)
		}
		return e.Path, err
	}
}

// at returns the node of a path, and its position.
func at(g *record.Game, path []int) (*record.Node, engine.Position, error) {
	n, pos := g.Root, g.Start
	for _, i := range path {
		if i < 0 || i >= len(n.Next) {
			return nil, nil, errors.New("there is no such move")
		}
		n = n.Next[i]
		next, err := pos.Play(n.Move)
		if err != nil {
			return nil, nil, err
		}
		pos = next
	}
	return n, pos, nil
}

// promote makes the variation in which a path ends the first one, or all that lead to it, and returns the path
// to the same move.
func promote(g *record.Game, path []int, all bool) ([]int, error) {
	if _, _, err := at(g, path); err != nil {
		return nil, err
	}
	after := slices.Clone(path)
	for last := len(path) - 1; last >= 0; last-- {
		if path[last] == 0 {
			continue
		}
		n, _, _ := at(g, path[:last]) // it is on the path
		n.Promote(path[last])
		after[last] = 0
		if !all {
			break
		}
	}
	return after, nil
}

// withEval returns a comment with another score.
func withEval(comment string, score engine.Score) string {
	return strings.TrimSpace(strings.Join([]string{record.FormatEval(score), commandsOf(comment, "eval"), textOf(comment)}, " "))
}

// retell makes all positions of a game others, by a function that does so with one; nil: its board has no such others.
func retell(g *record.Game, with func(engine.Position) (engine.Position, error)) error {
	if with == nil {
		return fmt.Errorf("boards of %s cannot be changed so", engine.Title(g.Start.Game()))
	}
	moves := map[*record.Node]engine.Move{}
	for n, pos := range g.Positions(true) {
		other, err := with(pos)
		if err != nil {
			return err
		}
		start, history := other.History()
		if n == g.Root {
			g.Start = start // Positions has the old one
		} else {
			moves[n] = history[len(history)-1]
		}
	}
	g.Walk(func(n *record.Node) bool {
		if m, ok := moves[n]; ok {
			n.Move = m
		}
		n.Comment = withMarks(annotate.WithoutPlaces(n.Comment), nil) // they are points of the other board
		return true
	})
	return nil
}

var markText = regexp.MustCompile(`^[A-Z][0-9A-Za-z]{1,6}(-?[0-9A-Za-z]{1,6})?$`)

// withMarks returns a comment with other marks: points, and arrows, which are longer than a point or have a -.
func withMarks(comment string, marks []string) string {
	lists := map[string][]string{}
	for _, mark := range marks {
		name := pointMarks
		if strings.Contains(mark, "-") || len(mark) > 4 {
			name = arrowMarks
		}
		if markText.MatchString(mark) {
			lists[name] = append(lists[name], mark)
		}
	}
	parts := []string{commandsOf(comment, pointMarks, arrowMarks)}
	for _, name := range []string{pointMarks, arrowMarks} {
		if len(lists[name]) > 0 {
			parts = append(parts, "[%"+name+" "+strings.Join(lists[name], ",")+"]")
		}
	}
	return strings.TrimSpace(strings.Join(append(parts, textOf(comment)), " "))
}

// edit changes a game and answers with it.
func (s *Server) edit(r *http.Request) (any, error) {
	var e edit
	if err := readBody(r, &e); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, of, err := s.at(e.File, e.Game)
	if err != nil {
		return nil, err
	}
	if e.Version != f.version {
		return nil, refuse(http.StatusConflict, "%s has changed meanwhile", f.name)
	}
	var path []int
	switch do := edits[e.Do]; {
	case e.Do == "undo" || e.Do == "redo":
		if of.retrace(e.Do == "redo") {
			s.mark(f)
		}
	case do == nil:
		return nil, refuse(http.StatusBadRequest, "nothing is called %q here", e.Do)
	default:
		changed := of.game.Clone()
		if path, err = do(s, changed, e); err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, "%w", err)
		}
		if e.Do == "eval" { // what engines say is no change of a reader's
			of.game, f.dirty = changed, true
			return map[string]int{"version": f.version}, nil
		}
		s.replace(f, of, changed)
	}
	v, err := s.view(f, of)
	v.Path = path
	return v, err
}

// replace puts a game in the place of another, so that it can be undone. The caller holds s.mu.
func (s *Server) replace(f *file, of *entry, changed *record.Game) {
	of.undo, of.redo = append(of.undo, of.game), nil
	if len(of.undo) > maxUndo {
		of.undo = slices.Delete(of.undo, 0, 1)
	}
	of.hold(changed)
	of.edits++
	s.mark(f)
}

// retrace undoes the last change, or makes the last one again that was undone, and reports whether there is one.
func (e *entry) retrace(again bool) bool {
	from, to := &e.undo, &e.redo
	if again {
		from, to = to, from
	}
	last := len(*from) - 1
	if last < 0 {
		return false
	}
	*to = append(*to, e.game)
	e.hold((*from)[last])
	*from = (*from)[:last]
	e.edits++
	return true
}

// formatToSave returns the format in which a file can be written back to its path. The caller holds s.mu.
func (s *Server) formatToSave(f *file) (*record.Format, error) {
	form, ok := s.Games.Records(f.game).FormatByName(f.format)
	switch {
	case f.path == "" || !ok || !form.CanWrite():
		return nil, refuse(http.StatusUnprocessableEntity, "%s was not named at the start, or cannot be written: download it", f.name)
	case form.Finish != nil:
		return nil, refuse(http.StatusUnprocessableEntity, "%s has a name and remarks of its own, which would be lost: download it", f.name)
	case f.reading || len(f.damage) > 0:
		return nil, refuse(http.StatusUnprocessableEntity, "%s has parts that could not be read and would be lost: download it", f.name)
	}
	return form, nil
}

// save writes a file back to its path, in its own format, if nothing is lost by that.
func (s *Server) save(r *http.Request) (any, error) {
	f, _, err := s.find(r.URL.Query())
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	form, err := s.formatToSave(f)
	if err != nil {
		return nil, err
	}
	onDisk, err := stampOf(f.path)
	switch {
	case err != nil:
		return nil, err
	case onDisk != (stamp{}) && onDisk != f.onDisk: // if it is gone, it is written anew
		return nil, refuse(http.StatusConflict, "%s has changed on the disk: download yours, and open it again", f.name)
	}
	var text bytes.Buffer
	lost, err := s.write(&text, f, form, "", f.present())
	if err != nil {
		return nil, err
	}
	if len(lost) > 0 {
		return nil, refuse(http.StatusUnprocessableEntity, "%s cannot hold %s: download it in another format", f.name, strings.Join(lost, ", "))
	}
	if onDisk != (stamp{}) {
		if err := keepCopy(r.Context(), f.path); err != nil {
			return nil, err
		}
	}
	if err := writeAnew(r.Context(), f.path, text.Bytes()); err != nil {
		return nil, err
	}
	if f.onDisk, err = stampOf(f.path); err != nil {
		return nil, err
	}
	f.edited, f.dirty = false, true
	s.touch()
	return map[string]int{"version": f.version}, nil
}

// keepCopy copies what is at a path to FILE.bak, unless there is something. It is no link: the path may be one
// itself, and not every disk has links.
func keepCopy(ctx context.Context, path string) (err error) {
	data, err := interruptible.ReadFile(ctx, path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(path+".bak", os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	if err = errors.Join(err, out.Close()); err != nil {
		_ = os.Remove(out.Name()) // a part is no copy
	}
	return err
}

// Package serve is a page to work on: a web server for the people of one machine, with a board, the games of
// files, and engines.
//
// The server owns the games, and a page shows them: what a reader does is a request, whose answer is the whole
// game as it is then. So the rules, the notations and the file formats are those of the rest of the program, two
// pages of one game cannot get apart, and a page that is closed loses nothing. The page plays a move at once, by
// the rules of the game's script, and is told the rest when the answer comes.
//
// A page, or a program, speaks the protocol of 'qhsh analyze' (package analyze) over one websocket. All conversations
// about a game share its engines, which readers choose and set by name: they start with the first and end a while after
// the last. The page itself is package page's, and package exercise says when exercises come again.
//
// Every request has the token of the run, in the address of the first, in a cookie, or in a header; its Host is this
// machine and not a name that leads here, and its Origin the page. A page loads nothing from elsewhere, and names
// neither a command line nor the path of a file.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/analyze"
	"qhsh/pluginclient/task/exercise"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/page"
)

// Upper bounds of what a page may send, in bytes.
const (
	maxUpload = 64 << 20
	maxEdit   = 1 << 20
)

// Options configure a Server.
type Options struct {
	Games   games.Table
	Dir     string                             // keeps the games between runs; empty: nothing is kept
	Token   string                             // that requests must have
	Engines func(engine.Game) ([]Offer, error) // that play a game, in the order in which they are shown
	Analyze analyze.Options                    // of every conversation, but for the engines
	Idle    time.Duration                      // after which engines end that no page needs
	DB      *explore.DB                        // tells what was played in a position; nil: nothing
	Warn    func(string)                       // is called from several goroutines
}

// A Server has the files that are open, and engines. Its Handler answers until Close.
type Server struct {
	Options
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	work   sync.WaitGroup // goroutines
	lock   *os.File       // of Dir; nil: there is none

	mu      sync.Mutex
	files   []*file
	nextID  int
	changed chan struct{}     // is closed when something changes
	benches map[string]*bench // engines by the key of their bench

	choices  map[string]map[string]choice // of engines, by the key of their bench and name
	memories map[string]exercise.Memory   // of positions, by exercise.Key
	unkept   map[string]bool              // which of the notes differ from what is kept
}

// New returns a server with the files that Options.Dir has kept. It answers until ctx ends.
func New(ctx context.Context, o Options) (*Server, error) {
	s := &Server{
		Options: o, nextID: 1, changed: make(chan struct{}), benches: map[string]*bench{},
		choices: map[string]map[string]choice{}, memories: map[string]exercise.Memory{}, unkept: map[string]bool{},
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	if err := s.restore(); err != nil {
		return nil, fmt.Errorf("games of earlier: %w", err)
	}
	if s.Dir != "" {
		s.work.Go(s.keep)
	}
	return s, nil
}

// Close ends conversations and engines, and keeps what has changed.
func (s *Server) Close() {
	s.cancel()
	s.work.Wait()
	s.mu.Lock()
	all := s.benches
	s.benches = nil
	s.mu.Unlock()
	for _, b := range all {
		b.end()
	}
	if s.lock != nil {
		s.lock.Close()
	}
}

// Handler returns what answers requests to addresses of port.
func (s *Server) Handler(port string) http.Handler {
	mux := http.NewServeMux()
	answer := func(pattern string, f func(r *http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { writeAnswer(w, r, f) })
	}
	write := func(pattern string, f func(w http.ResponseWriter, r *http.Request) error) { // its error is text
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := f(w, r); err != nil {
				http.Error(w, printable.Error(err), statusOf(err))
			}
		})
	}
	mux.HandleFunc("GET /style.css", asset("text/css", page.BoardStyle()))
	write("GET /{$}", s.showPage)
	write("GET /page.js", s.showScript)
	write("GET /analyze", s.converse)
	write("GET /trace", s.trace)
	write("GET /export", s.export)
	write("GET /picture", s.picture)
	answer("GET /files", s.listFiles)
	answer("GET /list", s.listGames)
	answer("GET /game", s.showGame)
	answer("GET /engines", s.listEngines)
	answer("POST /engines", s.chooseEngine)
	answer("GET /threat", s.threat)
	answer("POST /open", s.upload)
	answer("POST /edit", s.edit)
	answer("POST /arrange", s.arrange)
	answer("POST /save", s.save)
	answer("POST /look", s.look)
	answer("GET /check", s.check)
	answer("POST /explored", s.openExplored)
	answer("GET /train", s.listExercises)
	answer("POST /train", s.train)
	mux.HandleFunc("POST /annotate", s.annotate)
	return s.guard(port, mux)
}

// A refusal is an error of a request with its status.
type refusal struct {
	status int
	error
}

// refuse returns an error that is the request's fault.
func refuse(status int, form string, args ...any) error {
	return refusal{status, fmt.Errorf(form, args...)}
}

// writeAnswer writes what f returns as JSON, or its error.
func writeAnswer(w http.ResponseWriter, r *http.Request, f func(*http.Request) (any, error)) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	answer, err := f(r)
	if err != nil {
		w.WriteHeader(statusOf(err))
		answer = map[string]string{"error": printable.Text(err.Error())}
	}
	_ = json.NewEncoder(w).Encode(answer) // the page has gone
}

func statusOf(err error) int {
	var bad refusal
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &bad):
		return bad.status
	}
	return http.StatusInternalServerError
}

// readBody decodes the JSON of a request.
func readBody(r *http.Request, value any) error {
	in := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxEdit))
	in.DisallowUnknownFields()
	if err := in.Decode(value); err != nil {
		if statusOf(err) == http.StatusRequestEntityTooLarge {
			return fmt.Errorf("request: more than %d MiB: send less: %w", maxEdit>>20, err)
		}
		return refuse(http.StatusBadRequest, "request: %w", printable.JSONError(err))
	}
	return nil
}

// touch tells those who wait for a change that there is one. The caller holds s.mu.
func (s *Server) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

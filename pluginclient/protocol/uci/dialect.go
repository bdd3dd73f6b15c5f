package uci

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// A Dialect is a protocol of the family, [UCI] or [UCCI]: what clients and servers of one say
// differently than those of the other.
type Dialect struct {
	Name     string // display name
	Greeting string // the first command; the introduction ends with this and "ok"

	mustAnswerPing bool     // every engine must answer a ping
	plainScores    bool     // scores are plain numbers, without "cp" or "mate"
	oneWordNames   bool     // an option's name is one word, so that neither it nor its value is announced by a word
	sinceCapture   bool     // a position is sent from the last capture on, not from the start of the game
	holdsInfinite  bool     // the answer to an infinite search waits for "stop" even if the search ends
	offers         bool     // a move may come with an offer of a draw, or be a resignation
	required       Setting  // what the client sets if the engine offers it
	newGameCommand string   // empty: the button "newgame", if the engine offers it
	remarkWord     string   // the word between "info" and a text for the user
	noMove         string   // the best move if there is none
	idleStop       string   // answers "stop" when there is nothing to stop; may be empty
	bye            string   // answers "quit"; may be empty
	limits         []string // the words of "go" that the server knows

	// goCommand returns the command of a search, all but its position.
	goCommand func(SearchRequest) GoCommand
	// options returns the options that every server has. ignored reports whether hosts set an option
	// even if it is not offered, so that no remark is needed.
	options func(*serverConn) []Setter
	ignored func(option string) bool
	// optionNames are the names that this protocol has for options of the ServerConfig.
	optionNames map[string]string
	// commands are the commands of a server of this protocol only.
	commands map[string]func(c *serverConn, args []string) error
	// formatInfo returns the info lines for a list, best first, after some time. want is the wanted
	// number of lines.
	formatInfo func(lines []engine.Line, spent time.Duration, want int, r Ranks) []string
	// formatProgress returns the info line for the progress of a search; nil: the protocol has none.
	formatProgress func(p engine.Progress, spent time.Duration, r Ranks) string

	references []pluginclient.CommandSpec
}

// Dial starts an engine that speaks the protocol. The errors are those of the function Dial.
func (d *Dialect) Dial(ctx context.Context, program pluginclient.Program, opts Options) (*Client, error) {
	return Dial(ctx, d.protocol(), program, opts)
}

// InProcess returns a Program that runs a server in this process.
func (d *Dialect) InProcess(s ServerConfig) pluginclient.Program {
	return pluginclient.Program{Name: s.Name, Start: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return d.Serve(ctx, in, out, s)
	})}
}

// Language returns the commands of the protocol for a reader.
func (d *Dialect) Language() pluginclient.Language {
	return pluginclient.Language{Name: d.Name, Commands: d.references}
}

// SetOption returns the command that sets an option or presses a button.
func (d *Dialect) SetOption(name, value string) string {
	switch {
	case d.oneWordNames:
		return strings.TrimRight("setoption "+name+" "+value, " ")
	case value == "":
		return "setoption name " + name
	}
	return "setoption name " + name + " value " + value
}

// readSetOption parses the arguments of "setoption": "name N... value V...", where the first word is
// the name without "name", or "NAME VALUE...".
func (d *Dialect) readSetOption(fields []string) (name, value string) {
	at := min(1, len(fields))
	rest := at
	if !d.oneWordNames {
		if len(fields) > 0 && fields[0] == "name" {
			fields = fields[1:]
		}
		if at = slices.Index(fields, "value"); at < 0 {
			at = len(fields)
		}
		rest = min(at+1, len(fields))
	}
	return strings.Join(fields[:at], " "), strings.Join(fields[rest:], " ")
}

// Required returns the settings that must be sent first to an engine with these options. An error
// means that it cannot be used.
func (d *Dialect) Required(offers OptionList) ([]Setting, error) {
	opt, ok := offers.Find(d.required.Name)
	if !ok || d.onlyOne(opt) {
		return nil, nil
	}
	if opt.Kind == Combo && len(opt.Vars) > 0 && !slices.Contains(opt.Vars, d.required.Value) {
		return nil, fmt.Errorf("the engine has the variants %q, and not xiangqi (Fairy-Stockfish must be built with largeboards=yes)", pluginclient.Excerpt(strings.Join(opt.Vars, ",")))
	}
	return []Setting{{Name: opt.Name, Value: d.required.Value}}, nil
}

// onlyOne reports whether the required value is the only one of the required option.
func (d *Dialect) onlyOne(opt Option) bool { return slices.Equal(opt.Vars, []string{d.required.Value}) }

// Ranks returns how an engine with these options numbers ranks, unless its moves show otherwise. One that
// plays other variants, too, counts as in chess.
func (d *Dialect) Ranks(offers OptionList) Ranks {
	if opt, ok := offers.Find(Variant); ok && d.required.Name == Variant && !d.onlyOne(opt) {
		return FromOne
	}
	return FromZero
}

// NewGame returns the command that makes an engine with these options forget earlier searches, or "".
func (d *Dialect) NewGame(offers OptionList) string {
	if d.newGameCommand != "" {
		return d.newGameCommand
	}
	if opt, ok := offers.Find("newgame"); ok {
		return d.SetOption(opt.Name, "")
	}
	return ""
}

// protocol returns the client side for one conversation.
func (d *Dialect) protocol() Protocol {
	greeted, pinged := false, false // and not yet answered
	end := d.Greeting + "ok"
	position := func(pos *xiangqi.Position, r Ranks) string {
		start, moves := d.history(pos)
		return FormatPosition(start, moves, r)
	}
	return Protocol{
		Name: d.Name, MustAnswerPing: d.mustAnswerPing, PlainScores: d.plainScores, HasPerft: true, Stop: stopWord, Rules: ruleTable,
		Greeting: func(in *Introduction) []string {
			greeted, pinged = true, false
			in.Terminator = end
			return []string{d.Greeting}
		},
		ReadIntro: func(line string, in *Introduction) {
			in.read(line, end)
			in.Ranks = d.Ranks(in.Options)
		},
		Ping: func() string {
			pinged = true
			return "isready"
		},
		Pong:            func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), "readyok") },
		SetOption:       d.SetOption,
		RequiredOptions: d.Required,
		NewGame: func(offers OptionList) (commands []string, again bool) {
			if command := d.NewGame(offers); command != "" {
				commands = []string{command}
			}
			return commands, true
		},
		GoCommand: func(q SearchRequest) GoCommand {
			cmd := d.goCommand(q)
			cmd.Setup = slices.Insert(cmd.Setup, 0, position(q.Pos, q.Ranks))
			_, moves := d.history(q.Pos)
			cmd.HasMoves = len(moves)+len(q.Ban) > 0
			return cmd
		},
		PositionCommands: func(pos *xiangqi.Position, r Ranks) []string { return []string{position(pos, r)} },
		ParseInfo:        ParseInfoLine, ParseBestMove: ParseBestMove,
		JudgeLine: func(line string) []Breach {
			word, _ := CutWord(line)
			switch word = strings.ToLower(word); {
			case word == "readyok" && pinged:
				pinged = false
			case word == "readyok":
				return []Breach{{"ready.single", "another readyok"}}
			case word == end && greeted:
				greeted = false
			case word == end:
				return []Breach{{"start.single", "another " + word}}
			case word == "option":
				if _, ok := ParseOption(line); !ok {
					return []Breach{{"option.form", fmt.Sprintf("an option without a name or type: %q", pluginclient.Excerpt(line))}}
				}
			}
			return nil
		},
		Interrupt: func(line string) (lines []string, ok bool) {
			word, _ := CutWord(line)
			return []string{line}, word == stopWord || word == ponderHit
		},
		ParseRaw: func(line string, r Ranks) RawCommand {
			word, rest := CutWord(line)
			args := strings.Fields(rest)
			switch word {
			case d.Greeting:
				return RawCommand{AnyPosition: true, Deadline: DeadlineStart, BeforeSend: func() { greeted = true }}
			case "isready":
				return RawCommand{Ping: true, BeforeSend: func() { pinged = true }}
			case quitWord:
				return RawCommand{Quit: true}
			case goWord:
				return RawCommand{Thinks: !strings.HasPrefix(rest, "perft")}
			case "position":
				return RawCommand{AnyPosition: true, Deadline: DeadlineReply, Position: func() (*xiangqi.Position, error) {
					pos, _, err := readPosition(args, r)
					return pos, err
				}}
			case "setoption":
				name, value := d.readSetOption(args)
				return RawCommand{AnyPosition: true, Deadline: DeadlineReply, Setting: &Setting{name, value}}
			case "ucinewgame":
				return RawCommand{AnyPosition: true, Deadline: DeadlineStart, NewGame: true}
			case stopWord:
				return RawCommand{AnyPosition: true, Deadline: DeadlineReply}
			case ponderHit, "banmoves", "probe", "debug":
				return RawCommand{Deadline: DeadlineReply}
			}
			return RawCommand{} // it may be a benchmark that takes as long as a search
		},
	}
}

// maxMoves is the maximum number of moves that are sent with a position since the last capture.
const maxMoves = 1000

// history returns the position that is sent, and the moves since then that are sent with it.
func (d *Dialect) history(pos *xiangqi.Position) (start engine.Position, moves []engine.Move) {
	start, moves = pos.History()
	if !d.sinceCapture {
		return start, moves
	}
	from, n := pos, 0
	for from.QuietPlies() > 0 && from.Before() != nil && n < maxMoves {
		from = from.Before()
		n++
	}
	return from, moves[len(moves)-n:]
}

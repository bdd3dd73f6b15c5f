package xboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// Options configure a Client.
type Options struct {
	uci.Options
	Letters Letters // of the FENs sent to the engine
}

// Letters are the letters of horses and elephants in FENs.
type Letters string

// The two variants. The zero value means the letters of the engine's "setup" line, or else those of
// XBoard.
const (
	HorseElephant Letters = "he"
	KnightBishop  Letters = "nb"
)

// Set sets KEY=VALUE of a SPEC: "letters" (he or nb), or a key of uci.Options.
func (o *Options) Set(key, value string) error {
	if key != "letters" {
		return o.Options.Set(key, value)
	}
	o.Letters = Letters(value)
	if o.Letters != HorseElephant && o.Letters != KnightBishop {
		return fmt.Errorf("%w letters=%s: want he or nb, the letters of horses and elephants in a FEN", uci.ErrOption, value)
	}
	return nil
}

// noMate disables numeric mate scores: the protocol has its own.
const noMate = -1

// Dial starts an engine that speaks the protocol. The errors are those of uci.Dial.
func Dial(ctx context.Context, program pluginclient.Program, opts Options) (*uci.Client, error) {
	opts.Mate = cmp.Or(opts.Mate, noMate)
	p := &protocol{letters: opts.Letters}
	return uci.Dial(ctx, uci.Protocol{
		Name:           "XBoard",
		MustAnswerPing: true, // if the engine offers it
		Stop:           "?",

		Greeting:  p.greet,
		ReadIntro: p.readIntro,
		Probe:     p.probe,
		LateIntro: p.takeLateIntro,
		Ping:      p.ping,
		Pong:      p.pong,

		SetOption:       p.setOption,
		RequiredOptions: p.requiredOptions,
		NewGame:         p.newGame,

		CanBan:           func() bool { return p.has("exclude") && !p.unsupported["exclude"] },
		GoCommand:        p.goCommand,
		PositionCommands: p.positionCommands,
		ParseInfo:        p.parseInfo,
		ParseBestMove:    p.parseBestMove,
		Unsolicited:      p.unsolicited,
		EndSearch:        p.endSearch,

		Rules:     ruleTable,
		JudgeLine: p.judgeLine,

		Interrupt: interrupt,
		ParseRaw:  p.parseRaw,
	}, program, opts.Options)
}

// protocol is the client side of one conversation, with the state of its engine.
type protocol struct {
	letters Letters // of Options

	features  map[string]string // those that the engine has announced
	options   uci.OptionList
	greetedAt time.Time
	hasOutput bool // a line has arrived since greetedAt
	probed    bool // a ping was sent because no feature arrived

	late       *uci.Introduction // features that came after the introduction and were not taken yet; nil: none
	lateWarned bool              // a warning about late features was given

	game                    // the engine's board
	started       bool      // a game has been sent
	hasExclusions bool      // moves are excluded at this position
	ranks         uci.Ranks // the rank numbering of moves sent to it
	setupLetters  Letters   // of its own FEN; empty: unknown
	userGame      bool      // the user plays a game with it

	search      search          // the latest one
	pingCount   int             // pings sent so far
	lastPing    string          // the number of the latest ping
	depthSent   bool            // sd has been sent since the start
	npsSent     bool            // nps has been sent since "new"
	unsupported map[string]bool // the commands that an "Error" was about
	pongs       map[string]bool // the numbers of answered pings
	hasRefused  bool            // it has sent "Illegal move" since the user's latest move
}

// has reports whether the engine has announced that a feature is on. All are off by default.
func (p *protocol) has(name string) bool { return feature{name, p.features[name]}.on() }

// featureTimeout is how long an engine has to send its features (section 9). A newly started program may not
// read its input in that time, so the client then sends a ping: features come before the reply. An
// engine without ping replies with an error or calls it an illegal move. An engine that has sent
// something, but no reply to the ping, gets the same time again. For the first line of a silent engine
// the client waits until Deadlines.Start.
const featureTimeout = 2 * time.Second

const variant = "xiangqi"

// Options that are set by their own commands.
const (
	memory = "memory"
	cores  = "cores"
)

// greet resets the state for a newly started engine.
func (p *protocol) greet(in *uci.Introduction) []string {
	*p = protocol{letters: p.letters, features: map[string]string{}, unsupported: map[string]bool{}, pongs: map[string]bool{}, greetedAt: time.Now()}
	in.Terminator, in.Timeout = "feature done=1", featureTimeout
	return []string{"xboard", "protover 2"}
}

// readIntro reads "feature" lines up to done=1.
func (p *protocol) readIntro(line string, in *uci.Introduction) {
	word, rest := uci.CutWord(line)
	if !p.hasOutput && in.DoneAtStartDeadline { // the first line of a slow engine
		in.Timeout, in.DoneAtStartDeadline = time.Since(p.greetedAt)+featureTimeout, false
	}
	p.hasOutput = true
	switch {
	case p.probed && (word == "pong" || (word == "Error" || illegalMove(line) != "") && strings.Contains(line, "ping")):
		in.Done = true // it has answered the ping, or does not know it
	case word == "feature":
		if in.Timeout > 0 { // more may follow, but not every engine sends done=1
			in.Timeout = time.Since(p.greetedAt) + featureTimeout
		}
		for _, f := range parseFeatures(rest) {
			p.readFeature(f, in)
		}
	case word == "Error" && strings.Contains(rest, "protover"):
		in.Done = true // version 1 of the protocol
	default:
		in.Unexpected = line
		p.unsolicited(line)
	}
}

// probe pings an engine that may not be ready yet.
func (p *protocol) probe(in *uci.Introduction) (ping string) {
	if in.Done = len(p.features) > 0 || p.probed; in.Done {
		return ""
	}
	if p.probed = true; p.hasOutput {
		in.Timeout += featureTimeout
	} else {
		in.Timeout, in.DoneAtStartDeadline = 0, true
	}
	p.pingCount++
	return "ping " + strconv.Itoa(p.pingCount)
}

// readFeature stores a feature, and adds the reply to it and what it says of the engine to in.
func (p *protocol) readFeature(f feature, in *uci.Introduction) {
	p.features[f.name] = f.value
	switch {
	case f.accepts():
		in.Replies = append(in.Replies, "accepted "+f.name)
	case f.name == "option":
		in.Replies = append(in.Replies, "rejected option "+f.value)
	default:
		in.Replies = append(in.Replies, "rejected "+f.name)
	}
	// number adds an option that is set by its own command.
	number := func(name string, most int64) {
		if f.on() {
			in.AddOption(uci.Option{Name: name, Kind: uci.Spin, Default: "1", Min: 1, Max: most}, fmt.Sprintf("feature %s: option %s", f.name, name))
		}
	}
	switch f.name {
	case "done":
		in.Done = f.value == "1"
		in.Timeout = 0 // done=0 asks for time
	case "myname":
		in.Info.Name = f.value
	case "option":
		if opt, ok := parseOption(f.value); ok && !strings.EqualFold(opt.Name, "ponder") { // set by easy and hard
			in.AddOption(opt, "option "+f.value)
		}
	case memory:
		number(memory, 1<<20)
	case "smp":
		number(cores, 1<<10)
	}
	p.options = in.Options
}

func (p *protocol) ping() string {
	if !p.has("ping") {
		return ""
	}
	p.pingCount++
	p.lastPing = strconv.Itoa(p.pingCount)
	return "ping " + p.lastPing
}

func (p *protocol) pong(line string) bool {
	word, rest := uci.CutWord(line)
	return word == "pong" && rest == p.lastPing && p.lastPing != ""
}

func (p *protocol) setOption(name, value string) string {
	if name == memory || name == cores {
		return name + " " + value
	}
	opt, _ := p.options.Find(name)
	switch {
	case opt.Kind == uci.Button:
		return "option " + name
	case opt.Kind == uci.Check && value == "true":
		value = "1"
	case opt.Kind == uci.Check:
		value = "0"
	}
	return "option " + name + "=" + value
}

// requiredOptions rejects an engine that does not play Xiangqi.
func (p *protocol) requiredOptions(uci.OptionList) ([]uci.Setting, error) {
	variants := p.features["variants"]
	if variants == "" || slices.ContainsFunc(strings.Split(variants, ","), isXiangqi) {
		return nil, nil
	}
	return nil, fmt.Errorf("the engine announces the variants %q, and not xiangqi (Fairy-Stockfish must be built with largeboards=yes, UCI2WB be given -var xiangqi)", excerpt(variants))
}

// isXiangqi reports whether a variant is Xiangqi. A board size may precede the name.
func isXiangqi(name string) bool {
	name = strings.TrimSpace(name)
	return name == variant || name == "9x10+0_"+variant
}

// newGame starts a game. An engine that plays only one (reuse=0) must be restarted.
func (p *protocol) newGame(uci.OptionList) (commands []string, again bool) {
	if value, told := p.features["reuse"]; told && !(feature{value: value}).on() && p.started {
		return nil, false
	}
	return p.newGameCommands(), true
}

// newGameCommands returns the commands that start a game in force mode.
func (p *protocol) newGameCommands() []string {
	_ = p.execute("new", "")
	p.started, p.playing, p.npsSent, p.userGame, p.hasExclusions = true, false, false, false, false
	commands := []string{"new", "variant " + variant, "force", "post", "easy"}
	if p.unsupported["variant"] {
		return slices.Delete(commands, 1, 2)
	}
	return commands
}

// unsolicited handles an unsolicited line: a move of the engine, or late features.
func (p *protocol) unsolicited(line string) (reply []string) {
	p.hasOutput = true // a banner may have come before the greeting
	word, rest := uci.CutWord(line)
	switch best, ok := parseBest(line); {
	case word == "feature": // after the introduction was considered complete
		if p.late == nil {
			p.late = &uci.Introduction{Options: p.options}
		}
		for _, f := range parseFeatures(rest) {
			p.readFeature(f, p.late)
		}
		if !p.lateWarned {
			p.late.Warnings = []string{fmt.Sprintf("sent its features more than %v after its start: until then none were assumed, and options of its SPEC could not be set", featureTimeout)}
			p.lateWarned = true
		}
		reply, p.late.Replies = p.late.Replies, nil
	case word == "setup":
		p.applySetup(rest)
	case word == "Error":
		if _, command, ok := strings.Cut(rest, ":"); ok {
			word, _ := uci.CutWord(command)
			p.unsupported[word] = true
		}
	case illegalMove(line) != "":
		p.pos = nil
	case ok:
		p.applyEngineMove(best)
	}
	return reply
}

func (p *protocol) takeLateIntro() *uci.Introduction {
	in := p.late
	p.late = nil
	return in
}

// applySetup parses the arguments of "setup", [(LETTERS) [WxH+S_VARIANT]] FEN: the reply to
// "variant", with the engine's start position.
func (p *protocol) applySetup(text string) {
	if _, rest, ok := strings.Cut(text, ")"); ok {
		text = strings.TrimSpace(rest)
		if size, rest := uci.CutWord(text); strings.ContainsAny(size, "x+_") {
			text = rest
		}
	}
	pos, err := xiangqi.ParseFEN(text)
	if err != nil {
		p.pos = nil // another variant, until the position is sent
		return
	}
	if fen, _ := uci.CutWord(strings.ToLower(text)); strings.ContainsAny(fen, "he") {
		p.setupLetters = HorseElephant
	} else if strings.ContainsAny(fen, "nb") {
		p.setupLetters = KnightBishop
	}
	p.start, p.pos = pos, pos
}

// applyEngineMove plays the engine's move. If it sends something else instead, its board is
// unknown.
func (p *protocol) applyEngineMove(best uci.BestMove) {
	m, ok := p.ranks.Parse(best.Move)
	if p.pos == nil || !ok {
		p.pos = nil
		return
	}
	p.pos, _ = p.pos.PlayMove(xiangqi.Move(m)) // nil if it is illegal
}

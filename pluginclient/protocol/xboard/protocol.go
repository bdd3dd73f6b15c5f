package xboard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
)

// protocol is the client side of one conversation, with the state of its engine.
type protocol struct {
	letters Letters // of Options

	features         featureSet
	options          uci.OptionList
	greetedAt        time.Time
	hasOutput        bool              // a line has arrived since greetedAt
	hasFeatures      bool              // a feature has arrived
	probed           bool              // a ping was sent because no feature arrived
	lateIntro        *uci.Introduction // features that came after the introduction; nil: none
	lateIntroPending bool              // lateIntro has changed since takeLateIntro was called
	lateWarned       bool              // a warning about late features was given
	board            board
	multiPV          multiPVState
	pingCount        int    // pings sent so far
	lastPing         string // the number of the latest ping
	depthSent        bool   // sd has been sent since the start
	npsSent          bool   // nps has been sent since "new"
	drawOffered      bool   // it has offered a draw with its next move
	complaint        string // what it has told the user in this search, or ""
	unsupported      map[string]bool
	pongs            map[string]bool // the numbers of answered pings
	hasRefused       bool            // it has sent "Illegal move" since the user's latest move
	userGame         bool            // the user plays a game with it
	gameSent         bool            // a game has been sent
}

// A featureSet holds an engine's features. The zero value has the defaults of section 9.
type featureSet struct {
	ping, setboard, playother, usermove, nps, memory, smp, exclude bool
	once                                                           bool   // reuse=0
	variants                                                       string // empty: unknown
}

// multiPVState is the list of lines that an engine with MultiPV sends.
type multiPVState struct {
	count               int // 0: MultiPV was not sent
	moves               []string
	last                uci.InfoLine
	rising              []string // the moves of the latest lines of one depth, each better than the one before
	bestFirst, bestLast bool     // how it sends lists; both false: not known
}

// featureTimeout is how long an engine has to send its features (section 9). A newly started program may not
// read its input in that time, so the client then sends a ping: features come before the reply. An
// engine without ping replies with an error or calls it an illegal move. An engine that has sent
// something, but no reply to the ping, gets the same time again. For the first line of a silent engine
// the client waits until Deadlines.Start.
const featureTimeout = 2 * time.Second

// variant is the protocol's name of the game.
const variant = "xiangqi"

// Options that are set by their own commands.
const (
	memory = "memory"
	cores  = "cores"
)

// newProtocol returns the protocol for one conversation.
func newProtocol(letters Letters) uci.Protocol {
	p := &protocol{letters: letters}
	return uci.Protocol{
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

		CanBan:           p.canBan,
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
	}
}

func (p *protocol) canBan() bool { return p.features.exclude && !p.unsupported["exclude"] }

// greet resets the state for a newly started engine.
func (p *protocol) greet(in *uci.Introduction) []string {
	*p = protocol{letters: p.letters, unsupported: map[string]bool{}, pongs: map[string]bool{}}
	in.Terminator, in.Timeout = "feature done=1", featureTimeout
	p.greetedAt = time.Now()
	return []string{"xboard", "protover 2"}
}

// readIntro reads "feature" lines up to done=1.
func (p *protocol) readIntro(line string, in *uci.Introduction) {
	word, rest := cutWord(line)
	if !p.hasOutput && in.DoneAtStartDeadline { // the first line of a slow engine
		in.Timeout, in.DoneAtStartDeadline = time.Since(p.greetedAt)+featureTimeout, false
	}
	p.hasOutput = true
	switch {
	case p.probed && answersPing(line):
		in.Done = true
	case word == "feature":
		p.hasFeatures = true
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
	if in.Done = p.hasFeatures || p.probed; in.Done {
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

// answersPing reports whether a line is a reply to a ping, or an error that says that ping is
// unknown.
func answersPing(line string) bool {
	word, _ := cutWord(line)
	return word == "pong" || (word == "Error" || illegalMove(line) != "") && strings.Contains(line, "ping")
}

func (p *protocol) readFeature(f feature, in *uci.Introduction) {
	in.Replies = append(in.Replies, p.applyFeature(f))
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
		p.addNumberOption(in, f, uci.Option{Name: memory, Min: 1, Max: 1 << 20})
	case "smp":
		p.addNumberOption(in, f, uci.Option{Name: cores, Min: 1, Max: 1 << 10})
	}
	p.options = in.Options
}

// addNumberOption adds an option that is set by its own command.
func (p *protocol) addNumberOption(in *uci.Introduction, f feature, o uci.Option) {
	if !f.on() {
		return
	}
	o.Kind, o.Default = uci.Spin, "1"
	in.AddOption(o, fmt.Sprintf("feature %s: option %s", f.name, o.Name))
}

// applyFeature stores a feature and returns the reply to it.
func (p *protocol) applyFeature(f feature) (reply string) {
	for name, able := range map[string]*bool{
		"ping": &p.features.ping, "setboard": &p.features.setboard, "playother": &p.features.playother,
		"usermove": &p.features.usermove, "nps": &p.features.nps, memory: &p.features.memory, "smp": &p.features.smp,
		"exclude": &p.features.exclude,
	} {
		if f.name == name {
			*able = f.on()
		}
	}
	switch f.name {
	case "reuse":
		p.features.once = !f.on()
	case "variants":
		p.features.variants = f.value
	}
	switch {
	case f.accepts():
		return "accepted " + f.name
	case f.name == "option":
		return "rejected option " + f.value
	}
	return "rejected " + f.name
}

// ping returns a ping with a new number.
func (p *protocol) ping() string {
	if !p.features.ping {
		return ""
	}
	p.pingCount++
	p.lastPing = strconv.Itoa(p.pingCount)
	return "ping " + p.lastPing
}

// pong reports whether a line is the reply to the latest ping.
func (p *protocol) pong(line string) bool {
	word, rest := cutWord(line)
	return word == "pong" && rest == p.lastPing && p.lastPing != ""
}

func (p *protocol) setOption(name, value string) string {
	if name == memory || name == cores {
		return name + " " + value
	}
	opt, _ := p.options.Find(name)
	switch {
	case strings.EqualFold(name, "MultiPV"):
		p.multiPV.count, _ = strconv.Atoi(value)
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
	if p.features.variants == "" || slices.ContainsFunc(strings.Split(p.features.variants, ","), isXiangqi) {
		return nil, nil
	}
	return nil, fmt.Errorf("the engine announces the variants %q, and not xiangqi (Fairy-Stockfish must be built with largeboards=yes, UCI2WB be given -var xiangqi)", excerpt(p.features.variants))
}

// isXiangqi reports whether a variant is Xiangqi. A board size may precede the name.
func isXiangqi(name string) bool {
	name = strings.TrimSpace(name)
	return name == variant || name == "9x10+0_"+variant
}

// newGame starts a game. An engine that plays only one must be restarted.
func (p *protocol) newGame(uci.OptionList) (commands []string, again bool) {
	if p.features.once && p.gameSent {
		return nil, false
	}
	return p.newGameCommands(), true
}

// newGameCommands returns the commands that start a game in force mode.
func (p *protocol) newGameCommands() []string {
	p.gameSent, p.npsSent, p.userGame = true, false, false
	p.board = board{start: xiangqi.Start(), pos: xiangqi.Start(), started: true, letters: p.board.letters}
	commands := []string{"new", "variant " + variant, "force", "post", "easy"}
	return slices.DeleteFunc(commands, func(c string) bool { return c == "variant "+variant && p.unsupported["variant"] })
}

// unsolicited handles an unsolicited line: a move of the engine, or late features.
func (p *protocol) unsolicited(line string) (reply []string) {
	p.hasOutput = true // a banner may have come before the greeting
	word, rest := cutWord(line)
	switch best, ok := parseBest(line); {
	case word == "feature":
		reply = p.readLateFeatures(rest)
	case word == "setup":
		p.board.applySetup(rest)
	case word == "Error":
		p.recordError(rest)
	case illegalMove(line) != "":
		p.board.pos = nil
	case ok:
		p.board.applyEngineMove(best)
	}
	return reply
}

// readLateFeatures handles features that come after the introduction was considered complete.
func (p *protocol) readLateFeatures(text string) (reply []string) {
	if p.lateIntro == nil {
		p.lateIntro = &uci.Introduction{Options: p.options}
	}
	for _, f := range parseFeatures(text) {
		p.readFeature(f, p.lateIntro)
	}
	if !p.lateWarned {
		p.lateIntro.Warnings = []string{fmt.Sprintf("sent its features more than %v after its start: until then none were assumed, and options of its SPEC could not be set", featureTimeout)}
	}
	p.lateIntroPending, p.lateWarned = true, true
	reply, p.lateIntro.Replies = p.lateIntro.Replies, nil
	return reply
}

// takeLateIntro returns the late features since its last call, or nil.
func (p *protocol) takeLateIntro() *uci.Introduction {
	if !p.lateIntroPending {
		return nil
	}
	p.lateIntroPending = false
	in := *p.lateIntro
	p.lateIntro.Warnings = nil
	return &in
}

// recordError records the command of an "Error" line as unsupported, and returns it.
func (p *protocol) recordError(text string) (word string) {
	_, command, ok := strings.Cut(text, ":")
	if !ok {
		return ""
	}
	word, _ = cutWord(command)
	p.unsupported[word] = true
	return word
}

// illegalMove returns the move that an "Illegal move" line names, or the line if it names none. It
// returns "" for any other line.
func illegalMove(line string) string {
	const illegal = "illegal move"
	line = strings.TrimSpace(line)
	if len(line) < len(illegal) || !strings.EqualFold(line[:len(illegal)], illegal) {
		return ""
	}
	if _, move, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(move) != "" {
		return strings.TrimSpace(move)
	}
	return line
}

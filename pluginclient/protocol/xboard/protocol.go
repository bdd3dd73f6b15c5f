package xboard

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
)

// protocol is the protocol at the client's end of one conversation, and what its engine was
// told.
type protocol struct {
	letters Letters // as Options have them

	able    abilities
	offers  ucifamily.OptionList
	greeted time.Time
	heard   bool                    // it has said something since
	told    bool                    // a feature
	probed  bool                    // it was asked whether it is there
	late    *ucifamily.Introduction // what has been told since all counted as told; nil: nothing
	news    bool                    // some of it since lateNews was called last
	warned  bool                    // that it is late
	board   board
	list    list
	pings   int    // sent so far
	pinged  string // the latest
	depth   bool   // sd has been sent since the start
	nps     bool   // nps has been sent since "new"
	offered bool   // it has offered a draw with the move to come
	unable  map[string]bool
	byHand  bool // a person plays a game with it: it goes on
	played  bool // a game has been sent to it
}

// abilities are an engine's features. The zero value has the defaults of section 9.
type abilities struct {
	ping, setboard, playother, usermove, nps, memory, smp, exclude bool
	once                                                           bool   // reuse=0
	variants                                                       string // empty: not told
}

// list is the list of lines that an engine gives when it is told to give several.
type list struct {
	want  int // 0: it was not told
	moves []string
	score engine.Score // of the last
}

// patience is how long an engine has to send its features (section 9). A newly started program may not
// read its input in that time, so the client then sends a ping: features come before the reply. An
// engine without ping replies with an error or calls it an illegal move. An engine that has sent
// something, but no reply to the ping, gets the same time again. For the first line of a silent engine
// the client waits until Deadlines.Start.
const patience = 2 * time.Second

// variant is the game.
const variant = "xiangqi"

// The options that commands of their own set.
const (
	memory = "memory"
	cores  = "cores"
)

// spoken is the protocol for one conversation.
func spoken(letters Letters) ucifamily.Protocol {
	p := &protocol{letters: letters}
	return ucifamily.Protocol{
		Name:           "XBoard",
		MustAnswerPing: true, // where the engine offers it
		Stop:           "?",
		PonderHit:      "", // it does not know that it ponders

		Greeting:  p.greet,
		ReadIntro: p.introduce,
		Probe:     p.probe,
		LateIntro: p.lateNews,
		Ping:      p.ping,
		Pong:      p.pong,

		SetOption:       p.setOption,
		RequiredOptions: p.demands,
		NewGame:         p.newGame,

		CanBan:           p.canBan,
		GoCommand:        p.ask,
		PositionCommands: p.place,
		ParseInfo:        p.readReport,
		ParseBestMove:    p.readBest,
		Unsolicited:      p.overhear,
		EndSearch:        p.rest,

		Interrupt: aside,
		ParseRaw:  p.order,
	}
}

func (p *protocol) canBan() bool { return p.able.exclude && !p.unable["exclude"] }

// greet resets the state for a newly started engine.
func (p *protocol) greet(in *ucifamily.Introduction) []string {
	*p = protocol{letters: p.letters, unable: map[string]bool{}}
	in.Terminator, in.Timeout = "feature done=1", patience
	p.greeted = time.Now()
	return []string{"xboard", "protover 2"}
}

// introduce reads "feature" lines up to done=1.
func (p *protocol) introduce(line string, in *ucifamily.Introduction) {
	word, rest := cutWord(line)
	if !p.heard && in.DoneAtStartDeadline { // it has come at last
		in.Timeout, in.DoneAtStartDeadline = time.Since(p.greeted)+patience, false
	}
	p.heard = true
	switch {
	case p.probed && answersPing(line):
		in.Done = true
	case word == "feature":
		p.told = true
		if in.Timeout > 0 { // more may come, but not every engine ends it
			in.Timeout = time.Since(p.greeted) + patience
		}
		for _, f := range parseFeatures(rest) {
			p.introduceFeature(f, in)
		}
	case word == "Error" && strings.Contains(rest, "protover"):
		in.Done = true // it speaks version 1
	default:
		in.Unexpected = line
		p.overhear(line)
	}
}

// probe pings an engine that may not be ready yet.
func (p *protocol) probe(in *ucifamily.Introduction) (ping string) {
	if in.Done = p.told || p.probed; in.Done {
		return ""
	}
	if p.probed = true; p.heard {
		in.Timeout += patience
	} else {
		in.Timeout, in.DoneAtStartDeadline = 0, true
	}
	p.pings++
	return "ping " + strconv.Itoa(p.pings)
}

// answersPing reports whether an engine answers a ping, or says that it does not know it.
func answersPing(line string) bool {
	word, _ := cutWord(line)
	return word == "pong" || (word == "Error" || isIllegal(line) != "") && strings.Contains(line, "ping")
}

func (p *protocol) introduceFeature(f feature, in *ucifamily.Introduction) {
	in.Replies = append(in.Replies, p.take(f))
	switch f.name {
	case "done":
		in.Done = f.value == "1"
		in.Timeout = 0 // done=0 asks for time
	case "myname":
		in.Info.Name = f.value
	case "option":
		if opt, ok := parseOption(f.value); ok && !strings.EqualFold(opt.Name, "ponder") { // easy and hard say that
			in.AddOption(opt, "option "+f.value)
		}
	case memory:
		p.offerNumber(in, f, ucifamily.Option{Name: memory, Min: 1, Max: 1 << 20})
	case "smp":
		p.offerNumber(in, f, ucifamily.Option{Name: cores, Min: 1, Max: 1 << 10})
	}
	p.offers = in.Options
}

// offerNumber offers what a feature has a command for.
func (p *protocol) offerNumber(in *ucifamily.Introduction, f feature, o ucifamily.Option) {
	if !f.on() {
		return
	}
	o.Kind, o.Default = ucifamily.Spin, "1"
	in.AddOption(o, fmt.Sprintf("feature %s: option %s", f.name, o.Name))
}

// take takes in a feature, and is the answer to it.
func (p *protocol) take(f feature) (reply string) {
	for name, able := range map[string]*bool{
		"ping": &p.able.ping, "setboard": &p.able.setboard, "playother": &p.able.playother,
		"usermove": &p.able.usermove, "nps": &p.able.nps, memory: &p.able.memory, "smp": &p.able.smp,
		"exclude": &p.able.exclude,
	} {
		if f.name == name {
			*able = f.on()
		}
	}
	switch f.name {
	case "reuse":
		p.able.once = !f.on()
	case "variants":
		p.able.variants = f.value
	}
	switch {
	case f.accepts():
		return "accepted " + f.name
	case f.name == "option":
		return "rejected option " + f.value
	}
	return "rejected " + f.name
}

// ping is a ping with a number of its own.
func (p *protocol) ping() string {
	if !p.able.ping {
		return ""
	}
	p.pings++
	p.pinged = strconv.Itoa(p.pings)
	return "ping " + p.pinged
}

// pong has the number of the latest ping.
func (p *protocol) pong(line string) bool {
	word, rest := cutWord(line)
	return word == "pong" && rest == p.pinged && p.pinged != ""
}

func (p *protocol) setOption(name, value string) string {
	if name == memory || name == cores {
		return name + " " + value
	}
	opt, _ := p.offers.Find(name)
	switch {
	case strings.EqualFold(name, "MultiPV"):
		p.list.want, _ = strconv.Atoi(value)
	case opt.Kind == ucifamily.Button:
		return "option " + name
	case opt.Kind == ucifamily.Check && value == "true":
		value = "1"
	case opt.Kind == ucifamily.Check:
		value = "0"
	}
	return "option " + name + "=" + value
}

// demands refuses an engine that plays other games only.
func (p *protocol) demands(ucifamily.OptionList) ([]ucifamily.Setting, error) {
	if p.able.variants == "" || slices.ContainsFunc(strings.Split(p.able.variants, ","), isXiangqi) {
		return nil, nil
	}
	return nil, errors.New("the engine does not support variant xiangqi (Fairy-Stockfish must be built with largeboards=yes)")
}

// isXiangqi reports whether a variant is the game; a board size may stand before its name.
func isXiangqi(name string) bool {
	name = strings.TrimSpace(name)
	return name == variant || name == "9x10+0_"+variant
}

// newGame begins a game. An engine that takes only one has to be started again.
func (p *protocol) newGame(ucifamily.OptionList) (commands []string, again bool) {
	if p.able.once && p.played {
		return nil, false
	}
	return p.begin(), true
}

// begin returns the commands that start a game in force mode.
func (p *protocol) begin() []string {
	p.played, p.nps, p.byHand = true, false, false
	p.board = board{start: xiangqi.Start(), at: xiangqi.Start(), begun: true, letters: p.board.letters}
	commands := []string{"new", "variant " + variant, "force", "post", "easy"}
	return slices.DeleteFunc(commands, func(c string) bool { return c == "variant "+variant && p.unable["variant"] })
}

// overhear handles an unsolicited line: a move of the engine, or late features.
func (p *protocol) overhear(line string) (reply []string) {
	p.heard = true // a banner may have come before the greeting
	word, rest := cutWord(line)
	switch best, ok := parseBest(line); {
	case word == "feature":
		reply = p.introduceLate(rest)
	case word == "setup":
		p.board.setUp(rest)
	case word == "Error":
		p.refuses(rest)
	case isIllegal(line) != "":
		p.board.at = nil
	case ok:
		p.board.engineMoves(best)
	}
	return reply
}

// introduceLate handles features that come after the introduction was considered complete.
func (p *protocol) introduceLate(text string) (reply []string) {
	if p.late == nil {
		p.late = &ucifamily.Introduction{Options: p.offers}
	}
	for _, f := range parseFeatures(text) {
		p.introduceFeature(f, p.late)
	}
	if !p.warned {
		p.late.Warnings = []string{fmt.Sprintf("told its features more than %v after it was started: until then it was taken to know none, and options of its SPEC were not to be had", patience)}
	}
	p.news, p.warned = true, true
	reply, p.late.Replies = p.late.Replies, nil
	return reply
}

// lateNews returns the late features since its last call, or nil.
func (p *protocol) lateNews() *ucifamily.Introduction {
	if !p.news {
		return nil
	}
	p.news = false
	told := *p.late
	p.late.Warnings = nil
	return &told
}

// refuses takes in what stands behind the word "Error", and tells what the engine does not know.
func (p *protocol) refuses(text string) (word string) {
	_, command, ok := strings.Cut(text, ":")
	if !ok {
		return ""
	}
	word, _ = cutWord(command)
	p.unable[word] = true
	return word
}

// isIllegal is the move of a line that calls one illegal, or another text if the line does not
// tell it; empty for any other line.
func isIllegal(line string) string {
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

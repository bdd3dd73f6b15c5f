package qhplugin

import "qhsh/pluginclient"

// The sections of the specification.
const (
	inInfo    = "2 Info Mode"
	inPlugin  = "2 Plugin Mode"
	responses = "3 Commands"
)

type rule pluginclient.Rule

// ruleTable holds every sentence of the specification that binds a plugin, and advice where the
// specification is silent. The checks of "qhsh check" are named after their rules. The last rules
// have no check: only a client detects them.
var ruleTable = []rule{
	{"info.exits", inInfo, "Run with -info, the plugin prints a list of information and exits.", false},
	{"info.version", inInfo, "The first line is the protocol version: QHPLUGIN V1.3, or V1.2.", false},
	{"info.name", inInfo, "The second line is the engine's name.", false},
	{"info.short", inInfo, "Names are kept short, because name boxes are not very big.", true},
	{"info.levels", inInfo, "The third line is LEVELS and how many there are; a line each follows, with a number and text behind a blank at will.", false},
	{"info.flags", inInfo, "Then UNDO, HINTS, RULES, BGTHINK and TIMEOUT, each with 0 or 1.", false},
	{"info.end", inInfo, "The last line is ENDINFO.", false},
	{"info.status", inInfo, "The exit status is 0.", true},

	{"plugin.starts", inPlugin, "Run with -plugin, the plugin reads commands and writes responses.", false},
	{"plugin.flush", inPlugin, "The plugin must flush its output each time it finishes a response.", false},
	{"plugin.newline", responses, "All responses must end with a newline character.", false},
	{"plugin.silent", inPlugin, "Standard output is for responses: nothing is said before the first command.", false},
	{"plugin.single", responses, "A command gets one response.", false},
	{"plugin.debug", inPlugin, `Run with "-plugin debug", the plugin plays as ever; what it has to say besides goes to standard error.`, false},
	{"plugin.capitals", responses, "Response words are in capitals.", false},
	{"plugin.unasked", inPlugin, "Standard output is for responses; whatever else there is to say goes to standard error.", false},
	{"plugin.crlf", responses, "All responses must end with a newline character; a carriage return before it is not part of a response.", true},

	{"level.current", "3 LEVEL", "For LEVEL with no parameter, reply with the current level number.", false},
	{"level.set", "3 LEVEL", "LEVEL with a number sets the current level; reply OK.", false},
	{"level.keeps", "3 LEVEL", "The level that was set is the current one.", false},
	{"level.range", "3 LEVEL", "Reply ERROR if the number is out of range.", false},
	{"level.word", "3 LEVEL", "ERROR to a LEVEL that is no number.", true},
	{"level.failed", "3 LEVEL", "A LEVEL that is refused changes nothing.", true},
	{"level.game", "3 LEVEL", "LEVEL sets the level, and the game goes on.", false},

	{"ai.answers", "3 AI", "AI is answered.", false},
	{"ai.single", responses, "AI gets one response.", false},
	{"ai.form", "3 AI", `The plugin responds to AI with the move in ICCS notation, of the form "A0-A1".`, false},
	{"ai.legal", "3 AI", "AI moves for the current player.", false},
	{"plugin.blanks", responses, "The answers to LEVEL and AI have no blanks behind them.", true},

	{"fen.board", "3 FEN", "FEN sets the board; Red is on the bottom, the last rank. Reply OK.", false},
	{"fen.letters", "4 Notation Conventions", "The letters of the diagram, r h e a k c p, are understood.", false},
	{"fen.black", "4 Player Turns", "A FEN command can change it to Black's turn.", false},

	{"bgthink.on", "3 BGTHINK", "BGTHINK ON turns background thinking on; reply OK.", false},
	{"bgthink.off", "3 BGTHINK", "BGTHINK OFF turns background thinking off; reply OK.", false},
	{"bgthink.bare", "3 BGTHINK", "BGTHINK without ON or OFF gets ERROR.", true},

	{"quit.bye", "3 QUIT", "The plugin responds to QUIT with BYE.", false},
	{"quit.ends", "3 QUIT", "The plugin stops running within a second; one that is later is asked twice more.", false},
	{"quit.status", "3 QUIT", "The exit status is 0.", true},

	{"abort.silent", "3 ABORT", "The plugin does not reply to ABORT when it does not think.", false},
	{"abort.0", "3 ABORT", "ABORT right behind AI: within a second the only response is ABORTED, and the plugin is ready.", false},
	{"abort.10", "3 ABORT", "ABORT after 10 ms of AI: ABORTED within a second, and the plugin is ready.", false},
	{"abort.100", "3 ABORT", "ABORT after 100 ms of AI: ABORTED within a second, and the plugin is ready.", false},
	{"abort.1000", "3 ABORT", "ABORT after 1 s of AI: ABORTED within a second, and the plugin is ready.", false},
	{"abort.hints", "3 HINTS", "HINTS is interruptible by ABORT, within a second.", false},

	{"timeout.silent", "3 TIMEOUT", "The plugin must not respond to TIMEOUT when the AI is idle.", false},
	{"timeout.0", "3 TIMEOUT", "TIMEOUT right behind AI: within a second the AI must return a valid move.", false},
	{"timeout.10", "3 TIMEOUT", "TIMEOUT after 10 ms of AI: a valid move within a second.", false},
	{"timeout.100", "3 TIMEOUT", "TIMEOUT after 100 ms of AI: a valid move within a second.", false},
	{"timeout.1000", "3 TIMEOUT", "TIMEOUT after 1 s of AI: a valid move within a second.", false},

	{"interrupt.level", "3 AI", "Any command interrupts the AI: it responds with ABORTED, within a second, then processes LEVEL as normal.", false},
	{"interrupt.setlevel", "3 AI", "ABORTED, then LEVEL with a number.", false},
	{"interrupt.fen", "3 AI", "ABORTED, then FEN.", false},
	{"interrupt.ai", "3 AI", "ABORTED, then AI.", false},
	{"interrupt.hints", "3 AI", "ABORTED, then HINTS.", false},
	{"interrupt.bgthink", "3 AI", "ABORTED, then BGTHINK.", false},
	{"interrupt.quit", "3 AI", "ABORTED, then QUIT.", false},
	{"interrupt.thinking", "3 HINTS", "Any command interrupts HINTS, as it does AI.", false},
	{"interrupt.unknown", "3 AI", "ABORTED, then ERROR to a word that is no command.", true},

	{"fen.error", "3 FEN", "Reply ERROR if something goes wrong: a text that is no board.", false},
	{"fen.long", "3 FEN", "However long the FEN is, it is one command.", false},
	{"fen.aliases", "3 FEN", "The letters n and b stand for horse and elephant too.", true},
	{"fen.w", "3 FEN", "The side w is Red.", true},
	{"fen.r", "3 FEN", "The side r is Red.", true},
	{"fen.noside", "3 FEN", "Without a side Red is to move.", true},
	{"fen.fields", "3 FEN", "Six fields are understood.", true},
	{"fen.dashes", "3 FEN", `"- - - 1" behind the side is understood; a real host sends it.`, true},
	{"fen.illegal", "3 FEN", "ERROR to a board on which nobody can play: kings missing, outside their palaces or face to face, the side not to move in check.", true},
	{"fen.failed", "3 FEN", "A FEN that is refused changes nothing.", true},
	{"fen.level", "3 FEN", "FEN does not change the level.", true},

	{"play.legal", "3 PLAY", "PLAY plays the given move; reply OK if it is made.", false},
	{"interrupt.play", "3 AI", "ABORTED, then PLAY.", false},
	{"play.pieces", "3 PLAY", "So for every kind of piece, taking or not.", false},
	{"play.empty", "3 PLAY", "Reply ERROR if something goes wrong: a move from a point without a piece.", false},
	{"play.turn", "3 PLAY", "... a move of the other side's piece.", false},
	{"play.own", "3 PLAY", "... a move onto a piece of its own side.", false},
	{"play.step", "3 PLAY", "... a move that the piece cannot make.", false},
	{"play.check", "3 PLAY", "... a move that leaves the king in check, or the kings face to face.", false},
	{"play.malformed", "3 PLAY", "... and what is no move at all; the plugin goes on.", false},
	{"play.failed", "3 PLAY", "A PLAY that is refused changes nothing.", true},
	{"play.lower", "3 PLAY", "A move in small letters is played, or refused; it does not spoil the board.", true},

	{"load.plays", "3 LOAD", "LOAD plays a list of moves, one a line, and replies OK once.", false},
	{"interrupt.load", "3 AI", "ABORTED, then LOAD.", false},
	{"load.current", "3 LOAD", "It does what PLAY commands would do: the moves go on from the current position.", false},
	{"load.illegal", "3 LOAD", "Reply ERROR if something goes wrong, once; the lines behind are no commands.", false},
	{"load.zero", "3 LOAD", "LOAD 0 is OK.", true},
	{"load.atomic", "3 LOAD", "A LOAD that is refused changes nothing.", true},
	{"load.count", "3 LOAD", "A count that makes no sense gets ERROR at once.", true},

	{"ai.positions", "3 AI", "The move is legal in any position.", false},
	{"ai.moves", "3 AI", "The plugin makes the move that it tells.", false},
	{"ai.side", "4 Player Turns", "AI is for whichever side is to move next.", false},
	{"ai.mate", "3 AI", "ERROR if something goes wrong: the side to move is mated.", false},
	{"ai.stalemate", "3 AI", "... or has no legal move.", false},
	{"ai.game", "3 AI", "Playing against itself, the plugin plays legal moves.", false},
	{"ai.shape", responses, "No text behind OK or ERROR has the shape of a move: a real host looks for its answer anywhere.", true},

	{"undo.start", "3 UNDO", "Reply ERROR if no moves have been played yet.", false},
	{"undo.all", "3 UNDO", "UNDO takes back the last move, and then the one before.", false},
	{"interrupt.undo", "3 AI", "ABORTED, then UNDO.", false},
	{"undo.end", "3 UNDO", "After the first move of a game has been taken back, ERROR.", false},
	{"undo.ai", "3 UNDO", "The last move may be the plugin's own.", false},
	{"undo.load", "3 UNDO", "The last move may be one of a list.", false},
	{"undo.fen", "3 FEN", "There is nothing to take back after FEN.", true},

	{"hints.list", "3 HINTS", "The response is one or more moves, one a line, text behind each at will, and ENDHINTS.", false},
	{"hints.single", responses, "HINTS gets one list, which ends with ENDHINTS.", false},
	{"hints.legal", "3 HINTS", "Illegal moves must not be listed.", false},
	{"hints.stay", "3 HINTS", "The plugin does not play a move.", false},
	{"hints.order", "3 HINTS", "Moves are listed in order from best to worst, by the plugin's own scores where it tells them.", false},
	{"hints.scores", "3 HINTS", "Scores are for the side to move, as those of UCI: they fall for Black, too.", true},
	{"hints.mate", "3 HINTS", "ERROR where there is no legal move.", false},
	{"hints.best", "3 HINTS", "Moves should be listed in order from best to worst: one that mates stands first.", true},
	{"hints.distinct", "3 HINTS", "No move is listed twice.", true},

	{"ban.ai", "3 BAN", "The listed moves are illegal for the next AI.", false},
	{"interrupt.ban", "3 AI", "ABORTED, then BAN.", false},
	{"ban.hints", "3 BAN", "The listed moves are illegal for the next HINTS.", false},
	{"ban.list", "3 BAN", "A list of moves, one a line, gets one OK.", false},
	{"ban.next.ai", "3 BAN", "After an AI the moves are legal again.", false},
	{"ban.next.hints", "3 BAN", "After a HINTS the moves are legal again.", false},
	{"ban.aborted", "3 BAN", "The next AI uses the list up, however it answers: with ABORTED, too.", true},
	{"ban.root", "3 BAN", "The moves are illegal where AI is asked, and legal again further on: BAN is about the next move.", true},
	{"ban.all", "3 AI", "ERROR where every legal move is banned.", false},
	{"ban.replaced", "3 BAN", "A second BAN takes the place of the first.", true},
	{"ban.zero", "3 BAN", "BAN 0 lifts the ban.", true},
	{"ban.count", "3 BAN", "A count that makes no sense gets ERROR at once; a real host sends one.", true},

	{"bgthink.bails", "4 BG Thinking", "If something unexpected comes along, the plugin has to bail on the thinking.", false},

	{"timeout.made", "3 TIMEOUT", "The move that TIMEOUT brings is made, as any other.", false},
	{"timeout.hints", "3 HINTS", "HINTS is interruptible by TIMEOUT, and then answers a list.", false},

	{"input.pipelined", inPlugin, "Commands that come in one piece are answered each, in their order.", false},
	{"input.playai", inPlugin, "PLAY and AI may come in one piece.", false},
	{"input.pieces", inPlugin, "A command may come in pieces.", false},
	{"input.crlf", responses, "Lines may end with CR and LF.", true},
	{"input.lower", responses, "The plugin may recognize commands in small letters; a real host sends them.", true},
	{"input.blank", responses, "Blank lines are passed over.", true},
	{"input.unknown", responses, "ERROR to a word that is no command: a host would wait for an answer.", true},
	{"input.whole", responses, "A word that only begins like a command is none.", true},
	{"input.unsupported", inInfo, "ERROR to commands that the info block says are not supported.", true},
	{"input.bgthink", "3 BGTHINK", "OK to BGTHINK OFF even without background thinking: Qianhong sends it to every plugin.", true},
	{"input.scr", responses, "SCR draws the board on standard output, or gets ERROR.", true},
	{"scr.board", "4 Notation Conventions", "SCR draws the board as it is.", true},
	{"input.end", "3 QUIT", "The end of the input is QUIT.", true},
	{"input.endthinking", "3 QUIT", "So it is while the plugin thinks.", true},

	{"robust.game", "3 PLAY", "A game of a thousand moves can be played.", false},
	{"robust.undo", "3 UNDO", "It can be taken back.", false},
	{"robust.load", "3 LOAD", "A thousand moves can be loaded.", false},
	{"robust.arguments", responses, "Whatever stands behind LEVEL, FEN and PLAY, they get OK or ERROR.", false},
	{"robust.noise", responses, "Ten thousand random lines do not keep the plugin from going on.", true},

	// Detected only by a client.
	{"plugin.answers", inPlugin, "All commands but ABORT and TIMEOUT require a response.", false},
	{"plugin.lives", "3 QUIT", "The plugin stops running when QUIT tells it to, and not before.", false},
	{"play.illegal", "3 PLAY", "Reply OK if the move is made, or ERROR if something goes wrong.", false},
	{"abort.only", "3 ABORT", "The only response to ABORT is from a terminated AI or HINTS command, which responds with ABORTED.", false},
	{"timeout.only", "3 TIMEOUT", "The only response to TIMEOUT is a valid move or list of hints from the pending AI or HINTS command.", false},
}

var rules = allRules()

func allRules() (all pluginclient.Rules) {
	for _, r := range ruleTable {
		all = append(all, pluginclient.Rule(r))
	}
	return all
}

// RuleNamed returns the rule with the given name. It panics if there is none.
func RuleNamed(name string) pluginclient.Rule { return rules.Named(name) }

package qh

import (
	"time"

	"qhsh/pluginclient/task/check/boards"
)

// The sections of the specification.
const (
	inInfo    = "2 Info Mode"
	inPlugin  = "2 Plugin Mode"
	responses = "3 Commands"
)

// table is every check, in the order in which they are run: what others need stands before
// them, and what costs time comes late: whether a plugin that thinks can be interrupted is told
// before its answers at many positions are, and of those there may be no end.
var table = []entry{
	{"info.exits", inInfo, "Run with -info, the plugin prints a list of information and exits.", false, nil, informed, infoExits},
	{"info.version", inInfo, "The first line is the protocol version: QHPLUGIN V1.3, or V1.2.", false, nil, informed, infoVersion},
	{"info.name", inInfo, "The second line is the engine's name.", false, nil, informed, infoName},
	{"info.short", inInfo, "Names are kept short, because name boxes are not very big.", true, []string{"info.name"}, nil, infoShort},
	{"info.levels", inInfo, "The third line is LEVELS and how many there are; a line each follows, with a number and text behind a blank at will.", false, nil, informed, infoLevels},
	{"info.flags", inInfo, "Then UNDO, HINTS, RULES, BGTHINK and TIMEOUT, each with 0 or 1.", false, nil, informed, infoFlags},
	{"info.end", inInfo, "The last line is ENDINFO.", false, nil, informed, infoEnd},
	{"info.status", inInfo, "The exit status is 0.", true, []string{"info.exits"}, informed, infoStatus},

	{"plugin.starts", inPlugin, "Run with -plugin, the plugin reads commands and writes responses.", false, nil, launched, pluginStarts},
	{"plugin.flush", inPlugin, "The plugin must flush its output each time it finishes a response.", false, []string{"plugin.starts"}, launched, pluginFlush},
	{basic, responses, "All responses must end with a newline character.", false, []string{"plugin.flush"}, launched, pluginNewline},
	{"plugin.silent", inPlugin, "Standard output is for responses: nothing is said before the first command.", false, nil, launched, pluginSilent},
	{"plugin.single", responses, "A command gets one response.", false, nil, started, pluginSingle},
	{"plugin.debug", inPlugin, `Run with "-plugin debug", the plugin plays as ever; what it has to say besides goes to standard error.`, false, []string{"plugin.single"}, nil, pluginDebug},
	{"plugin.capitals", responses, "Response words are in capitals.", false, nil, started, pluginCapitals},

	{"level.current", "3 LEVEL", "For LEVEL with no parameter, reply with the current level number.", false, []string{"info.levels", "plugin.silent"}, launched, levelCurrent},
	{"level.set", "3 LEVEL", "LEVEL with a number sets the current level; reply OK.", false, []string{"info.levels"}, started, levelSet},
	{"level.keeps", "3 LEVEL", "The level that was set is the current one.", false, []string{"level.current", "level.set"}, started, levelKeeps},
	{"level.range", "3 LEVEL", "Reply ERROR if the number is out of range.", false, []string{"info.levels"}, started, levelRange},
	{"level.word", "3 LEVEL", "ERROR to a LEVEL that is no number.", true, nil, started, answers("ERROR", "LEVEL high")},
	{"level.failed", "3 LEVEL", "A LEVEL that is refused changes nothing.", true, []string{"level.keeps", "level.range"}, started, levelFailed},

	{"ai.answers", "3 AI", "AI is answered.", false, nil, alone, aiAnswers},
	{"ai.form", "3 AI", `The plugin responds to AI with the move in ICCS notation, of the form "A0-A1".`, false, []string{"ai.answers"}, nil, aiForm},
	{"ai.legal", "3 AI", "AI moves for the current player.", false, []string{"ai.answers"}, nil, aiLegal},
	{"plugin.blanks", responses, "The answers to LEVEL and AI have no blanks behind them.", true, []string{"ai.answers"}, nil, pluginBlanks},

	{"fen.board", "3 FEN", "FEN sets the board; Red is on the bottom, the last rank. Reply OK.", false, []string{"ai.legal"}, nil, fenBoard},
	{"fen.letters", "4 Notation Conventions", "The letters of the diagram, r h e a k c p, are understood.", false, []string{"fen.board"}, fresh, fenLetters},
	{"fen.black", "4 Player Turns", "A FEN command can change it to Black's turn.", false, []string{"fen.board"}, fresh, fenBlack},

	{"bgthink.on", "3 BGTHINK", "BGTHINK ON turns background thinking on; reply OK.", false, []string{"BGTHINK"}, alone, answers("OK", "BGTHINK ON")},
	{"bgthink.off", "3 BGTHINK", "BGTHINK OFF turns background thinking off; reply OK.", false, []string{"BGTHINK"}, alone, answers("OK", "BGTHINK OFF")},
	{"bgthink.bare", "3 BGTHINK", "BGTHINK without ON or OFF gets ERROR.", true, []string{"BGTHINK"}, alone, answers("ERROR", "BGTHINK")},

	{"quit.bye", "3 QUIT", "The plugin responds to QUIT with BYE.", false, nil, nil, quitBye},
	{"quit.ends", "3 QUIT", "The plugin stops running within a second; one that is later is asked twice more.", false, nil, nil, quitEnds},
	{"quit.status", "3 QUIT", "The exit status is 0.", true, []string{"quit.ends"}, nil, quitStatus},

	{"abort.silent", "3 ABORT", "The plugin does not reply to ABORT when it does not think.", false, nil, fresh, silent("ABORT")},
	{"abort.0", "3 ABORT", "ABORT right behind AI: within a second the only response is ABORTED, and the plugin is ready.", false, []string{"ai.answers"}, deep, aborts("AI", 0)},
	{"abort.10", "3 ABORT", "ABORT after 10 ms of AI: ABORTED within a second, and the plugin is ready.", false, []string{"ai.answers"}, deep, aborts("AI", 10*time.Millisecond)},
	{"abort.100", "3 ABORT", "ABORT after 100 ms of AI: ABORTED within a second, and the plugin is ready.", false, []string{"ai.answers"}, deep, aborts("AI", 100*time.Millisecond)},
	{"abort.1000", "3 ABORT", "ABORT after 1 s of AI: ABORTED within a second, and the plugin is ready.", false, []string{"ai.answers"}, deep, aborts("AI", time.Second)},
	{"abort.hints", "3 HINTS", "HINTS is interruptible by ABORT, within a second.", false, []string{"HINTS", "ai.answers"}, deep, aborts("HINTS", 100*time.Millisecond)},

	{"timeout.silent", "3 TIMEOUT", "The plugin must not respond to TIMEOUT when the AI is idle.", false, []string{"TIMEOUT"}, fresh, silent("TIMEOUT")},
	{"timeout.0", "3 TIMEOUT", "TIMEOUT right behind AI: within a second the AI must return a valid move.", false, []string{"TIMEOUT", "ai.legal"}, deep, times(0)},
	{"timeout.10", "3 TIMEOUT", "TIMEOUT after 10 ms of AI: a valid move within a second.", false, []string{"TIMEOUT", "ai.legal"}, deep, times(10 * time.Millisecond)},
	{"timeout.100", "3 TIMEOUT", "TIMEOUT after 100 ms of AI: a valid move within a second.", false, []string{"TIMEOUT", "ai.legal"}, deep, times(100 * time.Millisecond)},
	{"timeout.1000", "3 TIMEOUT", "TIMEOUT after 1 s of AI: a valid move within a second.", false, []string{"TIMEOUT", "ai.legal"}, deep, times(time.Second)},

	{"interrupt.level", "3 AI", "Any command interrupts the AI: it responds with ABORTED, within a second, then processes LEVEL as normal.", false, []string{"ai.answers"}, pondering("AI"), interrupts(byLevel)},
	{"interrupt.setlevel", "3 AI", "ABORTED, then LEVEL with a number.", false, []string{"level.set", "ai.answers"}, pondering("AI"), interrupts(bySetLevel)},
	{"interrupt.fen", "3 AI", "ABORTED, then FEN.", false, []string{"fen.board", "ai.answers"}, pondering("AI"), interrupts(byFEN)},
	{"interrupt.ai", "3 AI", "ABORTED, then AI.", false, []string{"abort.100"}, pondering("AI"), interruptsThinking("AI")},
	{"interrupt.hints", "3 AI", "ABORTED, then HINTS.", false, []string{"HINTS", "abort.100", "abort.hints"}, pondering("AI"), interruptsThinking("HINTS")},
	{"interrupt.bgthink", "3 AI", "ABORTED, then BGTHINK.", false, []string{"BGTHINK", "bgthink.off", "ai.answers"}, pondering("AI"), interrupts(byBGThink)},
	{"interrupt.quit", "3 AI", "ABORTED, then QUIT.", false, []string{"quit.bye", "quit.ends", "ai.answers"}, pondering("AI"), interruptQuit},
	{"interrupt.thinking", "3 HINTS", "Any command interrupts HINTS, as it does AI.", false, []string{"HINTS", "ai.answers"}, pondering("HINTS"), interrupts(byLevel)},
	{"interrupt.unknown", "3 AI", "ABORTED, then ERROR to a word that is no command.", true, []string{"interrupt.level"}, pondering("AI"), interrupts(byUnknown)},

	{"fen.error", "3 FEN", "Reply ERROR if something goes wrong: a text that is no board.", false, []string{"fen.board"}, alone, fenError},
	{"fen.long", "3 FEN", "However long the FEN is, it is one command.", false, []string{"fen.black"}, at(alone, boards.Longest), fenLong},
	{"fen.aliases", "3 FEN", "The letters n and b stand for horse and elephant too.", true, []string{"fen.black"}, fresh, fenAliases},
	{"fen.w", "3 FEN", "The side w is Red.", true, []string{"fen.black"}, fresh, fenW},
	{"fen.r", "3 FEN", "The side r is Red.", true, []string{"fen.black"}, fresh, fenR},
	{"fen.noside", "3 FEN", "Without a side Red is to move.", true, []string{"fen.board"}, fresh, fenNoSide},
	{"fen.fields", "3 FEN", "Six fields are understood.", true, []string{"fen.board"}, fresh, fenFields},
	{"fen.dashes", "3 FEN", `"- - - 1" behind the side is understood; a real host sends it.`, true, []string{"fen.black"}, fresh, fenDashes},
	{"fen.illegal", "3 FEN", "ERROR to a board on which nobody can play: kings missing, outside their palaces or face to face, the side not to move in check.", true, []string{"fen.error"}, alone, fenIllegal},
	{"fen.failed", "3 FEN", "A FEN that is refused changes nothing.", true, []string{"fen.error"}, at(alone, boards.OnlyHorse), fenFailed},
	{"fen.level", "3 FEN", "FEN does not change the level.", true, []string{"fen.board", "level.keeps"}, fresh, fenKeepsLevel},

	{"play.legal", "3 PLAY", "PLAY plays the given move; reply OK if it is made.", false, []string{"fen.board", "fen.black"}, fresh, playLegal},
	{"interrupt.play", "3 AI", "ABORTED, then PLAY.", false, []string{"play.legal"}, pondering("AI"), interrupts(byPlay)},
	{"play.pieces", "3 PLAY", "So for every kind of piece, taking or not.", false, []string{"play.legal"}, fresh, playPieces},
	{"play.empty", "3 PLAY", "Reply ERROR if something goes wrong: a move from a point without a piece.", false, nil, alone, refusesMoves(emptyPoints)},
	{"play.turn", "3 PLAY", "... a move of the other side's piece.", false, nil, alone, refusesMoves(otherSide)},
	{"play.own", "3 PLAY", "... a move onto a piece of its own side.", false, nil, alone, refusesMoves(ownPieces)},
	{"play.step", "3 PLAY", "... a move that the piece cannot make.", false, []string{"fen.board"}, alone, refusesMoves(wrongSteps)},
	{"play.check", "3 PLAY", "... a move that leaves the king in check, or the kings face to face.", false, []string{"fen.board"}, alone, refusesMoves(intoCheck)},
	{"play.malformed", "3 PLAY", "... and what is no move at all; the plugin goes on.", false, []string{"play.legal"}, alone, playMalformed},
	{"play.failed", "3 PLAY", "A PLAY that is refused changes nothing.", true, []string{"fen.black"}, alone, playFailed},
	{"play.lower", "3 PLAY", "A move in small letters is played, or refused; it does not spoil the board.", true, []string{"play.legal"}, at(alone, boards.Chains[1][0].Start), playLower},

	{"load.plays", "3 LOAD", "LOAD plays a list of moves, one a line, and replies OK once.", false, []string{"fen.board", "fen.black"}, fresh, loadPlays},
	{"interrupt.load", "3 AI", "ABORTED, then LOAD.", false, []string{"load.plays"}, pondering("AI"), interrupts(byLoad)},
	{"load.current", "3 LOAD", "It does what PLAY commands would do: the moves go on from the current position.", false, []string{"load.plays"}, fresh, loadCurrent},
	{"load.illegal", "3 LOAD", "Reply ERROR if something goes wrong, once; the lines behind are no commands.", false, nil, alone, loadIllegal},
	{"load.zero", "3 LOAD", "LOAD 0 is OK.", true, []string{"play.legal"}, alone, loadZero},
	{"load.atomic", "3 LOAD", "A LOAD that is refused changes nothing.", true, []string{"load.plays", "load.illegal"}, at(alone, boards.Chains[0][0].Start), loadAtomic},
	{"load.count", "3 LOAD", "A count that makes no sense gets ERROR at once.", true, nil, alone, loadCount},

	{"ai.positions", "3 AI", "The move is legal in any position.", false, []string{"fen.black"}, fresh, aiPositions},
	{"ai.moves", "3 AI", "The plugin makes the move that it tells.", false, []string{"play.legal"}, fresh, aiMoves},
	{"ai.side", "4 Player Turns", "AI is for whichever side is to move next.", false, []string{"ai.moves"}, fresh, aiSide},
	{"ai.mate", "3 AI", "ERROR if something goes wrong: the side to move is mated.", false, []string{"fen.black"}, at(fresh, boards.Mated), refusesToThink("AI")},
	{"ai.stalemate", "3 AI", "... or has no legal move.", false, []string{"fen.black"}, at(fresh, boards.Stalemate), refusesToThink("AI")},
	{"ai.game", "3 AI", "Playing against itself, the plugin plays legal moves.", false, []string{"ai.positions", "ai.side"}, fresh, aiGame},
	{"ai.shape", responses, "No text behind OK or ERROR has the shape of a move: a real host looks for its answer anywhere.", true, nil, fresh, aiShape},

	{"undo.start", "3 UNDO", "Reply ERROR if no moves have been played yet.", false, []string{"UNDO"}, anew, answers("ERROR", "UNDO")},
	{"undo.all", "3 UNDO", "UNDO takes back the last move, and then the one before.", false, []string{"UNDO", "play.legal"}, fresh, undoAll},
	{"interrupt.undo", "3 AI", "ABORTED, then UNDO.", false, []string{"UNDO", "undo.all"}, deep, interruptUndo},
	{"undo.end", "3 UNDO", "After the first move of a game has been taken back, ERROR.", false, []string{"UNDO", "undo.start", "undo.all"}, anew, undoEnd},
	{"undo.ai", "3 UNDO", "The last move may be the plugin's own.", false, []string{"UNDO", "ai.moves"}, fresh, undoAI},
	{"undo.load", "3 UNDO", "The last move may be one of a list.", false, []string{"UNDO", "load.plays"}, fresh, undoLoad},
	{"undo.fen", "3 FEN", "There is nothing to take back after FEN.", true, []string{"UNDO", "fen.board", "undo.start"}, fresh, fenNewGame},

	{"hints.list", "3 HINTS", "The response is one or more moves, one a line, text behind each at will, and ENDHINTS.", false, []string{"HINTS", "fen.board"}, at(fresh, boards.OnlyHorse), hintsList},
	{"hints.legal", "3 HINTS", "Illegal moves must not be listed.", false, []string{"HINTS", "hints.list", "fen.black"}, fresh, hintsLegal},
	{"hints.stay", "3 HINTS", "The plugin does not play a move.", false, []string{"HINTS", "hints.legal"}, fresh, hintsStay},
	{"hints.order", "3 HINTS", "Moves are listed in order from best to worst, by the plugin's own scores where it tells them.", false, []string{"HINTS", "hints.legal"}, fresh, hintsOrder},
	{"hints.mate", "3 HINTS", "ERROR where there is no legal move.", false, []string{"HINTS", "fen.black"}, at(fresh, boards.Mated), refusesToThink("HINTS")},
	{"hints.best", "3 HINTS", "Moves should be listed in order from best to worst: one that mates stands first.", true, []string{"HINTS", "hints.legal"}, fresh, hintsBest},
	{"hints.distinct", "3 HINTS", "No move is listed twice.", true, []string{"HINTS", "hints.legal"}, fresh, hintsDistinct},

	{"ban.ai", "3 BAN", "The listed moves are illegal for the next AI.", false, []string{"RULES", "fen.black"}, alone, banAI},
	{"interrupt.ban", "3 AI", "ABORTED, then BAN.", false, []string{"RULES", "ban.ai"}, pondering("AI"), interrupts(byBan)},
	{"ban.hints", "3 BAN", "The listed moves are illegal for the next HINTS.", false, []string{"RULES", "HINTS", "hints.legal"}, alone, banHints},
	{"ban.list", "3 BAN", "A list of moves, one a line, gets one OK.", false, []string{"RULES", "ban.ai"}, at(alone, boards.Choices[0].Pos), banList},
	{"ban.next.ai", "3 BAN", "After an AI the moves are legal again.", false, []string{"RULES", "UNDO", "ban.ai", "undo.ai"}, nil, banNextAI},
	{"ban.next.hints", "3 BAN", "After a HINTS the moves are legal again.", false, []string{"RULES", "HINTS", "ban.hints", "hints.stay"}, nil, banNextHints},
	{"ban.all", "3 AI", "ERROR where every legal move is banned.", false, []string{"RULES", "ban.ai"}, at(alone, boards.OnlyHorse), banAll},
	{"ban.replaced", "3 BAN", "A second BAN takes the place of the first.", true, []string{"RULES", "ban.ai"}, at(alone, boards.Choices[0].Pos), banReplaced},
	{"ban.zero", "3 BAN", "BAN 0 lifts the ban.", true, []string{"RULES", "ban.ai"}, at(alone, boards.Choices[0].Pos), banZero},
	{"ban.count", "3 BAN", "A count that makes no sense gets ERROR at once; a real host sends one.", true, []string{"RULES"}, alone, banCount},

	{"bgthink.bails", "4 BG Thinking", "If something unexpected comes along, the plugin has to bail on the thinking.", false, []string{"BGTHINK", "bgthink.on", "play.legal", "ai.moves"}, alone, bgthinkBails},

	{"timeout.made", "3 TIMEOUT", "The move that TIMEOUT brings is made, as any other.", false, []string{"TIMEOUT", "timeout.100", "ai.moves"}, deep, timesMade},
	{"timeout.hints", "3 HINTS", "HINTS is interruptible by TIMEOUT, and then answers a list.", false, []string{"TIMEOUT", "HINTS", "hints.legal"}, deep, timesHints},

	{"input.pipelined", inPlugin, "Commands that come in one piece are answered each, in their order.", false, []string{"plugin.single", "play.pieces", "load.current"}, alone, inputPipelined},
	{"input.playai", inPlugin, "PLAY and AI may come in one piece.", false, []string{"play.legal", "plugin.single"}, alone, inputPlayAI},
	{"input.pieces", inPlugin, "A command may come in pieces.", false, nil, alone, inputPieces},
	{"input.crlf", responses, "Lines may end with CR and LF.", true, []string{"play.legal", "load.current"}, alone, inputCRLF},
	{"input.lower", responses, "The plugin may recognize commands in small letters; a real host sends them.", true, []string{"fen.board"}, alone, inputLower},
	{"input.blank", responses, "Blank lines are passed over.", true, nil, alone, inputBlank},
	{"input.unknown", responses, "ERROR to a word that is no command: a host would wait for an answer.", true, nil, alone, answers("ERROR", "FOO BAR")},
	{"input.whole", responses, "A word that only begins like a command is none.", true, nil, alone, inputWhole},
	{"input.unsupported", inInfo, "ERROR to commands that the info block says are not supported.", true, nil, alone, inputUnsupported},
	{"input.bgthink", "3 BGTHINK", "OK to BGTHINK OFF even without background thinking: Qianhong sends it to every plugin.", true, nil, disclaiming("BGTHINK"), answers("OK", "BGTHINK OFF")},
	{"input.scr", responses, "SCR draws the board on standard output, or gets ERROR.", true, nil, alone, inputScreen},
	{"input.end", "3 QUIT", "The end of the input is QUIT.", true, nil, alone, inputEnd},
	{"input.endthinking", "3 QUIT", "So it is while the plugin thinks.", true, []string{"input.end", "ai.answers"}, pondering("AI"), inputEnd},

	{"robust.game", "3 PLAY", "A game of a thousand moves can be played.", false, []string{"play.pieces"}, anew, gameLong},
	{"robust.undo", "3 UNDO", "It can be taken back.", false, []string{"UNDO", "undo.end", "robust.game"}, anew, undoLong},
	{"robust.load", "3 LOAD", "A thousand moves can be loaded.", false, []string{"load.current"}, alone, loadLong},
	{"robust.arguments", responses, "Whatever stands behind LEVEL, FEN and PLAY, they get OK or ERROR.", false, nil, alone, robustArguments},
	{"robust.noise", responses, "Ten thousand random lines do not keep the plugin from going on.", true, nil, alone, robustNoise},
}

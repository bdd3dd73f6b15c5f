package qh

import (
	"time"

	"qhsh/pluginclient/task/check/boards"
)

// table has all checks in the order in which they are run: needed checks come first, and slow ones
// late. Whether a plugin can be interrupted is checked before its answers at many positions, which
// may take very long.
var table = []entry{
	{"info.exits", nil, readInfoBlock, informs("info.exits")},
	{"info.version", nil, readInfoBlock, informs("info.version")},
	{"info.name", nil, readInfoBlock, informs("info.name")},
	{"info.short", []string{"info.name"}, nil, informs("info.short")},
	{"info.levels", nil, readInfoBlock, informs("info.levels")},
	{"info.flags", nil, readInfoBlock, informs("info.flags")},
	{"info.end", nil, readInfoBlock, informs("info.end")},
	{"info.status", []string{"info.exits"}, readInfoBlock, informs("info.status")},

	{"plugin.starts", nil, startProcess, pluginStarts},
	{"plugin.flush", []string{"plugin.starts"}, startProcess, pluginFlush},
	{basic, []string{"plugin.flush"}, startProcess, pluginNewline},
	{"plugin.silent", nil, startProcess, pluginSilent},
	{"plugin.single", nil, startAnswering, pluginSingle},
	{"plugin.debug", []string{"plugin.single"}, nil, pluginDebug},
	{"plugin.capitals", nil, startAnswering, pluginCapitals},

	{"level.current", []string{"info.levels", "plugin.silent"}, startProcess, levelCurrent},
	{"level.set", []string{"info.levels"}, startAnswering, levelSet},
	{"level.keeps", []string{"level.current", "level.set"}, startAnswering, levelKeeps},
	{"level.range", []string{"info.levels"}, startAnswering, levelRange},
	{"level.word", nil, startAnswering, answers("ERROR", "LEVEL high")},
	{"level.failed", []string{"level.keeps", "level.range"}, startAnswering, levelFailed},

	{"ai.answers", nil, ownProcess, aiAnswers},
	{"ai.form", []string{"ai.answers"}, nil, aiFormat},
	{"ai.legal", []string{"ai.answers"}, nil, aiLegal},
	{"plugin.blanks", []string{"ai.answers"}, nil, pluginBlanks},

	{"fen.board", []string{"ai.legal"}, nil, fenBoard},
	{"fen.letters", []string{"fen.board"}, newGame, fenLetters},
	{"fen.black", []string{"fen.board"}, newGame, fenBlack},

	{"bgthink.on", []string{"BGTHINK"}, ownProcess, answers("OK", "BGTHINK ON")},
	{"bgthink.off", []string{"BGTHINK"}, ownProcess, answers("OK", "BGTHINK OFF")},
	{"bgthink.bare", []string{"BGTHINK"}, ownProcess, answers("ERROR", "BGTHINK")},

	{"quit.bye", nil, nil, quitBye},
	{"quit.ends", nil, nil, quitEnds},
	{"quit.status", []string{"quit.ends"}, nil, quitStatus},

	{"abort.silent", nil, newGame, silentWhenIdle("ABORT")},
	{"abort.0", []string{"ai.answers"}, prepareLongThink, abortAfter("AI", 0)},
	{"abort.10", []string{"ai.answers"}, prepareLongThink, abortAfter("AI", 10*time.Millisecond)},
	{"abort.100", []string{"ai.answers"}, prepareLongThink, abortAfter("AI", 100*time.Millisecond)},
	{"abort.1000", []string{"ai.answers"}, prepareLongThink, abortAfter("AI", time.Second)},
	{"abort.hints", []string{"HINTS", "ai.answers"}, prepareLongThink, abortAfter("HINTS", 100*time.Millisecond)},

	{"timeout.silent", []string{"TIMEOUT"}, newGame, silentWhenIdle("TIMEOUT")},
	{"timeout.0", []string{"TIMEOUT", "ai.legal"}, prepareLongThink, timeoutMove(0)},
	{"timeout.10", []string{"TIMEOUT", "ai.legal"}, prepareLongThink, timeoutMove(10 * time.Millisecond)},
	{"timeout.100", []string{"TIMEOUT", "ai.legal"}, prepareLongThink, timeoutMove(100 * time.Millisecond)},
	{"timeout.1000", []string{"TIMEOUT", "ai.legal"}, prepareLongThink, timeoutMove(time.Second)},

	{"interrupt.level", []string{"ai.answers"}, whileThinking("AI"), interruptedBy(byLevel)},
	{"interrupt.setlevel", []string{"level.set", "ai.answers"}, whileThinking("AI"), interruptedBy(bySetLevel)},
	{"interrupt.fen", []string{"fen.board", "ai.answers"}, whileThinking("AI"), interruptedBy(byFEN)},
	{"interrupt.ai", []string{"abort.100"}, whileThinking("AI"), interruptsThinking("AI")},
	{"interrupt.hints", []string{"HINTS", "abort.100", "abort.hints"}, whileThinking("AI"), interruptsThinking("HINTS")},
	{"interrupt.bgthink", []string{"BGTHINK", "bgthink.off", "ai.answers"}, whileThinking("AI"), interruptedBy(byBGThink)},
	{"interrupt.quit", []string{"quit.bye", "quit.ends", "ai.answers"}, whileThinking("AI"), interruptQuit},
	{"interrupt.thinking", []string{"HINTS", "ai.answers"}, whileThinking("HINTS"), interruptedBy(byLevel)},
	{"interrupt.unknown", []string{"interrupt.level"}, whileThinking("AI"), interruptedBy(byUnknown)},

	{"fen.error", []string{"fen.board"}, ownProcess, fenError},
	{"fen.long", []string{"fen.black"}, at(ownProcess, boards.LongestFEN), fenLong},
	{"fen.aliases", []string{"fen.black"}, newGame, fenAliases},
	{"fen.w", []string{"fen.black"}, newGame, fenW},
	{"fen.r", []string{"fen.black"}, newGame, fenR},
	{"fen.noside", []string{"fen.board"}, newGame, fenNoSide},
	{"fen.fields", []string{"fen.board"}, newGame, fenFields},
	{"fen.dashes", []string{"fen.black"}, newGame, fenDashes},
	{"fen.illegal", []string{"fen.error"}, ownProcess, fenIllegal},
	{"fen.failed", []string{"fen.error"}, at(ownProcess, boards.OnlyHorse), fenFailed},
	{"fen.level", []string{"fen.board", "level.keeps"}, newGame, fenKeepsLevel},

	{"play.legal", []string{"fen.board", "fen.black"}, newGame, playLegal},
	{"interrupt.play", []string{"play.legal"}, whileThinking("AI"), interruptedBy(byPlay)},
	{"play.pieces", []string{"play.legal"}, newGame, playPieces},
	{"play.empty", nil, ownProcess, refusesMoves(emptyPoints)},
	{"play.turn", nil, ownProcess, refusesMoves(otherSide)},
	{"play.own", nil, ownProcess, refusesMoves(ownPieces)},
	{"play.step", []string{"fen.board"}, ownProcess, refusesMoves(wrongSteps)},
	{"play.check", []string{"fen.board"}, ownProcess, refusesMoves(intoCheck)},
	{"play.malformed", []string{"play.legal"}, ownProcess, playMalformed},
	{"play.failed", []string{"fen.black"}, ownProcess, playFailed},
	{"play.lower", []string{"play.legal"}, at(ownProcess, boards.Chains[1][0].Start), playLower},

	{"load.plays", []string{"fen.board", "fen.black"}, newGame, loadPlays},
	{"interrupt.load", []string{"load.plays"}, whileThinking("AI"), interruptedBy(byLoad)},
	{"load.current", []string{"load.plays"}, newGame, loadCurrent},
	{"load.illegal", nil, ownProcess, loadIllegal},
	{"load.zero", []string{"play.legal"}, ownProcess, loadZero},
	{"load.atomic", []string{"load.plays", "load.illegal"}, at(ownProcess, boards.Chains[0][0].Start), loadAtomic},
	{"load.count", nil, ownProcess, loadCount},

	{"ai.positions", []string{"fen.black"}, newGame, aiPositions},
	{"ai.moves", []string{"play.legal"}, newGame, aiMoves},
	{"ai.side", []string{"ai.moves"}, newGame, aiSide},
	{"ai.mate", []string{"fen.black"}, at(newGame, boards.Mated), refusesToThink("AI")},
	{"ai.stalemate", []string{"fen.black"}, at(newGame, boards.Stalemate), refusesToThink("AI")},
	{"ai.game", []string{"ai.positions", "ai.side"}, newGame, aiGame},
	{"ai.shape", nil, newGame, aiShape},

	{"undo.start", []string{"UNDO"}, newProcess, answers("ERROR", "UNDO")},
	{"undo.all", []string{"UNDO", "play.legal"}, newGame, undoAll},
	{"interrupt.undo", []string{"UNDO", "undo.all"}, prepareLongThink, interruptUndo},
	{"undo.end", []string{"UNDO", "undo.start", "undo.all"}, newProcess, undoEnd},
	{"undo.ai", []string{"UNDO", "ai.moves"}, newGame, undoAI},
	{"undo.load", []string{"UNDO", "load.plays"}, newGame, undoLoad},
	{"undo.fen", []string{"UNDO", "fen.board", "undo.start"}, newGame, fenNewGame},

	{"hints.list", []string{"HINTS", "fen.board"}, at(newGame, boards.OnlyHorse), hintsList},
	{"hints.legal", []string{"HINTS", "hints.list", "fen.black"}, newGame, hintsLegal},
	{"hints.stay", []string{"HINTS", "hints.legal"}, newGame, hintsStay},
	{"hints.order", []string{"HINTS", "hints.legal"}, newGame, hintsOrder},
	{"hints.mate", []string{"HINTS", "fen.black"}, at(newGame, boards.Mated), refusesToThink("HINTS")},
	{"hints.best", []string{"HINTS", "hints.legal"}, newGame, hintsBest},
	{"hints.distinct", []string{"HINTS", "hints.legal"}, newGame, hintsDistinct},

	{"ban.ai", []string{"RULES", "fen.black"}, ownProcess, banAI},
	{"interrupt.ban", []string{"RULES", "ban.ai"}, whileThinking("AI"), interruptedBy(byBan)},
	{"ban.hints", []string{"RULES", "HINTS", "hints.legal"}, ownProcess, banHints},
	{"ban.list", []string{"RULES", "ban.ai"}, at(ownProcess, boards.Choices[0].Pos), banList},
	{"ban.next.ai", []string{"RULES", "UNDO", "ban.ai", "undo.ai"}, nil, banNextAI},
	{"ban.next.hints", []string{"RULES", "HINTS", "ban.hints", "hints.stay"}, nil, banNextHints},
	{"ban.all", []string{"RULES", "ban.ai"}, at(ownProcess, boards.OnlyHorse), banAll},
	{"ban.replaced", []string{"RULES", "ban.ai"}, at(ownProcess, boards.Choices[0].Pos), banReplaced},
	{"ban.zero", []string{"RULES", "ban.ai"}, at(ownProcess, boards.Choices[0].Pos), banZero},
	{"ban.count", []string{"RULES"}, ownProcess, banCount},

	{"bgthink.bails", []string{"BGTHINK", "bgthink.on", "play.legal", "ai.moves"}, ownProcess, bgthinkBails},

	{"timeout.made", []string{"TIMEOUT", "timeout.100", "ai.moves"}, prepareLongThink, timeoutMoveMade},
	{"timeout.hints", []string{"TIMEOUT", "HINTS", "hints.legal"}, prepareLongThink, timeoutHints},

	{"input.pipelined", []string{"plugin.single", "play.pieces", "load.current"}, ownProcess, inputPipelined},
	{"input.playai", []string{"play.legal", "plugin.single"}, ownProcess, inputPlayAI},
	{"input.pieces", nil, ownProcess, inputPieces},
	{"input.crlf", []string{"play.legal", "load.current"}, ownProcess, inputCRLF},
	{"input.lower", []string{"fen.board"}, ownProcess, inputLower},
	{"input.blank", nil, ownProcess, inputBlank},
	{"input.unknown", nil, ownProcess, answers("ERROR", "FOO BAR")},
	{"input.whole", nil, ownProcess, inputWhole},
	{"input.unsupported", nil, ownProcess, inputUnsupported},
	{"input.bgthink", nil, withoutAbility("BGTHINK"), answers("OK", "BGTHINK OFF")},
	{"input.scr", nil, ownProcess, inputScreen},
	{"input.end", nil, ownProcess, inputEnd},
	{"input.endthinking", []string{"input.end", "ai.answers"}, whileThinking("AI"), inputEnd},

	{"robust.game", []string{"play.pieces"}, newProcess, gameLong},
	{"robust.undo", []string{"UNDO", "undo.end", "robust.game"}, newProcess, undoLong},
	{"robust.load", []string{"load.current"}, ownProcess, loadLong},
	{"robust.arguments", nil, ownProcess, robustArguments},
	{"robust.noise", nil, ownProcess, robustNoise},
}

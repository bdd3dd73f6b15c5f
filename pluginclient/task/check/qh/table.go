package qh

import (
	"time"

	"qhsh/pluginclient/task/check/boards"
)

// table is every check, in the order in which they are run: what others need stands before
// them, and what costs time comes late: whether a plugin that thinks can be interrupted is told
// before its answers at many positions are, and of those there may be no end.
var table = []entry{
	{"info.exits", nil, informed, informs("info.exits")},
	{"info.version", nil, informed, informs("info.version")},
	{"info.name", nil, informed, informs("info.name")},
	{"info.short", []string{"info.name"}, nil, informs("info.short")},
	{"info.levels", nil, informed, informs("info.levels")},
	{"info.flags", nil, informed, informs("info.flags")},
	{"info.end", nil, informed, informs("info.end")},
	{"info.status", []string{"info.exits"}, informed, informs("info.status")},

	{"plugin.starts", nil, launched, pluginStarts},
	{"plugin.flush", []string{"plugin.starts"}, launched, pluginFlush},
	{basic, []string{"plugin.flush"}, launched, pluginNewline},
	{"plugin.silent", nil, launched, pluginSilent},
	{"plugin.single", nil, started, pluginSingle},
	{"plugin.debug", []string{"plugin.single"}, nil, pluginDebug},
	{"plugin.capitals", nil, started, pluginCapitals},

	{"level.current", []string{"info.levels", "plugin.silent"}, launched, levelCurrent},
	{"level.set", []string{"info.levels"}, started, levelSet},
	{"level.keeps", []string{"level.current", "level.set"}, started, levelKeeps},
	{"level.range", []string{"info.levels"}, started, levelRange},
	{"level.word", nil, started, answers("ERROR", "LEVEL high")},
	{"level.failed", []string{"level.keeps", "level.range"}, started, levelFailed},

	{"ai.answers", nil, alone, aiAnswers},
	{"ai.form", []string{"ai.answers"}, nil, aiForm},
	{"ai.legal", []string{"ai.answers"}, nil, aiLegal},
	{"plugin.blanks", []string{"ai.answers"}, nil, pluginBlanks},

	{"fen.board", []string{"ai.legal"}, nil, fenBoard},
	{"fen.letters", []string{"fen.board"}, fresh, fenLetters},
	{"fen.black", []string{"fen.board"}, fresh, fenBlack},

	{"bgthink.on", []string{"BGTHINK"}, alone, answers("OK", "BGTHINK ON")},
	{"bgthink.off", []string{"BGTHINK"}, alone, answers("OK", "BGTHINK OFF")},
	{"bgthink.bare", []string{"BGTHINK"}, alone, answers("ERROR", "BGTHINK")},

	{"quit.bye", nil, nil, quitBye},
	{"quit.ends", nil, nil, quitEnds},
	{"quit.status", []string{"quit.ends"}, nil, quitStatus},

	{"abort.silent", nil, fresh, silent("ABORT")},
	{"abort.0", []string{"ai.answers"}, deep, aborts("AI", 0)},
	{"abort.10", []string{"ai.answers"}, deep, aborts("AI", 10*time.Millisecond)},
	{"abort.100", []string{"ai.answers"}, deep, aborts("AI", 100*time.Millisecond)},
	{"abort.1000", []string{"ai.answers"}, deep, aborts("AI", time.Second)},
	{"abort.hints", []string{"HINTS", "ai.answers"}, deep, aborts("HINTS", 100*time.Millisecond)},

	{"timeout.silent", []string{"TIMEOUT"}, fresh, silent("TIMEOUT")},
	{"timeout.0", []string{"TIMEOUT", "ai.legal"}, deep, times(0)},
	{"timeout.10", []string{"TIMEOUT", "ai.legal"}, deep, times(10 * time.Millisecond)},
	{"timeout.100", []string{"TIMEOUT", "ai.legal"}, deep, times(100 * time.Millisecond)},
	{"timeout.1000", []string{"TIMEOUT", "ai.legal"}, deep, times(time.Second)},

	{"interrupt.level", []string{"ai.answers"}, pondering("AI"), interrupts(byLevel)},
	{"interrupt.setlevel", []string{"level.set", "ai.answers"}, pondering("AI"), interrupts(bySetLevel)},
	{"interrupt.fen", []string{"fen.board", "ai.answers"}, pondering("AI"), interrupts(byFEN)},
	{"interrupt.ai", []string{"abort.100"}, pondering("AI"), interruptsThinking("AI")},
	{"interrupt.hints", []string{"HINTS", "abort.100", "abort.hints"}, pondering("AI"), interruptsThinking("HINTS")},
	{"interrupt.bgthink", []string{"BGTHINK", "bgthink.off", "ai.answers"}, pondering("AI"), interrupts(byBGThink)},
	{"interrupt.quit", []string{"quit.bye", "quit.ends", "ai.answers"}, pondering("AI"), interruptQuit},
	{"interrupt.thinking", []string{"HINTS", "ai.answers"}, pondering("HINTS"), interrupts(byLevel)},
	{"interrupt.unknown", []string{"interrupt.level"}, pondering("AI"), interrupts(byUnknown)},

	{"fen.error", []string{"fen.board"}, alone, fenError},
	{"fen.long", []string{"fen.black"}, at(alone, boards.Longest), fenLong},
	{"fen.aliases", []string{"fen.black"}, fresh, fenAliases},
	{"fen.w", []string{"fen.black"}, fresh, fenW},
	{"fen.r", []string{"fen.black"}, fresh, fenR},
	{"fen.noside", []string{"fen.board"}, fresh, fenNoSide},
	{"fen.fields", []string{"fen.board"}, fresh, fenFields},
	{"fen.dashes", []string{"fen.black"}, fresh, fenDashes},
	{"fen.illegal", []string{"fen.error"}, alone, fenIllegal},
	{"fen.failed", []string{"fen.error"}, at(alone, boards.OnlyHorse), fenFailed},
	{"fen.level", []string{"fen.board", "level.keeps"}, fresh, fenKeepsLevel},

	{"play.legal", []string{"fen.board", "fen.black"}, fresh, playLegal},
	{"interrupt.play", []string{"play.legal"}, pondering("AI"), interrupts(byPlay)},
	{"play.pieces", []string{"play.legal"}, fresh, playPieces},
	{"play.empty", nil, alone, refusesMoves(emptyPoints)},
	{"play.turn", nil, alone, refusesMoves(otherSide)},
	{"play.own", nil, alone, refusesMoves(ownPieces)},
	{"play.step", []string{"fen.board"}, alone, refusesMoves(wrongSteps)},
	{"play.check", []string{"fen.board"}, alone, refusesMoves(intoCheck)},
	{"play.malformed", []string{"play.legal"}, alone, playMalformed},
	{"play.failed", []string{"fen.black"}, alone, playFailed},
	{"play.lower", []string{"play.legal"}, at(alone, boards.Chains[1][0].Start), playLower},

	{"load.plays", []string{"fen.board", "fen.black"}, fresh, loadPlays},
	{"interrupt.load", []string{"load.plays"}, pondering("AI"), interrupts(byLoad)},
	{"load.current", []string{"load.plays"}, fresh, loadCurrent},
	{"load.illegal", nil, alone, loadIllegal},
	{"load.zero", []string{"play.legal"}, alone, loadZero},
	{"load.atomic", []string{"load.plays", "load.illegal"}, at(alone, boards.Chains[0][0].Start), loadAtomic},
	{"load.count", nil, alone, loadCount},

	{"ai.positions", []string{"fen.black"}, fresh, aiPositions},
	{"ai.moves", []string{"play.legal"}, fresh, aiMoves},
	{"ai.side", []string{"ai.moves"}, fresh, aiSide},
	{"ai.mate", []string{"fen.black"}, at(fresh, boards.Mated), refusesToThink("AI")},
	{"ai.stalemate", []string{"fen.black"}, at(fresh, boards.Stalemate), refusesToThink("AI")},
	{"ai.game", []string{"ai.positions", "ai.side"}, fresh, aiGame},
	{"ai.shape", nil, fresh, aiShape},

	{"undo.start", []string{"UNDO"}, anew, answers("ERROR", "UNDO")},
	{"undo.all", []string{"UNDO", "play.legal"}, fresh, undoAll},
	{"interrupt.undo", []string{"UNDO", "undo.all"}, deep, interruptUndo},
	{"undo.end", []string{"UNDO", "undo.start", "undo.all"}, anew, undoEnd},
	{"undo.ai", []string{"UNDO", "ai.moves"}, fresh, undoAI},
	{"undo.load", []string{"UNDO", "load.plays"}, fresh, undoLoad},
	{"undo.fen", []string{"UNDO", "fen.board", "undo.start"}, fresh, fenNewGame},

	{"hints.list", []string{"HINTS", "fen.board"}, at(fresh, boards.OnlyHorse), hintsList},
	{"hints.legal", []string{"HINTS", "hints.list", "fen.black"}, fresh, hintsLegal},
	{"hints.stay", []string{"HINTS", "hints.legal"}, fresh, hintsStay},
	{"hints.order", []string{"HINTS", "hints.legal"}, fresh, hintsOrder},
	{"hints.mate", []string{"HINTS", "fen.black"}, at(fresh, boards.Mated), refusesToThink("HINTS")},
	{"hints.best", []string{"HINTS", "hints.legal"}, fresh, hintsBest},
	{"hints.distinct", []string{"HINTS", "hints.legal"}, fresh, hintsDistinct},

	{"ban.ai", []string{"RULES", "fen.black"}, alone, banAI},
	{"interrupt.ban", []string{"RULES", "ban.ai"}, pondering("AI"), interrupts(byBan)},
	{"ban.hints", []string{"RULES", "HINTS", "hints.legal"}, alone, banHints},
	{"ban.list", []string{"RULES", "ban.ai"}, at(alone, boards.Choices[0].Pos), banList},
	{"ban.next.ai", []string{"RULES", "UNDO", "ban.ai", "undo.ai"}, nil, banNextAI},
	{"ban.next.hints", []string{"RULES", "HINTS", "ban.hints", "hints.stay"}, nil, banNextHints},
	{"ban.all", []string{"RULES", "ban.ai"}, at(alone, boards.OnlyHorse), banAll},
	{"ban.replaced", []string{"RULES", "ban.ai"}, at(alone, boards.Choices[0].Pos), banReplaced},
	{"ban.zero", []string{"RULES", "ban.ai"}, at(alone, boards.Choices[0].Pos), banZero},
	{"ban.count", []string{"RULES"}, alone, banCount},

	{"bgthink.bails", []string{"BGTHINK", "bgthink.on", "play.legal", "ai.moves"}, alone, bgthinkBails},

	{"timeout.made", []string{"TIMEOUT", "timeout.100", "ai.moves"}, deep, timesMade},
	{"timeout.hints", []string{"TIMEOUT", "HINTS", "hints.legal"}, deep, timesHints},

	{"input.pipelined", []string{"plugin.single", "play.pieces", "load.current"}, alone, inputPipelined},
	{"input.playai", []string{"play.legal", "plugin.single"}, alone, inputPlayAI},
	{"input.pieces", nil, alone, inputPieces},
	{"input.crlf", []string{"play.legal", "load.current"}, alone, inputCRLF},
	{"input.lower", []string{"fen.board"}, alone, inputLower},
	{"input.blank", nil, alone, inputBlank},
	{"input.unknown", nil, alone, answers("ERROR", "FOO BAR")},
	{"input.whole", nil, alone, inputWhole},
	{"input.unsupported", nil, alone, inputUnsupported},
	{"input.bgthink", nil, disclaiming("BGTHINK"), answers("OK", "BGTHINK OFF")},
	{"input.scr", nil, alone, inputScreen},
	{"input.end", nil, alone, inputEnd},
	{"input.endthinking", []string{"input.end", "ai.answers"}, pondering("AI"), inputEnd},

	{"robust.game", []string{"play.pieces"}, anew, gameLong},
	{"robust.undo", []string{"UNDO", "undo.end", "robust.game"}, anew, undoLong},
	{"robust.load", []string{"load.current"}, alone, loadLong},
	{"robust.arguments", nil, alone, robustArguments},
	{"robust.noise", nil, alone, robustNoise},
}

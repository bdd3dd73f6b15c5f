package qtp

// table has all checks in the order in which they are run.
var table = []entry{
	{name: basic, section: "1.6", rule: "A response begins with = or ?", run: form},
	{name: "talk.order", section: "1.8", rule: "Commands may be sent before the last response has come, and are answered in their order", prepare: ensureRunning, run: order},

	{name: "input.comment", section: "1.9", rule: "Text from a hash sign to the end of the line is discarded", talk: []string{"winner # has anybody won? -> = false", "playmove black E8#x -> ="}},
	{name: "input.comments", section: "1.10", rule: "There is no response to a line that is a comment", prepare: ensureRunning, run: unanswered("# a comment", "   # another")},
	{name: "input.empty", section: "1.10", rule: "There is no response to an empty line", prepare: ensureRunning, run: unanswered("", "")},
	{name: "input.blank", section: "1.10", rule: "There is no response to a line of blanks", prepare: ensureRunning, run: unanswered("   ", "\t \t")},
	{name: "input.cr", section: "1.4", rule: "Carriage returns are discarded", talk: []string{"winner\r -> = false", "playmove bl\rack E8\r -> ="}},
	{name: "input.tab", section: "1.3", rule: "A tab is a blank", talk: []string{"playmove\tblack\tE8 -> =", "winner\t -> = false"}},
	{name: "input.controls", section: "1.2, 2.1", rule: "Other control characters are discarded", talk: []string{"win\x01ner\x7f -> = false", "\x02playmove black E\x038 -> ="}},
	{name: "input.blanks", section: "2.3", rule: "Blanks in front of a command, and more than one between its words, do no harm", advice: true, talk: []string{"  playmove   black  E8 -> ="}},
	{name: "input.case", section: "2.2", rule: "Colours, vertices and orientations are not case-sensitive", talk: []string{
		"playmove BLACK e8 -> =", "playmove White E2 -> =", "playwall black b5 HORIZONTAL -> =", "playwall WHITE F5 Vertical -> =", "genmove BLACK -> =",
	}},
	{name: "input.short", section: "2.2", rule: "w, b, h and v stand for the colours and orientations", talk: []string{
		"playmove b E8 -> =", "playmove W E2 -> =", "playwall B B5 h -> =", "playwall w F5 V -> =", "genmove b -> =", "genmove W -> =",
	}},

	{name: "name.answers", section: "4.1", rule: "name answers the engine's name", run: named},
	{name: "name.same", section: "4.1", rule: "The name stays the same", needs: []string{"name.answers"}, prepare: board9, run: sameName},
	{name: "known.true", section: "4.1", rule: "known_command is true for every command of the protocol", prepare: board9, run: knownTrue},
	{name: "known.false", section: "4.1", rule: "known_command is false for an unknown command, and does not fail", talk: []string{"known_command frobnicate -> = false", "known_command NAME -> = false"}},
	{name: "list.rows", section: "4.1", rule: "list_commands lists commands, one a row", run: rows},
	{name: "list.all", section: "4.1", rule: "The list includes the required commands", needs: []string{"list.rows"}, run: listsAll},
	{name: "list.known", section: "4.1", rule: "What is listed is known", needs: []string{"list.rows"}, run: listedKnown},
	{name: "unknown.message", section: "2.6", rule: "An unknown command fails with the message unknown command", talk: []string{"frobnicate -> ? unknown command", "frobnicate black E8 -> ? unknown command"}},
	{name: "unknown.case", section: "2.2", rule: "Names of commands are case-sensitive", talk: []string{"WINNER -> ?"}},

	{name: "size.nine", section: "4.2", rule: "The board can be 9 x 9", talk: []string{"boardsize 9 -> ="}},
	{name: "size.small", section: "1.11", rule: "Smaller boards are those of the usual odd sizes", advice: true, talk: []string{"boardsize 3 -> =", "boardsize 5 -> =", "boardsize 7 -> ="}},
	{name: "size.large", section: "1.11", rule: "Boards of up to 25 x 25 are supported by the protocol", advice: true, talk: []string{"boardsize 25 -> =", "clear_board -> =", "walls 1 -> =", "playmove black M24 -> =", "playwall white X25 h -> ="}},
	{name: "size.unacceptable", section: "4.2", rule: "A size that cannot be handled fails with the message unacceptable size, as one over 25 must", talk: []string{"boardsize 26 -> ? unacceptable size", "boardsize 1000000 -> ? unacceptable size"}},
	{name: "size.syntax", section: "4.2", rule: "What is no size is a syntax error", talk: []string{"boardsize -> ?", "boardsize x -> ?", "boardsize 5x -> ?", "boardsize -5 -> ?"}},
	{name: "size.unchanged", section: "3.3", rule: "A boardsize that fails changes nothing", talk: []string{"playmove black E8 -> =", "boardsize 1000000 -> ?", "playmove black E7 -> =", "undo 2 -> ="}},
	{name: "clear.pawns", section: "4.2", rule: "clear_board puts the pawns back: Black's in the middle of the top row, White's in that of the first", talk: []string{
		"playmove black E8 -> =", "playmove white E2 -> =", "clear_board -> =", "playmove black D9 -> =", "playmove white F1 -> =",
	}},
	{name: "clear.walls", section: "4.2", rule: "clear_board takes the walls away", talk: []string{"playwall black B5 h -> =", "clear_board -> =", "walls 10 -> =", "playwall white B5 h -> ="}},
	{name: "clear.history", section: "4.2", rule: "clear_board empties the history", talk: []string{"playmove black E8 -> =", "clear_board -> =", "undo -> ? cannot undo"}},
	{name: "walls.number", section: "4.2", rule: "walls gives each side that number of walls", prepare: one9, talk: []string{"playwall black B5 h -> =", "playwall white B3 h -> =", "playwall black F5 h -> ?", "playwall white F3 h -> ?"}},
	{name: "walls.none", section: "4.2", rule: "The number may be 0", prepare: none9, talk: []string{"playwall black B5 h -> ?"}},
	{name: "walls.many", section: "2.2", rule: "It may be any int, up to 2^31-1", talk: []string{"walls 101 -> =", "walls 2147483647 -> =", "playwall black B5 h -> ="}},
	{name: "walls.unchanged", section: "3.3", rule: "walls changes nothing else", talk: []string{
		"playmove black E8 -> =", "playwall white B5 h -> =", "walls 5 -> =", "playwall black B5 v -> ?", "playmove black E7 -> =", "undo 3 -> =",
	}},
	{name: "walls.syntax", section: "2.2", rule: "What is no number fails", talk: []string{"walls -> ?", "walls x -> ?", "walls -1 -> ?"}},

	{name: "move.step", section: "4.3", rule: "A pawn steps to a neighbouring cell", talk: []string{"playmove black E8 -> =", "playmove black D8 -> =", "playmove black D9 -> =", "playmove black E9 -> ="}},
	{name: "move.illegal", section: "4.3", rule: "An illegal move fails with the message illegal move", talk: []string{
		"playmove black E7 -> ? illegal move", "playmove black D8 -> ? illegal move", "playmove black E9 -> ? illegal move", "playmove black A1 -> ? illegal move",
	}},
	{name: "move.off", section: "4.3", rule: "So does one off the board", talk: []string{"playmove black J9 -> ?", "playmove black E10 -> ?"}},
	{name: "move.unchanged", section: "3.3", rule: "A move that fails changes nothing", talk: []string{"playmove black A1 -> ?", "undo -> ? cannot undo", "playmove black E8 -> ="}},
	{name: "move.twice", section: "4.3", rule: "Consecutive moves of a colour are legal", talk: []string{"playmove white E2 -> =", "playmove white E3 -> =", "playwall white B5 h -> =", "playmove white E4 -> ="}},
	{name: "move.syntax", section: "4.3", rule: "A move that is none is a syntax error", talk: []string{"playmove red E8 -> ?", "playmove black 88 -> ?", "playmove E8 -> ?", "undo -> ? cannot undo"}},
	{name: "move.wall", section: "4.3", rule: "A pawn does not step through a wall", talk: []string{
		"playwall white E9 h -> =", "playmove black E8 -> ?", "playwall white D9 v -> =", "playmove black D9 -> ?", "playmove black F9 -> =",
	}},
	{name: "move.jump", section: "4.3", rule: "A pawn jumps straight over the other, and then only so", talk: []string{
		"playmove black E8 -> =", "playmove black E7 -> =", "playmove white E2 -> =", "playmove white E3 -> =", "playmove white E4 -> =", "playmove white E5 -> =", "playmove white E6 -> =",
		"playmove black E6 -> ?", "playmove black D6 -> ?", "playmove black F6 -> ?", "playmove black E5 -> =", "playmove white E4 -> =", "playmove white E5 -> ?",
	}},
	{name: "move.between", section: "4.3", rule: "It does not jump where a wall is between the two", talk: []string{
		"playmove black E8 -> =", "playmove black E7 -> =", "playmove white E2 -> =", "playmove white E3 -> =", "playmove white E4 -> =", "playmove white E5 -> =", "playmove white E6 -> =",
		"playwall white E7 h -> =", "playmove black E5 -> ?", "playmove black D6 -> ?", "playmove black F6 -> ?",
		"playmove white E8 -> ?", "playmove white D7 -> ?", "playmove white F7 -> ?",
	}},
	{name: "move.aside", section: "4.3", rule: "Where a wall is behind the other pawn, the jump goes aside", talk: []string{
		"playmove black E8 -> =", "playmove black E7 -> =", "playmove white E2 -> =", "playmove white E3 -> =", "playmove white E4 -> =", "playmove white E5 -> =", "playmove white E6 -> =",
		"playwall white E6 h -> =", "playmove black E5 -> ?", "playmove black D6 -> =", "playmove black D7 -> =", "playmove black E7 -> =",
		"playmove black F6 -> =", "playmove black F7 -> =", "playmove black E7 -> =", "playwall white E7 v -> =", "playmove black F6 -> ?",
	}},
	{name: "move.across", section: "4.3", rule: "Jumps from side to side are likewise", talk: []string{
		"playmove black E8 -> =", "playmove black E7 -> =", "playmove black E6 -> =", "playmove white D1 -> =", "playmove white D2 -> =", "playmove white D3 -> =", "playmove white D4 -> =", "playmove white D5 -> =", "playmove white D6 -> =",
		"playmove black D7 -> ?", "playmove black D5 -> ?", "playmove black C6 -> =", "playmove white B6 -> =",
		"playwall white A6 v -> =", "playmove black A6 -> ?", "playmove black B7 -> =", "playmove black C7 -> =", "playmove black C6 -> =", "playmove black B5 -> =", "playmove black C5 -> =", "playmove black C6 -> =",
		"playwall white B6 v -> =", "playmove black A6 -> ?", "playmove black B7 -> ?", "playmove black B5 -> ?", "playmove white D6 -> ?",
	}},
	{name: "move.edge", section: "4.3", rule: "So it does at the edge of the board", talk: []string{
		"playmove white E2 -> =", "playmove white E3 -> =", "playmove white E4 -> =", "playmove white E5 -> =", "playmove white E6 -> =", "playmove white E7 -> =", "playmove white E8 -> =",
		"playmove white F9 -> =",
	}},

	{name: "wall.place", section: "2.2", rule: "A wall's vertex is the one northwest of its centre", talk: []string{"playwall white E9 horizontal -> =", "playmove black E8 -> ?", "playmove black F9 -> =", "playmove black F8 -> ?"}},
	{name: "wall.board", section: "4.3", rule: "A wall lies on the board, and an illegal one fails with the message illegal move", talk: []string{
		"playwall black I5 h -> ? illegal move", "playwall black E1 h -> ? illegal move", "playwall black I5 v -> ? illegal move", "playwall black E1 v -> ? illegal move", "playwall black A9 h -> =", "playwall black H2 v -> =",
	}},
	{name: "wall.cross", section: "4.3", rule: "Walls do not cross", talk: []string{"playwall black B5 h -> =", "playwall white B5 v -> ?", "playwall white B5 h -> ?"}},
	{name: "wall.overlap", section: "4.3", rule: "Walls do not overlap", talk: []string{
		"playwall black B5 h -> =", "playwall white C5 h -> ?", "playwall white A5 h -> ?", "playwall white D5 h -> =",
		"playwall black F5 v -> =", "playwall white F6 v -> ?", "playwall white F4 v -> ?", "playwall white F3 v -> =",
	}},
	{name: "wall.way", section: "4.3", rule: "A wall leaves both pawns a way", talk: []string{
		"playwall black A5 h -> =", "playwall black C5 h -> =", "playwall black E5 h -> =", "playwall black G5 h -> =", "playwall black H5 v -> =", "playwall black H4 h -> ?", "playwall black H6 h -> ?",
	}},
	{name: "wall.black", section: "4.3", rule: "It does not shut in Black's pawn alone", talk: []string{
		"playwall white D9 h -> =", "playwall white C9 v -> =", "playwall white E9 v -> ?", "playwall white F9 v -> =",
	}},
	{name: "wall.white", section: "4.3", rule: "It does not shut in White's pawn alone", talk: []string{
		"playwall black D2 h -> =", "playwall black C2 v -> =", "playwall black E2 v -> ?", "playwall black F2 v -> =",
	}},
	{name: "wall.pawns", section: "4.3", rule: "A pawn is in nobody's way", talk: []string{
		"playwall white D9 h -> =", "playwall white C9 v -> =", "playwall white F9 v -> =", "playmove white F1 -> =", "playmove white F2 -> =", "playmove white F3 -> =", "playmove white F4 -> =", "playmove white F5 -> =", "playmove white F6 -> =", "playmove white F7 -> =", "playmove white F8 -> =", "playwall white E8 v -> =",
	}},
	{name: "wall.left", section: "4.3", rule: "A wall is one less for its side alone", prepare: one9, talk: []string{"playwall black B5 h -> =", "playwall black F5 h -> ?", "playwall white F5 h -> ="}},
	{name: "wall.unchanged", section: "3.3", rule: "A wall that fails changes nothing", prepare: one9, talk: []string{"playwall black I9 h -> ?", "undo -> ? cannot undo", "playwall black B5 h -> ="}},
	{name: "wall.syntax", section: "4.3", rule: "A wall that is none is a syntax error", talk: []string{"playwall black B5 -> ?", "playwall black B5 q -> ?", "playwall B5 h -> ?", "playwall black B5 h -> ="}},

	{name: "genmove.vertex", section: "4.3", rule: "genmove answers a vertex, with an orientation for a wall", prepare: board9, run: vertex},
	{name: "genmove.plays", section: "4.3", rule: "The move is played", needs: []string{"genmove.vertex"}, prepare: none9, run: plays},
	{name: "genmove.legal", section: "4.3", rule: "The move is legal", needs: []string{"genmove.vertex"}, prepare: board9, run: legal},
	{name: "genmove.walls", section: "4.3", rule: "It is no wall where none is left", needs: []string{"genmove.vertex"}, prepare: none9, run: noWalls},
	{name: "genmove.twice", section: "4.3", rule: "It is made for either colour, whoever has moved last", needs: []string{"genmove.vertex"}, prepare: board9, run: twice},
	{name: "genmove.never", section: "4.3", rule: "It never fails, also when somebody has won", needs: []string{"genmove.vertex"}, prepare: board9, run: afterWin},

	{name: "undo.one", section: "4.3", rule: "undo takes a move back", talk: []string{"playmove black E8 -> =", "undo -> =", "playmove black D9 -> ="}},
	{name: "undo.many", section: "4.3", rule: "undo takes as many moves back as it is told, of both colours", talk: []string{"playmove black E8 -> =", "playmove white E2 -> =", "playmove black E7 -> =", "undo 2 -> =", "playmove white F1 -> =", "playmove black E7 -> ="}},
	{name: "undo.wall", section: "4.3", rule: "undo takes a wall away and gives it back to its side", prepare: one9, talk: []string{"playwall black B5 h -> =", "undo -> =", "playwall white B5 v -> =", "undo 1 -> =", "playwall black B5 h -> ="}},
	{name: "undo.nothing", section: "4.3", rule: "Where nothing was played undo fails with the message cannot undo", talk: []string{"undo -> ? cannot undo", "undo 1 -> ? cannot undo"}},
	{name: "undo.toomany", section: "4.3", rule: "More than was played fails likewise, and changes nothing", talk: []string{"playmove black E8 -> =", "undo 2 -> ? cannot undo", "undo 2147483647 -> ? cannot undo", "playmove black E7 -> ="}},
	{name: "undo.syntax", section: "2.2", rule: "What is no number fails, and changes nothing", talk: []string{"playmove black E8 -> =", "undo x -> ?", "undo -1 -> ?", "playmove black E7 -> ="}},

	{name: "winner.false", section: "4.4", rule: "winner answers false while the game goes on", talk: []string{"winner -> = false", "playmove black E8 -> =", "winner -> = false"}},
	{name: "winner.black", section: "4.4", rule: "winner answers true black when Black's pawn is on row 1", prepare: board9, run: wins("black", "E8 E7 E6 E5 E4 E3 E2 D2 D1")},
	{name: "winner.white", section: "4.4", rule: "winner answers true white when White's pawn is on the top row", prepare: board9, run: wins("white", "E2 E3 E4 E5 E6 E7 E8 F8 F9")},
	{name: "show.answers", section: "4.5", rule: "showboard draws the board on lines of its own", prepare: board9, run: shows},
	{name: "show.coordinates", section: "1.11, 4.5", rule: "Letters go from left to right and numbers from the top to the bottom", needs: []string{"show.answers"}, prepare: board9, run: coordinates},

	{name: "state.kept", section: "3.3", rule: "Commands without an effect change nothing", talk: []string{
		"playmove black E8 -> =", "playwall white B5 h -> =", "name", "known_command undo", "list_commands", "winner", "showboard", "frobnicate",
		"playwall black B5 v -> ?", "playmove black E7 -> =", "undo 3 -> =", "playmove black D9 -> =",
	}},
	{name: "state.failed", section: "3.3", rule: "Nor does a command that fails", talk: []string{
		"playmove black E8 -> =", "playwall white B5 h -> =", "playmove black A1 -> ?", "playwall black B5 v -> ?", "undo 3 -> ?", "walls x -> ?",
		"playwall black B5 v -> ?", "playmove black E7 -> =", "undo 3 -> =", "playmove black D9 -> =",
	}},

	{name: "robust.long", section: "1.5", rule: "A line of a million characters is one command", run: long},
	{name: "robust.bytes", section: "1.1", rule: "A line of any bytes is one command at most", run: bytes8},
	{name: "robust.split", section: "1.5", rule: "A command is a line, however it arrives", prepare: board9, run: split},
	{name: "quit.answers", section: "4.1", rule: "quit is answered before the engine ends", run: quits},
	{name: "quit.ends", section: "4.1", rule: "quit ends the engine", needs: []string{"quit.answers"}, run: quitEnds},
	{name: "quit.input", section: "1.12", rule: "The engine ends when its input does", advice: true, run: inputEnds},

	{name: string(missingEnd), section: "1.6", rule: "A response ends with two consecutive newlines", run: noFlaw(missingEnd)},
	{name: string(resultBelow), section: "2.4", rule: "The result stands on the line of the sign", run: noFlaw(resultBelow)},
	{name: string(noBlank), section: "1.6", rule: "There is a blank between the sign and the result (2.4 leaves it out)", advice: true, run: noFlaw(noBlank)},
	{name: string(unneededResult), section: "4", rule: "There is no result where the output is none", run: noFlaw(unneededResult)},
	{name: string(strayText), section: "1.6", rule: "There is no text outside responses", run: noFlaw(strayText)},
	{name: string(notASCII), section: "1.1 to 1.3", rule: "Responses are of US-ASCII without control characters and tabs", run: noFlaw(notASCII)},
}

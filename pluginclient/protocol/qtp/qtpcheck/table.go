package qtpcheck

import (
	"strings"

	"qhsh/engine/quoridor"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

// table has all checks in the order in which they are run.
var table = []check.Row[*exam]{
	{Name: basic, Section: "1.6", Rule: "A response begins with = or ?", Run: form},
	{Name: "talk.order", Section: "1.8", Rule: "Commands may be sent before the last response has come, and are answered in their order", Prepare: ensureRunning, Run: order},

	{Name: "input.comment", Section: "1.9", Rule: "Text from a hash sign to the end of the line is discarded", Run: talk("winner # has anybody won? -> = false", "playmove black E8#x -> =")},
	{Name: "input.comments", Section: "1.10", Rule: "There is no response to a line that is a comment", Prepare: ensureRunning, Run: unanswered("# a comment", "   # another")},
	{Name: "input.empty", Section: "1.10", Rule: "There is no response to an empty line", Prepare: ensureRunning, Run: unanswered("", "")},
	{Name: "input.blank", Section: "1.10", Rule: "There is no response to a line of blanks", Prepare: ensureRunning, Run: unanswered("   ", "\t \t")},
	{Name: "input.cr", Section: "1.4", Rule: "Carriage returns are discarded", Run: talk("winner\r -> = false", "playmove bl\rack E8\r -> =")},
	{Name: "input.tab", Section: "1.3", Rule: "A tab is a blank", Run: talk("playmove\tblack\tE8 -> =", "winner\t -> = false")},
	{Name: "input.controls", Section: "1.2, 2.1", Rule: "Other control characters are discarded", Run: talk("win\x01ner\x7f -> = false", "\x02playmove black E\x038 -> =")},
	{Name: "input.blanks", Section: "2.3", Rule: "Blanks in front of a command, and more than one between its words, do no harm", Advice: true, Run: talk("  playmove   black  E8 -> =")},
	{Name: "input.case", Section: "2.2", Rule: "Colours, vertices and orientations are not case-sensitive", Run: talk(
		"playmove BLACK e8 -> =", "playmove White E2 -> =", "playwall black b5 HORIZONTAL -> =", "playwall WHITE F5 Vertical -> =", "genmove BLACK -> =",
	)},
	{Name: "input.short", Section: "2.2", Rule: "w, b, h and v stand for the colours and orientations", Run: talk(
		"playmove b E8 -> =", "playmove W E2 -> =", "playwall B B5 h -> =", "playwall w F5 V -> =", "genmove b -> =", "genmove W -> =",
	)},

	{Name: "name.answers", Section: "4.1", Rule: "name answers the engine's name", Run: answers(qtp.Name, "= and a name", func(r reply) bool { return r.status() == '=' && r.text() != "" })},
	{Name: "name.same", Section: "4.1", Rule: "The name stays the same", Advice: true, Needs: []string{"name.answers"}, Prepare: board9, Run: sameName},
	{Name: "known.true", Section: "4.1", Rule: "known_command is true for every command of the protocol", Run: known(required())},
	{Name: "known.false", Section: "4.1", Rule: "known_command is false for an unknown command, and does not fail", Run: talk("known_command frobnicate -> = false", "known_command NAME -> = false")},
	{Name: "list.rows", Section: "4.1", Rule: "list_commands lists commands, one a row", Run: rows},
	{Name: "list.all", Section: "4.1", Rule: "The list includes the required commands", Needs: []string{"list.rows"}, Run: listsAll},
	{Name: "list.known", Section: "4.1", Rule: "What is listed is known", Needs: []string{"list.rows"}, Run: listedKnown},
	{Name: "unknown.message", Section: "2.6", Rule: "An unknown command fails with the message unknown command", Run: talk("frobnicate -> ? unknown command", "frobnicate black E8 -> ? unknown command")},
	{Name: "unknown.case", Section: "2.2", Rule: "Names of commands are case-sensitive", Run: talk("WINNER -> ?")},

	{Name: "size.nine", Section: "4.2", Rule: "The board can be 9 x 9", Advice: true, Run: talk("boardsize 9 -> =")},
	{Name: "size.small", Section: "1.11", Rule: "Smaller boards are those of the usual odd sizes", Advice: true, Run: talk("boardsize 3 -> =", "boardsize 5 -> =", "boardsize 7 -> =")},
	{Name: "size.large", Section: "1.11", Rule: "Boards of up to 25 x 25 are supported by the protocol", Advice: true, Run: talk("boardsize 25 -> =", "clear_board -> =", "walls 1 -> =", "playmove black M24 -> =", "playwall white X25 h -> =")},
	{Name: "size.unacceptable", Section: "4.2", Rule: "A size that cannot be handled fails with the message unacceptable size, as one over 25 must", Run: talk("boardsize 26 -> ? unacceptable size", "boardsize 1000000 -> ? unacceptable size")},
	{Name: "size.syntax", Section: "4.2", Rule: "What is no size is a syntax error", Run: talk("boardsize -> ?", "boardsize x -> ?", "boardsize 5x -> ?", "boardsize -5 -> ?")},
	{Name: "size.unchanged", Section: "3.3", Rule: "A boardsize that fails changes nothing", Needs: []string{"size.unacceptable"}, Run: talk("playmove black E8 -> =", "boardsize 1000000 -> ?", "playmove black E7 -> =", "undo 2 -> =")},
	{Name: "clear.pawns", Section: "4.2", Rule: "clear_board puts the pawns back: Black's in the middle of the top row, White's in that of the first", Run: talk(
		"playmove black E8 -> =", "playmove white E2 -> =", "clear_board -> =", "playmove black D9 -> =", "playmove white F1 -> =",
	)},
	{Name: "clear.walls", Section: "4.2", Rule: "clear_board takes the walls away", Run: talk("playwall black B5 h -> =", "clear_board -> =", "walls 10 -> =", "playwall white B5 h -> =")},
	{Name: "walls.number", Section: "4.2", Rule: "walls gives each side that number of walls", Run: talkOn(one9, "playwall black B5 h -> =", "playwall white B3 h -> =", "playwall black F5 h -> ?", "playwall white F3 h -> ?")},
	{Name: "walls.none", Section: "4.2", Rule: "The number may be 0", Run: talkOn(none9, "playwall black B5 h -> ?")},
	{Name: "walls.many", Section: "2.2", Rule: "It may be any int, up to 2^31-1", Run: talk("walls 101 -> =", "walls 2147483647 -> =", "playwall black B5 h -> =")},
	{Name: "walls.syntax", Section: "2.2", Rule: "What is no number fails", Advice: true, Run: talk("walls -> ?", "walls x -> ?", "walls -1 -> ?")},

	{Name: "move.step", Section: "4.3", Rule: "A pawn steps to a neighbouring cell", Run: talk("playmove black E8 -> =", "playmove black D8 -> =", "playmove black D9 -> =", "playmove black E9 -> =")},
	{Name: "move.illegal", Section: "4.3", Rule: "An illegal move fails with the message illegal move", Run: talk(
		"playmove black E7 -> ? illegal move", "playmove black D8 -> ? illegal move", "playmove black E9 -> ? illegal move", "playmove black A1 -> ? illegal move",
	)},
	{Name: "move.off", Section: "4.3", Rule: "So does one off the board", Run: talk("playmove black J9 -> ?", "playmove black E10 -> ?")},
	{Name: "move.unchanged", Section: "3.3", Rule: "A move that fails changes nothing", Needs: []string{"move.illegal"}, Run: talk(
		"playmove black E8 -> =", "playmove black A1 -> ?", "playmove black E7 -> =", "undo -> =", "undo -> =", "playmove black D9 -> =",
	)},
	{Name: "move.twice", Section: "4.3", Rule: "Consecutive moves of a colour are legal", Run: talk("playmove white E2 -> =", "playmove white E3 -> =", "playwall white B5 h -> =", "playmove white E4 -> =")},
	{Name: "move.syntax", Section: "4.3", Rule: "A move that is none is a syntax error", Run: talk("playmove red E8 -> ?", "playmove black 88 -> ?", "playmove E8 -> ?")},
	{Name: "move.wall", Section: "4.3", Rule: "A pawn does not step through a wall", Run: talk(
		"playwall white E9 h -> =", "playmove black E8 -> ?", "playwall white D9 v -> =", "playmove black D9 -> ?", "playmove black F9 -> =",
	)},
	{Name: "move.jump", Section: "4.3", Rule: "A pawn jumps straight over the other, and then only so", Run: talk(
		"playmove black E8 -> =", "playmove black E7 -> =", "playmove white E2 -> =", "playmove white E3 -> =", "playmove white E4 -> =", "playmove white E5 -> =", "playmove white E6 -> =",
		"playmove black E6 -> ?", "playmove black D6 -> ?", "playmove black F6 -> ?", "playmove black E5 -> =", "playmove white E4 -> =", "playmove white E5 -> ?",
	)},
	{Name: "move.between", Section: "4.3", Rule: "It does not jump where a wall is between the two", Run: talk(
		"playmove black E8 -> =", "playmove black E7 -> =", "playmove white E2 -> =", "playmove white E3 -> =", "playmove white E4 -> =", "playmove white E5 -> =", "playmove white E6 -> =",
		"playwall white E7 h -> =", "playmove black E5 -> ?", "playmove black D6 -> ?", "playmove black F6 -> ?",
		"playmove white E8 -> ?", "playmove white D7 -> ?", "playmove white F7 -> ?",
	)},
	{Name: "move.aside", Section: "4.3", Rule: "Where a wall is behind the other pawn, the jump goes aside", Run: talk(
		"playmove black E8 -> =", "playmove black E7 -> =", "playmove white E2 -> =", "playmove white E3 -> =", "playmove white E4 -> =", "playmove white E5 -> =", "playmove white E6 -> =",
		"playwall white E6 h -> =", "playmove black E5 -> ?", "playmove black D6 -> =", "playmove black D7 -> =", "playmove black E7 -> =",
		"playmove black F6 -> =", "playmove black F7 -> =", "playmove black E7 -> =", "playwall white E7 v -> =", "playmove black F6 -> ?",
	)},
	{Name: "move.across", Section: "4.3", Rule: "Jumps from side to side are likewise", Run: talk(
		"playmove black E8 -> =", "playmove black E7 -> =", "playmove black E6 -> =", "playmove white D1 -> =", "playmove white D2 -> =", "playmove white D3 -> =", "playmove white D4 -> =", "playmove white D5 -> =", "playmove white D6 -> =",
		"playmove black D7 -> ?", "playmove black D5 -> ?", "playmove black C6 -> =", "playmove white B6 -> =",
		"playwall white A6 v -> =", "playmove black A6 -> ?", "playmove black B7 -> =", "playmove black C7 -> =", "playmove black C6 -> =", "playmove black B5 -> =", "playmove black C5 -> =", "playmove black C6 -> =",
		"playwall white B6 v -> =", "playmove black A6 -> ?", "playmove black B7 -> ?", "playmove black B5 -> ?", "playmove white D6 -> ?",
	)},
	{Name: "move.edge", Section: "4.3", Rule: "So it does at the edge of the board", Run: talk(
		"playmove white E2 -> =", "playmove white E3 -> =", "playmove white E4 -> =", "playmove white E5 -> =", "playmove white E6 -> =", "playmove white E7 -> =", "playmove white E8 -> =",
		"playmove white F9 -> =",
	)},

	{Name: "wall.place", Section: "2.2", Rule: "A wall's vertex is the one northwest of its centre", Run: talk("playwall white E9 horizontal -> =", "playmove black E8 -> ?", "playmove black F9 -> =", "playmove black F8 -> ?")},
	{Name: "wall.board", Section: "4.3", Rule: "A wall lies on the board, and an illegal one fails with the message illegal move", Run: talk(
		"playwall black I5 h -> ? illegal move", "playwall black E1 h -> ? illegal move", "playwall black I5 v -> ? illegal move", "playwall black E1 v -> ? illegal move", "playwall black A9 h -> =", "playwall black H2 v -> =",
	)},
	{Name: "wall.cross", Section: "4.3", Rule: "Walls do not cross", Run: talk("playwall black B5 h -> =", "playwall white B5 v -> ?", "playwall white B5 h -> ?")},
	{Name: "walls.unchanged", Section: "3.3", Rule: "walls changes nothing else", Needs: []string{"wall.cross"}, Run: talk(
		"playmove black E8 -> =", "playwall white B5 h -> =", "walls 5 -> =", "playwall black B5 v -> ?", "playmove black E7 -> =", "undo 3 -> =",
	)},
	{Name: "wall.overlap", Section: "4.3", Rule: "Walls do not overlap", Run: talk(
		"playwall black B5 h -> =", "playwall white C5 h -> ?", "playwall white A5 h -> ?", "playwall white D5 h -> =",
		"playwall black F5 v -> =", "playwall white F6 v -> ?", "playwall white F4 v -> ?", "playwall white F3 v -> =",
	)},
	{Name: "wall.way", Section: "4.3", Rule: "A wall leaves both pawns a way", Run: talk(
		"playwall black A5 h -> =", "playwall black C5 h -> =", "playwall black E5 h -> =", "playwall black G5 h -> =", "playwall black H5 v -> =", "playwall black H4 h -> ?", "playwall black H6 h -> ?",
	)},
	{Name: "wall.black", Section: "4.3", Rule: "It does not shut in Black's pawn alone", Run: talk(
		"playwall white D9 h -> =", "playwall white C9 v -> =", "playwall white E9 v -> ?", "playwall white F9 v -> =",
	)},
	{Name: "wall.white", Section: "4.3", Rule: "It does not shut in White's pawn alone", Run: talk(
		"playwall black D2 h -> =", "playwall black C2 v -> =", "playwall black E2 v -> ?", "playwall black F2 v -> =",
	)},
	{Name: "wall.pawns", Section: "4.3", Rule: "A pawn is in nobody's way", Run: talk(
		"playwall white D9 h -> =", "playwall white C9 v -> =", "playwall white F9 v -> =", "playmove white F1 -> =", "playmove white F2 -> =", "playmove white F3 -> =", "playmove white F4 -> =", "playmove white F5 -> =", "playmove white F6 -> =", "playmove white F7 -> =", "playmove white F8 -> =", "playwall white E8 v -> =",
	)},
	{Name: "wall.left", Section: "4.3", Rule: "A wall is one less for its side alone", Run: talkOn(one9, "playwall black B5 h -> =", "playwall black F5 h -> ?", "playwall white F5 h -> =")},
	{Name: "wall.unchanged", Section: "3.3", Rule: "A wall that fails changes nothing", Needs: []string{"wall.board"}, Run: talkOn(two9,
		"playwall black B5 h -> =", "playwall black I5 h -> ?", "playwall black F5 h -> =", "undo -> =", "undo -> =", "playwall white B5 v -> =",
	)},
	{Name: "wall.syntax", Section: "4.3", Rule: "A wall that is none is a syntax error", Run: talk("playwall black B5 -> ?", "playwall black B5 q -> ?", "playwall B5 h -> ?", "playwall black B5 h -> =")},

	{Name: "genmove.vertex", Section: "4.3", Rule: "genmove answers a vertex, with an orientation for a wall", Prepare: board9, Run: func(x *exam) error { _, err := x.generate(quoridor.Black); return err }},
	{Name: "genmove.plays", Section: "4.3", Rule: "The move is played", Needs: []string{"genmove.vertex"}, Prepare: none9, Run: plays},
	{Name: "genmove.legal", Section: "4.3", Rule: "The move is legal", Needs: []string{"genmove.vertex"}, Prepare: board9, Run: check.Steps(generates(10, "bwbwbwbw"), two9, generates(2, "bwbwbw"))},
	{Name: "genmove.walls", Section: "4.3", Rule: "It is no wall where none is left", Needs: []string{"genmove.vertex"}, Prepare: none9, Run: generates(0, "bwbw")},
	{Name: "genmove.twice", Section: "4.3", Rule: "It is made for either colour, whoever has moved last", Needs: []string{"genmove.vertex"}, Prepare: board9, Run: generates(10, "wwbb")},
	{Name: "genmove.never", Section: "4.3", Rule: "It never fails, also when somebody has won", Needs: []string{"genmove.vertex"}, Prepare: board9, Run: afterWin},

	{Name: "undo.one", Section: "4.3", Rule: "undo takes a move back", Run: talk("playmove black E8 -> =", "undo -> =", "playmove black D9 -> =")},
	{Name: "undo.many", Section: "4.3", Rule: "undo takes as many moves back as it is told, of both colours", Run: talk("playmove black E8 -> =", "playmove white E2 -> =", "playmove black E7 -> =", "undo 2 -> =", "playmove white F1 -> =", "playmove black E7 -> =")},
	{Name: "undo.wall", Section: "4.3", Rule: "undo takes a wall away and gives it back to its side", Run: talkOn(one9, "playwall black B5 h -> =", "undo -> =", "playwall white B5 v -> =", "undo 1 -> =", "playwall black B5 h -> =")},
	{Name: "undo.nothing", Section: "4.3", Rule: "Where nothing was played undo fails with the message cannot undo", Run: talk("undo -> ? cannot undo", "undo 1 -> ? cannot undo")},
	{Name: "clear.history", Section: "4.2", Rule: "clear_board empties the history", Needs: []string{"undo.nothing"}, Run: talk("playmove black E8 -> =", "clear_board -> =", "undo -> ? cannot undo")},
	{Name: "undo.toomany", Section: "4.3", Rule: "More than was played fails likewise, and changes nothing", Run: talk("playmove black E8 -> =", "undo 2 -> ? cannot undo", "undo 2147483647 -> ? cannot undo", "playmove black E7 -> =")},
	{Name: "undo.syntax", Section: "2.2", Rule: "What is no number fails, and changes nothing", Advice: true, Run: talk("playmove black E8 -> =", "undo x -> ?", "undo -1 -> ?", "playmove black E7 -> =")},

	{Name: "winner.false", Section: "4.4", Rule: "winner answers false while the game goes on", Run: talk("winner -> = false", "playmove black E8 -> =", "winner -> = false")},
	{Name: "winner.black", Section: "4.4", Rule: "winner answers true black when Black's pawn is on row 1", Prepare: board9, Run: wins("black", "E8 E7 E6 E5 E4 E3 E2 D2 D1")},
	{Name: "winner.white", Section: "4.4", Rule: "winner answers true white when White's pawn is on the top row", Prepare: board9, Run: wins("white", "E2 E3 E4 E5 E6 E7 E8 F8 F9")},
	{Name: "show.answers", Section: "4.5", Rule: "showboard draws the board on lines of its own", Prepare: board9, Run: answers(qtp.ShowBoard, "= and a board of 9 rows at least", func(r reply) bool { return r.status() == '=' && len(r.lines) >= 10 })},
	{Name: "show.coordinates", Section: "1.11, 4.5", Rule: "Letters go from left to right and numbers from the top to the bottom", Needs: []string{"show.answers"}, Prepare: board9, Run: coordinates},

	{Name: "state.kept", Section: "3.3", Rule: "Commands without an effect change nothing", Needs: []string{"wall.cross"}, Run: talk(
		"playmove black E8 -> =", "playwall white B5 h -> =", "name", "known_command undo", "list_commands", "winner", "showboard",
		"playwall black B5 v -> ?", "playmove black E7 -> =", "undo 3 -> =", "playmove black D9 -> =",
	)},
	{Name: "state.failed", Section: "3.3", Rule: "Nor does a command that fails", Needs: []string{"move.illegal", "wall.cross", "undo.toomany"}, Run: talk(
		"playmove black E8 -> =", "playwall white B5 h -> =", "playmove black A1 -> ?", "playwall black B5 v -> ?", "undo 3 -> ?",
		"playwall black B5 v -> ?", "playmove black E7 -> =", "undo 3 -> =", "playmove black D9 -> =",
	)},

	{Name: "robust.long", Section: "1.5", Rule: "A line of a million characters is one command", Run: refuses(func() string { return strings.Repeat("x", 1_000_000) })},
	{Name: "robust.bytes", Section: "1.1", Rule: "A line of any bytes is one command at most", Run: refuses(anyBytes)},
	{Name: "robust.split", Section: "1.5", Rule: "A command is a line, however it arrives", Prepare: board9, Run: split},
	{Name: "quit.answers", Section: "4.1", Rule: "quit is answered before the engine ends", Run: quits},
	{Name: "quit.ends", Section: "4.1", Rule: "quit ends the engine", Needs: []string{"quit.answers"}, Run: ends(qtp.Quit, "quit", func(*exam) {})},
	{Name: "quit.input", Section: "1.12", Rule: "The engine ends when its input does", Advice: true, Run: ends(qtp.Name, "the end of the input", func(x *exam) { x.EndInput() })},

	{Name: "response.end", Section: "1.6", Rule: "A response ends with two consecutive newlines", Run: noFlaw("response.end", "an empty line at the end of every response")},
	{Name: "response.line", Section: "2.4", Rule: "The result stands on the line of the sign", Run: noFlaw("response.line", "the result on the line of the sign")},
	{Name: "response.blank", Section: "1.6", Rule: "There is a blank between the sign and the result (2.4 leaves it out)", Advice: true, Run: noFlaw("response.blank", "a blank behind the sign")},
	{Name: "response.empty", Section: "4", Rule: "There is no result where the output is none", Run: noFlaw("response.empty", "nothing behind = where a command has no output")},
	{Name: "response.only", Section: "1.6", Rule: "There is no text outside responses", Run: noFlaw("response.only", "nothing outside responses")},
	{Name: "response.single", Section: "1.8", Rule: "A command gets one response", Run: noFlaw("response.single", "one response to every command")},
	{Name: "response.ascii", Section: "1.1 to 1.3", Rule: "Responses are of US-ASCII without control characters and tabs", Run: noFlaw("response.ascii", "printable US-ASCII")},
}

package xiangqi

// Samples returns the start position and ten middle games, in a fixed order, for benchmarks of
// engines and move generators. The middle games are from games of Hu Ronghua in Maksym Korzh's
// collection.
func Samples() []*Position {
	positions := []*Position{Start()}
	for _, fen := range middleGames {
		positions = append(positions, mustParse(fen))
	}
	return positions
}

var middleGames = [...]string{
	"r3kabn1/4a4/c1n1b3c/p3p3C/6p2/1R7/P3P1P1P/N3C1N2/9/2BAKAB2 w - - 4 13",
	"2bak3r/4a4/1cn1b1n2/1r1cp1p1p/p1p6/5RPN1/P1P1P3P/N2CB2C1/8R/2BAKA3 w - - 22 12",
	"2bak4/4an3/4b1r2/p3nN1Pp/3R2c1P/P1p2p3/6rc1/N2CB2C1/4A4/2BAK3R b - - 1 23",
	"2Raka3/9/C5n2/p3p3p/2p2n3/4P4/P2r5/N1CAB4/3K5/2c2A3 w - - 2 28",
	"r3kab2/4a4/1c2b3n/p1p1C1p2/8r/6P2/P1P1P4/2N6/9/1RBAKABR1 b - - 0 15",
	"1r1akabr1/9/2n1b2c1/p3p3p/1c4p2/P1R2R3/4P3P/N1C1n1N2/9/2BAKAB2 w - - 0 14",
	"1R1ak1b2/4a4/3nb1c1n/p2rr4/4p1p1C/PNR5P/4P1c2/3CB1N2/4A4/2BAK4 w - - 11 23",
	"3akab2/c8/4b1n1c/p2Cp3p/2P6/3N1np2/P3P3P/4C1N2/9/2BAKAB2 w - - 2 18",
	"1rbak2r1/4a4/2c1b1n2/p3p3p/2pc5/5NPC1/P1n1P3P/2N1BC3/6R2/2BAKA1R1 b - - 4 15",
	"4kab2/3na4/4b3c/p1p1n1p1p/4C4/4P1P2/R1crN3P/2C1B1N2/4A4/4KAB2 b - - 5 19",
}

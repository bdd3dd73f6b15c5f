package reason_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/reason"
	"qhsh/engine/xiangqi/xiangqitest/plain"
)

// TestWords has a position for every kind of sentence, which a witness checks, too: the move, the engine's move and its reply to the move, each with
// the engine's score for the side that makes it.
func TestWords(t *testing.T) {
	for _, c := range []struct{ fen, played, best, reply, want string }{
		{
			"5ab2/4k4/4b1n2/N3p3p/2pR2c2/P3c4/2P3r2/3CBC3/4A4/2BAK4 b - - 0 27", "G3-G1", "E8-E9 cp 68", "A6-C7 mate 2",
			"allows mate: Allows mate in 2. 对方有 2 步杀。",
		},
		{ // an engine that announces no mate has not judged the move by it
			"5ab2/4k4/4b1n2/N3p3p/2pR2c2/P3c4/2P3r2/3CBC3/4A4/2BAK4 b - - 0 27", "G3-G1", "E8-E9 cp 68", "A6-C7 cp 9000", "",
		},
		{ // there is no mate
			"5ab2/4k4/4b1n2/N3p3p/2pR2c2/P3c4/2P3r2/3CBC3/4A4/2BAK4 b - - 0 27", "E8-E9", "G3-G1 cp 68", "A6-C7 mate 2", "",
		},
		{
			"r1bakabr1/9/6n2/p3p1N1p/2pn5/1c4P2/P1P1c3P/N2CB2C1/4A4/R1BAK3R w - - 1 9", "H2-H1", "I0-F0 cp 11", "H9-H1 cp 649",
			"hangs: Leaves the cannon on H1 hanging. 白丢二路炮。",
		},
		{ // a cannon is not worth what the engine finds lost
			"r1bakabr1/9/6n2/p3p1N1p/2pn5/1c4P2/P1P1c3P/N2CB2C1/4A4/R1BAK3R w - - 1 9", "H2-H1", "I0-F0 cp 11", "H9-H1 cp 1649", "",
		},
		{ // a cannon is worth more than what the engine finds lost
			"r1bakabr1/9/6n2/p3p1N1p/2pn5/1c4P2/P1P1c3P/N2CB2C1/4A4/R1BAK3R w - - 1 9", "H2-H1", "I0-F0 cp 11", "H9-H1 cp 119", "",
		},
		{ // a piece that captures get back from elsewhere, or on the point alone, does not hang
			"r2ckab2/9/2nab1cC1/2N1p1N2/7np/2B3P2/p3P3P/2C6/4A4/1R2KAB2 w - - 5 20", "C4-E2", "C6-E7 cp 313", "D9-C9 cp -200",
			"misses material: Misses winning the worth of an advisor by force. 错过必得相当于一仕的子力。",
		},
		{
			"rn1akabn1/1r7/2c1b2c1/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 b - - 9 5", "C7-C4", "B9-D8 cp -156", "H0-H7 cp 807",
			"exchange: Gives the cannon on H7 for a pawn. ８路炮只换得一兵。",
		},
		{
			"4kab2/r2na4/2c1b2cn/p1p1p1p2/8p/2rN5/P3P1P1P/3C2N2/4A4/R1BCKABR1 w - - 0 12", "H0-H7", "C0-E2 cp 174", "C7-H7 cp 489",
			"exchange: Gives the rook on H7 for a cannon. 二路车只换得一炮。",
		},
		{
			"1r1akab2/9/4b1n2/p3p1N1p/2pn2P2/P2Cc4/2P2r3/Nc2BCR2/4A4/1RBAK4 b - - 13 21", "E4-E1", "F3-D3 cp 94", "B0-B2 cp 339",
			"exchange: Gives the cannon on B2 for an advisor. ２路炮只换得一仕。",
		},
		{
			"1rb1ka1r1/4a3c/2P6/p3p1R1p/7n1/9/P3P1p1P/C1N1C4/4N4/2BAKAB2 b - - 0 21", "H5-I3", "C9-E7 cp -144", "G6-I6 cp 439",
			"allows fork: Allows the rook to fork the cannon on I8 and the horse on I3 from I6. 对方可用车同时捉９路炮和９路马。",
		},
		{
			"1rb1ka1r1/4a3c/2P6/p3p1R1p/9/9/P3P1p1n/C1N1C4/4N4/2BAKAB2 w - - 0 22", "E2-E6", "G6-I6 cp 439", "I3-G2 cp 100",
			"misses fork: Misses that the rook can fork the cannon on I8 and the horse on I3 from I6. 错过用车同时捉９路炮和９路马。",
		},
		{
			"3ak1b2/4a4/4b4/9/2p3c2/2r1n4/P1C4R1/4N4/4A4/2B1KA3 w - - 7 40", "E1-F2", "E0-D0 cp -348", "E4-F2 cp 1350",
			"allows check: Allows a check that wins the rook on H3. 对方可借将得二路车。",
		},
		{
			"2bk3n1/4a4/3cb4/2PR4r/2r5p/3p1p3/4P3c/C3B3N/4A4/2BAK1R2 w - - 0 25", "A2-A6", "A2-A9 cp 123", "I6-D6 cp 107",
			"misses check: Misses a check that wins the horse on H9. 错过借将得８路马。",
		},
		{
			"5kb2/1nN6/3aba3/p2P4p/6pn1/2N1p4/3c2P1P/5A3/1C7/2B1KAB2 b - - 17 31", "D3-I3", "H5-G3 cp -106", "C4-B6 cp 306",
			"allows trap: Lets the horse on B8 be trapped. ２路马将被捉死。",
		},
		{
			"5kb2/1nN6/3aba3/p2P4p/6pn1/2N1p4/6P1c/5A3/1C7/2B1KAB2 w - - 0 32", "E0-D0", "C4-B6 cp 306", "H5-G3 cp 300",
			"misses trap: Misses that the horse on B8 can be trapped. 错过捉死２路马。",
		},
		{
			"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "A0-A1", "B2-E2 cp 63", "H7-E7 cp 216",
			"loses material: Loses the worth of a horse by force. 必失相当于一马的子力。",
		},
		{
			"c3kab2/4a4/r1n1b1n2/pP2p3p/6p2/2R6/P3c1P1P/2NCC1N2/4A4/2B1KABr1 w - - 0 15", "C4-G4", "G2-H0 cp 17", "G5-G4 cp 808",
			"misses material: Misses winning the worth of a cannon by force. 错过必得相当于一炮的子力。",
		},
		{
			"1r1akab2/9/4b1n2/p3p1c1p/2pn2P2/P3c4/2P2r3/N2CBCR2/4A4/1RBAK4 w - - 0 23", "G2-G1", "G5-G6 cp 72", "B9-B0 cp 513",
			"loses material: Loses the worth of a cannon by force. 必失相当于一炮的子力。\nmisses capture: Misses that the cannon on G6 is hanging. 错过白吃７路炮。",
		},
		{
			"3k1a3/1R5C1/4ba2b/p5N1p/9/9/4P3P/2nrB3B/6C2/c3KA3 w - - 9 39", "B8-E8", "G6-E7 mate 3", "D2-D0 mate 1",
			"allows mate: Allows mate in 1. 对方有 1 步杀。\nmisses mate: Misses mate in 3. 错过 3 步杀。",
		},
		{
			"1rbak4/n4n3/4bR3/p3p3p/2p6/9/P1P1P3P/N3BC3/5N3/2BAKAc2 w - - 1 20", "E0-E1", "F0-E1 cp 248", "B9-B1 mate 2",
			"allows mate: Allows mate in 2. 对方有 2 步杀。\nmisses only move: Every move but one allows mate in 2 at most. 除一着外，其余着法均在 2 步内被杀。",
		},
		{
			"1rbak4/n4n3/4bR3/p3p3p/2p6/9/P1P1P3P/N3BC3/5N3/2BAKAc2 w - - 1 20", "F0-E1", "F0-E1 cp 248", "B9-B6 cp -248",
			"only move: The only move: every other one allows mate in 2 at most. 唯一着法：其余着法均在 2 步内被杀。",
		},
		{ // it is lost, too
			"1rbak4/n4n3/4bR3/p3p3p/2p6/9/P1P1P3P/N3BC3/5N3/2BAKAc2 w - - 1 20", "F0-E1", "F0-E1 cp 248", "B9-B6 mate 9", "",
		},
		{
			"3k5/9/9/9/9/9/9/9/3R5/5K3 b - - 0 1", "D9-E9", "D9-E9 mate -3", "D1-D2 mate 3",
			"only move: The only legal move. 唯一合法着法。",
		},
	} {
		pos, err := xiangqi.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		m := reason.Move{Before: pos}
		m.Played, _ = parse(t, c.played)
		m.Best, m.BestScore = parse(t, c.best)
		m.Reply, m.ReplyScore = parse(t, c.reply)
		m.Bad = m.Played != m.Best
		board, err := plain.Parse(pos.FEN())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range reason.Of(m) {
			if err := newWitness(m, board, map[plain.Board]bool{*board: true}).check(r); err != nil {
				t.Errorf("%s, %s: %s: %v", c.fen, c.played, r.English, err)
			}
			got = append(got, string(r.Kind)+": "+r.English+" "+r.Chinese)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", c.fen, c.played, diff)
		}
	}
}

// parse reads a move with a score behind it, if there is one.
func parse(t *testing.T, text string) (xiangqi.Move, engine.Score) {
	t.Helper()
	move, rest, scored := strings.Cut(text, " ")
	m, err := xiangqi.ParseMove(move)
	if err != nil {
		t.Fatal(err)
	}
	if !scored {
		return m, engine.Score{}
	}
	score, err := engine.ParseScore(rest)
	if err != nil {
		t.Fatal(err)
	}
	return m, score
}

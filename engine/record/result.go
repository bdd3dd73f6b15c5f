package record

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// resultWords are results as they occur in files. 先 is the first mover, Red.
var resultWords = map[string]engine.Outcome{
	"1-0": engine.FirstWins, "2-0": engine.FirstWins, "红胜": engine.FirstWins, "紅勝": engine.FirstWins, "红方胜": engine.FirstWins,
	"先胜": engine.FirstWins, "先勝": engine.FirstWins, "红先胜": engine.FirstWins, "紅先勝": engine.FirstWins, "w": engine.FirstWins,
	"0-1": engine.SecondWins, "0-2": engine.SecondWins, "黑胜": engine.SecondWins, "黑勝": engine.SecondWins, "黑方胜": engine.SecondWins,
	"先负": engine.SecondWins, "先負": engine.SecondWins, "红先负": engine.SecondWins, "紅先負": engine.SecondWins, "l": engine.SecondWins,
	"1/2-1/2": engine.Draw, "1/2": engine.Draw, "1-1": engine.Draw, "½-½": engine.Draw, "和": engine.Draw, "和棋": engine.Draw, "和局": engine.Draw,
	"先和": engine.Draw, "红先和": engine.Draw, "紅先和": engine.Draw, "d": engine.Draw,
	"*": engine.Ongoing, "未知": engine.Ongoing, "?": engine.Ongoing, "": engine.Ongoing,
}

// bothLose is the result of a game that both sides have lost, most often because they did not come. It
// is no Outcome.
const bothLose = "0-0"

// ParseResult parses a result as it is written in files: 1-0, 0-1, 1/2-1/2, *, the same in points of
// two per game, such as 2-0, and the Chinese forms. A remark behind it is ignored. For an unknown text
// it returns Ongoing and false.
func ParseResult(text string) (o engine.Outcome, ok bool) {
	bare, _ := cutResult(text)
	o, ok = resultWords[bare]
	return o, ok
}

// cutResult splits a result, with a hyphen, from the remark behind it.
func cutResult(text string) (bare, remark string) {
	bare = strings.TrimSpace(text)
	if i := strings.IndexAny(bare, ";,(；，（"); i > 0 {
		bare, remark = bare[:i], strings.Trim(bare[i:], ";,；， ")
	}
	return hyphens.Replace(strings.ToLower(bare)), remark
}

var hyphens = strings.NewReplacer(" ", "", ":", "-", "：", "-", "‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "−", "-", "－", "-")

var pgnResults = map[engine.Outcome]string{engine.Ongoing: "*", engine.FirstWins: "1-0", engine.SecondWins: "0-1", engine.Draw: "1/2-1/2"}

// FormatResult returns a result in PGN.
func FormatResult(o engine.Outcome) string { return pgnResults[o] }

// resultText is the tag of a result that is no Outcome.
const resultText = "ResultText"

// SetResult parses and sets the result that stands before the moves. An unknown text, or one with a
// remark, is kept in the tag ResultText. The error says that the text is unknown, or that the result
// after the moves, which is set already, is another.
func (g *Game) SetResult(text string) (err error) {
	o, ok := ParseResult(text)
	bare, remark := cutResult(text)
	if !ok || remark != "" {
		g.Tags.Add(resultText, text)
	}
	switch {
	case !ok && bare != bothLose && !isUnknown(bare):
		err = &DroppedError{fmt.Errorf("unknown result %.40q: use 1-0, 0-1, 1/2-1/2 or *", text), "kept as the tag " + resultText}
	case o != engine.Ongoing:
		if g.Result != engine.Ongoing && g.Result != o {
			err = fmt.Errorf("result %s in the tag, but %s after the moves", FormatResult(o), FormatResult(g.Result))
		}
		g.Result = o
	}
	return err
}

package annotate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/explore"
)

// A Language is the language of comments and pages.
type Language uint8

// The languages; the zero Language is English.
const (
	English Language = iota
	Chinese          // simplified
)

var languageNames = [...]string{"en", "zh"}

// String returns the language's code.
func (l Language) String() string { return languageNames[l] }

// ParseLanguage parses a language code, en or zh, in any case and with an optional country.
func ParseLanguage(text string) (Language, error) {
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(text, "_", "-")), "-")
	if i := slices.Index(languageNames[:], code); i >= 0 {
		return Language(i), nil
	}
	return 0, errors.New("want en or zh")
}

// Choose returns the text in the language.
func (l Language) Choose(inEnglish, inChinese string) string {
	return [...]string{English: inEnglish, Chinese: inChinese}[l]
}

// classWords are the names of the classes at the start of a comment.
var classWords = [...][6]string{
	English: {"", "Best", "Good", "Inaccuracy", "Mistake", "Blunder"},
	Chinese: {"", "最佳", "好棋", "缓着", "失误", "漏着"},
}

// describeLoss returns a sentence on the loss of winning chance; best and played are from 0 to 1.
func (l Language) describeLoss(c Class, best, played float64) string {
	text := l.Choose("%s: the chance of winning falls from %d %% to %d %%.", "%s：胜率由 %d%% 降为 %d%%。")
	return fmt.Sprintf(text, classWords[l][c], percent(best), percent(played))
}

// describeLuck returns a sentence on an outcome of chance, with the chances of winning of a side.
func (l Language) describeLuck(side string, before, after float64) string {
	verb := l.Choose("falls", "降")
	if before < after {
		verb = l.Choose("rises", "升")
	}
	text := l.Choose("Luck: %[1]s's chance of winning %[2]s from %[3]d %% to %[4]d %%.", "运气：%[1]s胜率由 %[3]d%% %[2]s为 %[4]d%%。")
	return fmt.Sprintf(text, side, verb, percent(before), percent(after))
}

// describeNovelty returns a sentence on a new move.
func (l Language) describeNovelty(n explore.NoveltyJSON) string {
	if n.Games == 0 {
		return l.Choose("New.", "新着。")
	}
	latest := printable.Line(n.Latest[0].String()) // which other records say
	return l.Choose(
		fmt.Sprintf("New: %s had the position before, the latest %s.", printable.Plural(n.Games, "game"), latest),
		fmt.Sprintf("新着：此前 %d 局有此局面，最近一局为 %s。", n.Games, latest),
	)
}

func percent(chance float64) int { return int(math.Round(100 * chance)) }

// judgedBy returns a sentence that names the engine, and one on the book.
func (l Language) judgedBy(a *Annotated) string {
	english, chinese := "Judged by "+a.Engine, "由 "+a.Engine
	switch limits, deeper := a.Limits.String(), a.Deeper.String(); {
	case deeper != "":
		english += " at " + limits + ", suspicious moves at " + deeper
	case limits != "":
		english += " at " + limits
	}
	switch {
	case a.Deeper.HasLevel:
		chinese += fmt.Sprintf("（第 %d 级，可疑着法第 %d 级）", a.Limits.Level, a.Deeper.Level)
	case a.Limits.HasLevel:
		chinese += fmt.Sprintf("（第 %d 级）", a.Limits.Level)
	default:
		chinese += " "
	}
	english, chinese = english+".", chinese+"点评。"
	if a.Options.Book != nil {
		english += fmt.Sprintf(" In the book: %s.", printable.Plural(a.Opening.Plies, "move"))
		chinese += fmt.Sprintf("谱着 %d 步。", a.Opening.Plies)
	}
	return l.Choose(english, chinese)
}

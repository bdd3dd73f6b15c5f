package annotate

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"qhsh/engine/games"
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
func (l Language) String() string {
	if int(l) >= len(languageNames) {
		return ""
	}
	return languageNames[l]
}

// ParseLanguage parses a language code, en or zh, in any case and with an optional country.
func ParseLanguage(text string) (Language, error) {
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(text, "_", "-")), "-")
	for i, name := range languageNames {
		if code == name {
			return Language(i), nil
		}
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
	from, to := percent(best), percent(played)
	if l == Chinese {
		return fmt.Sprintf("%s：胜率由 %d%% 降为 %d%%。", classWords[l][c], from, to)
	}
	return fmt.Sprintf("%s: the chance of winning falls from %d %% to %d %%.", classWords[l][c], from, to)
}

// sentences returns reasons in words.
func (l Language) sentences(reasons []games.Reason) (words []string) {
	for _, r := range reasons {
		words = append(words, l.Choose(r.English, r.Chinese))
	}
	return words
}

// describeLuck returns a sentence on an outcome of chance, with the chances of winning of a side.
func (l Language) describeLuck(side string, before, after float64) string {
	from, to := percent(before), percent(after)
	switch {
	case l == Chinese && before < after:
		return fmt.Sprintf("运气：%s胜率由 %d%% 升为 %d%%。", side, from, to)
	case l == Chinese:
		return fmt.Sprintf("运气：%s胜率由 %d%% 降为 %d%%。", side, from, to)
	case before < after:
		return fmt.Sprintf("Luck: %s's chance of winning rises from %d %% to %d %%.", side, from, to)
	}
	return fmt.Sprintf("Luck: %s's chance of winning falls from %d %% to %d %%.", side, from, to)
}

// describeNovelty returns a sentence on a new move.
func (l Language) describeNovelty(n explore.NoveltyJSON) string {
	if n.Games == 0 {
		return l.Choose("New.", "新着。")
	}
	latest := printable.Line(n.Latest[0].String()) // which other records say
	if l == Chinese {
		return fmt.Sprintf("新着：此前 %d 局有此局面，最近一局为 %s。", n.Games, latest)
	}
	return fmt.Sprintf("New: %s had the position before, the latest %s.", printable.Plural(n.Games, "game"), latest)
}

func percent(chance float64) int { return int(math.Round(100 * chance)) }

// judgedBy returns a sentence that names the engine, and one on the book.
func (l Language) judgedBy(a *Annotated) string {
	switch plies := a.Opening.Plies; {
	case a.Options.Book == nil:
		return l.judgedByEngine(a)
	case l == Chinese:
		return l.judgedByEngine(a) + fmt.Sprintf("谱着 %d 步。", plies)
	default:
		return l.judgedByEngine(a) + fmt.Sprintf(" In the book: %s.", printable.Plural(plies, "move"))
	}
}

func (l Language) judgedByEngine(a *Annotated) string {
	if l == Chinese {
		switch {
		case a.Deeper.HasLevel:
			return fmt.Sprintf("由 %s（第 %d 级，可疑着法第 %d 级）点评。", a.Engine, a.Limits.Level, a.Deeper.Level)
		case a.Limits.HasLevel:
			return fmt.Sprintf("由 %s（第 %d 级）点评。", a.Engine, a.Limits.Level)
		}
		return fmt.Sprintf("由 %s 点评。", a.Engine)
	}
	limits, deeper := a.Limits.String(), a.Deeper.String()
	switch {
	case deeper != "":
		return fmt.Sprintf("Judged by %s at %s, suspicious moves at %s.", a.Engine, limits, deeper)
	case limits != "":
		return fmt.Sprintf("Judged by %s at %s.", a.Engine, limits)
	}
	return fmt.Sprintf("Judged by %s.", a.Engine)
}

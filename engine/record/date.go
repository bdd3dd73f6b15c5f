package record

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/lazyregexp"
)

// OriginalDate is the tag of the date as the file has it, if the tag Date has another form, not just
// ?? for an unknown month and day.
const OriginalDate = "OriginalDate"

// dateForm matches a date that begins with a year of four digits: 1956年12月16日, 2024-1-5, 1989年6月.
var dateForm = lazyregexp.New(`^(\d{4})(?:[年./-](?:(\d{1,2}|\?\?)(?:[月./-](?:(\d{1,2}|\?\?)[日号號]?)?)?)?)?$`)

// normalizeDate gives the tag Date the form of PGN, and keeps the original in OriginalDate. A date in
// an unknown form, or one that does not say what is the year, stays.
func (t *Tags) normalizeDate() {
	text := t.Get("Date")
	date, ok := pgnDate(text)
	if !ok || date == text {
		return
	}
	t.Set("Date", date)
	if strings.ReplaceAll(date, ".??", "") != text {
		t.Add(OriginalDate, text)
	}
}

// pgnDate returns a date as PGN has it: 1956.12.16, with ?? for an unknown month or day.
func pgnDate(text string) (date string, ok bool) {
	m := dateForm().FindStringSubmatch(strings.Join(strings.Fields(narrowDigits.Replace(text)), ""))
	if m == nil {
		return "", false
	}
	year, month, day := number(m[1]), number(m[2]), number(m[3])
	date = m[1] + "." + dateField(month) + "." + dateField(day)
	_, err := time.Parse(time.DateOnly, fmt.Sprintf("%04d-%02d-%02d", year, max(month, 1), max(day, 1)))
	return date, err == nil && year > 0
}

// narrowDigits replaces the wide digits of Chinese texts.
var narrowDigits = strings.NewReplacer(
	"０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9")

// number returns the value of digits; 0 for an unknown number.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// dateField formats a month or a day; 0 is unknown.
func dateField(n int) string {
	if n == 0 {
		return "??"
	}
	return fmt.Sprintf("%02d", n)
}

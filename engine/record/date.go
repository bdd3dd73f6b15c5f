package record

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/lazyregexp"
)

// OriginalDate is the tag of the date as the file has it, if the tag Date has another form, not just
// ?? for an unknown month and day.
const OriginalDate = "OriginalDate"

// The forms of dates, after dateSigns. Behind a date there may be a time, or the end of a range.
var (
	// 1956年12月16日, 2024-1-5, 1989年6月, 93.12.25, 1995 8 15.
	yearFirst = lazyregexp.New(`^(\d{4}|\d\d)(?:([年./ -])(?:(\d{1,2}|\?\?)(?:([月./ -])(?:(\d{1,2}|\?\?)[日号號]?)?(?:\D.*)?)?)?)?$`)
	// 19810910.
	compactDate = lazyregexp.New(`^(\d{4})(\d\d)(\d\d)(?:\D.*)?$`)
	// 10/13/1996, 23-9-2009.
	yearLast = lazyregexp.New(`^(\d{1,2})([./ -])(\d{1,2})([./ -])(\d{4}|\d\d)(?:\D.*)?$`)

	// dateSpace matches blanks that do not separate numbers.
	dateSpace = lazyregexp.New(`\s*([年月日号號./-])\s*|\s+`)
)

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

// pgnDate returns a date as PGN has it: 1956.12.16, with ?? for an unknown month or day. The date of a
// range is its beginning.
func pgnDate(text string) (date string, ok bool) {
	text = strings.TrimSpace(dateSpace().ReplaceAllStringFunc(dateSigns.Replace(text), func(space string) string {
		return cmp.Or(strings.TrimSpace(space), " ")
	}))
	year, month, day := 0, 0, 0
	if m := yearFirst().FindStringSubmatch(text); m != nil && firstYear(m[1], m[3], m[5]) > 0 {
		year, month, day = firstYear(m[1], m[3], m[5]), number(m[3]), number(m[5])
		if m[4] == "-" && m[2] != "-" { // 2002.6-7 is a range of months
			day = 0
		}
		if len(m[1]) == 2 && day == 0 {
			return "", false
		}
	} else if m := compactDate().FindStringSubmatch(text); m != nil {
		year, month, day = number(m[1]), number(m[2]), number(m[3])
	} else if m := yearLast().FindStringSubmatch(text); m != nil && m[2] == m[4] {
		year, month, day = yearOf(m[5]), number(m[1]), number(m[3])
		switch {
		case month > 12:
			month, day = day, month
		case day <= 12 && day != month: // which is the month?
			month, day = 0, 0
		}
	}
	date = fmt.Sprintf("%04d.%s.%s", year, dateField(month), dateField(day))
	_, err := time.Parse(time.DateOnly, fmt.Sprintf("%04d-%02d-%02d", year, max(month, 1), max(day, 1)))
	return date, err == nil && year > 0
}

// firstYear is yearOf for the first number of a date. In 01-2-4 and 00-12-31 it cannot be a day either.
func firstYear(first, month, day string) int {
	year := number(first)
	isDay := year > 0 && (first[0] != '0' || len(month) != 1 && len(day) != 1)
	if len(first) == 2 && year < 10 && !isDay && number(day) <= 31 {
		return 2000 + year
	}
	return yearOf(first)
}

// yearOf returns the year; 0 if it has two digits that may be a day.
func yearOf(digits string) int {
	year := number(digits)
	switch {
	case len(digits) == 4:
		return year
	case year > 31:
		return 1900 + year
	}
	return 0
}

// dateSigns replaces the wide digits and the other separators of Chinese texts.
var dateSigns = strings.NewReplacer(
	"０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9",
	"。", ".", "、", ".", "．", ".", "，", ".", ",", ".", "／", "/",
	"－", "-", "—", "-", "–", "-", "～", "-", "~", "-", "至", "-", "到", "-")

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

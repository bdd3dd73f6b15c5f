package explore

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/lazyregexp"
)

// A Date is a day, a month or a year as the number 19561216, with zeros for what is not known.
type Date int

// ParseDate parses a date that begins with a year, as games have it: 1956.12.16, 1956-12,
// 1956年12月16日, 1956.??.??. The rest of the text is ignored, but a month above 12 or a day above 31 makes it no date.
func ParseDate(text string) (Date, bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if len(fields) == 0 || !strings.HasPrefix(text, fields[0]) || len(fields[0]) != 4 {
		return 0, false
	}
	var parts [3]int
	for i, most := range [3]int{9999, 12, 31} {
		if i >= len(fields) {
			break
		}
		n, err := strconv.Atoi(fields[i])
		if n > most {
			return 0, false
		}
		if err != nil || n < 1 || i == 2 && n > time.Date(parts[0], time.Month(parts[1])+1, 0, 0, 0, 0, 0, time.UTC).Day() {
			break
		}
		parts[i] = n
	}
	return Date(parts[0]*10000 + parts[1]*100 + parts[2]), parts[0] > 0
}

// limitForm is the form of a limit; its numbers may still be none of a date.
var limitForm = lazyregexp.New(`^\d{4}(?:[./-]\d{1,2}){0,2}$`)

// ParseLimit parses a date that a user gives as a limit. Unlike in a record, all of it must be a date.
func ParseLimit(text string) (Date, error) {
	date, ok := ParseDate(text)
	parts := len(strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }))
	if !ok || !limitForm().MatchString(text) || date.precision() != parts {
		return 0, errors.New("want a date such as 1990, 1990.06 or 1990.06.30")
	}
	return date, nil
}

// precision returns how many parts of the date are known: year, month and day.
func (d Date) precision() int {
	switch {
	case d == 0:
		return 0
	case d%10000 == 0:
		return 1
	case d%100 == 0:
		return 2
	}
	return 3
}

// end returns the last number of a day in the date.
func (d Date) end() Date {
	switch {
	case d%10000 == 0:
		return d + 9999
	case d%100 == 0:
		return d + 99
	}
	return d
}

// String returns the date as 1956.12.16, 1956.12 or 1956; "" for the zero Date.
func (d Date) String() string {
	text := fmt.Sprintf("%04d.%02d.%02d", int(d)/10000, int(d)/100%100, int(d)%100)
	return text[:[]int{0, 4, 7, 10}[d.precision()]]
}

// PGN returns the date as PGN has it, with ?? for an unknown month or day; "" for the zero Date.
func (d Date) PGN() string {
	text := d.String()
	if text == "" {
		return ""
	}
	return text + strings.Repeat(".??", 3-d.precision())
}

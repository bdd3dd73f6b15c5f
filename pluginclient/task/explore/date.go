package explore

import (
	"fmt"
	"strconv"
	"strings"
)

// A Date is a day, a month or a year as the number 19561216, with zeros for what is not known.
type Date int

// ParseDate parses a date that begins with a year, as games have it: 1956.12.16, 1956-12,
// 1956年12月16日, 1956.??.??. The rest of the text is ignored.
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
		if err != nil || n < 1 || n > most {
			break
		}
		parts[i] = n
	}
	return Date(parts[0]*10000 + parts[1]*100 + parts[2]), parts[0] > 0
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
	year, month, day := d/10000, d/100%100, d%100
	switch {
	case d == 0:
		return ""
	case month == 0:
		return fmt.Sprintf("%04d", year)
	case day == 0:
		return fmt.Sprintf("%04d.%02d", year, month)
	}
	return fmt.Sprintf("%04d.%02d.%02d", year, month, day)
}

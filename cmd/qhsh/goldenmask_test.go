package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// masks are the parts of an output that depend on the clock or the machine, and their replacements.
var masks = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?`), "TIME"},
	{regexp.MustCompile(`\[(Date|UTCDate|UTCTime|Time|GameStartTime|GameEndTime|GameDuration) "20\d\d[^"]*"\]`), `[$1 "TIME"]`},
	{regexp.MustCompile(`(, *)?"(seconds|stopped|ms|rate|time|nps|nodes_per_second|slowest|longest)":( ?)-?[0-9][0-9.e+-]*`), ""}, // omitted where it is zero
	{regexp.MustCompile(`(?m)^ *\d+\.\d\d\d +\+\d+\.\d\d\d `), "TIME "},                                                           // in a trace
	{regexp.MustCompile(`("engine_files":)\[[^\]]*\]`), "$1[]"},                                                                   // sizes and checksums of programs
	{regexp.MustCompile(`\b(nps \d+ )?time \d+ `), ""},
	{regexp.MustCompile(`(?m)^(\| )?info time \d+$`), "${1}info"},        // of UCCI, before a move of a book
	{regexp.MustCompile(`(?m)^( +\|) +\d+\.\d\d\d ([<>~!#] )`), "$1 $2"}, // of a conversation that check shows
	{regexp.MustCompile(`(?m)^(\d+m)?\d+(\.\d+)?m?s$`), "TIME"},          // of an examination
	{regexp.MustCompile(`(?m)  \(\d+\.\ds\)$`), ""},                      // of a check
	{regexp.MustCompile(` after \d+(\.\d+)?(m|µ)?s\b`), ""},
	{regexp.MustCompile(`(?m)^((?:< )?\d+ -?\d+) \d+ (\d+ [a-i]\d)`), "$1 $2"}, // of thinking in XBoard's protocol
	{regexp.MustCompile(`\{\d+\.\d\ds(, \d+\.\d\ds not charged)?\}`), "{TIME}"},
	{regexp.MustCompile(`(?m)((?:\{|^(?:\| )?)[-+][M0-9./]+) \d+\.\d\ds\b`), "$1"},
	{regexp.MustCompile(` \d+\.\d\ds(, \d+\.\d\ds not charged)?\}`), "}"},                 // of a move in PGN
	{regexp.MustCompile(`(?m)^  time   [0-9.]+ s, [0-9.]+ positions a second`), "  time"}, // of stats
	{regexp.MustCompile(`(nodes) and \d+\.\d+ s, on average`), "$1 and TIME, on average"},
	{regexp.MustCompile(`(?m)^\{"state":"running",.*\n`), ""}, // of progress, once a second
	{regexp.MustCompile(` time="\d+\.\d\d\d"`), ""},           // of JUnit
	{today(), "TODAY"}, // of a game that has just been played
	{regexp.MustCompile(`(?i)(\bhash(?:size)? type spin default \d+ min \d+ max) \d+`), "$1 MEMORY"},
}

// today returns a pattern for today's date in any zone, also for a run over midnight.
func today() *regexp.Regexp {
	now := time.Now().UTC()
	var dates []string
	for _, day := range []int{-1, 0, 1} {
		dates = append(dates, now.AddDate(0, 0, day).Format("2006[-.]01[-.]02"))
	}
	return regexp.MustCompile(`\b(` + strings.Join(dates, "|") + `)\b`)
}

// byChance matches outputs that depend on timing, by the case and the command or the file.
var byChance = regexp.MustCompile(`^(scripts/match/match/(trace\.txt|\$ qhsh match -st 0\.1 -timemargin .*)` +
	`|scripts/shell/shell/\$ qhsh -level 10 (-c AI; \.wait 50ms; TIMEOUT|-timeout 50ms -c AI)` + // of a search that is stopped
	`|scripts/shell/shell/\$ qhsh -engine uci:qhsh -uci -level 10` +
	`|scripts/universal/universal/\$ qhsh -uci( -engine ucci:qhsh -ucci)?` + // of a search whose input ends
	`|scripts/universal/universal/\$ qhsh -(uci|ucci|xboard|plugin) -engine fakeplugin -die.*` + // which dies before or after it is told to stop
	`|scripts/check/check/\$ qhsh check (-only (stop\.idle|level\.current|play\.own).*|-time 1ms builtin)` + // before or after a question of the examiner
	`|servers/xboard/server/(analyze|setboard)\.txt/.*)$`) // continues to think while it answers

// mask removes from an output what differs between runs.
func mask(content []byte) []byte {
	if bytes.Contains(content, []byte("nodes/s")) {
		content = maskTables(content)
	}
	if traceLine.Match(content) {
		content = sortTrace(content)
	}
	for _, m := range masks {
		content = m.pattern.ReplaceAll(content, []byte(m.with))
	}
	return content
}

var traceLine = regexp.MustCompile(`(?m)\A *\d+\.\d\d\d +\+\d+\.\d\d\d (\S+ (?:!)?)`)

// sortTrace puts the lines of several engines, and their stderr, one engine after another: their
// real order depends on timing.
func sortTrace(trace []byte) []byte {
	lines := slices.Collect(bytes.Lines(trace))
	said := func(line []byte) string {
		if m := traceLine.FindSubmatch(line); m != nil {
			return string(m[1])
		}
		return ""
	}
	slices.SortStableFunc(lines, func(a, b []byte) int { return strings.Compare(said(a), said(b)) })
	return bytes.Join(lines, nil)
}

// maskTables removes the columns of times from the tables of bench.
func maskTables(text []byte) []byte {
	var b strings.Builder
	var head []string
	for line := range strings.Lines(string(text)) {
		cells := tableGap.Split(strings.TrimSuffix(line, "\n"), -1)
		if slices.Contains(cells, "nodes/s") {
			head = cells
		} else if len(cells) > 1 {
			for i := range cells[1:] {
				if i++; head[0] == "nodes/s" || i < len(head) && slices.Contains([]string{"time", "nodes/s", "ratio"}, head[i]) ||
					head[0] == "engine" && head[i] == "nodes" {
					cells[i] = "N"
				}
			}
		}
		b.WriteString(strings.Join(cells, "  ") + "\n")
	}
	return []byte(b.String())
}

var tableGap = regexp.MustCompile(`  +`)

// dumpTables returns the contents of a database's tables, in row order.
func dumpTables(path string) ([]byte, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	schema, err := readRows(db, `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, entry := range schema {
		fmt.Fprintf(&b, "%s\n", entry[2])
		if entry[0] != "table" || entry[1] == "stamps" { // which has the times of files
			continue
		}
		rows, err := readRows(db, `SELECT * FROM "`+entry[1]+`"`)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			fmt.Fprintf(&b, "%s\t%s\n", entry[1], strings.Join(row, "\t"))
		}
	}
	return []byte(b.String()), nil
}

func readRows(db *sql.DB, query string) (all [][]string, err error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(sql.NullString)
		}
		if err := rows.Scan(values...); err != nil {
			return nil, err
		}
		row := make([]string, len(columns))
		for i, v := range values {
			if columns[i] == "sum" {
				row[i] = "SUM" // of a cache's answer, whose terms name the program
			} else {
				row[i] = v.(*sql.NullString).String
			}
		}
		all = append(all, row)
	}
	return slices.Clip(all), rows.Err()
}

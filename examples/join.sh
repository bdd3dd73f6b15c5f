#!/bin/sh
# Joins what two engines have answered by the ids of the positions, with what POSIX has.
#
#	qhsh hints -level 2 -o weak.csv suite.epd
#	qhsh hints -level 5 -o strong.csv suite.epd
#	sh join.sh weak.csv strong.csv
#
# writes the positions with other best moves, separated by tabs: id, both moves and scores.
set -eu
tab=$(printf '\t')
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

best() { # writes id, move and score where there are an id and a hint, sorted by id
	awk -v OFS="$tab" '
		{ # commas within quotes are no separators
			n = split($0, part, "\""); row = ""
			for (i = 1; i <= n; i++) { if (i % 2 == 0) gsub(",", " ", part[i]); row = row part[i] }
			split(row, cell, ",")
		}
		NR == 1 { for (i in cell) at[cell[i]] = i; next }
		{ id = cell[at["id"]]; move = cell[at["move"]]; cp = cell[at["cp"]] }
		id != "" && move != "" { print id, move, cp != "" ? cp : "mate " cell[at["mate"]] }
	' "$1" | LC_ALL=C sort -t "$tab" -k 1,1
}
best "$1" >"$dir/1"
best "$2" >"$dir/2"
LC_ALL=C join -t "$tab" -o 0,1.2,2.2,1.3,2.3 "$dir/1" "$dir/2" | awk -F "$tab" '$2 != $3'

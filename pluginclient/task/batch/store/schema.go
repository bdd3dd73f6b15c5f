package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/task/batch"
)

// A file holds one run, the only row of runs: a new run replaces the file; to query several runs,
// use ATTACH. So the same input gives the same bytes. run_id exists for those who combine several
// files.
//
// Users rely on the schema: 'qhsh help formats' documents it. A change requires a new version.
var kind = sqlitefile.Kind{
	ApplicationID: 0x71687368, // "qhsh"
	Version:       4,
	ErrForeign:    errors.New("not written by 'qhsh hints'"),
}

const schema = `
CREATE TABLE runs (
	run_id     INTEGER PRIMARY KEY,
	version    TEXT NOT NULL,    -- of qhsh
	spec       TEXT NOT NULL,    -- of the engine
	level      INTEGER,          -- the limits of each search
	timeout_ms INTEGER,
	hints      INTEGER NOT NULL, -- that were asked for
	nodes      INTEGER,
	depth      INTEGER
);
CREATE TABLE positions (
	position_id INTEGER PRIMARY KEY,  -- from 1, in the order of the output
	run_id      INTEGER NOT NULL REFERENCES runs,
	file        TEXT,                 -- of the input, where there are several
	line        INTEGER NOT NULL,
	id          TEXT,                 -- the input's name for the position; a number stands in fields too
	input       TEXT,                 -- a bad line's beginning
	fen         TEXT,                 -- the position's own text
	moves       TEXT,                 -- played on it
	position    TEXT,                 -- after them, as a whole FEN: the same for the same position
	bm          TEXT,
	am          TEXT,
	ops         TEXT,                 -- the input's other EPD operations
	fields      TEXT,                 -- its own keys and columns, as a JSON object
	engine      TEXT,
	level       INTEGER,              -- if that bounded the search
	solved      INTEGER,              -- 1 or 0, where there is a bm or am
	over        TEXT,                 -- how a finished game has ended
	error       TEXT,
	unscored    TEXT,                 -- why bm or am could not be read
	spec        TEXT,                 -- of the engine
	limit_nodes INTEGER,              -- of the search
	limit_depth INTEGER,
	limit_time  INTEGER,              -- milliseconds
	found_nodes INTEGER,              -- of the search when it found the best move for good, with -history
	found_depth INTEGER,
	found_time  INTEGER               -- milliseconds
);
CREATE TABLE hints (
	position_id INTEGER NOT NULL REFERENCES positions,
	rank        INTEGER NOT NULL,  -- 1 is the best
	move        TEXT NOT NULL,
	cp          INTEGER,           -- for the side to move
	mate        INTEGER,           -- in place of cp; negative: the side to move is mated
	depth       INTEGER,
	nodes       INTEGER,
	pv          TEXT,
	text        TEXT,
	seldepth    INTEGER,           -- plies of the longest line
	hashfull    INTEGER,           -- thousandths
	tbhits      INTEGER,
	wdl         TEXT,              -- thousandths of win, draw and loss
	PRIMARY KEY (position_id, rank)
) WITHOUT ROWID;
CREATE VIEW best AS
	SELECT p.*, h.move, h.cp, h.mate, h.depth, h.nodes, h.pv, h.text,
		h.seldepth, h.hashfull, h.tbhits, h.wdl
	FROM positions p LEFT JOIN hints h ON h.position_id = p.position_id AND h.rank = 1;
`

// indices are created at the end, when it is cheapest. schema_version is SQLite's count of schema
// changes, which VACUUM INTO increments: a run that was killed after that and finishes again must
// give the same bytes.
const indices = `
CREATE INDEX IF NOT EXISTS positions_by_position ON positions (position);
CREATE INDEX IF NOT EXISTS positions_by_id ON positions (id) WHERE id IS NOT NULL;
CREATE INDEX IF NOT EXISTS hints_by_move ON hints (move) WHERE rank = 1;
PRAGMA schema_version = 7;
`

const insertRun = `INSERT INTO runs (run_id, version, spec, level, timeout_ms, hints, nodes, depth) VALUES (1, ?, ?, ?, ?, ?, ?, ?)`

var (
	insertPosition = insertInto("positions", append([]string{"position_id", "run_id", "input", "position"}, batch.AnswerColumns()...))
	insertHint     = insertInto("hints", append([]string{"position_id", "rank"}, batch.HintColumns()...))
)

func insertInto(table string, columns []string) string {
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (?%s)", table, strings.Join(columns, ", "), strings.Repeat(", ?", len(columns)-1))
}

// selectAnswers selects a row for each hint, or one for an answer without any: the position's id,
// whether it is a bad line, the position after the moves, and the columns of the answer and the hint as texts.
var selectAnswers = func() string {
	text := "SELECT p.position_id, p.input IS NOT NULL, ifnull(p.position, '')"
	for _, name := range batch.AnswerColumns() {
		text += ", ifnull(p." + name + map[bool]string{true: ", ifnull(p.input, '')", false: ", ''"}[name == "fen"] + ")"
	}
	for _, name := range batch.HintColumns() {
		text += ", ifnull(h." + name + ", '')"
	}
	return text + " FROM positions p LEFT JOIN hints h USING (position_id) ORDER BY p.position_id, h.rank"
}()

// maxColumns bounds the columns of the view "fields". SQLite's limit is 2,000.
const maxColumns = 1000

// selectNames selects the names of fields in order of first occurrence. An id in fields only marks
// the column id as a number.
const selectNames = `SELECT f.key FROM positions p, json_each(p.fields) f WHERE p.fields IS NOT NULL AND f.key <> 'id'
	GROUP BY f.key ORDER BY min(p.position_id * 65536 + f.id) LIMIT ?`

// viewFields creates the view "fields" with a column for each field name, which are known only at
// the end. It exists even without fields.
func viewFields(db *sql.DB) error {
	rows, err := db.Query(selectNames, maxColumns)
	if err != nil {
		return err
	}
	defer rows.Close()
	view := "SELECT position_id"
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		path, err := json.Marshal(name)
		if err != nil {
			return err
		}
		view += fmt.Sprintf(",\n\tfields ->> %s AS %s", quoted(`'`, "$."+string(path)), quoted(`"`, name))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	_, err = db.Exec("DROP VIEW IF EXISTS fields; CREATE VIEW fields AS " + view + "\n\tFROM positions")
	return err
}

func quoted(quote, text string) string {
	return quote + strings.ReplaceAll(text, quote, quote+quote) + quote
}

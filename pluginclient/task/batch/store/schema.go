package store

import (
	"errors"

	"qhsh/pluginclient/sqlitefile"
)

// A file holds one run, the only row of runs: a new run replaces the file; to query several runs,
// use ATTACH. So the same input gives the same bytes. run_id exists for those who combine several
// files.
//
// Users rely on the schema: 'qhsh help formats' documents it. A change requires a new version.
var kind = sqlitefile.Kind{
	ApplicationID: 0x71687368, // "qhsh"
	Version:       2,
	ErrForeign:    errors.New("not written by 'qhsh hints'"),
}

// schema creates the tables of a new database.
const schema = `
CREATE TABLE runs (
	run_id     INTEGER PRIMARY KEY,
	version    TEXT NOT NULL,    -- of qhsh
	spec       TEXT NOT NULL,    -- of the engine, as -engine has it
	level      INTEGER,          -- that was asked for
	timeout_ms INTEGER,
	hints      INTEGER NOT NULL, -- that were asked for
	nodes      INTEGER,          -- that was asked for
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
	limit_time  INTEGER               -- milliseconds
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
	PRIMARY KEY (position_id, rank)
) WITHOUT ROWID;
CREATE VIEW best AS
	SELECT p.*, h.move, h.cp, h.mate, h.depth, h.nodes, h.pv, h.text
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

const insertPosition = `INSERT INTO positions (position_id, run_id, file, line, id, input, fen, moves, position,
	bm, am, ops, fields, engine, level, solved, over, error, unscored, spec, limit_nodes, limit_depth, limit_time)
	VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const insertHint = `INSERT INTO hints (position_id, rank, move, cp, mate, depth, nodes, pv, text)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

const selectAnswers = `SELECT p.position_id, p.file, p.line, p.id, p.input, p.fen, p.moves, p.bm, p.am, p.ops, p.fields, p.engine, p.level,
	p.over, p.error, p.unscored, p.spec, p.limit_nodes, p.limit_depth, p.limit_time, h.move, h.cp, h.mate, h.depth, h.nodes, h.pv, h.text
	FROM positions p LEFT JOIN hints h USING (position_id) ORDER BY p.position_id, h.rank`

package explore

import (
	"errors"

	"qhsh/pluginclient/sqlitefile"
)

var kind = sqlitefile.Kind{
	ApplicationID: 0x71686578, // "qhex"
	Version:       1,
	ErrForeign:    errors.New("not written by 'qhsh explore add'"),
}

// schema creates the tables. The columns of games that every query needs come first.
const schema = `
CREATE TABLE explorer (id INTEGER PRIMARY KEY CHECK (id = 1), game TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE names (name_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE); -- empty: not known
CREATE TABLE sources (
	source_id INTEGER PRIMARY KEY,
	name      TEXT NOT NULL UNIQUE,
	digest    BLOB NOT NULL,    -- SHA-256 of the file
	damaged   INTEGER NOT NULL  -- games that could not be read to their end
);
CREATE TABLE games (
	game_id   INTEGER PRIMARY KEY,
	result    INTEGER NOT NULL, -- 0 unknown, 1 the first side wins, 2 the second, 3 draw
	date      INTEGER NOT NULL, -- 19561216; 0 for what is not known of it
	first     INTEGER NOT NULL REFERENCES names,
	second    INTEGER NOT NULL REFERENCES names,
	event     INTEGER NOT NULL REFERENCES names,
	opening   INTEGER NOT NULL REFERENCES names,
	plies     INTEGER NOT NULL,
	source_id INTEGER NOT NULL REFERENCES sources,
	number    INTEGER NOT NULL, -- in the source, from 1
	original  INTEGER REFERENCES games, -- of a duplicate
	digest    BLOB NOT NULL     -- of start and moves
);
CREATE INDEX games_by_source ON games (source_id);
CREATE UNIQUE INDEX games_by_digest ON games (digest) WHERE original IS NULL;
CREATE INDEX games_by_original ON games (original) WHERE original IS NOT NULL;
CREATE TABLE lines (
	game_id INTEGER PRIMARY KEY REFERENCES games,
	start   TEXT,          -- NULL: the start of a game
	moves   BLOB NOT NULL  -- as unsigned varints
);
CREATE TABLE plies (
	key  INTEGER NOT NULL,  -- of the position before the move
	move INTEGER NOT NULL,  -- 0: the game ends here
	game INTEGER NOT NULL,
	PRIMARY KEY (key, move, game)
) WITHOUT ROWID;
CREATE TABLE scores (
	key    INTEGER NOT NULL,
	move   INTEGER NOT NULL,
	rank   INTEGER NOT NULL, -- among the moves of the position; 1 is the best
	cp     INTEGER,          -- for the side to move
	mate   INTEGER,          -- in place of cp
	depth  INTEGER NOT NULL,
	engine INTEGER NOT NULL REFERENCES names,
	PRIMARY KEY (key, move)
) WITHOUT ROWID;
`

// laterSchema creates the tables that databases of earlier programs do not have.
const laterSchema = `
CREATE TABLE IF NOT EXISTS stamps ( -- of files when they were read; none of one that had just been written
	source_id INTEGER PRIMARY KEY REFERENCES sources,
	size      INTEGER NOT NULL,
	modified  INTEGER NOT NULL -- nanoseconds since 1970
);
CREATE TABLE IF NOT EXISTS records ( -- of games that were added whole
	game_id INTEGER PRIMARY KEY REFERENCES games,
	record  BLOB NOT NULL,   -- a line of JSON, see whole.go
	notes   INTEGER NOT NULL -- it has variations or comments
);
CREATE TRIGGER IF NOT EXISTS records_of_games AFTER DELETE ON games -- also by an earlier program
	BEGIN DELETE FROM records WHERE game_id = old.game_id; END;
`

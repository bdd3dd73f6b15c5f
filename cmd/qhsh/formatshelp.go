package main

// formatsHelp describes the formats that hints reads and writes.
const formatsHelp = `Reads positions from files, or from standard input without a FILE or where it is -. A FILE
may be a pattern, such as 'suites/*.epd', or a folder: all files in it and below that end
in .fen, .epd, .txt, .csv, .tsv, .json, .jsonl or .ndjson, and behind that .gz or .zst where
they are compressed. The extension of a file tells its form, or else its first line does; -input FORM says otherwise:

  fen, epd  a position a line: a FEN or 'startpos', either followed by the word moves and
            moves, or by the operations of EPD; UCI's position command will do. Blank
            lines and lines that begin with # are passed over
  json      an object a line, with the key fen, and moves, id, bm and am if you like;
            so what hints has written can be read again, also as epd and csv
  csv       a table with a header, the positions in the column fen or that of -column;
            columns named id, moves, bm and am are read too

Other keys and columns are the position's own fields, and come back with its answer, a
failed one too: in json as fields, as they were, a cell of a table as a text; in csv and
sqlite as told below. An id may be a number, which stays one.

If a position has a bm or am (moves to find or to avoid), its answer has solved: true if the
best hint is one of bm and none of am.

Writes an answer for each, in the order of the input unless -unordered is given, in the
form of -format or of -o's extension; .gz or .zst behind that compresses it, and FILE is
whole once the run has ended. Scores are for the side to move.

  json    an object a line: file (of several), line, id, fen, moves, bm, am, ops, fields,
          engine, spec, level, limits, hints, solved, over; or input and error for a line
          that is no position. A hint has move, cp or mate, depth, nodes, pv and text;
          nodes are the engine's own count when it had this line, not what the search cost.
          limits has what bounded the search: level, nodes, depth, and time in
          milliseconds; the first that was reached ended it. level stands beside it only
          if a level was a limit
  csv     a row a position, the columns named alike; those of the second hint are move2,
          cp2 and so on; the limits are level, limit_nodes, limit_depth and limit_time.
          Own fields are the last columns if those of the first position
          and its id are texts of one line, as a table's are; fields. is before a name
          that csv has itself. Where they are not, or other ones, they are a JSON object
          in the column fields, with an id that is a number
  epd     bm, ce or dm, pv, acd and acn; of the second hint ce2 and so on; solved, over,
          error; limits "level=5 time=500". The engine is not told. The input's bm, am, id
          and other operations are kept, and own fields are operations too, as far as EPD
          can hold them: what it cannot is counted on standard error. Not kept are those
          of an earlier answer: where there are hints, no ce, dm, pv, acd, acn and acs
          of the input's, also with numbers, is left. json, csv and sqlite have all in ops.
          solved - is that of a position without bm and am: the bm is the engine's own
  text    for people
  parquet a row a position, with the columns of json and their types, and position, the FEN
          after the moves; moves, bm and am are lists of strings, hints a list of structs:
          move, cp, mate, depth, nodes, pv, text. What does not apply is null, a list empty.
          In DuckDB hints[1].cp is the best hint's score, in pandas explode('hints') makes a
          row of each hint. It is zstd inside. FILE can be read when the run is finished; one
          that was broken off has no end, which -resume writes
  sqlite  a database with these tables, in which SQL finds what you are looking for:
            runs: run_id, version, spec, level, timeout_ms, hints, nodes, depth
            positions: position_id, run_id, file, line, id, input, fen, moves, position,
              bm, am, ops, fields, engine, level, solved, over, error, unscored, spec,
              limit_nodes, limit_depth, limit_time
            hints: position_id, rank, move, cp, mate, depth, nodes, pv, text
          position is the FEN after the moves, the same for the same position. The view
          best has the positions with their hints of rank 1, the view fields has a column
          for each own field; positions.fields is the JSON object. There is one run in a file:
          another one begins it anew. A database of something else is left alone

The hints of one answer may be of different depths. An engine searches all its lines to one
depth, then to the next; where nodes or a time end it in between, those that it has not come
to are still of the depth before, and stand behind or between the others as the engine has
them. Each hint tells its own depth, as far as the engine does; two scores of different depths
say less about which move is better than two of the same. A limit of depth leaves no
such remainder.
`

package main

// formatsHelp describes the formats that hints reads and writes.
const formatsHelp = `Reads positions from files, or from standard input if FILE is - or missing. A FILE may be a
pattern, such as 'suites/*.epd', or a folder: then all files in it and its subfolders are read
that end in .fen, .epd, .txt, .csv, .tsv, .json, .jsonl or .ndjson, also with .gz or .zst.
The extension determines the format, or the first line if the extension is unknown. -input
FORMAT overrides both:

  fen, epd  one position per line: a FEN or 'startpos', followed by the word moves and moves
            or by the operations of EPD; UCI's position command works too. Blank lines and
            lines that begin with # are skipped
  json      one object per line, with the key fen and optionally moves, id, bm and am. Output
            of hints can be read again, also as epd and csv
  csv       a table with a header and the positions in the column fen, or in that of -column;
            columns named id, moves, bm and am are read too

Other keys and columns are fields of the position. They are copied to its answer, even if the
position fails: in json to fields, where cells of a table become strings; for csv and sqlite
see below. An id may be a number and remains one.

If a position has a bm or am (moves to find or to avoid), its answer has solved: true if the
best hint is one of bm and none of am.

Writes an answer for each position, in the order of the input unless -unordered is given, in
the format of -format or of the extension of -o. A further extension .gz or .zst compresses
the output; a compressed FILE is complete when the run has ended. Scores are for the side to
move.

  json    one object per line: file (if there are several), line, id, fen, moves, bm, am, ops,
          fields, engine, spec, level, limits, hints, solved, over; or input and error for a
          line that is not a position. A hint has move, cp or mate, depth, nodes, pv and text;
          nodes is the engine's count when it found this line, not the cost of the search.
          limits are the limits of the search: level, nodes, depth, and time in milliseconds.
          level is also a key of its own if a level was a limit
  csv     one row per position, with columns of the same names; the second hint has move2, cp2
          and so on; the limits are level, limit_nodes, limit_depth and limit_time. The fields
          of the position are the last columns if the values of the first position and its id
          are strings of one line; a name that csv itself uses gets the prefix fields. Otherwise
          the column fields has a JSON object, which includes a numeric id
  epd     bm, ce or dm, pv, acd and acn; for the second hint ce2 and so on; solved, over, error;
          limits "level=5 time=500". The engine's name is not written. Operations of the input
          are kept, and fields become operations if EPD can represent them; others are counted
          on standard error. If there are hints, ce, dm, pv, acd, acn and acs of the input, with
          or without a number, are dropped. json, csv and sqlite have all of them in ops.
          solved is - for a position without bm and am; the bm is then the engine's move
  text    for people
  parquet one row per position, with the columns and types of json, and position, the FEN after
          the moves; moves, bm and am are lists of strings, hints is a list of structs: move,
          cp, mate, depth, nodes, pv, text. Missing values are null or an empty list. In DuckDB
          hints[1].cp is the score of the best hint, in pandas explode('hints') makes one row
          per hint. The file is compressed by zstd. It can be read after the run; if the run is
          interrupted, -resume completes the file
  sqlite  a database with these tables:
            runs: run_id, version, spec, level, timeout_ms, hints, nodes, depth
            positions: position_id, run_id, file, line, id, input, fen, moves, position,
              bm, am, ops, fields, engine, level, solved, over, error, unscored, spec,
              limit_nodes, limit_depth, limit_time
            hints: position_id, rank, move, cp, mate, depth, nodes, pv, text
          position is the FEN after the moves, identical for identical positions. The view
          best has the positions with their hints of rank 1, the view fields has a column
          for each field; positions.fields is the JSON object. A file has one run: another
          run replaces it. Databases of other programs are never changed

The hints of one answer may have different depths. An engine searches all lines to one depth,
then to the next. If a limit on nodes or time ends the search in between, the remaining lines
still have the previous depth, in the order that the engine gives. Each hint has its own depth,
if the engine reports it. Scores of different depths are less comparable than scores of the
same depth. With only a limit on depth, all hints have the same depth.
`

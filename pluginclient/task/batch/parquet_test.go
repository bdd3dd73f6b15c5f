package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/record"
	"qhsh/pluginclient"
)

// parquetOf returns the file for answers.
func parquetOf(t rapid.TB, answers ...Answer) []byte {
	var out bytes.Buffer
	sink := &parquetSink{w: &out}
	for _, a := range answers {
		if err := sink.Write(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := FinishSink(sink); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readParquet reads a file back.
func readParquet(t rapid.TB, path string, data []byte) (answers []Answer, err error) {
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for a, err := range ParquetAnswers(path) {
		if err != nil {
			return answers, err
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// TestParquetReadsBack: what is written reads back, and equal answers give equal bytes.
func TestParquetReadsBack(t *testing.T) {
	enginetest.SkipUnderRace(t)
	path := filepath.Join(t.TempDir(), "x.parquet")
	rapid.Check(t, func(t *rapid.T) {
		answers := rapid.SliceOfN(genAnswer(), 0, 5).Draw(t, "answers")
		data := parquetOf(t, answers...)
		if !bytes.Equal(data, parquetOf(t, answers...)) {
			t.Fatal("equal answers gave different bytes")
		}
		got, err := readParquet(t, path, data)
		for i := range answers {
			after := answers[i].Position()
			answers[i] = plain(answers[i])
			answers[i].After = after
		}
		if diff := cmp.Diff(answers, got, sameErrors, cmpopts.EquateEmpty(), cmp.AllowUnexported(engine.Score{})); diff != "" || err != nil {
			t.Fatalf("%v\n%s", err, diff)
		}
	})
}

// TestParquetColumns reads a file by its columns, as other programs do: the types, and which values
// are null.
func TestParquetColumns(t *testing.T) {
	const want = `message answer {
	optional binary file (STRING);
	required int64 line (INT(64,true));
	optional binary id (STRING);
	optional binary input (STRING);
	optional binary fen (STRING);
	required group moves (LIST) {
		repeated group list {
			required binary element (STRING);
		}
	}
	optional binary position (STRING);
	required group bm (LIST) {
		repeated group list {
			required binary element (STRING);
		}
	}
	required group am (LIST) {
		repeated group list {
			required binary element (STRING);
		}
	}
	optional binary ops (STRING);
	optional binary fields (STRING);
	optional binary engine (STRING);
	optional binary spec (STRING);
	optional int32 level (INT(32,true));
	optional int64 limit_nodes (INT(64,true));
	optional int32 limit_depth (INT(32,true));
	optional int64 limit_time (INT(64,true));
	required group hints (LIST) {
		repeated group list {
			required group element {
				required binary move (STRING);
				optional int32 cp (INT(32,true));
				optional int32 mate (INT(32,true));
				optional int32 depth (INT(32,true));
				optional int64 nodes (INT(64,true));
				required group pv (LIST) {
					repeated group list {
						required binary element (STRING);
					}
				}
				optional binary text (STRING);
				optional int32 seldepth (INT(32,true));
				optional int32 hashfull (INT(32,true));
				optional int64 tbhits (INT(64,true));
				required group wdl (LIST) {
					repeated group list {
						required int32 element (INT(32,true));
					}
				}
			}
		}
	}
	optional int64 found_nodes (INT(64,true));
	optional int32 found_depth (INT(32,true));
	optional int64 found_time (INT(64,true));
	optional boolean solved;
	optional binary over (STRING);
	optional binary error (STRING);
	optional binary unscored (STRING);
}`
	data := parquetOf(t, answers()...)
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, file.Schema().String()); diff != "" {
		t.Error(diff)
	}
	rows := make([]map[string]any, file.NumRows())
	for i := range rows {
		rows[i] = map[string]any{}
	}
	reader := parquet.NewGenericReader[map[string]any](file, file.Schema())
	if n, err := reader.Read(rows); n != len(answers()) {
		t.Fatalf("%d rows, %v", n, err)
	}
	first := rows[0]
	if first["file"] != nil || first["solved"] != nil || first["level"] != int32(5) || first["line"] != int64(answers()[0].Line) {
		t.Errorf("%#v", first)
	}
}

// TestParquetRowGroups: memory does not grow with the number of answers.
func TestParquetRowGroups(t *testing.T) {
	enginetest.SkipUnderRace(t)
	const n = 2*parquetRows + 1
	all := make([]Answer, n)
	for i := range all {
		all[i] = Answer{Item: Item{Line: i + 1, Input: "x", Err: errors.New("bad")}, Err: errors.New("bad")}
	}
	data := parquetOf(t, all...)
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(file.RowGroups()) != 3 {
		t.Fatalf("%d row groups, %v", len(file.RowGroups()), err)
	}
	got, err := readParquet(t, filepath.Join(t.TempDir(), "x.parquet"), data)
	if err != nil || len(got) != n || got[n-1].Line != n {
		t.Errorf("%d answers, %v", len(got), err)
	}
}

// TestParquetDamaged: a file that is truncated, damaged or of another program gives an error and
// does not panic.
func TestParquetDamaged(t *testing.T) {
	enginetest.SkipUnderRace(t)
	path := filepath.Join(t.TempDir(), "x.parquet")
	data := parquetOf(t, answers()...)
	for n := 0; n < len(data); n += 7 {
		if _, err := readParquet(t, path, data[:n]); !errors.Is(err, errParquet) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	var before, after runtime.MemStats
	for i := range 600 {
		bad := bytes.Clone(data)
		for range 1 + i%2 {
			bad[random.IntN(len(bad))] ^= byte(1 + random.IntN(255))
		}
		runtime.ReadMemStats(&before)
		_, err := readParquet(t, path, bad) // the damage may be harmless
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > record.MaxFile {
			t.Errorf("%d MB for a file of %d bytes: %v", used>>20, len(bad), err)
		}
	}
	var others bytes.Buffer
	w := parquet.NewGenericWriter[struct{ FEN string }](&others)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := readParquet(t, path, others.Bytes()); !errors.Is(err, errParquet) {
		t.Errorf("other columns: %v", err)
	}
}

// TestParquetFields: fields have columns of their types, which the first row group decides, and nothing is
// lost where a later value does not fit.
func TestParquetFields(t *testing.T) {
	enginetest.SkipUnderRace(t)
	all := make([]Answer, parquetRows+1)
	for i := range all {
		all[i] = Answer{Item: Item{Line: i + 1, Input: "x", Err: errors.New("bad")}, Err: errors.New("bad")}
	}
	set := func(i int, fields, ops string) {
		if err := json.Unmarshal([]byte(fields), &all[i].Fields); err != nil {
			t.Fatal(err)
		}
		all[i].Ops = ParseOps(ops)
	}
	set(0, `{"elo":2700,"share":1,"is":true,"mixed":1,"none":null,"list":["x",1],"engine":"a","fields.x":"b","a,b":1,"big":123456789012345678901,"\"q\\":"c","twice":1,"twice":2}`, `c0 "a b"; dm 3; id "x";`)
	set(1, `{"elo":null,"share":0.5,"is":null,"mixed":"two"}`, "")
	set(parquetRows, `{"elo":2.5e3,"is":"no","mixed":[3],"late":1,"share":2}`, "c0 7;")
	var out bytes.Buffer
	sink := &parquetSink{w: &out}
	for _, a := range all {
		if err := sink.Write(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := FinishSink(sink); err != nil {
		t.Fatal(err)
	}
	const lost = "4 values of own fields are in the columns fields and ops only: the first 10000 answers decide which columns and types there are, up to 100 columns"
	if got := LossMessage(sink); got != lost { // "a,b", elo, is and late
		t.Errorf("got %q", got)
	}
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got := file.Metadata().CreatedBy; got != "qhsh version "+pluginclient.Version {
		t.Errorf("created by %q", got)
	}
	rows := make([]map[string]any, file.NumRows())
	for i := range rows {
		rows[i] = map[string]any{}
	}
	if n, err := parquet.NewGenericReader[map[string]any](file, file.Schema()).Read(rows); n != len(all) {
		t.Fatalf("%d rows, %v", n, err)
	}
	want := map[string][3]any{
		"elo": {int64(2700), nil, nil}, "share": {1.0, 0.5, 2.0}, "is": {true, nil, nil}, "mixed": {"1", "two", "[3]"}, "none": {nil, nil, nil},
		"list": {`["x",1]`, nil, nil}, "fields.engine": {"a", nil, nil}, "fields.fields.x": {"b", nil, nil}, "big": {"123456789012345678901", nil, nil},
		`"q\`: {"c", nil, nil}, "twice": {int64(2), nil, nil}, "c0": {"a b", nil, "7"}, "dm": {int64(3), nil, nil},
	}
	for name, values := range want {
		if diff := cmp.Diff(values, [3]any{rows[0][name], rows[1][name], rows[parquetRows][name]}); diff != "" {
			t.Errorf("%s\n%s", name, diff)
		}
	}
	if got, want := len(file.Schema().Fields()), len(parquetSchema().Fields())+len(want); got != want {
		t.Errorf("%d columns, want %d", got, want)
	}
	got, err := readParquet(t, filepath.Join(t.TempDir(), "x.parquet"), out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 1, parquetRows} {
		if diff := cmp.Diff(all[i].Fields, got[i].Fields); diff != "" {
			t.Errorf("read back\n%s", diff)
		}
	}
}

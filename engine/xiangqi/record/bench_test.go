package record

import (
	"archive/zip"
	"io"
	"path/filepath"
	"runtime"
	"testing"
)

// A repeated text is as long as it is told to be.
type repeated struct {
	text  []byte
	pos   int
	times int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.pos == len(r.text) {
		r.pos = 0
		r.times--
	}
	if r.times <= 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.pos:])
	r.pos += n
	return n, nil
}

// manyGames returns real games, 1,391 of them, in UCI and UTF-8.
func manyGames(b *testing.B) []byte {
	b.Helper()
	archive, err := zip.OpenReader(filepath.Join(dataFolder(b), "games", "Hu_Ronghua_1391_UCI_games.pgn.zip"))
	if err != nil {
		b.Fatal(err)
	}
	defer archive.Close()
	f, err := archive.File[0].Open()
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// BenchmarkPGN reads a file of more than 100,000 games each time. peak-MB is the largest
// heap that was seen.
func BenchmarkPGN(b *testing.B) {
	text := manyGames(b)
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"UCI", text},
		{"Chinese", inNotation(b, text)},
	} {
		b.Run(c.name, func(b *testing.B) {
			const times = 72
			var peak uint64
			games, plies := 0, 0
			for b.Loop() {
				games, plies = 0, 0
				for g, err := range library.Read(&repeated{text: c.text, times: times}, "") {
					if err != nil {
						b.Fatal(err)
					}
					games++
					plies += g.Plies()
					if games%10000 == 0 {
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						peak = max(peak, m.HeapInuse)
					}
				}
			}
			seconds := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(games)/seconds, "games/s")
			b.ReportMetric(float64(len(c.text)*times)/seconds/1e6, "MB/s")
			b.ReportMetric(float64(peak)/1e6, "peak-MB")
			b.ReportMetric(float64(games), "games")
		})
	}
}

func inNotation(b *testing.B, text []byte) []byte {
	games, errs := readText(text)
	if errs != nil {
		b.Fatal(errs)
	}
	return write(b, games, "pgn", 3)
}

// BenchmarkWritePGN writes a file of 1,391 games.
func BenchmarkWritePGN(b *testing.B) {
	games, errs := readText(manyGames(b))
	if errs != nil {
		b.Fatal(errs)
	}
	b.ReportAllocs()
	for b.Loop() {
		write(b, games, "pgn", 3)
	}
}

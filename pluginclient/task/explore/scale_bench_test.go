package explore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/records"
)

// The sizes of BenchmarkScale.
const (
	gamesInFile = 100
	pliesOfGame = 100
	queries     = 2000
	openingPly  = 30 // up to which queries about openings go
)

// BenchmarkScale adds many games to a database, and measures queries about positions of openings,
// about positions of whole games, and about the start. The variable QHSH_EXPLORE_GAMES is the
// number of games, 400 without it; QHSH_EXPLORE_DIR is a folder in which the files and the database
// stay. The games are the beginnings of the games in $QHSH_DATA, played on with random moves.
func BenchmarkScale(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("QHSH_EXPLORE_GAMES"))
	if err != nil {
		n = 4 * gamesInFile
	}
	dir := os.Getenv("QHSH_EXPLORE_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	data := os.Getenv("QHSH_DATA")
	if data == "" {
		b.Skip("QHSH_DATA is not set")
	}
	names, positions := scaleGames(b, filepath.Join(data, "games"), dir, n)
	b.ResetTimer()
	for b.Loop() {
		path := filepath.Join(dir, "scale.db")
		_ = os.Remove(path)
		d := create(b, path)
		begun := time.Now()
		add(b, d, names...)
		b.ReportMetric(time.Since(begun).Seconds(), "s/add")
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/1e6, "MB")
		measureQueries(b, path, "opening", positions[0])
		measureQueries(b, path, "game", positions[1])
		measureQueries(b, path, "start", []engine.Position{games.Default.DefaultGame().Start()})
	}
}

// measureQueries reports the median and the 95th percentile of the time of a query.
func measureQueries(b *testing.B, path, what string, positions []engine.Position) {
	d, err := Open(b.Context(), path, games.Default, games.Default.DefaultGame())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	var times []time.Duration
	for _, pos := range positions {
		begun := time.Now()
		if _, err := d.Query(b.Context(), pos, Filter{}); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(begun))
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds()*1000, "ms/"+what+"-median")
	b.ReportMetric(times[len(times)*95/100].Seconds()*1000, "ms/"+what+"-p95")
}

// scaleGames writes n games into files and returns their names, positions of their openings, and
// positions of all their plies.
func scaleGames(b *testing.B, data, dir string, n int) (names []string, positions [2][]engine.Position) {
	lib := games.Default.Records(games.Default.DefaultGame())
	bases := readGames(b, lib, data)
	random := rand.New(rand.NewPCG(1, 2))
	for first := 0; first < n; first += gamesInFile {
		name := filepath.Join(dir, fmt.Sprintf("%06d.pgn", first))
		names = append(names, name)
		file, err := os.Create(name)
		if err != nil {
			b.Fatal(err)
		}
		defer file.Close()
		w, err := lib.NewWriter(file, record.PGN, "")
		if err != nil {
			b.Fatal(err)
		}
		for range min(gamesInFile, n-first) {
			g, line := playOn(bases[random.IntN(len(bases))], random)
			if err := w.Write(g); err != nil {
				b.Fatal(err)
			}
			if len(positions[0]) < queries && random.IntN(max(1, n/queries)) == 0 {
				positions[0] = append(positions[0], line[random.IntN(min(openingPly, len(line)))])
				positions[1] = append(positions[1], line[random.IntN(len(line))])
			}
		}
	}
	return names, positions
}

// readGames returns the games in a folder.
func readGames(b *testing.B, lib *record.Library, folder string) (all []*record.Game) {
	var names []string
	err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			if _, ok := lib.FormatByExtension(path); ok {
				names = append(names, path)
			}
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	files := records.Files{Library: lib, Names: names, OnDamaged: func(error) {}}
	if err := files.Each(b.Context(), func(_ string, _ int, g *record.Game) error {
		if g.Plies() >= openingPly && g.Start.String() == lib.Game.Start().String() {
			all = append(all, g)
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	return all
}

// playOn returns the beginning of a game, played on with random moves, and its positions.
func playOn(base *record.Game, random *rand.Rand) (*record.Game, []engine.Position) {
	moves := base.MainLine()
	moves = moves[:openingPly/2+random.IntN(len(moves)-openingPly/2)]
	pos := base.Start
	line := []engine.Position{pos}
	for ply := range pliesOfGame {
		legal := pos.Moves()
		if len(legal) == 0 {
			break
		}
		m := legal[random.IntN(len(legal))]
		if ply < len(moves) {
			m = moves[ply]
		}
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		pos = next
		line = append(line, pos)
	}
	g := record.FromPosition(pos)
	g.Tags, g.Result = slices.Clone(base.Tags), engine.Outcome(1+random.IntN(3))
	return g, line
}

package endings

import (
	"embed"
	"io/fs"
	"sync"
)

// The program has the tables of all materials that together with their parts have up to maxSmall positions for one
// side to move, such as KRKR and KRKAAB, as 'qhsh endings make' writes them. So what they know is known everywhere, by
// the same bytes and at once.
const maxSmall = 500_000

//go:embed small
var small embed.FS

// smallTables has the materials of these tables, and the most men that one of them has.
var smallTables = sync.OnceValues(func() (materials map[Material]bool, most int) {
	entries, err := fs.ReadDir(small, "small")
	if err != nil {
		panic(err)
	}
	materials = map[Material]bool{}
	for _, e := range entries {
		if m, ok := materialOfFile(e.Name()); ok {
			materials[m], most = true, max(most, m.men())
		}
	}
	return materials, most
})

module qhsh/engine/lab

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/mmcloughlin/avo v0.6.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
	pgregory.net/rapid v1.3.0
	qhsh v0.0.0
)

require (
	github.com/clipperhouse/uax29/v2 v2.2.0 // indirect
	github.com/mattn/go-runewidth v0.0.31 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)

replace qhsh => ../..

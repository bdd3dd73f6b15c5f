module qhsh

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/mattn/go-isatty v0.0.24
	golang.org/x/sys v0.49.0
	pgregory.net/rapid v1.3.0
)

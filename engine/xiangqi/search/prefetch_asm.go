//go:build (amd64 || arm64) && !purego

package search

// prefetch has the processor load a cluster into its cache.
//
//go:noescape
func prefetch(c *cluster)

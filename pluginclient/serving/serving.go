// Package serving contains what the servers of all protocols share. A server is an engine process
// from the host's view: it reads commands and answers them with the results of a Searcher.
//
//   - [Lines] reads the host's lines ahead of their execution, in order.
//   - [Input] has the commands that wait for the end of a search, and finds those that need not wait.
//   - [Search] is a search in progress: it can be watched, stopped, informed of a ponder hit, and asked
//     for a validated answer.
//   - [LineWriter] writes replies, flushes them and records them in the trace.
//
// One goroutine runs the server. It waits for the next line and for the end of the search at the
// same time, and makes all decisions. One more goroutine reads and one searches. Therefore replies
// depend on the order of the host's lines and never on their timing; plugintest.CheckOrder tests
// that.
//
// A server never waits for a Searcher without a time limit. A Searcher that is told to stop has
// [Grace] to do so; after that, its results are ignored.
package serving

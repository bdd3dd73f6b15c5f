// Package serving is what the serving end of every protocol is built of: the program that a host
// has started, and that a Searcher stands behind. A protocol's server adds its words to it.
//
//   - [Lines] reads what the host says, ahead of what has been answered, and keeps the order.
//   - [Backlog] holds the commands that wait for the end of a search, and finds those that
//     do not have to.
//   - [Search] is a search under way: it is started, watched, told that its reply was played,
//     stopped, and asked for a validated answer.
//   - [LineWriter] writes answers, flushes each and tells the trace.
//
// A server is one goroutine, which waits for the next line and for the end of the search
// under way at the same time and alone decides what happens. Beside it one goroutine reads,
// and one searches; what they have to say is safe to call from there. So it is the order of the
// host's lines that decides what an answer is, and never the time at which they come:
// plugintest.CheckOrder holds every server to that.
//
// A server never waits for a Searcher without a bound. One that is told to stop has [Grace] to
// do so; after that, it is left alone, and whatever it still says is not heard.
package serving

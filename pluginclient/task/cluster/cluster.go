// Package cluster divides the work of a run among other machines, by way of a NATS server with
// JetStream.
//
// A run is a task of one process, the coordinator: positions to search, games to play. Its work is
// divided into units, which are bytes here: package job defines what they mean. [Run.Do] has a unit
// answered by some worker and returns the answer. That is all that a task sees: it calls Do from many
// goroutines where it would otherwise ask engines of its own, and reads its input, keeps its log and
// writes its output as ever. So the output has the same bytes as that of one machine, and a run is
// resumed in the same way, in a cluster or without one.
//
// # What is kept where
//
// JetStream is only the transport. The truth is in the coordinator's run log. The coordinator holds
// every unit until it has an answer; it accepts one answer for each, whatever arrives how often and
// from whom, and can send all of its units again at any time. So the server may lose everything, and
// a coordinator that was killed leaves nothing behind that the next one needs: it begins a new run
// with the units that its log does not answer.
//
//	stream QHSH_RUN          the chunks of a run, deleted when it ends
//	qhsh.run.RUN.chunk       a chunk: units in the order in which they are to be answered
//	qhsh.run.RUN.here        the coordinator, every few seconds: what the run needs
//	qhsh.run.RUN.begin       a worker's request to begin a chunk
//	qhsh.run.RUN.answers     a worker's request to accept answers
//	qhsh.run.RUN.cancel      a request to end the run
//	qhsh.worker.ID.here      a worker, every few seconds: what it has and does
//	qhsh.worker.ID.describe  a request to start an engine and describe it
//	qhsh.who                 a request that all coordinators and workers answer
//	stream QHSH_DEAD         the units that no worker survived, for thirty days
//
// Only chunks and dead units are stored. Answers are requests to the coordinator, which a worker
// repeats until they are accepted: to store them would not help, as only the process that waits for
// them can use them, and the chunk stays in its stream until then. A store that is full thus delays
// chunks and never loses an answer.
//
// # The life of a chunk
//
// Chunks are cut when they are needed, at most two for each job of a worker and at most 10,000 in
// all, so that they can be sized by the measured time of a unit: 20 seconds each at the average of
// all workers, so 10 to 60 where machines differ; less where too few units are left for all jobs, or
// where a message would be longer than 256 KiB.
//
// Each job of a worker has one chunk in hand and fetches one ahead. It asks for single messages: a
// client that fetches many hoards them, and they are delivered again while it works. Both are
// reported as in progress every 10 seconds. After 30 seconds without a report the server gives the
// chunk to another worker.
//
// Before a worker begins a chunk it asks the coordinator, who counts. The answer is which units of
// the chunk are still wanted; none, if it is a copy of one that is done. Answers are sent every 10
// seconds, or earlier if they are long. A chunk that has been begun five times and is not done is
// split into about the square root of its number of units; a single unit is given up: it has an error
// for an answer and is added to the list of dead units. So a position that kills the machine that
// searches it costs one error; so may a unit that such a machine had in another job all five times.
// No chunk is given up because workers died while they had it only fetched, or were told to stop.
//
// A worker that is told to stop sends the answers that it has, and hands back the rest.
//
// Every 30 seconds the coordinator compares the chunks that it waits for with those that the server
// knows, and sends again what is missing: after a restart the server may have lost what it had not
// synced, and streams have been seen to keep messages that are never delivered.
//
// # Trust
//
// A worker never runs a command line that came over the network. An engine is the name of one that
// the worker was started with, or an embedded engine with options that are data: see package job. The
// connection is encrypted if the server demands it or the URL begins with tls://. Beyond the machine
// itself credentials are required. Whoever has them can give work to workers and answers to runs.
//
// # Size
//
// For 100 million positions at 10,000 nodes each, 20 ms on one core, 1,000 workers with one job each
// answer 50,000 positions a second and need 33 minutes. What is limited:
//
//   - The coordinator reads, logs and writes answers with one goroutine each; it is measured at some
//     tens of thousands of positions a second, so it is what breaks first. Use -shard K/N with several
//     coordinators: they share the workers.
//   - At most 32,768 units are in flight, 16 for each of the 2,000 chunks of 1,000 workers, so a chunk
//     takes 0.3 s and the server has 3,000 chunks a second with six messages each: a third of what it
//     does at 50,000 messages a second.
//   - Its network: a position and its answer are about 400 bytes, 20 MB a second.
//   - The server's store has 2,000 chunks of 2 KB.
package cluster

import "time"

// Timing has the intervals and deadlines of a cluster. All processes must use the same.
type Timing struct {
	Here     time.Duration // between two announcements
	Gone     time.Duration // without one, after which who made them is gone
	Progress time.Duration // between reports that a chunk is in progress, and between answers
	AckWait  time.Duration // without a report, after which a chunk is delivered again
	Chunk    time.Duration // that a chunk is meant to take
	Check    time.Duration // between comparisons with what the server has
	Request  time.Duration // that a request may take before it is repeated
	Who      time.Duration // that all may take to say that they are there
}

// DefaultTiming returns the timing of all clusters but those of tests.
func DefaultTiming() Timing {
	return Timing{
		Here: 3 * time.Second, Gone: 15 * time.Second, Progress: 10 * time.Second, AckWait: 30 * time.Second,
		Chunk: 20 * time.Second, Check: 30 * time.Second, Request: 5 * time.Second, Who: 500 * time.Millisecond,
	}
}

const (
	maxAhead   = 10_000    // chunks that are sent and not done
	maxUnits   = 4096      // in a chunk
	maxBytes   = 256 << 10 // of units in a chunk, and of answers in a message
	maxBegins  = 5         // of a chunk
	firstUnits = 4         // in a chunk as long as no rate is known
)

// MaxUnits is how many units of a run may be in Do at the same time.
const MaxUnits = 32_768

// Package cluster divides the work of a run among other machines, by way of a NATS server with JetStream.
//
// A run is a task of one process, the coordinator: positions to search, games to play. Its work is divided into units,
// which are bytes here: package job defines what they mean. [Run.Do] has a unit answered by some worker and returns the
// answer. The task calls Do from many goroutines where it would otherwise ask engines of its own, and reads its input,
// keeps its log and writes its output as ever. So the output has the same bytes as that of one machine, and a run is
// resumed in the same way, in a cluster or without one.
//
// # What is kept where
//
// JetStream is only the transport. The coordinator holds every unit until it has an answer, and its run log has the
// answers; it accepts one answer for each unit, whatever arrives how often and from whom, and can send all of its units
// again at any time. So the server may lose everything, and a coordinator that was killed leaves nothing behind that
// the next one needs: it begins a new run with the units that its log does not answer.
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
// Only chunks and dead units are stored. A worker repeats its answers until the coordinator accepts them: only the
// process that waits for them can use them, and the chunk stays in its stream until then. A store that is full thus
// delays chunks and never loses an answer.
//
// # The life of a chunk
//
// Chunks are cut when they are needed, at most two for each job of a worker and at most 10,000 in all, so that they can
// be sized by the measured time of a unit: 20 seconds each at the average of all workers, so 10 to 60 where machines
// differ; less where too few units are left for all jobs, or where a message would be longer than 256 KiB.
//
// Each job of a worker has one chunk in hand and fetches one ahead. It asks for single messages: a client that fetches
// many hoards them, and they are delivered again while it works. Both are reported as in progress every 10 seconds.
// After 30 seconds without a report the server gives the chunk to another worker.
//
// Before a worker begins a chunk it asks the coordinator, who counts. The answer is which units of the chunk are still
// wanted; none, if it is a copy of one that is done. Answers are sent every 10 seconds, or earlier if they are long.
//
// A chunk that has been begun twice and is not done is suspect: it may be what kills the machines that have it. From
// then on a worker begins it when its other jobs have nothing in hand, and sends each answer before it begins the next
// unit, so that it takes no other work with it. A chunk that has been begun five times and is not done is split into
// its first unit without an answer, which stays suspect, and the rest, which does not. A single unit is given up: it
// has an error for an answer and is added to the list of dead units. No chunk is given up because workers died while
// they had it only fetched, or were told to stop: such a worker sends the answers that it has, and hands back the rest.
//
// Every 30 seconds the coordinator compares the chunks that it waits for with those that the server knows, and sends
// again what is missing: after a restart the server may have lost what it had not synced, and streams have been seen to
// keep messages that are never delivered.
//
// # Trust
//
// A worker never runs a command line that came over the network: an engine is the name of one that the worker was
// started with, or an embedded engine with options that are data, see package job. Beyond the machine itself
// credentials are required. Whoever has them can give work to workers and answers to runs, cancel runs, and answer
// under the name of another. If the server refuses them later, runs and workers end. The connection is encrypted if the
// server demands it or the URL begins with tls://.
//
// Messages whose numbers cannot be true are ignored, and text is escaped where it is shown. The task checks answers;
// one that cannot be right is asked for again, and a worker that has given two is not asked any more. Nobody can check
// a score.
//
// # Size
//
// As CPU time on one machine, the coordinator, server and workers of BenchmarkRun with 1,000 workers of one job need
// 150 µs a unit; a quarter of it is the server's. By itself, in 'qhsh hints' with large chunks, a coordinator needs
// 55 µs a position to read, log and write it, and a server 10 µs. A position and its answer are 200 bytes to the server
// and 200 from it. A position of 10,000 nodes takes 13 ms of one core, so 1,000 workers can search 80,000 a second. Then
//
//   - the coordinator breaks first: it writes from one goroutine, 18,000 positions a second. Use -shard K/N with several
//     coordinators: they share the workers.
//   - The server is next: at most 32,768 units are in flight, so a chunk of 2,000 has eight. 10,000 chunks a second at
//     nine messages each are three cores. A search of 100,000 nodes a position leaves it a tenth of that.
//   - The order of the output: 65,536 positions may be read and not written, so when a worker is lost, the others wait
//     after a second until its chunk is given out again 30 seconds later. -unordered avoids that.
package cluster

import "time"

// Timing has the intervals and deadlines of a cluster. All processes must use the same.
type Timing struct {
	Here     time.Duration // between two announcements
	Gone     time.Duration // without one, after which who made them is gone
	Ping     time.Duration // between pings of the server, which is lost after two without a reply
	Progress time.Duration // between reports that a chunk is in progress, and between answers
	AckWait  time.Duration // without a report, after which a chunk is delivered again
	Chunk    time.Duration // that a chunk is meant to take
	Check    time.Duration // between comparisons with what the server has
	Request  time.Duration // that a request may take before it is repeated
	Who      time.Duration // that all may take to say that they are there
	// Missing is how long nobody works for a run that waits until it says why, and MissingAgain until it
	// says so again.
	Missing, MissingAgain time.Duration
}

// DefaultTiming returns the timing of all clusters but those of tests.
func DefaultTiming() Timing {
	return Timing{
		Here: 3 * time.Second, Gone: 15 * time.Second, Ping: 10 * time.Second, Progress: 10 * time.Second,
		AckWait: 30 * time.Second, Chunk: 20 * time.Second, Check: 30 * time.Second, Request: 5 * time.Second, Who: 500 * time.Millisecond,
		Missing: 5 * time.Second, MissingAgain: time.Minute,
	}
}

const (
	maxAhead  = 10_000    // chunks that are sent and not done
	maxUnits  = 4096      // in a chunk
	maxBytes  = 256 << 10 // of units in a chunk, and of answers in a message
	maxBegins = 5         // of a chunk
	// suspectBegins is how many of them have to fail until the chunk is suspect: one alone is more
	// often the fault of the machine, or of another of its jobs.
	suspectBegins = 2
	firstUnits    = 4 // in a chunk as long as no rate is known
)

// MaxJobs is how many jobs a worker may have.
const MaxJobs = 1024

// MaxUnits is how many units of a run may be in Do at the same time.
const MaxUnits = 32_768

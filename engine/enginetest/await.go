package enginetest

import "time"

// Await waits for what no event tells of, such as a file of another process, and reports whether it
// came before a test is taken to hang.
func Await(done func() bool) bool {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if done() {
			return true
		}
	}
	return done()
}

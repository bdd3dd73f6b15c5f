package train

import (
	"sync"
	"sync/atomic"
)

// parallel calls do for 0 to n-1, on so many goroutines.
func parallel(jobs, n int, do func(i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(jobs, n) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wait.Wait()
}

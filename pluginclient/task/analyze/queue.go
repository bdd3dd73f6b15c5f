package analyze

import (
	"cmp"
	"container/heap"
	"slices"
)

// A queue holds waiting requests as a heap: the highest priority first, and then the order of the
// input.
type queue []*request

// before compares two requests by the order in which they are begun.
func before(a, b *request) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.seq, b.seq))
}

// Len implements heap.Interface.
func (q queue) Len() int { return len(q) }

// Less implements heap.Interface.
func (q queue) Less(i, j int) bool { return before(q[i], q[j]) < 0 }

// Swap implements heap.Interface.
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements heap.Interface.
func (q *queue) Push(x any) {
	r := x.(*request)
	r.index = len(*q)
	*q = append(*q, r)
}

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := len(*q) - 1
	r := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	r.index = -1
	return r
}

// take removes the first request.
func (q *queue) take() *request { return heap.Pop(q).(*request) }

// add adds a request.
func (q *queue) add(r *request) { heap.Push(q, r) }

// remove removes a request.
func (q *queue) remove(r *request) { heap.Remove(q, r.index) }

// sorted returns the requests in the order in which they will be begun.
func (q queue) sorted() []*request { return slices.SortedFunc(slices.Values(q), before) }

package analyze

import (
	"cmp"
	"container/list"
	"slices"
)

// A queue holds waiting requests: the highest priority first, and then the order of the input. It is
// a list for each priority: a heap touches some of ten thousand requests at each step, which costs
// more than parsing one. The zero queue is empty.
type queue struct {
	priorities []int // those of lists, the highest first
	lists      map[int]*list.List
}

// add adds a request.
func (q *queue) add(r *request) {
	requests := q.lists[r.priority]
	if requests == nil {
		requests = list.New()
		if q.lists == nil {
			q.lists = map[int]*list.List{}
		}
		q.lists[r.priority] = requests
		i, _ := slices.BinarySearchFunc(q.priorities, r.priority, func(a, b int) int { return cmp.Compare(b, a) })
		q.priorities = slices.Insert(q.priorities, i, r.priority)
	}
	r.waiting = requests.PushBack(r)
}

// take removes the first request and returns it; nil if none waits.
func (q *queue) take() *request {
	if len(q.priorities) == 0 {
		return nil
	}
	r := q.lists[q.priorities[0]].Front().Value.(*request)
	q.remove(r)
	return r
}

// remove removes a request.
func (q *queue) remove(r *request) {
	requests := q.lists[r.priority]
	requests.Remove(r.waiting)
	if r.waiting = nil; requests.Len() > 0 {
		return
	}
	delete(q.lists, r.priority)
	q.priorities = slices.DeleteFunc(q.priorities, func(p int) bool { return p == r.priority })
}

// all returns the requests in the order in which they will be begun.
func (q *queue) all() (all []*request) {
	for _, p := range q.priorities {
		for e := q.lists[p].Front(); e != nil; e = e.Next() {
			all = append(all, e.Value.(*request))
		}
	}
	return all
}

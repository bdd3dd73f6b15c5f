package batch

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
)

// An Entry tells of an answer that the Sink has taken.
type Entry struct {
	Index int    // of the position in the input, from 0
	Sum   uint32 // of the input up to and with this position, see Resume
	Adds  Tally  // what the answer adds to the run's tally
	Key   Key    // of the position, if Reply is not nil
	Reply *Reply // what was found out about the position, if nobody had been asked before
}

// A Journal is told of every answer that the Sink has taken, in the order in which it took
// them, and keeps the replies. Note and Reply may be called at the same time.
type Journal interface {
	// Note takes note of an answer. ref is where its reply is kept, or -1. An error ends
	// the run.
	Note(e Entry) (ref int64, err error)
	// Reply is what is kept there. An error says that it is not kept any more.
	Reply(ref int64) (Key, Reply, error)
}

// A Resume is how far a run had come that is gone on with. The Sink has been made to go on
// behind its answers.
type Resume struct {
	Next  int            // the first position of the input without an answer
	Done  map[int]uint32 // those behind it that have one, with the sums that the input has to have there; none where order was kept
	Sum   uint32         // of the input up to Next
	Check bool           // read the input again up to Next: its sum has to be Sum
	Tally Tally          // the answers so far
	Index *Index         // of what the Journal keeps
}

// Advance takes note of an answered position.
func (r *Resume) Advance(index int, sum uint32) {
	if index != r.Next {
		if r.Done == nil {
			r.Done = map[int]uint32{}
		}
		r.Done[index] = sum
		return
	}
	r.Next, r.Sum = index+1, sum
	for {
		sum, ok := r.Done[r.Next]
		if !ok {
			return
		}
		delete(r.Done, r.Next)
		r.Next, r.Sum = r.Next+1, sum
	}
}

// Sum is the sum of a whole input, as the Entry of its last position has it; 0 if there is none.
// Src is closed if it is an io.Closer.
func Sum(ctx context.Context, src Source) (sum uint32, err error) {
	defer closeSource(src)
	for ctx.Err() == nil {
		item, err := src.Next()
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return sum, fmt.Errorf("input: %w", err)
		}
		sum = sumItem(sum, item)
	}
	return sum, context.Cause(ctx)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumItem is the sum of an input that goes on with one more Item.
func sumItem(sum uint32, item Item) uint32 {
	n := uint32(item.Line)
	b := make([]byte, 0, 256)
	b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	for _, text := range []string{item.Input, item.Text, item.ID} {
		b = append(append(b, text...), 0)
	}
	for _, m := range item.Moves {
		b = append(append(b, m...), 0)
	}
	return crc32.Update(sum, castagnoli, b)
}

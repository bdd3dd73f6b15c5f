package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/jsonl"
	"qhsh/pluginclient/task/batch"
)

// The actions.
const (
	actCancel       = jsonl.ActionCancel    // give requests up
	actTerminate    = jsonl.ActionTerminate // answer requests with the best so far
	actTerminateAll = "terminate_all"
	actClearCache   = "clear_cache"
	actVersions     = jsonl.ActionVersions
	actQueue        = "queue"
	actState        = jsonl.ActionState
)

var actions = []string{actCancel, actTerminate, actTerminateAll, actClearCache, actVersions, actQueue, actState}

// act carries out an action and answers it.
func (c *conversation) act(l inputLine, m message) {
	a := Answer{ID: m.ID, Action: m.Action, TerminateID: m.TerminateID, TurnNumbers: m.TurnNumbers}
	switch m.Action {
	case actCancel:
		c.endRequests(a, m.IDs, errCancelled)
	case actTerminate, actTerminateAll:
		c.endRequests(a, m.IDs, engine.ErrMoveNow)
	case actClearCache:
		c.writeFinal(a) // an engine forgets before each search
	case actVersions:
		a.Version = c.Version
		for _, l := range c.current() {
			info := l.Pool.Info()
			e := engineInfo{
				Engine: l.Name, Jobs: l.Pool.Size(), Spec: l.Spec, Name: info.Name, Protocol: info.Protocol, Game: l.Game.Name(),
			}
			for _, level := range info.Levels {
				e.Levels = append(e.Levels, levelInfo{level.ID, level.Text})
			}
			a.Engines = append(a.Engines, e)
		}
		c.writeFinal(a)
	case actQueue:
		c.mu.Lock()
		for _, l := range c.lanes {
			a.Engines = append(a.Engines, engineInfo{Engine: l.Name, Jobs: l.Pool.Size(), Queued: c.idsOf(l.waiting), Running: c.idsOf(l.running)})
		}
		c.mu.Unlock()
		c.writeFinal(a)
	case actState:
		lane, err := c.lane(m.Engine)
		var item batch.Item
		if err == nil {
			item, err = m.item(lane.Game)
		}
		if err != nil {
			c.refuse(l, m.ID, err)
			return
		}
		a.State = jsonl.StateOf(item.Pos, c.Board(item.Pos), "")
		c.writeFinal(a)
	default:
		c.refuse(l, m.ID, inField("action", fmt.Errorf("unknown action %q: want %s", m.Action, strings.Join(actions, ", "))))
	}
}

// endRequests ends the conversation's requests with ids, or all of them if ids is nil, and with the turns
// of a, for a reason. Those that wait are answered at once, those that run when their engine has stopped.
// One that is to be answered and waits for nothing but its worker to wake up counts as running.
func (c *conversation) endRequests(a Answer, ids []batch.ID, why error) {
	a.IDs = []batch.ID{}
	var waiting, running []*request
	c.mu.Lock()
	if ids == nil {
		ids = slices.SortedFunc(maps.Keys(c.inFlight), func(a, b batch.ID) int { return c.inFlight[a][0].line - c.inFlight[b][0].line })
	}
	for _, id := range ids {
		turns := slices.DeleteFunc(slices.Clone(c.inFlight[id]), func(r *request) bool {
			return r.ended == why || r.ended == errCancelled || a.TurnNumbers != nil && !slices.Contains(a.TurnNumbers, r.turn)
		})
		if len(turns) > 0 {
			a.IDs = append(a.IDs, id)
		}
		for _, r := range turns {
			r.ended = why
			if r.cancel != nil {
				running = append(running, r)
				continue
			}
			i := slices.Index(r.lane.waiting, r)
			if why == engine.ErrMoveNow && i < r.lane.Pool.Size()-len(r.lane.running) {
				continue
			}
			r.lane.waiting = slices.Delete(r.lane.waiting, i, i+1)
			waiting = append(waiting, r)
		}
	}
	c.mu.Unlock()
	c.writeFinal(a)
	for _, r := range waiting {
		c.done(r, r.answer(nil, 0))
	}
	for _, r := range running {
		r.cancel(why)
	}
}

// idsOf returns the ids of the conversation's requests among all.
func (c *conversation) idsOf(all []*request) []batch.ID {
	ids := []batch.ID{}
	for _, r := range all {
		if r.from == c {
			ids = append(ids, r.id)
		}
	}
	return ids
}

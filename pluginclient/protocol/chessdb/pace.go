package chessdb

import (
	"context"
	"net"
	"net/url"
	"sync"
	"time"
)

// interval is the time between questions to a server. It allows 5 a second and 100,000 a day, for all who
// share an address.
const interval = time.Second

// A pace makes those who ask a server wait for their turn.
type pace struct {
	mu   sync.Mutex
	next time.Time // when the next question may be asked
}

// paces are those of all servers that this process has asked, by their hosts.
var paces sync.Map

// paceOf returns the pace of a server. One on this machine has none: nil.
func paceOf(u *url.URL) *pace {
	host := u.Hostname()
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	p, _ := paces.LoadOrStore(u.Host, new(pace))
	return p.(*pace)
}

// wait returns when a question may be asked, or the cause of ctx.
func (p *pace) wait(ctx context.Context) error {
	if p == nil {
		return context.Cause(ctx)
	}
	p.mu.Lock()
	at := time.Now()
	if p.next.After(at) {
		at = p.next
	}
	p.next = at.Add(interval)
	p.mu.Unlock()
	select {
	case <-time.After(time.Until(at)):
	case <-ctx.Done():
	}
	return context.Cause(ctx)
}

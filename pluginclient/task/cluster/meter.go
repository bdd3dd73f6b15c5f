package cluster

import (
	"math"
	"time"
)

// meterWindow is the time over which a meter averages, with older events weighing less.
const meterWindow = time.Minute

// A meter measures how often something happens.
type meter struct {
	begun, at time.Time
	events    float64 // up to at, the older ones in part
}

func (m *meter) add(n int) {
	m.events, m.at = m.now()+float64(n), time.Now()
}

// now returns the events as they weigh now.
func (m *meter) now() float64 {
	return m.events * math.Exp(-time.Since(m.at).Seconds()/meterWindow.Seconds())
}

// perSecond returns the rate.
func (m *meter) perSecond() float64 {
	if m.events == 0 {
		return 0
	}
	window := meterWindow.Seconds()
	return m.now() / (window * (1 - math.Exp(-time.Since(m.begun).Seconds()/window)))
}

package browser

import (
	"os"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	u := os.Getenv("SERVE_URL")
	if u == "" {
		t.Skip()
	}
	tab := Open(t, u, 1400, 1000)
	tab.Wait(t, "document.querySelector('.line')")
	for i := range 110 {
		key := "ArrowRight"
		if i/40%2 == 1 {
			key = "ArrowLeft"
		}
		tab.Press(t, key)
		time.Sleep(4 * time.Second)
	}
}

package browser

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// guard is how long Chromium may take for anything. It is no limit that a test relies on.
const guard = time.Minute

// A Tab is a page in a browser context of its own, driven by the DevTools protocol. It is for one goroutine.
type Tab struct {
	conn    *websocket.Conn
	session string // of the page
	last    int    // id of a command
	buttons int    // of the mouse that are down, as bits
	console []string
}

// params are those of a command.
type params = map[string]any

// A message is a reply to a command or an event, with the fields that are used.
type message struct {
	ID     int
	Error  struct{ Message string }
	Result struct {
		TargetID, SessionID string
		BrowserContextID    string
		ErrorText           string // of a navigation
		Data                []byte // of a screenshot
		Result              object
		ExceptionDetails    *exception
	}
	Method string // of an event
	Params struct {
		Type             string // of console output
		Args             []object
		Entry            struct{ Level, Text, URL string }
		ExceptionDetails exception
	}
}

// An exception is what a script has thrown.
type exception struct{ Exception object }

func (e *exception) Error() string { return e.Exception.String() }

// An object is a value of a script.
type object struct {
	Type, Subtype, Description string
	Value                      any
}

func (o object) String() string {
	if o.Value != nil {
		return fmt.Sprint(o.Value)
	}
	return cmp.Or(o.Description, o.Subtype, o.Type)
}

// Open loads the page at an address, in a viewport of a given size. It is closed at the end of the test.
func Open(t testing.TB, address string, width, height int) *Tab {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), debugger(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(-1)
	tab := &Tab{conn: conn}
	profile := params{"browserContextId": tab.do(t, "Target.createBrowserContext", nil).Result.BrowserContextID}
	t.Cleanup(func() { // and the page is gone before the server of its files
		tab.session = ""
		tab.do(t, "Target.disposeBrowserContext", profile)
	})
	target := tab.do(t, "Target.createTarget", params{"url": "about:blank", "browserContextId": profile["browserContextId"]}).Result.TargetID
	tab.session = tab.do(t, "Target.attachToTarget", params{"targetId": target, "flatten": true}).Result.SessionID
	tab.do(t, "Runtime.enable", nil)
	tab.do(t, "Log.enable", nil)
	tab.Size(t, width, height)
	if text := tab.do(t, "Page.navigate", params{"url": address}).Result.ErrorText; text != "" {
		t.Fatalf("%s: %s", address, text)
	}
	tab.Wait(t, `document.readyState == "complete"`)
	return tab
}

// call returns the reply to a command, and keeps the console output that precedes it.
func (tab *Tab) call(method string, p params) (message, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*guard)
	defer cancel()
	tab.last++
	command := params{"id": tab.last, "method": method, "params": p}
	if tab.session != "" {
		command["sessionId"] = tab.session
	}
	err := wsjson.Write(ctx, tab.conn, command)
	for err == nil {
		var m message
		err = wsjson.Read(ctx, tab.conn, &m)
		switch p := m.Params; {
		case m.ID == tab.last && m.Error.Message != "":
			return m, errors.New(m.Error.Message)
		case m.ID == tab.last:
			return m, nil
		case m.Method == "Runtime.consoleAPICalled":
			list := fmt.Sprint(p.Args)
			tab.console = append(tab.console, p.Type+": "+list[1:len(list)-1])
		case m.Method == "Runtime.exceptionThrown":
			tab.console = append(tab.console, "exception: "+p.ExceptionDetails.Error())
		case m.Method == "Log.entryAdded":
			tab.console = append(tab.console, strings.TrimSpace(p.Entry.Level+": "+p.Entry.Text+" "+p.Entry.URL))
		}
	}
	return message{}, err
}

// do is call for a command that must succeed.
func (tab *Tab) do(t testing.TB, method string, p params) message {
	t.Helper()
	m, err := tab.call(method, p)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return m
}

// evaluate returns the value of an expression. What it throws is an [exception].
func (tab *Tab) evaluate(expression string) (object, error) {
	m, err := tab.call("Runtime.evaluate", params{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true})
	if thrown := m.Result.ExceptionDetails; thrown != nil {
		err = thrown
	}
	return m.Result.Result, err
}

// Eval returns the value of an expression, or of the promise that it is, as JSON.
func (tab *Tab) Eval(t testing.TB, expression string) string {
	t.Helper()
	value, err := tab.evaluate(expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value.Value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// Wait waits until a condition, an expression, is true. The page may load another one meanwhile.
func (tab *Tab) Wait(t testing.TB, condition string) {
	t.Helper()
	var thrown *exception
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		_, err := tab.evaluate(fmt.Sprintf(`(async () => {
			const end = Date.now() + %d
			while (!(%s)) {
				if (Date.now() > end) throw "never true in the document: " + document.documentElement.innerText
				await new Promise(done => setTimeout(done, 10))
			}
		})()`, guard.Milliseconds(), condition))
		switch {
		case err == nil:
			return
		case errors.As(err, &thrown) || time.Since(began) > guard: // another error: the promise is gone with its page
			t.Fatalf("%s: %v\nconsole: %q", condition, err, tab.console)
		}
	}
}

// Click clicks in the middle of the first element that a selector matches.
func (tab *Tab) Click(t testing.TB, selector string) {
	t.Helper()
	var at struct{ X, Y float64 }
	value, err := tab.evaluate(fmt.Sprintf(`(() => {
		const found = document.querySelector(%q)
		if (!found) throw "no such element"
		found.scrollIntoView({block: "nearest", behavior: "instant"})
		const box = found.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2
		const top = document.elementFromPoint(x, y)
		if (!found.contains(top)) throw "hidden by " + top?.outerHTML
		return JSON.stringify({x, y})
	})()`, selector))
	if err == nil {
		err = json.Unmarshal([]byte(value.String()), &at)
	}
	if err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
	tab.Drag(t, at.X, at.Y, at.X, at.Y, "left")
}

// Mouse moves the mouse to a point of the viewport ("mouseMoved"), or presses or releases a button there
// ("mousePressed", "mouseReleased"): "left", "middle", "right", or "none" for a move.
func (tab *Tab) Mouse(t testing.TB, kind string, x, y float64, button string) {
	t.Helper()
	bit, clicks := map[string]int{"left": 1, "right": 2, "middle": 4}[button], 1
	switch kind {
	case "mousePressed":
		tab.buttons |= bit
	case "mouseReleased":
		tab.buttons &^= bit
	default:
		clicks = 0
	}
	tab.do(t, "Input.dispatchMouseEvent", params{"type": kind, "x": x, "y": y, "button": button, "buttons": tab.buttons, "clickCount": clicks})
}

// Drag presses a button of the mouse at a point, moves it to another in two steps, and releases it there.
func (tab *Tab) Drag(t testing.TB, x1, y1, x2, y2 float64, button string) {
	t.Helper()
	tab.Mouse(t, "mouseMoved", x1, y1, "none")
	tab.Mouse(t, "mousePressed", x1, y1, button)
	if x1 != x2 || y1 != y2 {
		tab.Mouse(t, "mouseMoved", (x1+x2)/2, (y1+y2)/2, button)
		tab.Mouse(t, "mouseMoved", x2, y2, button)
	}
	tab.Mouse(t, "mouseReleased", x2, y2, button)
}

// keyCodes are the virtual key codes of the keys that type no character.
var keyCodes = map[string]int{
	"Backspace": 8, "Tab": 9, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
	"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46,
}

// Press presses and releases keys: characters, or names as KeyboardEvent.key has them, either after
// "Control+", "Shift+" or "Control+Shift+".
func (tab *Tab) Press(t testing.TB, keys ...string) {
	t.Helper()
	for _, key := range keys {
		key, control := strings.CutPrefix(key, "Control+")
		key, shift := strings.CutPrefix(key, "Shift+")
		p := params{"type": "keyDown", "key": key, "modifiers": map[bool]int{true: 2}[control] | map[bool]int{true: 8}[shift]}
		switch code, ok := keyCodes[key]; {
		case ok:
			p["windowsVirtualKeyCode"] = code
		case key == "Enter":
			p["windowsVirtualKeyCode"], p["text"] = '\r', "\r"
		default:
			p["windowsVirtualKeyCode"] = []rune(strings.ToUpper(key))[0] // right for letters and digits
			if !control {
				p["text"] = key
			}
		}
		tab.do(t, "Input.dispatchKeyEvent", p)
		p["type"], p["text"] = "keyUp", ""
		tab.do(t, "Input.dispatchKeyEvent", p)
	}
}

// Size changes the size of the viewport.
func (tab *Tab) Size(t testing.TB, width, height int) {
	t.Helper()
	tab.do(t, "Emulation.setDeviceMetricsOverride", params{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
}

// Media sets a media feature, such as prefers-color-scheme.
func (tab *Tab) Media(t testing.TB, feature, value string) {
	t.Helper()
	tab.do(t, "Emulation.setEmulatedMedia", params{"features": []params{{"name": feature, "value": value}}})
}

// Screenshot returns a picture of the viewport.
func (tab *Tab) Screenshot(t testing.TB) image.Image {
	t.Helper()
	shot, err := png.Decode(bytes.NewReader(tab.do(t, "Page.captureScreenshot", nil).Result.Data))
	if err != nil {
		t.Fatal(err)
	}
	return shot
}

// Console returns what scripts have written to the console, what they have thrown, and what the page could
// not load or was not allowed to.
func (tab *Tab) Console(t testing.TB) []string {
	t.Helper()
	tab.Eval(t, "null") // what precedes its reply is complete
	return tab.console
}

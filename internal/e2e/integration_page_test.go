//go:build integration

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is Chromium with one page.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string // what scripts threw and the console was told
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	flags := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WSURLReadTimeout(patience), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1000, 800),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-domain-reliability", true), chromedp.Flag("no-pings", true),
		// Nothing but this machine can be reached.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(stop)
	ctx, closePage := chromedp.NewContext(ctx)
	t.Cleanup(closePage)
	b := &browser{t: t, ctx: ctx}
	err := chromedp.Listen(ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := ev.(type) {
		case *runtime.EventExceptionThrown:
			b.complaints = append(b.complaints, e.ExceptionDetails.Text+" "+e.ExceptionDetails.URL)
		case *log.EventEntryAdded:
			b.complaints = append(b.complaints, e.Entry.Text)
		}
	})
	if err != nil {
		t.Fatalf("Chromium is needed: %v", err)
	}
	return b
}

// complaint is what the page has complained of so far.
func (b *browser) complaint() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.complaints, "\n")
}

// patience is how long a browser may take for what takes no time: on a machine that does much else it is slow, and only
// a test that fails waits so long.
const patience = time.Minute

// do runs steps in the page.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v\nthe page says:\n%s\nit complains of: %s", err, b.text(), b.complaint())
	}
}

// js gives the value of an expression as text. What the expression is about may not be there yet: it is tried until it
// is.
func (b *browser) js(expression string) string {
	b.t.Helper()
	return b.until(expression, func(string) bool { return true })
}

// await waits until an expression has this value as text.
func (b *browser) await(expression, want string) {
	b.t.Helper()
	b.until(expression, func(got string) bool { return got == want })
}

// until evaluates an expression until its value is good, and gives it. An expression that throws, as what it names is not
// there, and a page that is just being left have no value.
func (b *browser) until(expression string, good func(string) bool) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		got, err := chromedp.Run(ctx, chromedp.Evaluate[string](`String(`+expression+`)`))
		if err == nil && good(got) {
			return got
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			b.t.Fatalf("%s is %q (%v), which is not what was to come\nthe page says:\n%s\nit complains of: %s", expression, got, err, b.text(), b.complaint())
		}
	}
}

// text is what the page says, for the report of a failure.
func (b *browser) text() string {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText`))
	if err != nil {
		return err.Error()
	}
	return text
}

// ask types a question where the keys go, and presses Enter.
func (b *browser) ask(message string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(message), chromedp.Func(pressEnter))
}

// pressEnter is one key stroke as a keyboard makes it: its text comes with the key, so that a page can refuse both at once.
// chromedp.KeyEvent sends the text apart.
func pressEnter(ctx context.Context, page *chromedp.Target) error {
	key := input.DispatchKeyEventParams{Type: kb.KeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: kb.Enter, UnmodifiedText: kb.Enter}
	if _, err := cdp.Call(ctx, page, input.DispatchKeyEvent, key); err != nil {
		return err
	}
	key.Type, key.Text, key.UnmodifiedText = kb.KeyUp, "", ""
	_, err := cdp.Call(ctx, page, input.DispatchKeyEvent, key)
	return err
}

const (
	focused = `document.activeElement.id`
	status  = `document.getElementById("status").textContent`
)

// TestIntegrationPage asks by keyboard alone: steps arrive, then a table and its text; what cannot be answered and a server
// that is gone are said on the page.
func TestIntegrationPage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data", "sales.csv"), "region,amount\nNorth,10.50\nSouth,4.25\nNorth,8.00\n")
	write(t, filepath.Join(dir, "data", "shops.csv"), "shop,city\n<img src=x onerror=alert(1)>,Rome\nCorner,Oslo\n")
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, "--data", "data")
	if err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceValue(s.stop)
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	b := openBrowser(t)

	b.do(chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	b.js(`document.getElementById("open-settings").click()`)
	b.await(`document.getElementById("about").textContent.includes("offline")`, "true")
	if about := b.js(`document.getElementById("settings").textContent`); strings.Contains(about, "undefined") {
		t.Errorf("the settings say %q", about)
	}
	b.js(`document.querySelector("#settings .close").click()`)
	b.await(focused, "message")

	b.ask("total amount by region in sales")
	b.do(chromedp.WaitVisible(chromedp.CSS("#turns > li:nth-child(1) .answer table tbody tr")))
	b.await(status, "Answered.")
	if steps := b.js(`document.querySelector("#turns .steps").textContent`); !strings.Contains(steps, "Sum of Amount for each Region") {
		t.Errorf("the steps are %q", steps)
	}
	if marks := b.js(`[...document.querySelectorAll("#turns .steps > li")].every((li) => li.className === "done")`); marks != "true" {
		t.Error("there is a step that is not shown as done")
	}
	if first := b.js(`document.querySelector("#turns .answer table tbody tr").innerText`); !strings.Contains(first, "North") || !strings.Contains(first, "18.50") {
		t.Errorf("the first row is %q", first)
	}

	b.await(focused, "message") // the next question needs no mouse
	b.ask("list all rows of shops")
	b.do(chromedp.WaitVisible(chromedp.CSS("#turns > li:nth-child(2) .answer table tbody tr")))
	if images := b.js(`document.querySelectorAll("#turns img").length`); images != "0" {
		t.Error("a cell became an image")
	}
	if text := b.js(`document.querySelector("#turns > li:nth-child(2) .answer").innerText`); !strings.Contains(text, "<img src=x") {
		t.Errorf("the cell is not shown as it is: %q", text)
	}

	b.await(focused, "message")
	b.ask("average humidity by region")
	b.await(`document.querySelector("#turns > li:nth-child(3) .answer")?.innerText.includes("humidity")`, "true")
	b.await(status+` !== "Answered."`, "true")

	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li:nth-child(3)")))
	b.await(`document.querySelectorAll("#turns > li").length`, "3")
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}

	if err := stop(); err != nil {
		t.Fatal(err)
	}
	b.await(focused, "message")
	b.ask("total amount by region in sales")
	b.do(chromedp.WaitVisible(chromedp.CSS("#turns .notice.bad")))
	if notice := b.js(`document.querySelector("#turns .notice.bad").innerText`); !strings.Contains(notice, "cannot be reached") {
		t.Errorf("the notice is %q", notice)
	}
	if kept := b.js(`document.getElementById("message").value`); kept != "total amount by region in sales" {
		t.Errorf("the question is lost; its field holds %q", kept)
	}
}

// TestIntegrationPageDownload: a file that a tab with a key is not given is told of below its link, until it is asked for again.
func TestIntegrationPageDownload(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data", "sales.csv"), "region,amount\nNorth,10.50\nSouth,4.25\n")
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, "--data", "data")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	b := openBrowser(t)
	b.do(chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	b.await(focused, "message")
	b.ask("total amount by region in sales")
	b.await(status, "Answered.")
	b.js(`sessionStorage.setItem("catena-key", "any")`)
	b.js(`document.querySelector(".table .menu:last-child").open = true`)
	b.await(`document.querySelectorAll(".table .items a[download]").length`, "4")
	const said = `[...document.querySelectorAll(".table .notice[role=alert]:not([hidden])")].map((p) => p.textContent).join("|")`
	for _, c := range []struct{ server, want string }{
		{`async () => new Response('{"detail":"As much is being sent as may be.","hint":"Try again."}', { status: 503 })`, "As much is being sent as may be. Try again."},
		{`() => new Promise(() => {})`, ""},
		{`() => Promise.reject(new TypeError("Failed to fetch"))`, "The server cannot be reached. Is it still running?"},
		{`async () => new Response("no JSON", { status: 502 })`, "The server answered 502."},
	} {
		b.js(`window.fetch = ` + c.server)
		b.js(`document.querySelector(".table .items a[download]").click()`)
		b.await(said, c.want)
	}
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}
}

// TestIntegrationPageDecide decides about steps that wait by their buttons, also after a reload: refused it is not run, approved it is.
func TestIntegrationPageDecide(t *testing.T) {
	dir := t.TempDir()
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	b := openBrowser(t)
	b.do(chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	answered := func(message, want string) {
		t.Helper()
		b.await(focused, "message")
		b.ask(message)
		b.await(status, want)
	}
	press := func(name string) {
		t.Helper()
		button := `[...document.querySelectorAll("#turns > li:last-child .decide button")].find((x) => x.textContent === "` + name + `")`
		b.await(button+` !== undefined`, "true")
		b.js(button + `.click()`)
		b.await(status, "Answered.")
	}
	const last = `document.querySelector("#turns > li:last-child").textContent`
	answered("remember that Globex prefers tea", "Answered.")
	const waits = `document.querySelector("#turns > li:last-child .notice:has(.decide)").innerText`
	answered("forget what I said about Globex", "Waits for approval.")
	if said := b.js(waits); !strings.Contains(said, "Delete a memory for good:") || !strings.Contains(said, `text: "Globex prefers tea"`) {
		t.Errorf("what waits is said so: %q", said)
	}
	press("Refuse")
	if said := b.js(last); !strings.Contains(said, "was not run, as you decided") {
		t.Errorf("refused, it says %q", said)
	}
	answered("forget what I said about Globex", "Waits for approval.")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li:nth-child(3) .decide button")))
	press("Approve")
	if said := b.js(last); !strings.Contains(said, "Delete memory") || strings.Contains(said, "Approve") {
		t.Errorf("approved, it says %q", said)
	}
	if n := b.js(`document.querySelectorAll("#turns > li").length`); n != "3" {
		t.Errorf("there are %s turns", n)
	}
	answered("raise the trust of Lila and Don by 5", "Waits for approval.")
	if said := b.js(waits); !strings.Contains(said, `of: "Lila"`) || !strings.Contains(said, "trust: 7.5 → 10") {
		t.Errorf("what waits is said so: %q", said)
	}
	// The tables of what was forgotten are gone with it.
	gone := "Failed to load resource: the server responded with a status of 404 (Not Found)"
	if said := strings.Trim(strings.ReplaceAll(b.complaint(), gone, ""), "\n"); said != "" {
		t.Errorf("the page complains of: %s", said)
	}
}

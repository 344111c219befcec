//go:build integration

package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// openPage starts the program and opens its page. stop ends the program, once.
func openPage(t *testing.T, env ...string) (b *browser, stop func()) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data", "sales.csv"), "region,amount\nNorth,10.50\nSouth,4.25\nNorth,8.00\n")
	env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, env...)
	s, url, err := startProgram(dir, env, "--data", "data")
	if err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	b = openBrowser(t)
	b.do(chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	b.await(focused, "message")
	return b, stop
}

// choose puts files into the page's list, as its dialog does; each is a name and a text.
func (b *browser) choose(files ...string) {
	b.t.Helper()
	script := `(() => { const all = new DataTransfer(); `
	for i := 0; i < len(files); i += 2 {
		script += fmt.Sprintf(`all.items.add(new File([%q], %q)); `, files[i+1], files[i])
	}
	b.js(script + `const field = document.getElementById("file"); field.files = all.files; field.dispatchEvent(new Event("change")); return "" })()`)
}

const (
	lastText   = `document.querySelector("#turns > li:last-child")?.innerText ?? ""`
	lastSteps  = `document.querySelector("#turns > li:last-child .steps")?.textContent ?? ""`
	lastTables = `document.querySelectorAll("#turns > li:last-child .table [role=grid]").length`
	stopShown  = `!document.getElementById("cancel").hidden`
	chosen     = `[...document.querySelectorAll("#files li")].map((x) => x.firstChild.textContent).join("|")`
)

// gatedModel is a model that answers nobody until gates lets it, and then fails, so that plans are made offline.
func gatedModel(t *testing.T) (env []string, gates chan struct{}) {
	t.Helper()
	gates = make(chan struct{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then it is seen that a client hangs up
		select {
		case <-gates:
			http.Error(w, "no", http.StatusBadRequest)
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { model.CloseClientConnections(); model.Close() })
	return []string{"CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=gated", "CATENA_LLM_API_KEY=none", "CATENA_LLM_BASE_URL=" + model.URL + "/v1"}, gates
}

// TestIntegrationPageReload reloads the page in the middle of a first turn, of a later one, and after their ends.
func TestIntegrationPageReload(t *testing.T) {
	env, gates := gatedModel(t)
	b, _ := openPage(t, env...)
	const questions = `[...document.querySelectorAll("#turns .question")].map((x) => x.textContent).join("|")`
	reload := func() { b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#message"))) }

	b.ask("total amount by region in sales")
	b.await(`location.hash.length > 5`, "true") // before there is an answer
	b.await(stopShown, "true")
	session := b.js(`location.hash`)
	reload()
	b.await(questions, "total amount by region in sales")
	b.await(stopShown, "true")
	b.await(`(`+lastSteps+`).includes("Plan")`, "true")
	close(gates)
	b.await(status, "Answered.")
	b.await(stopShown, "false")
	b.await(lastTables, "1")
	steps := b.js(lastSteps)
	if !strings.Contains(steps, "Sum of Amount for each Region") {
		t.Errorf("the steps are %q", steps)
	}

	reload()
	b.await(questions, "total amount by region in sales")
	b.await(lastSteps, steps)
	b.await(lastTables, "1")
	if title := b.js(`document.querySelector("#turns .table .bar").textContent`); !strings.Contains(title, "2 rows") {
		t.Errorf("the table is called %q", title)
	}
	if got := b.js(`location.hash`); got != session {
		t.Errorf("the session is %s, it was %s", got, session)
	}

	// the text of an answer whose run's log cannot be had shows its table, and no other
	b.js(`document.getElementById("fresh").click()`)
	b.await(titleShown, "New chat")
	b.js(`window.fetched = window.fetch`)
	b.js(`window.fetch = async (p, i) => (String(p).includes("/events") ? new Response('{"code":"not_found","detail":"It is gone."}', { status: 404 }) : fetched(p, i))`)
	b.js(`document.querySelector("#chat-list .title").click()`)
	b.await(questions, "total amount by region in sales")
	b.await(`document.querySelectorAll("#turns .answer table").length`, "1")
	if text := b.js(lastText); strings.Contains(text, "NaN") || !strings.Contains(text, "18.50") {
		t.Errorf("without its log the answer is %q", text)
	}
	reload()
	b.await(lastTables, "1")

	b.ask("show total amount by region in sales as a bar chart")
	b.await(`document.querySelectorAll("#turns > li:last-child .chart .drawing").length`, "1")
	b.await(status, "Answered.")
	reload()
	b.await(`document.querySelectorAll("#turns > li:last-child .chart .drawing").length`, "1")
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}
}

// TestIntegrationPageReloadStop stops a run by the page that found it under way.
func TestIntegrationPageReloadStop(t *testing.T) {
	env, _ := gatedModel(t)
	b, _ := openPage(t, env...)
	b.ask("total amount by region in sales")
	b.await(`location.hash.length > 5`, "true")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#cancel")))
	b.js(`document.getElementById("cancel").click()`)
	b.await(`(`+lastText+`).includes("cancelled")`, "true")
	b.await(stopShown, "false")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li")))
	b.await(`(`+lastText+`).includes("cancelled")`, "true")
	b.await(stopShown, "false")
}

// TestIntegrationPageFiles sends files without a message, of names that are taken, of contents that are there, and to a server that is gone.
func TestIntegrationPageFiles(t *testing.T) {
	b, stop := openPage(t)
	turns := 0
	send := func() {
		t.Helper()
		turns++
		b.await(focused, "message")
		b.js(`document.getElementById("status").textContent = ""`)
		b.do(chromedp.Func(pressEnter))
		b.await(`document.querySelectorAll("#turns > li").length`, fmt.Sprint(turns))
	}
	says := func(outcome string, texts ...string) {
		t.Helper()
		b.await(status, outcome)
		for _, text := range texts {
			if got := b.js(lastText); !strings.Contains(got, text) {
				t.Errorf("%q is not in %q", text, got)
			}
		}
	}
	press := func(name string) {
		t.Helper()
		turns++
		b.js(`document.getElementById("status").textContent = ""`)
		b.js(`[...document.querySelectorAll("#turns > li:last-child .choices button")].find((x) => x.textContent === "` + name + `").click()`)
		b.await(`document.querySelectorAll("#turns > li").length`, fmt.Sprint(turns))
	}
	const buttons = `[...document.querySelectorAll("#turns .choices button")].map((x) => x.textContent).join("|")`

	b.choose("mine.csv", "shop,n\nNorth,1\n", "other.csv", "city\nBonn\n")
	b.await(chosen, "mine.csv|other.csv")
	send()
	says("Answered.", "mine: 1 row, 2 columns: shop, n", "other: 1 row, 1 column: city")
	b.await(chosen, "")

	b.choose("copy.csv", "shop,n\nNorth,1\n")
	send()
	says("Answered.", "copy.csv holds what the table mine holds already, so it was not loaded again")

	b.choose("mine.csv", "shop,n\nNorth,1\nSouth,2\n")
	send()
	says("A question back.", "another table called mine")
	b.await(buttons, "Replace|Keep both")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns .choices button"))) // the question is still there
	b.await(buttons, "Replace|Keep both")
	press("Keep both")
	says("Answered.", "mine_2: 2 rows", "mine.csv is called mine_2 here")
	b.await(buttons, "")

	b.choose("mine.csv", "shop,n\nWest,7\n")
	send()
	says("A question back.")
	press("Replace")
	says("Answered.", "mine: 1 row", "took the place of the table mine")

	b.choose("sales.csv", "region,amount\nEast,1\n")
	send()
	says("Answered.", "In this session sales is the uploaded table; the one from sales.csv is sales.csv.sales.")
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}

	stop()
	b.choose("lost.csv", "a\n1\n")
	b.await(focused, "message")
	b.ask("what is in lost?")
	b.await(`document.querySelector("#turns > li:last-child .notice.bad")?.innerText.includes("cannot be reached")`, "true")
	b.await(chosen, "lost.csv")
	b.await(`document.getElementById("message").value`, "what is in lost?")
}

// TestIntegrationPageDecideEarly: what is decided about an answer before its steps and tables are drawn from the log is
// told, once, and its steps are all there.
func TestIntegrationPageDecideEarly(t *testing.T) {
	b := openDemo(t)
	b.answered("remember that Globex prefers tea")
	b.await(focused, "message")
	b.ask("forget what I said about Globex")
	b.await(status, "Waits for approval.")
	late := page.AddScriptToEvaluateOnNewDocumentParams{Source: `{
		const real = window.fetch, released = new Promise((resolve) => { window.release = resolve; });
		window.fetch = async (path, init) => { if (String(path).endsWith("/events?after=0")) await released; return real(path, init); };
	}`}
	b.do(chromedp.Func(func(ctx context.Context, p *chromedp.Target) error {
		_, err := cdp.Call(ctx, p, page.AddScriptToEvaluateOnNewDocument, late)
		return err
	}))
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li:nth-child(2) .decide .danger")))
	b.js(`document.querySelector("#turns > li:nth-child(2) .decide .danger").click()`)
	b.await(stopShown, "true")
	b.js(`window.release()`)
	b.await(status, "Answered.")
	b.await(`(`+lastText+`).includes("Approve")`, "false")
	steps := b.js(lastSteps)
	if !strings.Contains(steps, "Plan") || strings.Count(steps, "Delete memory") != 1 {
		t.Errorf("the steps are %q", steps)
	}
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#message")))
	b.js(`window.release()`)
	b.await(lastSteps, steps)
}

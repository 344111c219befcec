//go:build integration

package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// planFirst has the plan of a question shown.
func (b *browser) planFirst(message string) {
	b.t.Helper()
	b.await(focused, "message")
	b.do(chromedp.KeyEvent(message))
	b.js(`document.getElementById("message").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, cancelable: true, bubbles: true }))`)
	b.await(`document.activeElement.textContent`, "Run it")
	b.js(`document.getElementById("status").textContent = ""`)
}

// TestIntegrationPageExactNumbers: numbers that JavaScript cannot hold are shown and sent as they were written: by the planner, by a person who edits a plan,
// and in the form of a tool.
func TestIntegrationPageExactNumbers(t *testing.T) {
	b, _ := openTables(t, map[string]string{"sales.csv": "id,region\n9007199254740993,North\n9007199254740992,South\n9007199254740995,West\n9007199254740996,East\n"})
	b.js(`(() => { const real = window.fetch; window.sent = []; window.fetch = (path, init) => { window.sent.push(String(init?.body)); return real(path, init); }; })()`)
	const (
		args  = `document.querySelector(".plan .code").value`
		shown = `document.querySelector("#turns > li:last-child .answer").innerText`
	)
	b.planFirst("list rows of sales with id 9007199254740993")
	b.await(args+`.includes("9007199254740993")`, "true")
	b.press(".plan button", "Run it")
	b.await(status, "Answered.")
	if said := b.js(shown); !strings.Contains(said, "North") || strings.Contains(said, "South") {
		t.Errorf("an unedited plan gave %q", said)
	}
	b.await(`window.sent.filter((x) => x.includes("9007199254740993}") || x.includes("9007199254740993,")).length >= 2`, "true") // checked, then run
	for _, work := range []string{"", "after a reload"} {
		b.js(`[...document.querySelectorAll("#turns .work, #turns .steps details")].forEach((x) => { x.open = true; })`)
		b.await(`[...document.querySelectorAll("#turns .inside pre")].some((x) => x.textContent.includes("9007199254740993"))`, "true")
		if work == "" {
			b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li .work")))
		}
	}

	b.js(`document.getElementById("fresh").click()`)
	b.planFirst("list rows of sales with id 9007199254740993")
	b.js(`(() => { const x = document.querySelector(".plan .code"); x.value = x.value.replace("9007199254740993", "9007199254740995"); x.dispatchEvent(new Event("input")); })()`)
	b.press(".plan button", "Run it")
	b.await(status, "Answered.")
	if said := b.js(shown); !strings.Contains(said, "West") || strings.Contains(said, "East") {
		t.Errorf("an edited plan gave %q", said)
	}

	b.openTool("query_table")
	const form = `document.querySelector("#tools .schema-form")`
	fill := func(name, value string) {
		b.js(`[...` + form + `.querySelectorAll(".field")].find((x) => x.querySelector("code").textContent === "` + name + `").querySelector("input, textarea").value = '` + value + `'`)
	}
	fill("table", "sales")
	fill("filter", `[{"column": "id", "op": "eq", "value": 9007199254740993}]`)
	b.js(form + `.requestSubmit()`)
	b.await(panel+`.querySelector(".result table") !== null`, "true")
	if said := b.js(panel + `.querySelector(".result").innerText`); !strings.Contains(said, "North") || strings.Contains(said, "South") {
		t.Errorf("the tool gave %q", said)
	}
	b.quiet()
}

// TestIntegrationPageRepeat runs the steps of an answer again of which one failed: the same calls, without planning anew, as another version of the question.
func TestIntegrationPageRepeat(t *testing.T) {
	var well atomic.Bool
	asked := make(chan string, 8)
	library := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.String()
		if !well.Load() {
			http.Error(w, "closed", http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"items": [{"title": "Alpha", "year": 1990}, {"title": "Beta", "year": 1995}]}`)
	}))
	t.Cleanup(library.Close)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "catena.yaml"), `
tools:
  books_by:
    description: Books of one author in the library.
    http: {url: "`+library.URL+`/authors/{author}/books", query: {limit: "{limit}"}, allow_addresses: [127.0.0.1]}
    parameters: [{name: author, description: The author's name}, {name: limit, type: integer, default: 10}]
    result: {rows: /items, columns: [{name: title}, {name: year}]}
`)
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_CONFIG=" + filepath.Join(dir, "catena.yaml")})
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
	b.ask("books_by author=Ann limit=2")
	const again = `[...document.querySelectorAll("#turns > li:last-child .body button")].filter((x) => x.textContent === "Run the same steps again").length`
	b.await(again, "1")
	first := <-asked
	if said := b.js(lastSteps); !strings.Contains(said, "✕") {
		t.Errorf("the steps are %q", said)
	}
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li .acts button")))
	b.await(again, "1")
	well.Store(true)
	for len(asked) > 0 {
		<-asked
	}
	b.press("#turns > li:last-child .body button", "Run the same steps again")
	b.await(status, "Answered.")
	if second := <-asked; second != first || !strings.Contains(first, "/authors/Ann/books?limit=2") {
		t.Errorf("first asked %s, then %s", first, second)
	}
	if said := b.js(lastText); !strings.Contains(said, "Beta") || !strings.Contains(said, "The plan as you had it") {
		t.Errorf("run again, it says %q", said)
	}
	b.await(again, "0")
	b.await(`document.querySelectorAll("#turns > li").length`, "1")
	b.await(`document.querySelector("#turns .branches > span")?.textContent`, "2 / 2")
	b.quiet()
}

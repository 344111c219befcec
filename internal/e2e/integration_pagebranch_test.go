//go:build integration

package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestIntegrationPageBranch asks again and edits a question by the keyboard alone: the page shows the new branch, also after a reload, and what was there
// before is kept.
func TestIntegrationPageBranch(t *testing.T) {
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
	b.await(focused, "message")
	for _, message := range []string{"top 3 USA clients", "how many clients are there?"} {
		b.ask(message)
		b.await(status, "Answered.")
		b.await(focused, "message")
		b.js(`document.getElementById("status").textContent = ""`)
	}
	const questions = `[...document.querySelectorAll("#turns .question")].map((x) => x.textContent).join("|")`
	const answered = `[...document.querySelectorAll("#turns > li:last-child .acts:not([hidden]) > button")].map((x) => x.getAttribute("aria-label")).join("|")`
	b.await(answered, "Edit: how many clients are there?|Ask again: how many clients are there?")

	// Ask again: the first question, so that the second goes with its branch.
	b.js(`document.querySelector("#turns > li:first-child .acts button:last-child").focus()`)
	b.do(chromedp.Func(pressEnter))
	b.await(answered, "Edit: top 3 USA clients|Ask again: top 3 USA clients")
	b.await(questions, "top 3 USA clients")
	b.await(status, "Answered.")
	b.js(`document.getElementById("status").textContent = ""`)

	// Edit: Escape leaves it as it is, Enter asks.
	editing := func() {
		b.js(`document.querySelector("#turns .acts > button").focus()`)
		b.do(chromedp.Func(pressEnter))
		b.await(`document.activeElement.value`, "top 3 USA clients")
	}
	editing()
	b.do(chromedp.KeyEvent("\x1b"))
	b.await(questions, "top 3 USA clients")
	b.await(`document.activeElement.textContent`, "Edit")
	editing()
	b.js(`document.activeElement.select()`)
	b.ask("how many open tickets are there?")
	b.await(answered, "Edit: how many open tickets are there?|Ask again: how many open tickets are there?")
	b.await(status, "Answered.")

	session := b.js(`location.hash.slice(1)`)
	b.do(chromedp.Reload())
	b.await(questions, "how many open tickets are there?")
	b.await(answered, "Edit: how many open tickets are there?|Ask again: how many open tickets are there?")
	var kept struct {
		Turns []struct{ Message string }
		Path  []string
	}
	getInto(t, url+"/api/v1/sessions/"+session, &kept)
	if len(kept.Turns) != 4 || len(kept.Path) != 1 {
		t.Errorf("%+v", kept)
	}
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}
}

func getInto(t *testing.T, url string, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

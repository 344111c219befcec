//go:build integration

package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestIntegrationPageShare makes a link to a copy of a chat, reads it without the page, and revokes it.
func TestIntegrationPageShare(t *testing.T) {
	b, url := openTables(t, map[string]string{"orders.csv": orders()})
	b.await(focused, "message")
	b.ask("list all rows of orders")
	b.await(status, "Answered.")
	b.await(`document.querySelector("#chat-list .more") !== null`, "true")
	b.js(`document.querySelector("#chat-list .more").click()`)
	b.press("[role=menuitem]", "Share …")
	b.await(`document.querySelector("dialog.share .go") !== null`, "true")
	b.js(`document.querySelector("dialog.share .go").click()`)
	b.await(`document.querySelector(".links .new input")?.value.includes("/share/")`, "true")
	link := b.js(`document.querySelector(".links .new input").value`)
	if !strings.HasPrefix(link, url+"/share/") {
		t.Fatalf("the link is %q", link)
	}
	read := func() (int, string) {
		t.Helper()
		res, err := http.Get(link)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	if status, body := read(); status != 200 || !strings.Contains(body, "1000 of 5000 rows of Orders") || !strings.Contains(body, "ORD-10999") {
		t.Errorf("the copy: %d %.500s", status, body)
	}
	b.js(`[...document.querySelectorAll(".links button")].find((x) => x.textContent === "Revoke").click()`)
	b.await(`document.querySelectorAll(".links li").length`, "0")
	if status, _ := read(); status != 404 {
		t.Errorf("revoked, it answers %d", status)
	}
	b.js(`document.querySelector("dialog.share").close()`)
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}

	// the copy shows itself in a browser, and runs nothing
	b.js(`void fetch("/api/v1/sessions" + location.hash.replace("#", "/") + "/shares", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).then((r) => r.json()).then((x) => { window.made = x.url; })`)
	b.await(`typeof window.made`, "string")
	b.do(chromedp.Navigate(url+b.js(`window.made`)), chromedp.WaitVisible(chromedp.CSS("article td.num")))
	if said := b.complaint(); said != "" {
		t.Errorf("the copy complains of: %s", said)
	}
}

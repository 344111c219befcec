//go:build integration

package e2e

import (
	"strings"
	"testing"
)

// TestIntegrationPageCalm: what gets focus scrolls no page that is being read; an answer of one value is not said twice, and its table is there
// when it is asked for; a pointer that rests on a header closes no card that was opened.
func TestIntegrationPageCalm(t *testing.T) {
	b, _ := openTables(t, map[string]string{"orders.csv": orders()})
	b.await(focused, "message")
	b.ask("list all rows of orders")
	b.await(status, "Answered.")
	b.await(`document.querySelector(".table .range")?.textContent.startsWith("1–50")`, "true")
	b.js(`document.querySelectorAll(".table .about")[3].click()`)
	b.await(`document.querySelector(".column-card .filter input") !== null`, "true")
	b.js(`document.querySelectorAll(".table thead th")[1].dispatchEvent(new PointerEvent("pointerenter", { pointerType: "mouse" }))`)
	b.js(`void setTimeout(() => { window.rested = true; }, 1000)`)
	b.await(`window.rested`, "true")
	if name := b.js(`document.querySelector(".column-card")?.getAttribute("aria-label")`); name != "About "+b.js(`document.querySelectorAll(".table .sort")[3].firstChild.data`) {
		t.Errorf("the card that was opened is now %s", name)
	}
	b.js(`document.querySelector("#message").focus()`)

	b.ask("how many rows does orders have?")
	b.await(`document.getElementById("status").textContent === "Answered." && document.querySelectorAll("#turns > li").length`, "2")
	b.await(`document.querySelector("#turns > li:last-child .single:not([open])") !== null`, "true")
	if said := b.js(`document.querySelector("#turns > li:last-child .body").innerText`); strings.Count(strings.ToLower(said), "number of rows") != 1 {
		t.Errorf("it is said: %s", said)
	}
	b.js(`document.querySelector("#turns > li:last-child .single > summary").click()`)
	b.await(`document.querySelector("#turns > li:last-child .single td.traced")?.textContent`, "5,000")

	b.js(`document.activeElement.blur(), scrollTo(0, 60)`)
	for _, take := range []string{`document.getElementById("message").focus()`, `document.getElementById("open-settings").focus()`, `document.getElementById("list").focus()`} {
		b.js(`void ` + take)
		if at := b.js(`Math.round(scrollY)`); at != "60" {
			t.Errorf("%s scrolls the page to %s", take, at)
		}
	}
}

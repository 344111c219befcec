//go:build integration

package e2e

import (
	"strings"
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

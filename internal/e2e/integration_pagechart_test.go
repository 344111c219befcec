//go:build integration

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestIntegrationPageChart goes through the marks of a chart by keys, shows it as another kind and as a table, and takes pictures of both.
func TestIntegrationPageChart(t *testing.T) {
	b, _ := openTables(t, map[string]string{"sales.csv": "month,amount\n2020-01-01,10.5\n2020-02-01,12\n2020-03-01,9.25\n2020-04-01,11\n"})
	b.await(focused, "message")
	b.ask("plot amount by month in sales as a line chart")
	b.await(status, "Answered.")
	const chart = `document.querySelector("figure.chart")`
	b.await(chart+`.querySelectorAll(".dot").length`, "4")
	b.await(chart+`.querySelectorAll(".line-mark").length`, "1")
	b.js(chart + `.querySelector(".drawing").focus()`)
	b.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	b.await(chart+`.querySelector(".tip").innerText`, "2020-02 12.00")
	if label := b.js(chart + `.querySelector(".drawing").getAttribute("aria-label")`); !strings.Contains(label, "highest 12.00 at 2020-02") {
		t.Errorf("the chart is labelled %q", label)
	}
	b.js(chart + `.querySelector("[data-kind=bar]").click()`)
	b.await(chart+`.querySelectorAll(".bar-mark").length`, "4")
	b.js(`window.note = (x) => { window.size = x.type + (x.size > 1000); return "data:,"; }`)
	b.js(`URL.createObjectURL = note`)
	b.js(`HTMLAnchorElement.prototype.click = function () { window.saved = this.download; if (this.pathname.startsWith("/api/")) fetch(this.href).then((r) => r.blob()).then(note); }`)
	take := func(name, want string) {
		t.Helper()
		b.js(chart + `.querySelector(".menu").open = true`)
		b.await(chart+`.querySelectorAll(".items > *").length`, "3")
		b.js(`[...` + chart + `.querySelectorAll(".items > *")].find((x) => x.textContent === "` + name + `").click()`)
		b.await(`window.size`, want)
		b.js(`window.size = ""`)
		b.js(chart + `.querySelector(".menu").open = false`)
	}
	take("PNG", "image/pngtrue")
	take("SVG", "image/svg+xmltrue")
	b.js(chart + `.querySelector("[data-kind=line]").click()`)
	b.await(chart+`.querySelectorAll(".dot").length`, "4")
	take("PNG", "image/pngtrue") // the server's
	if name := b.js(`window.saved`); !strings.HasPrefix(name, "Total Amount by month") && !strings.HasPrefix(name, "Amount by month") || !strings.HasSuffix(name, ".png") {
		t.Errorf("the picture is called %q", name)
	}
	b.js(chart + `.querySelector("[data-kind=table]").click()`)
	b.await(`[...`+chart+`.querySelectorAll("tbody tr")].map((x) => x.innerText.replace(/\s+/g, " ")).join("|")`, "2020-01 10.50|2020-02 12.00|2020-03 9.25|2020-04 11.00")
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}
}

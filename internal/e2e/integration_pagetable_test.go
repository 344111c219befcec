//go:build integration

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// orders is a table of 5,000 rows and ten columns.
func orders() string {
	var b strings.Builder
	b.WriteString("order_id,order_date,customer,country,product,category,quantity,unit_price_usd,discount_pct,shipped\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "ORD-%d,2026-%02d-%02d,Client %d,%s,Desk,Office,%d,%d.25,5,true\n", 10000+i, 1+i%12, 1+i%28, i%40,
			[]string{"USA", "Germany", "France"}[i%3], 1+(i*7)%60, 4+i%900)
	}
	return b.String()
}

// openTables serves a folder of files and opens the page.
func openTables(t *testing.T, files map[string]string) (b *browser, url string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, "data", name), text)
	}
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
	b = openBrowser(t)
	b.do(chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	return b, url
}

const (
	firstOfTable = `document.querySelector(".table tbody th")?.textContent`
	rangeOfTable = `document.querySelector(".table .range")?.textContent`
)

// heading is the button of a column's header that sorts.
func heading(name string) string {
	return `[...document.querySelectorAll(".table .sort")].find((b) => b.firstChild.textContent === "` + name + `")`
}

// TestIntegrationPageTable pages, sorts, filters and copies a table over all its rows, and takes it as a file.
func TestIntegrationPageTable(t *testing.T) {
	b, _ := openTables(t, map[string]string{"orders.csv": orders()})
	b.await(focused, "message")
	b.ask("list all rows of orders")
	b.await(status, "Answered.")
	b.await(rangeOfTable, "1–50 of 5,000")
	b.await(firstOfTable, "ORD-10000")
	b.js(`document.querySelector('.table [aria-label="Next page"]').click()`)
	b.await(rangeOfTable, "51–100 of 5,000")
	b.await(firstOfTable, "ORD-10050")

	b.js(heading("Quantity") + `.click()`)
	b.await(`document.querySelector(".table [aria-sort]")?.textContent.startsWith("Quantity")`, "true")
	b.await(`document.querySelector(".table tbody tr td:nth-child(7)").textContent`, "60")
	b.js(heading("Order ID") + `.dispatchEvent(new MouseEvent("click", { shiftKey: true }))`)
	b.await(`document.querySelectorAll(".table [aria-sort]").length`, "2")
	b.await(status, "Rows 1–50 of 5,000. Sorted by Quantity descending, then Order ID ascending.")
	b.await(firstOfTable, "ORD-10017")

	// the card of a column tells about it and filters
	b.js(`document.querySelector('.table [aria-label="About Country"]').click()`)
	b.await(`document.querySelector(".column-card dl")?.innerText.includes("5,000")`, "true")
	const card = `document.querySelector(".column-card")`
	b.js(card + `.querySelector(".filter input").focus()`)
	b.js(`document.querySelector('.table [aria-label="Next page"]').click()`) // drawn anew: the card stays, with what is written in it
	b.await(rangeOfTable, "51–100 of 5,000")
	b.await(card+`.matches(":popover-open") && `+card+`.closest("th").innerText.includes("Country")`, "true")
	b.await(`document.activeElement === `+card+`.querySelector(".filter input")`, "true")
	b.js(`document.querySelector(".column-card .filter input").value = "Fra"`)
	b.js(`document.querySelector(".table .scroll").scrollTo(200, 400)`) // a card that a person works in goes with its column, and stays with what is written
	b.js(`document.getElementById("turns").style.paddingBottom = "200vh", scrollTo(0, 3000)`)
	b.js(`window.scrolled = false, void requestAnimationFrame(() => requestAnimationFrame(() => { window.scrolled = true; }))`)
	b.await(`window.scrolled`, "true")
	b.await(card+`?.matches(":popover-open") && `+card+`.querySelector(".filter input").value`, "Fra")
	b.await(`(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(`+card+`.getBoundingClientRect())`, "true")
	b.js(`scrollTo(0, 0)`)
	b.js(`document.querySelector(".column-card .filter select").value = "eq"`)
	b.js(`document.querySelector(".column-card .filter input").value = "France"`)
	b.js(`document.querySelector(".column-card .filter").requestSubmit()`)
	b.await(rangeOfTable, "1–50 of 1,666 (filtered from 5,000)")
	b.await(card, "null")
	b.await(`document.activeElement.getAttribute("aria-label")`, "About Country")
	b.await(`document.querySelector(".table .chips").innerText.replace(/\s+/g, " ")`, "Country is France ×")

	b.js(`document.querySelector(".table .menu").open = true`)
	b.await(`document.querySelectorAll(".table .menu .items input").length`, "10")
	b.js(`document.querySelector(".table .menu .items label:nth-child(3) input").click()`)
	b.await(`document.querySelectorAll(".table thead th").length`, "9")
	b.js(`Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } })`)
	b.js(`document.querySelectorAll(".table .menu")[1].open = true`)
	b.await(`document.querySelectorAll(".table .menu .items button").length`, "2")
	b.js(`document.querySelector(".table .menu .items button").click()`)
	b.await(status, "Copied 1,666 rows.")
	if got := b.js(`window.copied.split("\n").slice(0, 2).join("|")`); got != "Order ID\tOrder Date\tCountry\tProduct\tCategory\tQuantity\tUnit Price (USD)\tDiscount (%)\tShipped|ORD-10017\t2026-06-18\tFrance\tDesk\tOffice\t60\t21.25\t5\ttrue" {
		t.Errorf("copied %q", got)
	}
	b.js(`document.querySelectorAll(".table .menu")[2].open = true`)
	b.await(`[...document.querySelectorAll(".table .menu .items a")].map((a) => a.download).join("|")`, "Orders.csv|Orders.xlsx|Orders.json|Orders.parquet")
	b.js(`void (async () => { const r = await fetch(document.querySelector(".table .menu .items a").href); window.file = [r.headers.get("Content-Disposition"), (await r.text()).trim().split("\n").length].join(" "); })()`)
	b.await(`window.file`, `attachment; filename="Orders, country France.csv" 1667`)
	if n := b.js(`document.querySelectorAll("*").length`); len(n) > 3 && n > "3000" {
		t.Errorf("the page has %s elements", n)
	}

	// what is gone says so, and can be asked for again
	b.js(`document.querySelector(".table .chips button").click()`)
	b.await(rangeOfTable, "1–50 of 5,000")
	b.js(`window.fetched = window.fetch`)
	b.js(`window.fetch = async () => new Response('{"code":"not_found","detail":"There is no table."}', { status: 404 })`)
	b.js(heading("Order ID") + `.click()`)
	b.await(`document.querySelector(".table .notice").innerText.includes("not kept any more")`, "true")
	b.js(`window.fetch = window.fetched`)
	b.js(`document.querySelector(".table .notice button").click()`)
	b.await(status, "Answered.")
	b.await(rangeOfTable, "1–50 of 5,000")
	b.await(`document.querySelectorAll("#turns > li").length`, "1")
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}
}

// TestIntegrationPageLineage goes to a number by keys, also where the table is sorted, and is told which rows it comes from.
func TestIntegrationPageLineage(t *testing.T) {
	b, _ := openTables(t, map[string]string{"orders.csv": orders()})
	b.await(focused, "message")
	b.ask("average unit price by country in orders")
	b.await(status, "Answered.")
	b.await(firstOfTable, "USA")
	b.js(heading("Country") + `.click()`)
	b.await(firstOfTable, "France")
	b.js(`document.querySelector(".table tbody [tabindex='0']").focus()`)
	b.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown))
	b.do(chromedp.Func(pressEnter))
	const dialog = `document.querySelector("dialog.lineage")?.innerText`
	b.await(dialog+`.includes("Country is \"Germany\"")`, "true")
	if said := b.js(dialog); !strings.Contains(said, "average of Unit Price") || !strings.Contains(said, "1,667 rows") || !strings.Contains(said, "1–20 of 1,667") {
		t.Errorf("the number comes from: %s", said)
	}
	b.js(`document.querySelector('dialog.lineage [aria-label="Next rows"]').click()`)
	b.await(dialog+`.includes("21–40 of 1,667")`, "true")
	b.js(`document.querySelector("dialog.lineage").close()`)
	b.await(`document.activeElement.classList.contains("traced")`, "true")
	if said := b.complaint(); said != "" {
		t.Errorf("the page complains of: %s", said)
	}
}

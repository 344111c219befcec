package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// task is one of the twelve things that a new user does.
type task struct {
	name string
	do   func(b *browser, url string) error
}

// lines is a task that is a question and a script.
func lines(message string, script ...string) func(b *browser, url string) error {
	return func(b *browser, _ string) error {
		if err := b.ask(message); err != nil {
			return err
		}
		return b.script(script...)
	}
}

const (
	lastTurn = `document.querySelector("#turns > li:last-child")`
	byName   = `(name) => [...document.querySelectorAll("button, [role=menuitem]")].find((x) => (x.getAttribute("aria-label") ?? x.textContent).trim().startsWith(name) && x.checkVisibility())`
)

// press presses a button by the beginning of its name.
func press(name string) string { return fmt.Sprintf(`(%s)(%q).click()`, byName, name) }

// has waits for a button.
func has(name string) string { return fmt.Sprintf(`? (%s)(%q) !== undefined`, byName, name) }

var twelve = []task{
	{"first question", func(b *browser, _ string) error {
		return b.script(`document.querySelector("#examples button").click()`, "? "+answered, `? document.querySelectorAll("[role=grid]").length === 2`)
	}},
	{"files", files},
	{"sort, filter, page, download", lines("list all rows of orders", "? "+ranged("1–50 of 5,000"), press("Next page"), "? "+ranged("51–100"),
		`document.querySelectorAll(".table .sort")[6].click()`, `? document.querySelector(".table tbody tr td:nth-child(7)").textContent === "60"`,
		`document.querySelectorAll(".table .about")[3].click()`, `? document.querySelector(".column-card .filter input") !== null`,
		`void (document.querySelector(".column-card .filter input").value = "fra")`, `document.querySelector(".column-card .filter").requestSubmit()`, "? "+ranged("1–50 of 1,666"),
		`void (document.querySelector(".table .menu:last-child").open = true)`, `? document.querySelectorAll(".table .items a").length === 4`,
		`void fetch(document.querySelector(".table .items a").href).then((r) => r.text()).then((x) => { window.got = x.trim().split("\n").length; })`, `? window.got === 1667`)},
	{"chart", lines("plot revenue by month", `? document.querySelectorAll(".chart .dot").length === 36`, `document.querySelector("[data-kind=bar]").click()`,
		`? document.querySelectorAll(".chart .bar-mark").length === 36`)},
	{"reload", func(b *browser, _ string) error {
		if err := b.ask("total quantity by country in orders"); err != nil {
			return err
		}
		if err := b.do(chromedp.Reload()); err != nil {
			return err
		}
		return b.script(`? document.querySelector("#turns [role=grid]") !== null`, `? document.querySelector("#turns .steps li") !== null`)
	}},
	{"edit, ask again, branch", lines("how many clients are there?", has("Ask again"), press("Ask again"), "? "+answered, `? /2 \/ 2/.test(`+lastTurn+`.innerText)`)},
	{"approval", func(b *browser, _ string) error {
		if err := b.ask("remember that Initech likes blue"); err != nil {
			return err
		}
		if err := b.ask("forget what I said about Initech"); err != nil {
			return err
		}
		return b.script(`? `+lastTurn+`.querySelectorAll(".decide button").length >= 2`, lastTurn+`.querySelector(".decide button").click()`,
			"? "+answered, `? `+lastTurn+`.querySelector(".decide button") === null`)
	}},
	{"stop", func(b *browser, _ string) error {
		return b.script(`void (window.fetchedOf = window.fetch, window.fetch = (p, i) => String(p).endsWith("/api/v1/chat") ? new Promise((go, no) => { i?.signal?.addEventListener("abort", () => no(i.signal.reason)); setTimeout(() => go(window.fetchedOf(p, i)), 600); }) : window.fetchedOf(p, i))`,
			`void (document.getElementById("message").value = "top 5 USA clients")`, `document.getElementById("ask").requestSubmit()`,
			`? document.getElementById("cancel").checkVisibility()`, `document.getElementById("cancel").click()`, `? !document.getElementById("cancel").checkVisibility()`,
			`? /stopped|cancel/i.test(document.body.innerText)`)
	}},
	{"share and report", lines("top 5 USA clients", `? document.querySelector("#chat-list .more") !== null`, `document.querySelector("#chat-list .more").click()`,
		`[...document.querySelectorAll("[role=menuitem]")].find((x) => x.textContent.startsWith("Share")).click()`, `? document.querySelector("dialog.share .go") !== null`,
		`document.querySelector("dialog.share .go").click()`, `? document.querySelector(".links .new input")?.value.includes("/share/")`,
		`void fetch(document.querySelector(".links .new input").value).then((r) => r.text()).then((x) => { window.shared = x.includes("top 5 USA clients"); })`, `? window.shared === true`)},
	{"tools panel", func(b *browser, _ string) error {
		return b.script(has("Tools"), press("Tools"), `? document.querySelector("dialog[open]")?.innerText.includes("query_table")`)
	}},
	{"keyboard only", func(b *browser, _ string) error {
		if err := b.ask("average unit price by country in orders"); err != nil {
			return err
		}
		if err := b.await(`document.querySelector(".table .traced") !== null`); err != nil {
			return err
		}
		for range 60 {
			if at, err := b.js(`document.activeElement.closest("[role=grid] tbody") !== null`); err != nil || at == "true" {
				break
			}
			if err := b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(8))); err != nil {
				return err
			}
		}
		if err := b.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.Func(enter)); err != nil {
			return err
		}
		return b.await(`document.querySelector("dialog.lineage table") !== null`)
	}},
	{"phone", func(b *browser, _ string) error {
		if err := b.shape(390, "light"); err != nil {
			return err
		}
		if err := b.ask("list all rows of orders"); err != nil {
			return err
		}
		return b.script("? "+ranged("1–50 of 5,000"), `? document.documentElement.scrollWidth <= innerWidth`, press("Next page"), "? "+ranged("51–100"))
	}},
}

// files sends a file with a question about it.
func files(b *browser, _ string) error {
	dir, err := os.MkdirTemp("", "catena-page-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "sales.csv")
	if err := os.WriteFile(name, []byte("region,amount\nNorth,10.50\nSouth,4.25\nNorth,8.00\n"), 0o600); err != nil {
		return err
	}
	if err := b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{name})); err != nil {
		return err
	}
	if err := b.await(`document.querySelectorAll("#files li").length === 1`); err != nil {
		return err
	}
	if err := b.ask("total amount by region in sales"); err != nil {
		return err
	}
	return b.await(`document.querySelector("#turns .answer, #turns .table")?.innerText.includes("18.50")`)
}

// tasks does the twelve, each with a browser of its own.
func tasks(ctx context.Context, url string, r *result) error {
	for _, t := range twelve {
		b, end, err := open(ctx)
		if err != nil {
			return err
		}
		if err = b.visit(url + "/"); err == nil {
			err = t.do(b, url)
		}
		end()
		if err != nil {
			r.NotDone = append(r.NotDone, t.name+": "+err.Error())
			continue
		}
		r.TasksDone++
	}
	return nil
}

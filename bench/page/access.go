package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed checks.js
var checks string

// states are what the page is brought to before it is checked.
var states = []struct {
	name, message string
	lines         []string
}{
	{"empty", "", nil},
	{"answer", "Show me the top 5 USA clients and analyze their revenue trends", []string{`? document.querySelectorAll("[role=grid]").length === 2`}},
	{"long table", "list all rows of orders", []string{"? " + ranged("1–50 of 5,000")}},
	{"card of a column", "list all rows of orders", []string{"? " + ranged("1–50 of 5,000"), `document.querySelectorAll(".table .about")[0].click()`,
		`? document.querySelector(".column-card .filter") !== null`}},
	{"menu of files", "list all rows of orders", []string{"? " + ranged("1–50 of 5,000"), `void (document.querySelector(".table .menu:last-child").open = true)`}},
	{"lineage", "average unit price by country in orders", []string{`? document.querySelector(".table .traced") !== null`, `document.querySelector(".table .traced").click()`,
		`? document.querySelector("dialog.lineage table") !== null`}},
	{"chart", "plot revenue by month", []string{`? document.querySelector(".chart .drawing") !== null`}},
	{"chart as a table", "plot revenue by month", []string{`? document.querySelector(".chart .drawing") !== null`, `document.querySelector("[data-kind=table]").click()`}},
	{"approval", "forget what I said about Globex", nil},
	{"refused", "average humidity by region", nil},
	{"settings", "", []string{`document.getElementById("open-settings").click()`}},
}

// access checks the states of the page at three widths, light and dark. What is found in several of them is told once.
func access(ctx context.Context, url string, r *result) error {
	b, end, err := open(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := b.visit(url + "/"); err != nil {
		return err
	}
	if err := b.ask("remember that Globex prefers tea"); err != nil {
		return err
	}
	known := map[string]bool{}
	for i, s := range states {
		if err := b.shape(1280, "light"); err != nil {
			return err
		}
		if err := b.visit(fmt.Sprintf("%s/?state=%d", url, i)); err != nil {
			return err
		}
		if s.message != "" {
			if err := b.ask(s.message); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		if err := b.script(s.lines...); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 390, 320} {
				if err := b.check(s.name, width, theme, known, r); err != nil {
					return err
				}
			}
		}
	}
	r.Findings = len(r.Found)
	return nil
}

func (b *browser) check(state string, width int64, theme string, known map[string]bool, r *result) error {
	if err := b.shape(width, theme); err != nil {
		return err
	}
	if err := b.script(`void requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = `+fmt.Sprint(width)+`; }))`,
		fmt.Sprintf(`? window.drawn === %d`, width)); err != nil {
		return err
	}
	text, err := b.js(strings.TrimSpace(checks[strings.Index(checks, "(() =>"):]))
	if err != nil {
		return err
	}
	var found []string
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		return err
	}
	for _, f := range found {
		if !known[f] {
			known[f] = true
			r.Found = append(r.Found, fmt.Sprintf("%s, %d px, %s: %s", state, width, theme, f))
		}
	}
	return nil
}

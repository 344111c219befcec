package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

//go:embed xss.js
var xssScript string

//go:embed cells.js
var cellsScript string

// injections gives the page 1,000 vectors, with its policy in force and without, and counts those that act.
func injections(ctx context.Context, url string, r *result) error {
	r.Vectors = 1000
	acted := map[string]bool{}
	for _, bypass := range []bool{false, true} {
		b, end, err := open(ctx)
		if err != nil {
			return err
		}
		err = b.inject(url, bypass, r.Vectors, acted)
		end()
		if err != nil {
			return err
		}
	}
	r.XSS = len(acted)
	return nil
}

func (b *browser) inject(url string, bypass bool, vectors int, acted map[string]bool) error {
	if err := b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: bypass})
		return err
	})); err != nil {
		return err
	}
	if err := b.visit(url + "/"); err != nil {
		return err
	}
	err := b.script(fmt.Sprintf(`void (window.vectors = %d)`, vectors), code(xssScript),
		`? window.vectorsDone === true`)
	if err == nil {
		err = b.hits(acted)
	}
	if err == nil && bypass { // what does act is seen
		err = b.script(`void (document.getElementById("turns").innerHTML = "<img src=x onerror=hit('control')>")`,
			`? window.acted.has("control")`)
	}
	if err == nil {
		err = b.visit(url + "/?cells")
	}
	if err == nil {
		err = b.script(code(cellsScript), `? window.cellsShown >= 40`)
	}
	if err == nil {
		err = b.hits(acted)
	}
	return err
}

// hits adds the vectors that have acted.
func (b *browser) hits(acted map[string]bool) error {
	got, err := b.js(`JSON.stringify([...window.acted])`)
	if err != nil {
		return err
	}
	var list []string
	if err := json.Unmarshal([]byte(got), &list); err != nil {
		return err
	}
	for _, h := range list {
		acted[h] = true
	}
	return nil
}

package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed checks.js
var checks string

//go:embed states.txt
var stateScripts string

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
	for i, state := range scriptsOf(stateScripts) {
		if err := b.shape(1280, "light"); err != nil {
			return err
		}
		if err := b.visit(fmt.Sprintf("%s/?state=%d", url, i)); err != nil {
			return err
		}
		if err := b.play(state); err != nil {
			return err
		}
		if err := b.checkShapes(state.name, known, r); err != nil {
			return err
		}
	}
	r.Findings = len(r.Found)
	return nil
}

// checkShapes checks a state at three widths, light and dark.
func (b *browser) checkShapes(state string, known map[string]bool, r *result) error {
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390, 320} {
			if err := b.check(state, width, theme, known, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *browser) check(state string, width int64, theme string, known map[string]bool, r *result) error {
	if err := b.shape(width, theme); err != nil {
		return err
	}
	drawn := fmt.Sprintf(`void requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = %d; }))`, width)
	if err := b.script(drawn, fmt.Sprintf(`? window.drawn === %d`, width)); err != nil {
		return err
	}
	text, err := b.js(code(checks))
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

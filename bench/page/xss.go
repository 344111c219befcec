package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// bases are ways in which a text tries to act; each calls hit with its number.
var bases = []string{
	`<script>%s</script>`, `<img src=x onerror=%s>`, `<svg onload=%s>`, `<svg><script>%s</script></svg>`, `<body onload=%s>`,
	`<iframe srcdoc="<script>parent.%s</script>">`, `<a href="javascript:%s">x</a>`, `[x](javascript:%s)`, `![x](x"onerror="%s)`,
	`"><script>%s</script>`, `'><img src=x onerror=%s>`, `</td><script>%s</script>`, `</textarea><script>%s</script>`, `</title><script>%s</script>`,
	`<details open ontoggle=%s>`, `<video><source onerror=%s></video>`, `<audio src=x onerror=%s>`, `<input autofocus onfocus=%s>`,
	`<math><mi xlink:href="javascript:%s">x</mi></math>`, `<object data="javascript:%s">`, `<embed src="javascript:%s">`,
	`<meta http-equiv=refresh content="0;url=javascript:%s">`, `<base href="javascript:%s//">`, `<form action="javascript:%s"><input type=submit>`,
	`<button formaction="javascript:%s">x</button>`, `<marquee onstart=%s>x</marquee>`, `<style>@import 'javascript:%s';</style>`,
	`<link rel=stylesheet href="javascript:%s">`, `<template><script>%s</script></template>`, `<noscript><p title="</noscript><img src=x onerror=%s>">`,
	`&lt;script&gt;%s&lt;/script&gt;`, `&#60;img src=x onerror=%s&#62;`, `\u003cscript\u003e%s\u003c/script\u003e`, `**<img src=x onerror=%s>**`,
	"`<img src=x onerror=%s>`", `{{constructor.constructor('%s')()}}`, `${%s}`, `<img src="data:image/svg+xml,<svg onload=%s>">`,
	`<select autofocus onfocus=%s>`, `<p style="animation:x" onanimationstart=%s>`,
}

// channels are the places of an answer that a text can come to: each makes an answer of it.
var channels = []string{
	`(v) => ({ outcome: "answer", response: v })`,
	`(v) => ({ outcome: "answer", response: "**" + v + "** (1 row)\n\n|" + v.replaceAll("|", "") + "|\n|-|\n|" + v.replaceAll("|", "") + "|" })`,
	`(v) => ({ outcome: "error", error: { detail: v, hint: v, code: v } })`,
	`(v) => ({ outcome: "answer", response: "x", notes: [v], completeness: { state: "partial", detail: v } })`,
	`(v) => ({ outcome: "answer", response: "x", charts: [{ title: v, alt: v, vega_lite: { usermeta: { catena: { kind: "bar" } }, encoding: { x: { type: "nominal", title: v }, y: { title: v } }, data: { values: [{ x: v, label: v, y: 1, text: v }] } } }] })`,
	`(v) => ({ outcome: "answer", response: "x", charts: [{ title: v, alt: v, svg: "<svg xmlns='http://www.w3.org/2000/svg'>" + v + "</svg>" }] })`,
	`(v) => ({ outcome: "answer", response: "**" + v + "**\n\n|a|\n|-|\n|b|", tables: [{ handle: "tbl_x", title: v, name: v, columns: [], rows: [], total_rows: 1, markdown: "|a|\n|-|\n|b|" }] })`,
	`(v) => ({ outcome: "approval", response: "", pending: [{ step: v, tool: v, args: { [v]: v }, effect: { what: v, lines: [{ name: v, before: v, value: v }] } }] })`,
	`(v) => ({ outcome: "clarify", response: v, choices: [v], question: v, reading: v })`,
}

//go:embed xss.js
var xssScript string

// vector is a text, and the channel that it comes by.
type vector struct {
	Channel int    `json:"channel"`
	Text    string `json:"text"`
}

// injections gives the page 1,000 vectors, with its policy in force and without, and counts those that act.
func injections(ctx context.Context, url string, r *result) error {
	r.Vectors = 1000
	cases := make([]vector, r.Vectors)
	for i := range cases {
		cases[i] = vector{i / len(bases) % len(channels), fmt.Sprintf(bases[i%len(bases)], "hit("+strconv.Itoa(i)+")")}
	}
	list, err := json.Marshal(cases)
	if err != nil {
		return err
	}
	acted := map[string]bool{}
	for _, bypass := range []bool{false, true} {
		b, end, err := open(ctx)
		if err != nil {
			return err
		}
		err = b.inject(url, bypass, string(list), acted)
		end()
		if err != nil {
			return err
		}
	}
	r.XSS = len(acted)
	return nil
}

func (b *browser) inject(url string, bypass bool, cases string, acted map[string]bool) error {
	if err := b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: bypass})
		return err
	})); err != nil {
		return err
	}
	if err := b.visit(url + "/"); err != nil {
		return err
	}
	if err := b.script(`void (window.vectors = `+cases+`)`, `void (window.channels = [`+strings.Join(channels, ", ")+`])`, xssScript, `? window.vectorsDone === true`); err != nil {
		return err
	}
	got, err := b.js(`JSON.stringify([...window.acted])`)
	if err != nil {
		return err
	}
	var hits []string
	if err := json.Unmarshal([]byte(got), &hits); err != nil {
		return err
	}
	for _, h := range hits {
		acted[h] = true
	}
	if bypass { // what does act is seen
		if err := b.script(`void (document.getElementById("turns").innerHTML = "<img src=x onerror=hit('control')>")`,
			`? window.acted.has("control")`); err != nil {
			return fmt.Errorf("the control did nothing: %w", err)
		}
	}
	return b.cells(url, acted)
}

// cells gives vectors as cells, names of columns and the name of a file, through the program.
func (b *browser) cells(url string, acted map[string]bool) error {
	if err := b.visit(url + "/?cells"); err != nil {
		return err
	}
	err := b.script(`void (window.acted = new Set(), window.hit = (n) => window.acted.add("cell " + n))`,
		`void fetch("/api/v1/tables?name=" + encodeURIComponent("vectors <img src=x onerror=hit(0)>.csv"), { method: "POST", headers: { "Content-Type": "text/csv" },
			body: 'a,"<img src=x onerror=hit(1)>"\n' + Array.from({ length: 40 }, (_, i) => '"<img src=x onerror=hit(' + i + ')>",<svg onload=hit(' + i + ')>').join("\n") + "\n" })
			.then((r) => r.json()).then((x) => { window.uploaded = x; })`, `? window.uploaded !== undefined`,
		`void import("/static/render.js").then(async (m) => { const name = window.uploaded.tables?.[0]?.handle ?? window.uploaded.tables?.[0]?.name; window.shownTable = String(name);
			document.getElementById("turns").append(...m.answer({ outcome: "answer", response: "x", tables: [{ handle: name, title: "t", columns: [], rows: [], total_rows: 40 }] })); })`,
		`? window.shownTable !== undefined`)
	if err != nil {
		return err
	}
	got, err := b.js(`[...window.acted].join()`)
	if err == nil && got != "" {
		acted[got] = true
	}
	return err
}

//go:build integration

package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// accessFaults is a script that finds what keeps people from using the page: controls without a name, landmarks and ids that are there twice, headings that
// skip a level, tables without heads, more than one live region, and text that does not stand out from what is behind it (WCAG 2.2, 1.4.3).
const accessFaults = `(() => {
	const faults = [], seen = (x) => x.checkVisibility({ visibilityProperty: true }) && !x.closest("[inert], [aria-hidden=true]");
	const all = (q) => [...document.querySelectorAll(q)].filter(seen), tell = (why, x) => faults.push(why + ": " + x.outerHTML.slice(0, 90));
	const nameOf = (x) => (x.getAttribute("aria-label") || (x.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ") ||
		[...(x.labels ?? [])].map((l) => l.textContent).join(" ") || x.textContent || x.title || x.alt || "").trim();
	for (const x of all("button, a[href], input, select, textarea, summary, [role=menuitem], [role=region], [role=grid]")) if (!nameOf(x)) tell("without a name", x);
	for (const tag of ["main", "header", "footer"]) if (all("body > #page > " + tag).length !== 1) faults.push("not one " + tag);
	const ids = [...document.querySelectorAll("[id]")].map((x) => x.id);
	for (const id of new Set(ids.filter((x, i) => ids.indexOf(x) !== i))) faults.push("twice: #" + id);
	let level = 0;
	const within = document.querySelector("dialog[open]") ? "dialog[open] " : "#page ";
	for (const x of all(["h1", "h2", "h3", "h4"].map((h) => within + h).join(", "))) {
		const n = Number(x.tagName[1]);
		if (level > 0 && n > level + 1) tell("heading skips from " + level, x);
		level = n;
	}
	if (all("h1").length > 1) faults.push("more than one h1");
	if (document.querySelectorAll("[aria-live]").length !== 1) faults.push("live regions: " + document.querySelectorAll("[aria-live]").length);
	for (const x of all("table")) if (!x.querySelector("th")) tell("a table without heads", x);
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const colour = (css, under = [255, 255, 255]) => {
		canvas.fillStyle = "rgb(" + under.join(" ") + ")"; canvas.fillRect(0, 0, 1, 1);
		canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const behind = (x) => (x ? colour(getComputedStyle(x).backgroundColor, behind(x.parentElement)) : [255, 255, 255]);
	const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	for (const x of all("body *")) {
		if (![...x.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || x.closest(":disabled, .hidden, .skip, svg")) continue;
		const style = getComputedStyle(x), under = behind(x), a = light(colour(style.color, under)), b = light(under);
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05), size = parseFloat(style.fontSize);
		const large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
		if (ratio < (large ? 3 : 4.5)) tell("contrast " + ratio.toFixed(2), x);
	}
	return [...new Set(faults)].join("\n");
})()`

// TestIntegrationPageAccess looks for faults in each state of the page, in both themes, wide and narrow.
func TestIntegrationPageAccess(t *testing.T) {
	b := openDemo(t)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			check := func(state string) {
				t.Helper()
				if faults := b.js(accessFaults); faults != "" {
					t.Errorf("%s, %d, %s:\n%s", theme, width, state, faults)
				}
			}
			b.js(fmt.Sprintf(`localStorage.setItem("catena-settings", '{"theme":%q}'), document.getElementById("fresh").click()`, theme))
			b.do(chromedp.EmulateViewport(width, 800), chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#examples button")))
			check("empty")
			b.js(`document.getElementById("message").focus()`)
			b.answered("Show me the top 5 USA clients and analyze their revenue trends")
			b.js(`document.querySelector(".work > summary").click(), document.querySelectorAll(".steps details")[1].open = true`)
			b.await(`document.querySelector(".steps .reasons ul") !== null`, "true")
			check("steps")
			b.js(`document.getElementById("message").focus()`)
			b.answered("tickets per month")
			b.choose("photo.png", "xx", "a.csv", "a\\n1\\n")
			b.js(`document.querySelector("#turns > li:last-child .acts button").click()`)
			check("readings, files, edit")
			b.js(`document.querySelector("#files .icon").click()`)
			b.js(`document.getElementById("message").focus()`)
			b.answered("remember that Globex prefers tea")
			b.js(`document.getElementById("message").focus()`)
			b.ask("forget that Globex prefers tea")
			b.await(status+` !== "Answered."`, "true")
			b.await(stopShown, "false")
			check("approval")
			for _, dialog := range []string{"settings", "keys", "tools"} {
				b.js(`document.getElementById("open-` + dialog + `").click()`)
				b.await(`document.getElementById("`+dialog+`").open && !document.getElementById("`+dialog+`").textContent.includes("Asking the server")`, "true")
				b.js(`document.querySelectorAll("#tools details").forEach((x, i) => { x.open = i < 3; })`)
				check(dialog)
				b.js(`document.querySelector("#` + dialog + ` .close").click()`)
			}
			b.js(`document.querySelector("#chat-list .more").click()`)
			check("menu")
			b.do(chromedp.KeyEvent("\x1b"))
		}
	}
}

// forcedColours has the page drawn in the few colours of a person who needs contrast, or, off, in its own.
func (b *browser) forcedColours(on bool) {
	b.t.Helper()
	value := map[bool]string{true: "active", false: "none"}[on]
	b.do(chromedp.Func(func(ctx context.Context, page *chromedp.Target) error {
		features := []*emulation.MediaFeature{{Name: "forced-colors", Value: value}}
		_, err := cdp.Call(ctx, page, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
		return err
	}))
	b.await(`matchMedia("(forced-colors: active)").matches`, fmt.Sprint(on))
}

// standOut keeps what is seen and has another background than what is behind it.
const standOut = `window.standOut = [...document.querySelectorAll("body *")].filter((x) => x.checkVisibility({ visibilityProperty: true }) && !x.closest("svg")).filter((x) => {
	const own = getComputedStyle(x).backgroundColor, none = /^rgba\(.*, 0\)$|\/ 0\)$|^transparent$/;
	if (none.test(own)) return false;
	let under = x.parentElement;
	while (under && none.test(getComputedStyle(under).backgroundColor)) under = under.parentElement;
	return under && getComputedStyle(under).backgroundColor !== own;
}), window.standOut.length`

// unbounded tells what stood out by its background and has no line now that backgrounds are all the same.
const unbounded = `window.standOut.filter((x) => {
	const style = getComputedStyle(x), line = (side) => style["border" + side + "Style"] !== "none" && parseFloat(style["border" + side + "Width"]) > 0;
	const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
	return !["Top", "Right", "Bottom", "Left"].some(line) && !outlined && style.textDecorationLine === "none" && style.forcedColorAdjust !== "none";
}).map((x) => x.outerHTML.slice(0, 90)).join("\n")`

// TestIntegrationPageForcedColours: where a person's own few colours are forced on the page, what stands out by its background alone has a line.
func TestIntegrationPageForcedColours(t *testing.T) {
	b := openDemo(t)
	check := func(state, has string) {
		t.Helper()
		b.await(`document.querySelector("`+has+`")?.checkVisibility()`, "true")
		if n := b.js(standOut); n == "0" {
			t.Errorf("%s: nothing stands out", state)
		}
		b.forcedColours(true)
		if faults := b.js(unbounded); faults != "" {
			t.Errorf("%s: without a line:\n%s", state, faults)
		}
		b.forcedColours(false)
	}
	b.answered("show revenue per month as a bar chart")
	b.js(`document.querySelector(".work > summary").click(), document.querySelectorAll(".steps details")[1].open = true`)
	b.await(`document.querySelector(".steps .reasons ul") !== null`, "true")
	check("chart", ".chart .kinds [aria-pressed=true]")
	b.js(`document.getElementById("message").focus()`)
	b.answered("remember that Globex prefers tea")
	b.js(`document.getElementById("message").focus()`)
	b.ask("forget that Globex prefers tea")
	check("approval", ".notice.waits")
	b.js(`document.getElementById("find").value = "Globex", document.getElementById("find").dispatchEvent(new Event("input"))`)
	check("search", "#chat-list mark")
	b.js(`document.querySelector("#chat-list .more").click()`)
	check("menu", "[role=menu]")
	b.press("[role=menu] [role=menuitem]", "Delete")
	check("toast", "#toast")
	b.js(`window.fetch = () => Promise.reject(new TypeError("Failed to fetch"))`)
	b.js(`document.getElementById("message").focus()`)
	b.ask("tickets per month")
	check("failure", "#turns .notice.bad")
	for _, dialog := range []string{"settings", "keys"} {
		b.js(`document.getElementById("open-` + dialog + `").click()`)
		check(dialog, "#"+dialog+"[open]")
		b.js(`document.querySelector("#` + dialog + ` .close").click()`)
	}
}

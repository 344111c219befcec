//go:build integration

package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	chatTitles = `[...document.querySelectorAll("#chat-list .title")].map((x) => x.textContent).join("|")`
	currentOne = `[...document.querySelectorAll("#chat-list [aria-current]")].map((x) => x.textContent).join("|")`
	titleShown = `document.getElementById("title").textContent`
	questions  = `[...document.querySelectorAll("#turns .question")].map((x) => x.textContent).join("|")`
)

// answered asks a question and waits for its answer.
func (b *browser) answered(message string) {
	b.t.Helper()
	b.await(focused, "message")
	b.js(`document.getElementById("status").textContent = ""`)
	b.ask(message)
	b.await(status, "Answered.")
}

// press presses the button of a name.
func (b *browser) press(within, name string) {
	b.t.Helper()
	button := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((x) => x.textContent === %q || x.getAttribute("aria-label") === %q)`, within, name, name)
	b.await(button+` !== undefined`, "true")
	b.js(button + `.click()`)
}

// quiet fails the test where a script threw or the console was told something.
func (b *browser) quiet() {
	b.t.Helper()
	if said := b.complaint(); said != "" {
		b.t.Errorf("the page complains of: %s", said)
	}
}

// TestIntegrationPageChats finds, opens, renames, deletes and brings back chats by the side bar; back and forward go between them.
func TestIntegrationPageChats(t *testing.T) {
	b, _ := openPage(t)
	b.answered("total amount by region in sales")
	b.await(titleShown, "total amount by region in sales")
	b.await(currentOne, "total amount by region in sales")
	b.js(`document.getElementById("fresh").click()`)
	b.await(titleShown, "New chat")
	b.answered("how many rows does sales have?")
	const both = "how many rows does sales have?|total amount by region in sales"
	b.await(chatTitles, both)
	b.await(`document.querySelector("#chat-list .day").textContent`, "Today")

	b.js(`history.back()`) // to the empty page that it was asked on
	b.await(titleShown, "New chat")
	b.js(`history.back()`)
	b.await(questions, "total amount by region in sales")
	b.await(currentOne, "total amount by region in sales")
	b.js(`history.forward()`)
	b.await(titleShown, "New chat")
	b.js(`history.forward()`)
	b.await(questions, "how many rows does sales have?")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li")))
	b.await(questions, "how many rows does sales have?")

	b.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(kb.ModifierCtrl)))
	b.await(focused, "find")
	b.do(chromedp.KeyEvent("SOUTH")) // stands in an answer alone
	b.await(chatTitles, "total amount by region in sales")
	b.await(`document.querySelector("#chat-list .snippet mark").textContent`, "South")
	b.js(`document.querySelector("#chat-list .title").click()`)
	b.await(questions, "total amount by region in sales")

	more := func(name string) {
		t.Helper()
		b.js(`document.querySelector("#chat-list .more").click()`)
		b.press("[role=menu] [role=menuitem]", name)
	}
	b.js(`document.querySelector("#chat-list .more").focus()`)
	b.do(chromedp.Func(pressEnter))
	b.await(`document.activeElement.textContent`, "Rename")
	b.do(chromedp.KeyEvent("\x1b"))
	b.await(`document.activeElement.className`, "icon more")
	more("Rename")
	b.do(chromedp.KeyEvent("best regions"), chromedp.Func(pressEnter))
	b.await(titleShown, "best regions")
	b.await(`document.getElementById("find").value = "", document.getElementById("find").dispatchEvent(new Event("input")), ""`, "")
	b.await(chatTitles, "how many rows does sales have?|best regions")

	more("Delete")
	b.await(chatTitles, "best regions")
	b.press("#toast button", "Undo")
	b.await(chatTitles, "how many rows does sales have?|best regions")
	more("Delete")
	b.await(chatTitles, "best regions")
	b.quiet()
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#message"))) // leaves no time to undo
	b.await(chatTitles, "best regions")
	b.await(questions, "total amount by region in sales")
	more("Delete") // the one that is shown
	b.await(questions, "")
	b.await(titleShown, "New chat")
}

// TestIntegrationPageUnknownChat says that a chat is not there, and goes on.
func TestIntegrationPageUnknownChat(t *testing.T) {
	b, _ := openPage(t)
	b.js(`location.hash = "ses_nobody"`)
	b.await(`document.getElementById("gone").innerText.startsWith("There is no such chat.")`, "true")
	b.press("#gone button", "New chat")
	b.await(`document.getElementById("gone").hidden`, "true")
	b.answered("total amount by region in sales")
}

// TestIntegrationPageSteps opens a step: what went in, what came out and why; and a person's own opening of the list stays.
func TestIntegrationPageSteps(t *testing.T) {
	b, _ := openPage(t)
	b.answered("total amount by region in sales")
	const work = `document.querySelector("#turns > li:last-child .work")`
	b.await(work+`.open`, "false")
	b.await(`/^3 steps, [\d.]+ ms$/.test(`+work+`.querySelector("summary").textContent)`, "true")
	b.js(work + `.querySelector("summary").click()`)
	const step = work + `.querySelectorAll(".steps > li")[1]`
	b.js(step + `.querySelector("summary").click()`)
	inside := step + `.querySelector(".inside").innerText`
	for _, want := range []string{"query_table", "aggregates", "18.5", "because of"} {
		b.await(inside+`.includes("`+want+`")`, "true")
	}
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li .work")))
	b.await(`/^3 steps, [\d.]+ ms$/.test(`+work+`.querySelector("summary").textContent)`, "true")
	b.quiet()
}

// TestIntegrationPageKept: the question shows its files, also after a reload; Enter while one is answered says so; what cannot be attached is refused by name;
// a draft outlasts a reload.
func TestIntegrationPageKept(t *testing.T) {
	env, gates := gatedModel(t)
	b, _ := openPage(t, env...)
	b.choose("shops.csv", "shop,n\nNorth,1\n", "picture.png", "x", "empty.csv", "")
	b.await(chosen, "shops.csv")
	refused := b.js(`document.getElementById("refused").innerText`)
	if !strings.Contains(refused, "picture.png is not attached: this is no table") || !strings.Contains(refused, "empty.csv is not attached: it is empty") {
		t.Errorf("refused: %q", refused)
	}
	b.await(focused, "message")
	b.ask("total n by shop in shops")
	b.await(stopShown, "true")
	const sent = `[...document.querySelectorAll("#turns > li:last-child .sent li")].map((x) => x.textContent).join("|")`
	b.await(sent, "shops.csv")
	b.await(`location.hash.length > 5`, "true")
	b.ask("and another")
	b.await(status, "A question is being answered. Esc stops it; your text stays here.")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#cancel")))
	b.await(sent, "shops.csv")
	b.await(`document.getElementById("message").value`, "and another")
	close(gates)
	b.await(status, "Answered.")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li .answer")))
	b.await(sent, "shops.csv")
	b.await(questions, "total n by shop in shops")
}

// TestIntegrationPageSecondTab: another tab with the same chat shows the run of the first one, and its answer.
func TestIntegrationPageSecondTab(t *testing.T) {
	env, gates := gatedModel(t)
	b, _ := openPage(t, env...)
	b.ask("total amount by region in sales")
	b.await(`location.hash.length > 5`, "true")
	ctx, done := chromedp.NewContext(b.ctx)
	defer done()
	if err := chromedp.Listen(ctx, func(any) {}); err != nil { // makes the tab, which lives as long as this context
		t.Fatal(err)
	}
	second := &browser{t: t, ctx: ctx}
	second.do(chromedp.Navigate(b.js(`location.href`)), chromedp.WaitVisible(chromedp.CSS("#cancel")))
	second.await(questions, "total amount by region in sales")
	close(gates)
	second.await(status, "Answered.")
	b.await(status, "Answered.")
	b.answered("how many rows does sales have?")
	second.await(questions, "total amount by region in sales|how many rows does sales have?")
	second.await(`document.querySelectorAll("#turns > li:last-child .answer").length`, "1")
}

// TestIntegrationPageVersions goes between a question and its edited version, and goes on after the older one.
func TestIntegrationPageVersions(t *testing.T) {
	b, _ := openPage(t)
	b.answered("total amount by region in sales")
	b.answered("how many rows does sales have?")
	b.js(`document.querySelector("#turns > li:first-child .acts button").click()`)
	b.await(`document.querySelector(".edit").innerText.includes("1 later question will be set aside")`, "true")
	b.js(`document.activeElement.select(), document.getElementById("status").textContent = ""`)
	b.ask("average amount by region in sales")
	b.await(status, "Answered.")
	b.await(questions, "average amount by region in sales")
	const at = `[...document.querySelectorAll("#turns .branches > span")].map((x) => x.textContent).join("|")`
	b.await(at, "2 / 2")
	b.press("#turns .branches button", "The version before")
	b.await(questions, "total amount by region in sales|how many rows does sales have?")
	b.await(at, "1 / 2")
	b.js(`document.getElementById("message").focus()`)
	b.answered("total amount in sales")
	b.await(questions, "total amount by region in sales|how many rows does sales have?|total amount in sales")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li .branches")))
	b.await(questions, "total amount by region in sales|how many rows does sales have?|total amount in sales")
	b.quiet()
}

// TestIntegrationPageReadings: an answer says how its question was read, and another reading is one click away.
func TestIntegrationPageReadings(t *testing.T) {
	b := openDemo(t)
	b.answered("tickets per month")
	b.await(`document.querySelector("#turns").innerText.match(/Number of rows for each month/gi).length`, "1") // the title says it
	const other = `document.querySelector("#turns > li:last-child .others .chip")`
	words := b.js(other + `.textContent`)
	b.js(`document.getElementById("status").textContent = ""`)
	b.js(other + `.click()`)
	b.await(status, "Answered.")
	b.await(questions, "tickets per month|"+words)
	said := strings.ToLower(strings.ReplaceAll(words, "_", " "))
	b.await(`[...document.querySelectorAll("#turns > li:last-child :is(.reading, .bar p)")].filter((x) => x.textContent.toLowerCase().replaceAll("_", " ").includes("`+said+`")).length`, "1")
	b.await(`document.querySelectorAll("#turns .others").length`, "0")
	b.quiet()
}

// TestIntegrationPagePlan shows the plan of a question first: nothing runs until the person says so.
func TestIntegrationPagePlan(t *testing.T) {
	b := openDemo(t)
	b.js(`localStorage.setItem("catena-settings", '{"plans":"shown"}')`)
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#message")))
	b.await(focused, "message")
	b.ask("Show me the top 5 USA clients and analyze their revenue trends")
	b.await(`document.activeElement.textContent`, "Run it")
	const steps = `[...document.querySelectorAll(".plan .steps > li .what")].map((x) => x.textContent).join("|")`
	b.await(steps, "Get top clients (5, USA)|Get client revenue|Analyze trend (client, revenue_usd)")
	if said := b.js(`document.querySelector(".plan .steps > li:last-child").textContent`); !strings.Contains(said, "with the result of step 2") {
		t.Errorf("the last step is %q", said)
	}
	b.await(`location.hash`, "")
	b.press(".plan button", "Change the question")
	b.await(`document.getElementById("message").value`, "Show me the top 5 USA clients and analyze their revenue trends")
	b.await(questions, "")
	b.await(focused, "message")
	b.do(chromedp.Func(pressEnter))
	b.press(".plan button", "Run it")
	b.await(status, "Answered.")
	b.await(questions, "Show me the top 5 USA clients and analyze their revenue trends")
	b.await(`document.querySelectorAll(".plan").length`, "0")
	b.quiet()
}

// TestIntegrationPagePlanChanged runs a plan with steps left out and arguments changed: exactly that is run.
func TestIntegrationPagePlanChanged(t *testing.T) {
	b := openDemo(t)
	show := func() {
		b.do(chromedp.KeyEvent("Show me the top 5 USA clients and analyze their revenue trends"))
		b.js(`document.getElementById("message").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, cancelable: true, bubbles: true }))`)
		b.await(`document.querySelectorAll(".plan .steps > li").length`, "3")
	}
	show()
	const boxes = `document.querySelectorAll(".plan .choose > li > input")`
	b.js(boxes + `[1].click()`)
	b.await(`[...`+boxes+`].map((x) => x.checked + "" + x.disabled).join("|")`, "truefalse|falsefalse|falsetrue")
	b.await(`document.querySelector(".plan strong").textContent`, "This would be run: 1 of 3 steps")
	const args = `document.querySelector(".plan .code")`
	change := func(text string) {
		b.js(`(() => { const x = ` + args + `; x.value = ` + text + `; x.dispatchEvent(new Event("input")); })()`)
	}
	change(`"{"`)
	b.await(`document.querySelector(".plan .primary").disabled`, "true")
	change(`'{"limit": "many"}'`)
	b.press(".plan button", "Run it")
	b.await(`document.querySelector(".plan .notice.bad:not([hidden])") !== null`, "true")
	b.await(`location.hash`, "")
	change(`'{"limit": 2, "region": "USA"}'`)
	b.press(".plan button", "Run it")
	b.await(status, "Answered.")
	b.await(`document.querySelectorAll("#turns > li:last-child [role=grid] tbody tr").length`, "2")
	if said := b.js(lastSteps); !strings.Contains(said, "top clients") && !strings.Contains(said, "Top 2") || strings.Contains(strings.ToLower(said), "trend") {
		t.Errorf("the steps are %q", said)
	}
	b.quiet()
}

// TestIntegrationPageMenuStays: a menu of the list of chats, and focus in it, outlast that the list is drawn anew.
func TestIntegrationPageMenuStays(t *testing.T) {
	b, _ := openPage(t)
	b.answered("total amount by region in sales")
	b.await(chatTitles, "total amount by region in sales")
	b.js(`document.querySelector("#chat-list .more").click()`)
	b.await(`document.activeElement.textContent`, "Rename")
	b.js(`void fetch("/api/v1/chat", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ message: "how many rows does sales have?" }) })` +
		`.then(() => new BroadcastChannel("catena").postMessage({ session: "", what: "list" }))`)
	b.await(chatTitles, "how many rows does sales have?|total amount by region in sales")
	b.await(`document.querySelectorAll("#chat-list [role=menu]").length`, "1")
	b.await(`document.activeElement.textContent`, "Rename")
	b.quiet()
}

// TestIntegrationPageNext: an answer offers further questions about its table, none that was asked already.
func TestIntegrationPageNext(t *testing.T) {
	b, _ := openPage(t)
	b.answered("total amount by region in sales")
	const chips = `[...document.querySelectorAll("#turns .next button")].map((x) => x.textContent).join("|")`
	b.await(chips, "How many rows does sales have?")
	b.js(`document.getElementById("status").textContent = ""`)
	b.press("#turns .next button", "How many rows does sales have?")
	b.await(status, "Answered.")
	b.await(questions, "total amount by region in sales|how many rows does sales have?")
	b.await(chips, "")
	b.quiet()
}

// openDemo opens the page of a program with the demo data.
func openDemo(t *testing.T) *browser {
	t.Helper()
	dir := t.TempDir()
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	b := openBrowser(t)
	b.do(chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	b.await(focused, "message")
	return b
}

// TestIntegrationPageKeys drives the page by its keys.
func TestIntegrationPageKeys(t *testing.T) {
	b, _ := openPage(t)
	b.answered("total amount by region in sales")
	b.await(focused, "message")
	b.do(chromedp.KeyEvent(kb.ArrowUp))
	b.await(`document.activeElement.value`, "total amount by region in sales")
	b.do(chromedp.KeyEvent("\x1b"))
	b.await(`document.activeElement.textContent`, "Edit")
	b.do(chromedp.KeyEvent("?"))
	b.await(`document.getElementById("keys").open`, "true")
	b.js(`void fetch(document.querySelector("#keys a").href).then((r) => r.json()).then((doc) => { window.linked = doc.openapi; })`)
	b.await(`window.linked.startsWith("3.")`, "true") // help leads to what programs can do
	b.do(chromedp.KeyEvent("\x1b"))
	b.await(`document.getElementById("keys").open`, "false")
	b.await(`document.activeElement.textContent`, "Edit")
	b.do(chromedp.Func(pressSlash))
	b.await(focused, "message")
	b.await(`document.getElementById("message").value`, "")
	b.quiet()
}

// pressSlash is the stroke of a key whose text the page refuses together with it; see pressEnter.
func pressSlash(ctx context.Context, page *chromedp.Target) error {
	_, err := cdp.Call(ctx, page, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kb.KeyDown, Key: "/", Code: "Slash", WindowsVirtualKeyCode: 191, Text: "/"})
	return err
}

// TestIntegrationPageTyping: when a dialog closes whose opening took focus from the question's field, what is typed stands
// in that field: also after a click in the dialog, and what has focus by keys is never below the field.
func TestIntegrationPageTyping(t *testing.T) {
	b := openDemo(t)
	for _, name := range []string{"settings", "keys", "tools"} {
		b.js(`(document.getElementById("message").focus(), document.getElementById("message").value = "", "")`)
		b.js(`document.getElementById("open-` + name + `").click()`)
		b.await(`document.getElementById("`+name+`").open`, "true")
		b.do(chromedp.Click(chromedp.CSS("#" + name + " .close")))
		b.await(focused, "message")
		b.do(chromedp.KeyEvent(name))
		b.await(`document.getElementById("message").value`, name)
	}
	b.js(`document.getElementById("message").value = ""`)
	b.answered("list all rows of tickets")
	b.await(`document.querySelector("#turns .bar").innerText.includes("(1,960 rows)")`, "true")
	b.await(`document.querySelector(".pager [aria-label='Next page']") !== null`, "true")
	b.js(`scrollTo(0, 0)`)
	b.js(`document.querySelector(".pager [aria-label='Next page']").focus()`)
	b.await(`document.activeElement.getBoundingClientRect().bottom <= document.querySelector("footer").getBoundingClientRect().top`, "true")
	b.quiet()
}

// TestIntegrationPageNarrow: on a phone, and at 320 pixels, nothing is wider than the page, controls are large enough, and the side bar is a drawer.
func TestIntegrationPageNarrow(t *testing.T) {
	b, _ := openPage(t)
	b.answered("total amount by region in sales")
	for _, width := range []int64{1280, 390, 320} {
		b.do(chromedp.EmulateViewport(width, 800))
		b.await(`document.documentElement.scrollWidth <= innerWidth`, "true")
		b.await(`document.querySelector("footer").offsetHeight * 3 <= innerHeight`, "true")
		small := b.js(`[...document.querySelectorAll("button, a, select, summary, label.attach")].filter((x) => x.checkVisibility()).map((x) => [x, x.getBoundingClientRect()])` +
			`.filter(([x, r]) => r.width > 0 && (r.width < 24 || r.height < 24)).map(([x]) => x.outerHTML.slice(0, 80)).join("\n")`)
		if small != "" {
			t.Errorf("%d: smaller than 24 pixels:\n%s", width, small)
		}
	}
	b.await(`document.getElementById("side").checkVisibility()`, "false")
	b.js(`document.getElementById("list").focus(), document.getElementById("list").click()`)
	b.await(focused, "close-side")
	b.await(`document.getElementById("page").inert`, "true")
	b.do(chromedp.KeyEvent("\x1b"))
	b.await(focused, "list")
	b.await(`document.getElementById("side").checkVisibility()`, "false")
	b.quiet()
}

// TestIntegrationPageHostile: titles, questions, file names, snippets and steps that look like markup are shown as they are.
func TestIntegrationPageHostile(t *testing.T) {
	b, _ := openPage(t)
	const evil = `<img src=x onerror=alert(1)>`
	b.choose("<svg onload=alert(2)>.csv", "a,<b onclick=alert(3)>x</b>\n1,<script>alert(4)</script>\n")
	b.await(focused, "message")
	b.ask("what is in " + evil + "?")
	b.await(status+`.includes("nswer") || `+status+`.includes("question back")`, "true")
	b.await(titleShown, "what is in "+evil+"?")
	b.await(chatTitles, "what is in "+evil+"?")
	b.js(`document.getElementById("find").value = "<img", document.getElementById("find").dispatchEvent(new Event("input"))`)
	b.await(`document.querySelector("#chat-list .title mark")?.textContent`, "<img")
	b.js(`[...document.querySelectorAll("details")].forEach((x) => { x.open = true })`)
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li .body > *")))
	b.await(`document.querySelectorAll("#page img, #page script, #page svg[onload], #side li img, [onerror], [onclick], [onload]").length`, "0")
	b.quiet()
}

// TestIntegrationPageLongChat opens a chat of 60 turns: the newest is there at once, all others soon, none twice.
func TestIntegrationPageLongChat(t *testing.T) {
	b, _ := openPage(t)
	b.js(`(async () => {
		const ask = (session_id) => fetch("/api/v1/chat", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ message: "how many rows does sales have?", session_id }) }).then((r) => r.json());
		let id;
		for (let i = 0; i < 60; i++) id = (await ask(id)).session_id;
		location.hash = id;
	})(), ""`)
	b.await(`document.querySelectorAll("#turns > li").length`, "60")
	b.await(`document.querySelectorAll("#turns > li .answer").length`, "60")
	b.await(`document.querySelectorAll("#turns > li .acts:not([hidden])").length`, "60")
	b.await(`document.querySelector("#turns > li:last-child").getBoundingClientRect().top < innerHeight`, "true")
	b.quiet()
}

// TestIntegrationPageQuestions: the empty page offers questions that fit the tables, and so does the answer to files alone; each can be answered.
func TestIntegrationPageQuestions(t *testing.T) {
	b, _ := openPage(t)
	const offered = `[...document.querySelectorAll("#examples button")].map((x) => x.textContent).join("|")`
	b.await(offered, "total amount by region in sales|how many rows does sales have?")
	b.js(`document.querySelector("#examples button").click()`)
	b.await(status, "Answered.")
	b.js(`document.getElementById("status").textContent = ""`)
	b.choose("shops.csv", "shop,city,visits\nA,Rome,3\nB,Oslo,4\nC,Rome,5\n")
	b.js(`document.getElementById("send").click()`)
	b.await(status, "Answered.")
	const chips = `[...document.querySelectorAll("#turns > li:last-child .choices button")].map((x) => x.textContent).join("|")`
	b.await(chips, "Total visits by city in shops|How many rows does shops have?")
	b.js(`document.getElementById("status").textContent = ""`)
	b.press("#turns > li:last-child .choices button", "Total visits by city in shops")
	b.await(status, "Answered.")
	b.await(`document.querySelector("#turns > li:last-child .answer").innerText.includes("Rome")`, "true")
	b.quiet()
}

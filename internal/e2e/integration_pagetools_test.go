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
)

const (
	toolsButton = `document.getElementById("open-tools").textContent`
	panel       = `document.getElementById("tools-body")`
	steps       = `document.querySelector("#turns > li:last-child .steps")?.textContent ?? ""`
)

// openTool opens the panel of tools and one tool in it.
func (b *browser) openTool(name string) {
	b.t.Helper()
	b.js(`document.getElementById("tools").open || (document.getElementById("open-tools").focus(), document.getElementById("open-tools").click())`)
	b.await(panel+`.querySelector("input[type=search]") !== null`, "true")
	b.js(`(() => { const find = ` + panel + `.querySelector("input[type=search]"); find.value = "` + name + `"; find.dispatchEvent(new Event("input")); })()`)
	b.js(toolLine(name) + `.querySelector("details").open = true`)
	b.await(toolLine(name)+`.querySelector("form") !== null`, "true")
}

// toolLine is a tool's line in the panel.
func toolLine(name string) string {
	return `[...document.querySelectorAll(".tool-list > li")].find((x) => x.checkVisibility() && x.querySelector("input").getAttribute("aria-label") === "` + name + `: use in this chat")`
}

// TestIntegrationPageTools finds a tool in the panel, tries it by a form made from its schema, and has a chat do without it.
func TestIntegrationPageTools(t *testing.T) {
	b, _ := openPage(t)
	b.openTool("quantiles")
	const form = `document.querySelector("#tools .schema-form")`
	b.js(form + `.requestSubmit()`)
	b.await(`[...`+form+`.querySelectorAll(".bad:not([hidden])")].map((x) => x.textContent).join("|")`, "This is required.|This is required.")
	b.await(`document.activeElement.getAttribute("aria-invalid")`, "true")
	fill := func(name, value string) {
		b.js(`[...` + form + `.querySelectorAll(".field")].find((x) => x.querySelector("code").textContent === "` + name + `").querySelector("input, textarea").value = "` + value + `"`)
	}
	fill("data", "sales")
	fill("value", "amount")
	b.js(form + `.requestSubmit()`)
	b.await(panel+`.querySelector(".result table") !== null`, "true")
	if said := b.js(panel + `.querySelector(".result").innerText`); !strings.Contains(said, "10.50") {
		t.Errorf("the tool gave %q", said)
	}
	b.openTool("query_table")
	b.js(toolLine("query_table") + `.querySelector("input").click()`)
	b.await(toolsButton, "Tools 1 off")
	b.js(`document.querySelector("#tools .close").click()`)
	b.await(`document.activeElement.id`, "open-tools")

	b.js(`document.getElementById("message").focus()`)
	b.ask("total amount by region in sales")
	b.await(stopShown, "false")
	b.await(`/^(Not answered|A question back|Answered)/.test(`+status+`)`, "true")
	b.await(`(`+steps+`).includes("query")`, "false")
	b.do(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("#turns > li")))
	b.await(toolsButton, "Tools 1 off") // it is the chat's
	b.js(`document.getElementById("fresh").click()`)
	b.await(toolsButton, "Tools")
	b.answered("total amount by region in sales")
	b.await(`document.querySelector("#turns .answer").innerText.includes("18.50")`, "true")
	b.quiet()
}

// TestIntegrationPageServers: a server that is down is told of in the panel, with the reason, and not under answers that did not need it.
func TestIntegrationPageServers(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data", "sales.csv"), "region,amount\nNorth,10.50\nSouth,4.25\n")
	write(t, filepath.Join(dir, "catena.yaml"), `{"mcpServers": {"lost": {"command": "/no/such/program"}}}`)
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_CONFIG=" + filepath.Join(dir, "catena.yaml")}, "--data", "data")
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
	b.answered("total amount by region in sales")
	b.await(toolsButton, "Tools 1 down")
	b.await(`document.querySelector("#turns .notes").textContent.includes("lost")`, "false")
	b.js(`document.getElementById("open-tools").click()`)
	b.await(panel+`.querySelector(".servers .bad") !== null`, "true")
	if said := b.js(panel + `.querySelector(".servers").innerText`); !strings.Contains(said, "lost") || !strings.Contains(said, "/no/such/program") {
		t.Errorf("the panel says %q", said)
	}
}

// TestIntegrationPageModel: the settings tell which model plans, and of one that fails again and again that it is not asked for a while.
func TestIntegrationPageModel(t *testing.T) {
	b, _ := openPage(t, "CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=absent", "CATENA_LLM_API_KEY=none", "CATENA_LLM_BASE_URL=http://127.0.0.1:1/v1")
	const about = `document.getElementById("about").innerText`
	settings := func(want string) {
		t.Helper()
		b.js(`document.getElementById("open-settings").click()`)
		b.await(about+`.includes("`+want+`")`, "true")
		b.await(about+`.includes("docs/models.md")`, "true")
	}
	settings("absent at 127.0.0.1:1: in use")
	b.await(`document.querySelector("#about .bad")`, "null")
	b.js(`document.querySelector("#settings .close").click()`)
	for i := range 5 { // failures that open the breaker of a model
		b.js(`document.getElementById("message").focus()`)
		b.answered(fmt.Sprintf("total amount by region in sales where amount is over %d", i))
	}
	settings("times in a row and is asked only now and then")
	b.await(`document.querySelector("#about .bad").textContent.includes("absent at 127.0.0.1:1 failed")`, "true")
}

// TestIntegrationPageToolsForAll: an administrator switches a tool and a toolset off for everybody, which the panel and a
// question that needs it tell, also after a new start, and on again.
func TestIntegrationPageToolsForAll(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data", "sales.csv"), "region,amount\nNorth,10.50\nSouth,4.25\nNorth,8.00\n")
	start := func() (stop func() error, url string) {
		t.Helper()
		s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, "--data", "data")
		if err != nil {
			t.Fatal(err)
		}
		stop = sync.OnceValue(s.stop)
		t.Cleanup(func() {
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
		return stop, url
	}
	stop, url := start()
	b := openBrowser(t)
	b.do(chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	const said = `document.getElementById("tools-said").textContent`
	b.openTool("query_table")
	b.js(`document.getElementById("for-all-tool-query_table").click()`)
	b.await(said, "query_table: off for everybody.")
	b.await(focused, "for-all-tool-query_table")
	b.await(`document.getElementById("for-all-tool-query_table").textContent`, "Switch on for everybody")
	b.await(toolLine("query_table")+`.querySelector("input").disabled`, "true")
	b.await(toolLine("query_table")+`.innerText.includes("switched off by the administrator")`, "true")
	b.js(`document.getElementById("for-all-toolset-memory").closest("details").open = true`)
	b.js(`document.getElementById("for-all-toolset-memory").click()`)
	b.await(said, "memory: off for everybody.")
	b.await(`document.querySelector('.toolset[data-name="memory:"] summary').innerText.includes(", switched off by the administrator")`, "true")
	b.do(chromedp.EmulateViewport(320, 700))
	b.await(`document.getElementById("tools").scrollWidth <= document.getElementById("tools").clientWidth`, "true")
	b.await(`[...document.querySelectorAll("#tools button")].filter((x) => x.checkVisibility()).every((x) => x.getBoundingClientRect().height >= 24)`, "true")
	if faults := b.js(accessFaults); faults != "" {
		t.Errorf("the panel has faults:\n%s", faults)
	}
	b.do(chromedp.EmulateViewport(1000, 800))
	if err := stop(); err != nil {
		t.Fatal(err)
	}

	_, url = start()
	b.do(chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	b.await(focused, "message")
	b.ask("total amount by region in sales")
	b.await(`document.querySelector("#turns > li:last-child").innerText.includes("query_table, which is switched off")`, "true")
	b.js(`document.getElementById("open-tools").focus()`)
	b.js(`document.getElementById("open-tools").click()`)
	b.await(`document.getElementById("for-all-toolset-data") !== null`, "true")
	b.js(`document.getElementById("for-all-toolset-data").closest("details").open = true`)
	b.js(toolLine("query_table") + `.querySelector("details").open = true`)
	b.js(`document.getElementById("for-all-tool-query_table").click()`)
	b.await(said, "query_table: on for everybody.")
	b.js(`document.querySelector("#tools .close").click()`)
	b.js(`document.getElementById("message").focus()`)
	b.answered("total amount by region in sales where amount is over 1")
	b.await(`document.querySelector("#turns > li:last-child .answer").innerText.includes("18.50")`, "true")
}

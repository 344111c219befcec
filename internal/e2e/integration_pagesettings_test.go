//go:build integration

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const (
	about     = `document.getElementById("about").innerText`
	modelForm = `document.getElementById("model-form")`
)

// openSettings opens the settings and waits for the model's form.
func (b *browser) openSettings() {
	b.t.Helper()
	b.js(`document.getElementById("open-settings").focus()`)
	b.js(`document.getElementById("open-settings").click()`)
	b.await(modelForm+` !== null`, "true")
}

// choosesModel fills in the form and sends it.
func (b *browser) choosesModel(address, name, key string) {
	b.t.Helper()
	for id, value := range map[string]string{"model-provider": "openai", "model-address": address, "model-name": name, "model-key": key} {
		b.js(`document.getElementById("` + id + `").value = "` + value + `"`)
	}
	b.js(modelForm + `.requestSubmit()`)
}

// TestIntegrationPageModelChoice chooses a model in the settings: a wrong address is told, a good one is used for the next
// question, its key never comes back, and it is forgotten by a button.
func TestIntegrationPageModelChoice(t *testing.T) {
	const key = "sk-canary-5d1e9a"
	b, _ := openPage(t)
	b.openSettings()
	b.choosesModel("ftp://example", "absent", key)
	b.await(modelForm+`.querySelector("[role=alert]").innerText.includes("llm.base_url is no http or https address")`, "true")
	b.await(about+`.includes("offline")`, "true")

	b.choosesModel("http://127.0.0.1:1/v1", "absent", key)
	b.await(`document.getElementById("model-said").innerText`, "The next question is planned by this model.")
	b.await(about+`.includes("absent at 127.0.0.1:1: in use")`, "true")
	b.await(focused, "model-use")
	b.await(`document.getElementById("model-key").value`, "")
	b.await(`document.getElementById("model-key-about").innerText.includes("There is one.")`, "true")
	if page := b.js(`document.documentElement.outerHTML + [...document.querySelectorAll("input")].map((x) => x.value)`); strings.Contains(page, key) {
		t.Error("the page has the key")
	}
	b.do(chromedp.EmulateViewport(320, 700))
	b.await(`document.getElementById("settings").scrollWidth <= document.getElementById("settings").clientWidth`, "true")
	b.await(`[...document.querySelectorAll("#model-form :is(input, select, button)")].every((x) => x.getBoundingClientRect().height >= 24)`, "true")
	if faults := b.js(accessFaults); faults != "" {
		t.Errorf("the form has faults:\n%s", faults)
	}
	b.do(chromedp.EmulateViewport(1000, 800))
	b.await(`document.getElementById("side").inert`, "false") // as on a phone what had focus before the dialog cannot have it
	b.js(`document.querySelector("#settings .close").click()`)
	b.await(focused, "open-settings")
	b.js(`document.getElementById("message").focus()`)
	b.answered("total amount by region in sales where amount is over 1")
	b.await(`document.querySelector("#turns").innerText.includes("planned offline")`, "true") // it was asked, and told of

	b.openSettings()
	b.js(`document.getElementById("model-forget").click()`)
	b.await(`document.getElementById("model-said").innerText`, "The model and its key are forgotten.")
	b.await(about+`.includes("offline")`, "true")
	b.await(`document.getElementById("model-forget")`, "null")
}

// TestIntegrationPageModelSet: what the environment says of the model is shown with the variable, and is not changed here.
func TestIntegrationPageModelSet(t *testing.T) {
	b, _ := openPage(t, "CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=absent", "CATENA_LLM_BASE_URL=http://127.0.0.1:1/v1")
	b.openSettings()
	for id, variable := range map[string]string{"model-provider": "CATENA_LLM_PROVIDER", "model-address": "CATENA_LLM_BASE_URL", "model-name": "CATENA_LLM_MODEL"} {
		b.await(`document.getElementById("`+id+`").disabled`, "true")
		b.await(`document.getElementById("`+id+`-about").innerText`, "Set by "+variable+".")
	}
	b.js(`document.getElementById("model-key").value = "sk-canary-5d1e9a"`)
	b.js(modelForm + `.requestSubmit()`)
	b.await(`document.getElementById("model-said").innerText`, "The next question is planned by this model.")
	b.await(`document.getElementById("model-key-about").innerText.includes("There is one.")`, "true")
	b.quiet()
}

// TestIntegrationPageNotify: a long question that is answered while the page is hidden is told by the browser, where
// somebody has switched that on and the browser allows it; else never.
func TestIntegrationPageNotify(t *testing.T) {
	b, _ := openPage(t)
	b.js(`(() => {
		window.told = []; window.asked = 0; window.allows = "denied"; let clock = 0;
		window.Notification = class { constructor(title, more) { told.push(title + ": " + more.body); } };
		Notification.permission = "default";
		Notification.requestPermission = async () => { asked++; return Notification.permission = allows; };
		Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away ?? false });
		window.pace = 10000; performance.now = () => (clock += pace); // each look at the clock is as much later
		return ""; })()`)
	const question = "total amount by region in sales"
	asks := func(away bool, pace, want string) {
		t.Helper()
		if away {
			b.js(`window.away = true`)
		}
		b.js(`window.pace = ` + pace)
		b.answered(question)
		b.await(`told.join("|")`, want)
		b.js(`(window.away = false, told.length = 0)`)
	}
	turn := func(to, want string) {
		t.Helper()
		b.js(`document.getElementById("open-settings").click()`)
		b.js(`(() => { const choice = document.getElementById("set-notify"); choice.value = "` + to + `"; choice.dispatchEvent(new Event("change")); return ""; })()`)
		b.await(`document.getElementById("set-notify").value`, want)
		b.await(modelForm+` !== null`, "true")
		b.js(`document.querySelector("#settings .close").click()`)
		b.js(`document.getElementById("message").focus()`)
	}
	asks(true, "10000", "") // it is off
	b.await(`asked`, "0")
	turn("on", "off") // the browser does not allow it
	b.await(`document.getElementById("notify-about").textContent.includes("does not allow it")`, "true")
	asks(true, "10000", "")
	b.js(`window.allows = "granted"`)
	turn("on", "on")
	b.await(`asked`, "2")
	asks(false, "10000", "") // somebody looks
	asks(true, "10", "")     // it took no time
	asks(true, "10000", "Your question is answered: "+question)
	turn("off", "off")
	asks(true, "10000", "")
	b.await(`asked`, "2")
	b.quiet()
}

//go:build integration

package e2e

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestIntegrationPageRestart ends the server while it answers and starts it anew: the page says that it reconnects, and shows the answer.
func TestIntegrationPageRestart(t *testing.T) {
	for name, end := range map[string]func(*served) error{
		"killed":  func(s *served) error { _ = s.cmd.Process.Kill(); <-s.done; return nil },
		"stopped": (*served).stop,
	} {
		t.Run(name, func(t *testing.T) {
			model, gates := gatedModel(t)
			dir := t.TempDir()
			write(t, filepath.Join(dir, "data", "sales.csv"), "region,amount\nNorth,10.50\nSouth,4.25\nNorth,8.00\n")
			env := append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, model...)
			first, address, err := startProgram(dir, env, "--data", "data", "--store", "store")
			if err != nil {
				t.Fatal(err)
			}
			b := openBrowser(t)
			b.do(chromedp.Navigate(address+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
			b.await(focused, "message")
			b.ask("total amount by region in sales")
			b.await(`location.hash.length > 5`, "true")
			if err := end(first); err != nil {
				t.Fatal(err)
			}
			b.await(`/^The connection broke off. Reconnecting, \d s$/.test(`+status+`)`, "true")
			where, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			second, _, err := startProgram(dir, env, "--data", "data", "--store", "store", "--listen", where.Host)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := second.stop(); err != nil {
					t.Error(err)
				}
			})
			close(gates)
			b.await(status, "Answered.")
			b.await(`document.querySelectorAll("#turns > li").length`, "1")
			if said := b.js(lastText); !strings.Contains(said, "18.50") {
				t.Errorf("the answer is %q", said)
			}
		})
	}
}

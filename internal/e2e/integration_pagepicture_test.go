//go:build integration

package e2e

import (
	"bytes"
	"context"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

var updatePicture = flag.Bool("update", false, "take the picture of the page in docs/ anew")

// TestIntegrationPagePicture asks the README's question over the demo data and takes the picture of the page that the README shows.
func TestIntegrationPagePicture(t *testing.T) {
	dir := t.TempDir()
	s, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir})
	if err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceValue(s.stop)
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	b := openBrowser(t)
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(url+"/"), chromedp.WaitVisible(chromedp.CSS("#message")))
	b.await(focused, "message")
	b.ask("Show me the top 5 USA clients and analyze their revenue trends")
	b.do(chromedp.WaitVisible(chromedp.CSS("#turns .answer table tbody tr")))
	b.await(status, "Answered.")
	b.await(`document.querySelectorAll("#turns .answer table").length`, "2")
	b.js(`document.querySelector("#turns > li").scrollIntoView()`)

	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "docs", "page.png")
	if *updatePicture {
		if err := os.WriteFile(file, picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shown, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := png.DecodeConfig(bytes.NewReader(shown)); err != nil || got.Width != want.Width || got.Height != want.Height {
		t.Errorf("docs/page.png has %d x %d pixels, the page %d x %d (%v): run with -update", got.Width, got.Height, want.Width, want.Height, err)
	}
}

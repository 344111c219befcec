package main

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// visits counts what comes over the wire at a first and a second visit, and when the page takes a question.
func visits(ctx context.Context, url string, r *result) error {
	b, end, err := open(ctx)
	if err != nil {
		return err
	}
	defer end()
	var mu sync.Mutex
	bytes := 0.0
	if err := chromedp.Listen(b.ctx, func(ev any) {
		if e, ok := ev.(*network.EventLoadingFinished); ok {
			mu.Lock()
			bytes += e.EncodedDataLength
			mu.Unlock()
		}
	}); err != nil {
		return err
	}
	if err := b.do(chromedp.Func(func(ctx context.Context, page *chromedp.Target) error {
		_, err := cdp.Call(ctx, page, network.Enable, network.EnableParams{})
		return err
	})); err != nil {
		return err
	}
	for _, to := range []*float64{&r.FirstVisit, &r.SecondVisit} {
		if err := b.visit(url + "/"); err != nil {
			return err
		}
		time.Sleep(time.Second) // until it is quiet
		mu.Lock()
		*to = bytes / 1000
		bytes = 0
		mu.Unlock()
		if to == &r.FirstVisit {
			ready, err := b.number(`performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`)
			if err != nil {
				return err
			}
			r.Interactive = ready
			if err := b.do(chromedp.Navigate("about:blank")); err != nil {
				return err
			}
		}
	}
	return nil
}

// watchSteps notes when a key goes down and when the first step is there.
const watchSteps = `void new MutationObserver((_, o) => {
	if (!document.querySelector("#turns > li:last-child .steps li")) return;
	window.stepAt = performance.now();
	o.disconnect();
}).observe(document.getElementById("turns"), { childList: true, subtree: true }),
void document.getElementById("message").addEventListener("keydown", () => { window.enterAt = performance.now(); })`

// firstStep is the median of how long after Enter the first step is on the page.
func firstStep(ctx context.Context, url string, r *result) error {
	b, end, err := open(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := b.visit(url + "/"); err != nil {
		return err
	}
	var took []float64
	for range 5 {
		if err := b.script(watchSteps); err != nil {
			return err
		}
		if err := b.ask("top 5 USA clients"); err != nil {
			return err
		}
		ms, err := b.number(`window.stepAt - window.enterAt`)
		if err != nil {
			return err
		}
		took = append(took, ms)
		if err := b.visit(url + "/?" + time.Now().Format("150405.000")); err != nil {
			return err
		}
	}
	r.FirstStep = quantile(took, .5)
	return nil
}

package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is Chromium with one page and a profile of its own.
type browser struct {
	ctx context.Context
	dir string // of the files that the page is given, which it reads when they are sent
}

// open starts a browser; nothing but this machine can be reached from it.
func open(ctx context.Context) (*browser, func(), error) {
	flags := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(1280, 800), chromedp.Flag("no-pings", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"))
	ctx, stop := chromedp.NewExecAllocator(ctx, flags...)
	ctx, leave := chromedp.NewContext(ctx)
	dir, err := os.MkdirTemp("", "catena-page-")
	end := func() {
		leave()
		stop()
		_ = os.RemoveAll(dir)
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	if err := chromedp.Listen(ctx, func(any) {}); err != nil {
		end()
		return nil, nil, fmt.Errorf("a Chromium is needed: %w", err)
	}
	return &browser{ctx, dir}, end, nil
}

// patience is how long a step of a script may take.
const patience = 20 * time.Second

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// js is the value of an expression as text.
func (b *browser) js(expression string) (string, error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`String(`+expression+`)`))
	if err != nil {
		err = fmt.Errorf("%.200s: %w", expression, err)
	}
	return text, err
}

// await waits until an expression is true.
func (b *browser) await(expression string) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		got, err := b.js(expression)
		if err != nil || got == "true" {
			return err
		}
	}
	return fmt.Errorf("it never came: %s", expression)
}

// visit opens an address and waits until it takes a question.
func (b *browser) visit(url string) error {
	if err := b.do(chromedp.Navigate(url)); err != nil {
		return err
	}
	return b.await(`document.activeElement?.id === "message"`)
}

// ask types a question, presses Enter, and waits for the end.
func (b *browser) ask(message string) error {
	if _, err := b.js(`document.getElementById("message").focus()`); err != nil {
		return err
	}
	if err := b.do(chromedp.KeyEvent(message), chromedp.Func(enter)); err != nil {
		return err
	}
	return b.await(answered)
}

// answered is true once nothing is under way.
const answered = `/^(Answered|A question back|Not answered|Waits for approval|Failed)/.test(` +
	`document.getElementById("status").textContent)`

// enter is one stroke of a key as a keyboard makes it.
func enter(ctx context.Context, page *chromedp.Target) error {
	key := input.DispatchKeyEventParams{Type: kb.KeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13,
		Text: kb.Enter, UnmodifiedText: kb.Enter}
	if _, err := cdp.Call(ctx, page, input.DispatchKeyEvent, key); err != nil {
		return err
	}
	key.Type, key.Text, key.UnmodifiedText = kb.KeyUp, "", ""
	_, err := cdp.Call(ctx, page, input.DispatchKeyEvent, key)
	return err
}

// shape sets the width of the window and the theme.
func (b *browser) shape(width int64, theme string) error {
	return b.do(chromedp.Func(func(ctx context.Context, page *chromedp.Target) error {
		size := emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 800, DeviceScaleFactor: 1,
			Mobile: width < 500}
		if _, err := cdp.Call(ctx, page, emulation.SetDeviceMetricsOverride, size); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, page, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
		return err
	}))
}

// script does one thing after the other until one fails: an expression that is evaluated, or, behind "? ", one that is
// waited for.
func (b *browser) script(lines ...string) error {
	for _, line := range lines {
		wait, is := strings.CutPrefix(line, "? ")
		var err error
		if is {
			err = b.await(wait)
		} else {
			_, err = b.js(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

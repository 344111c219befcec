package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// scripted is a script with its name.
type scripted struct {
	name  string
	steps []string
}

// scriptsOf reads scripts: "== " begins one with its name, "# " is a comment.
func scriptsOf(text string) (out []scripted) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, begins := strings.CutPrefix(line, "== ")
		switch {
		case begins:
			out = append(out, scripted{name: name})
		case line != "" && !strings.HasPrefix(line, "# "):
			last := &out[len(out)-1]
			last.steps = append(last.steps, line)
		}
	}
	return out
}

// code is a script of a file as one expression, without the comment that it begins with.
func code(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(rest)
}

// button is the button whose name begins so.
func button(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("button, [role=menuitem]")].find((x) => x.checkVisibility() && `+
		`(x.getAttribute("aria-label") ?? x.textContent).trim().startsWith(%q))`, name)
}

// keyNames are the keys that scripts press.
var keyNames = map[string]string{"ArrowRight": kb.ArrowRight, "ArrowDown": kb.ArrowDown, "Tab": kb.Tab}

// commands are the steps of scripts.
var commands = map[string]func(b *browser, rest string) error{
	"ask":      (*browser).ask,
	"answered": func(b *browser, _ string) error { return b.await(answered) },
	"press": func(b *browser, name string) error {
		return b.script("? "+button(name)+" !== undefined", button(name)+".click()")
	},
	"see":  func(b *browser, name string) error { return b.await(button(name) + " !== undefined") },
	"rows": func(b *browser, text string) error { return b.await(ranged(text)) },
	"?":    (*browser).await,
	"do": func(b *browser, expression string) error {
		_, err := b.js(expression)
		return err
	},
	"reload": func(b *browser, _ string) error { return b.do(chromedp.Reload()) },
	"width": func(b *browser, width string) error {
		pixels, err := strconv.ParseInt(width, 10, 64)
		if err != nil {
			return err
		}
		return b.shape(pixels, "light")
	},
	"file": (*browser).attach,
	"back": (*browser).back,
	"key": func(b *browser, name string) error {
		if name == "Enter" {
			return b.do(chromedp.Func(enter))
		}
		return b.do(chromedp.KeyEvent(keyNames[name]))
	},
}

// play does the steps of a script until one fails.
func (b *browser) play(s scripted) error {
	for _, step := range s.steps {
		name, rest, _ := strings.Cut(step, " ")
		command := commands[name]
		if command == nil {
			return fmt.Errorf("%s: there is no step %q", s.name, name)
		}
		if err := command(b, rest); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// attach gives the page a file of a name and a text.
func (b *browser) attach(rest string) error {
	name, text, _ := strings.Cut(rest, " ")
	path := filepath.Join(b.dir, name)
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, `\n`, "\n")), 0o600); err != nil {
		return err
	}
	if err := b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{path})); err != nil {
		return err
	}
	return b.await(`document.querySelectorAll("#files li").length === 1`)
}

// back presses Shift and Tab until an expression, behind "to ", is true.
func (b *browser) back(rest string) error {
	const shift, most = 8, 80
	expression := strings.TrimPrefix(rest, "to ")
	for range most {
		if at, err := b.js(expression); err != nil || at == "true" {
			return err
		}
		if err := b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(shift))); err != nil {
			return err
		}
	}
	return fmt.Errorf("the Tab key never came to where %s", expression)
}

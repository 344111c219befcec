package memory

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

//go:embed personality.md
var bundledPersonality string

// Limits of a personality file.
const (
	maxPersonality  = 64 << 10
	defaultVariant  = "default"
	variantHeading  = "## variant:"
	personalityHint = "write a line \"## variant: default\" with the text below it, or leave memory.personality empty for the bundled one"
)

// Personality is who the assistant is, in variants.
type Personality struct {
	common   string
	variants map[string]string
}

// ParsePersonality reads a personality file. It is Markdown: what stands before the first variant belongs to all of them; each
// variant begins with a line "## variant: name" and goes on to the next. There must be at least one, each with a name of its
// own of letters, digits, - and _, and no text may be empty.
func ParsePersonality(text string) (Personality, error) {
	switch {
	case len(text) > maxPersonality:
		return Personality{}, fmt.Errorf("it has %d bytes; %d are allowed", len(text), maxPersonality)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return Personality{}, errors.New("it is not text in UTF-8")
	}
	p := Personality{variants: map[string]string{}}
	name, body := "", &strings.Builder{}
	end := func() error {
		said := strings.TrimSpace(body.String())
		body.Reset()
		if name == "" {
			p.common = said
			return nil
		}
		if said == "" && p.common == "" {
			return fmt.Errorf("the variant %q says nothing", name)
		}
		p.variants[name] = said
		return nil
	}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		heading, ok := strings.CutPrefix(strings.TrimSpace(line), variantHeading)
		if !ok {
			body.WriteString(line)
			continue
		}
		if err := end(); err != nil {
			return Personality{}, err
		}
		if name = strings.TrimSpace(heading); !variantName(name) {
			return Personality{}, fmt.Errorf("%q is no name for a variant: use letters, digits, - and _", name)
		}
		if _, taken := p.variants[name]; taken {
			return Personality{}, fmt.Errorf("the variant %q is there twice", name)
		}
	}
	if err := end(); err != nil {
		return Personality{}, err
	}
	if len(p.variants) == 0 {
		return Personality{}, fmt.Errorf("it has no line %q", variantHeading+" "+defaultVariant)
	}
	return p, nil
}

func variantName(name string) bool {
	return name != "" && len(name) <= 64 && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	})
}

// Variants are the names, sorted.
func (p Personality) Variants() []string {
	names := make([]string, 0, len(p.variants))
	for name := range p.variants {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Text is what a variant says, behind what is common to all. "" means the variant "default". An unknown variant's error names
// those that there are.
func (p Personality) Text(variant string) (string, error) {
	if variant == "" {
		variant = defaultVariant
	}
	said, ok := p.variants[variant]
	if !ok {
		return "", fmt.Errorf("memory: the personality has no variant %q; it has %s. Set memory.variant to one of them", variant, strings.Join(p.Variants(), ", "))
	}
	return strings.TrimSpace(p.common + "\n\n" + said), nil
}

// loadPersonality reads a file, or the bundled one.
func loadPersonality(path string) (Personality, error) {
	said, name := bundledPersonality, "the bundled personality"
	if path != "" {
		b, err := readAtMost(path, maxPersonality+1)
		if err != nil {
			return Personality{}, fmt.Errorf("memory: the personality file cannot be read: %w; set memory.personality to a file that is there, or leave it empty for the bundled one", err)
		}
		said, name = string(b), path
	}
	p, err := ParsePersonality(said)
	if err != nil {
		return Personality{}, fmt.Errorf("memory: %s is no personality: %w; %s", name, err, personalityHint)
	}
	return p, nil
}

// readAtMost reads a file up to a size; the rest of a larger one is left.
func readAtMost(path string, most int) ([]byte, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)))
}

// CheckPersonality returns why a personality's file, or its variant, cannot be used; nil where it can. "" is the bundled one.
func CheckPersonality(file, variant string) error {
	p, err := loadPersonality(file)
	if err != nil {
		return err
	}
	_, err = p.Text(variant)
	return err
}

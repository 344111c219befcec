package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"catena/internal/text"
)

// maxSecret bounds a secret's file, in bytes.
const maxSecret = 64 << 10

// Secret is a value that is never printed: every way of formatting it gives ***, or nothing when it is empty. The zero value
// is empty.
type Secret struct {
	value string
	file  string // that it was read from; "" for none
	apart bool   // it is kept apart from the settings: in a file, by a program, or in a variable that is named as a secret
}

// Reveal returns the value, for the one place that needs it.
func (s Secret) Reveal() string { return s.value }

// String returns *** for any value, "" for none.
func (s Secret) String() string {
	if s.value == "" {
		return ""
	}
	return "***"
}

// Format prints String for every verb.
func (s Secret) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, s.String()) // fmt.State has nobody to report to
}

// LogValue keeps the value out of structured logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText keeps the value out of JSON.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalYAML keeps the value out of YAML.
func (s Secret) MarshalYAML() (any, error) { return s.String(), nil }

// UnmarshalYAML reads the text as it is written; Load resolves ${NAME} and file: in it.
func (s *Secret) UnmarshalYAML(n *yaml.Node) error { return n.Decode(&s.value) }

// resolve replaces file:PATH by the file's content, command:PROGRAM ARGUMENTS by what it prints, and ${NAME} by variables.
func (s Secret) resolve(ctx context.Context, env map[string]string) (Secret, error) {
	if line, ok := strings.CutPrefix(s.value, "command:"); ok {
		return fromCommand(ctx, line, env)
	}
	name, ok := strings.CutPrefix(s.value, "file:")
	if !ok {
		value, err := expand(s.value, env)
		return Secret{value: value, apart: ofSecretVariable(s.value)}, err
	}
	name, err := expand(name, env)
	if err != nil {
		return Secret{}, err
	}
	data, err := ReadRegular(name, maxSecret)
	if err != nil {
		return Secret{}, fmt.Errorf("the secret's file cannot be read: %w", err)
	}
	return Secret{value: strings.TrimRight(string(data), "\r\n"), file: name, apart: true}, nil
}

// variable fits a reference to a variable, and has its name.
var variable = regexp.MustCompile(`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)`)

// ofSecretVariable reports whether a text refers to a variable that is named as a secret.
func ofSecretVariable(s string) bool {
	return slices.ContainsFunc(
		variable.FindAllStringSubmatch(s, -1),
		func(m []string) bool { return text.SecretName(m[1]) },
	)
}

// CommandTime is how long a secret's command may take: somebody may have to touch a token.
const CommandTime = 30 * time.Second

// commandDelay is how long what a secret's command has started may hold its output after its end.
const commandDelay = 500 * time.Millisecond

// fromCommand runs a program, without a shell, and takes what it prints, without line breaks at the end. Errors do not show what it
// printed. Blanks separate arguments; ${NAME} is filled in afterwards. The program ends with the context.
func fromCommand(ctx context.Context, line string, env map[string]string) (Secret, error) {
	args := strings.Fields(line)
	if len(args) == 0 {
		return Secret{}, errors.New("the secret's command is empty; write command:PROGRAM ARGUMENTS")
	}
	for i := range args {
		var err error
		if args[i], err = expand(args[i], env); err != nil {
			return Secret{}, err
		}
	}
	bounds, cancel := context.WithTimeout(ctx, CommandTime)
	defer cancel()
	out := &bounded{most: maxSecret}
	cmd := exec.CommandContext(bounds, args[0], args[1:]...)
	cmd.Stdout, cmd.WaitDelay = out, commandDelay
	endsWithCaller(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return Secret{}, fmt.Errorf("the secret's command %s was ended: %w", args[0], ctx.Err())
	case bounds.Err() != nil:
		return Secret{}, fmt.Errorf(
			"the secret's command %s did not end within %v; name one that prints the secret and ends",
			args[0],
			CommandTime,
		)
	case out.over:
		return Secret{}, fmt.Errorf("the secret's command %s printed more than %d bytes", args[0], maxSecret)
	case err != nil:
		return Secret{}, fmt.Errorf("the secret's command %s failed: %w", args[0], err)
	}
	value := strings.TrimRight(out.buf.String(), "\r\n")
	if value == "" {
		return Secret{}, fmt.Errorf("the secret's command %s printed nothing", args[0])
	}
	return Secret{value: value, apart: true}, nil
}

// bounded takes so many bytes and no more.
type bounded struct {
	buf  bytes.Buffer
	most int
	over bool
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > b.most {
		b.over = true
		return 0, errors.New("too much")
	}
	return b.buf.Write(p)
}

// expand replaces each ${NAME}; a $ without a brace stays. A variable that is not set is an error, unless it is written with what
// stands in its place: ${NAME:-default}, which as in a shell is also taken for an empty one. ${env:NAME} is how some hosts write it.
func expand(text string, env map[string]string) (string, error) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return "", fmt.Errorf("${ is not closed by }")
		}
		name, instead, hasInstead := strings.Cut(strings.TrimPrefix(name, "env:"), ":-")
		value, ok := env[name]
		switch {
		case hasInstead && value == "":
			value = instead
		case !ok && strings.HasPrefix(name, "input:"):
			return "", fmt.Errorf(
				"${%s} is a value that an editor asks its user for, which is not done here: "+
					"name a variable of the environment, as ${NAME}",
				name,
			)
		case !ok:
			return "", fmt.Errorf("the environment variable %s is not set", name)
		}
		b.WriteString(value)
		text = after
	}
}

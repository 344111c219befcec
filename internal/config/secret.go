package config

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxSecret bounds a secret's file, in bytes.
const maxSecret = 64 << 10

// Secret is a value that is never printed: every way of formatting it gives ***, or nothing when it is empty. The zero value
// is empty.
type Secret struct{ value string }

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

// resolve replaces file:PATH by the file's content and ${NAME} by variables.
func (s Secret) resolve(env map[string]string) (Secret, error) {
	name, ok := strings.CutPrefix(s.value, "file:")
	if !ok {
		value, err := expand(s.value, env)
		return Secret{value}, err
	}
	name, err := expand(name, env)
	if err != nil {
		return Secret{}, err
	}
	f, err := os.Open(name)
	if err != nil {
		return Secret{}, fmt.Errorf("the secret's file cannot be read: %w", err)
	}
	defer func() { _ = f.Close() }() // read only
	data, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err != nil {
		return Secret{}, fmt.Errorf("the secret's file cannot be read: %w", err)
	}
	if len(data) > maxSecret {
		return Secret{}, fmt.Errorf("the secret's file %s is larger than %d bytes", name, maxSecret)
	}
	return Secret{strings.TrimRight(string(data), "\r\n")}, nil
}

// expand replaces each ${NAME}; a $ without a brace stays. A variable that is not set is an error.
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
		value, ok := env[name]
		if !ok {
			return "", fmt.Errorf("the environment variable %s is not set", name)
		}
		b.WriteString(value)
		text = after
	}
}

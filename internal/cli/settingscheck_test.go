package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/internal/e2e/e2etest"
)

// TestConfigRefusesWhatServeRefuses: both commands refuse the same settings, with the same words.
func TestConfigRefusesWhatServeRefuses(t *testing.T) {
	key := strings.Repeat("k", 40)
	for name, settings := range map[string]string{
		"two keys of one secret": fmt.Sprintf("access: {key: %s, keys: {a: {key: %s}}}", key, key),
		"a short key":            "access: {key: short}",
		"a scope that is none":   fmt.Sprintf("access: {keys: {a: {key: %s, scopes: [sing]}}}", key),
		"a role that is none":    "access: {roles: {a: [sing]}}",
		"an owner that is none":  fmt.Sprintf("access: {keys: {a: {key: %s, owner: \"a b\"}}}", key),
		"no audience":            "access: {oidc: {issuer: \"https://idp.example\"}}",
		"an algorithm":           "access: {oidc: {issuer: \"https://idp.example\", audience: [a], algorithms: [none]}}",
		"a token's type":         "access: {oidc: {issuer: \"https://idp.example\", audience: [a], token_types: [dpop+jwt]}}",
		"a default role":         "access: {oidc: {issuer: \"https://idp.example\", audience: [a], default_roles: [none_such]}}",
		"an open address":        "listen: {addr: \"0.0.0.0:0\"}",
		"always, without a key":  "access: {require: always}",
		"a certificate":          "listen: {tls_cert: none.pem, tls_key: none.key}",
		"a folder":               "code: {roots: [none_such]}",
		"a personality":          "memory: {personality: none_such.md}",
		"a server's name":        "mcpServers: {memory: {command: x}}",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "settings.yaml")
			if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
				t.Fatal(err)
			}
			run := func(args ...string) string {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				root := RootCommand(e2etest.Settings())
				root.SetArgs(append(args, "--config", file, "--store", filepath.Join(dir, "store"), "--demo", "off", "--log", "error"))
				var out strings.Builder
				root.SetOut(&out)
				root.SetErr(&out)
				if err := root.ExecuteContext(ctx); err != nil {
					return err.Error()
				}
				return ""
			}
			config := run("config")
			if _, err := os.Stat(filepath.Join(dir, "store")); err == nil {
				t.Error("config made a store")
			}
			args := []string{"serve"}
			if !strings.Contains(settings, "addr") {
				args = append(args, "--listen", "127.0.0.1:0")
			}
			serve := run(args...)
			if config == "" || serve == "" || strings.Contains(serve, "in use") {
				t.Errorf("config: %q\nserve: %q", config, serve)
			}
		})
	}
}

package config

import (
	"strings"
	"testing"
)

// A CATENA_ variable that is no setting is an error, whatever it is near to, unless the settings refer to it or a
// platform invents it.
func TestStrangeVariables(t *testing.T) {
	settings := file(t, "mcpServers:\n  off: {command: x, disabled: true, env: {A: \"${CATENA_REFERRED}\"}}\n  on: {command: \"${env:CATENA_BIN:-x}\"}\n")
	servers := file(t, `{"mcpServers": {"b": {"command": "${CATENA_OTHER}"}}}`)
	for _, tt := range []struct {
		entry string
		want  string // of the error; "" for none
	}{
		{"CATENA_LOG_LEVL=debug", "CATENA_LOG_LEVL is no setting; did you mean CATENA_LOG_LEVEL?"},
		{"CATENA_LOGGING_LEVEL=debug", "CATENA_LOGGING_LEVEL is no setting; did you mean CATENA_LOG_LEVEL?"},
		{"CATENA_PROXIES_TRUSTED=10.0.0.1", "CATENA_PROXIES_TRUSTED is no setting"},
		{"CATENA_X=", "CATENA_X is no setting"},
		{"CATENA_=x", "CATENA_ is no setting"},
		{"CATENA_PORT=8080", "CATENA_PORT is no setting"},
		{"CATENA_SERVICE_HOST=catena.example.com", "CATENA_SERVICE_HOST is no setting"},
		{"CATENA_HTTP_PORT=8080", "CATENA_HTTP_PORT is no setting"},
		{"CATENA_LOG_LEVEL_FILE=x", "CATENA_LOG_LEVEL_FILE is no setting"}, // of a setting that is no secret
		{"catena_log_level=x", ""},
		{"CATENARY=x", ""},
		{"CATENA_REFERRED=x", ""}, // also by a server that is switched off
		{"CATENA_BIN=x", ""},
		{"CATENA_OTHER=x", ""},
		{"CATENA_SERVICE_HOST=10.0.0.1", ""},
		{"CATENA_SERVICE_HOST=fd00::1", ""},
		{"CATENA_SERVICE_PORT=8765", ""},
		{"CATENA_SERVICE_PORT_HTTP=8765", ""},
		{"CATENA_PORT=tcp://10.0.0.1:8765", ""},
		{"CATENA_PORT_8765_TCP=tcp://10.0.0.1:8765", ""},
		{"CATENA_PORT_8765_TCP_PROTO=tcp", ""},
		{"CATENA_PORT_8765_TCP_PORT=8765", ""},
		{"CATENA_WEB_PORT_8765_TCP_ADDR=10.0.0.1", ""},
	} {
		c, err := Load(t.Context(), defaults(t), settings, []string{tt.entry, "CATENA_MCP_FILES=" + servers}, nil)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.entry, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v; want %s", tt.entry, err, tt.want)
		case tt.want == "" && strings.Contains(strings.Join(c.Warnings, " "), "no setting"):
			t.Errorf("%s: %v", tt.entry, c.Warnings)
		}
	}
	if _, err := Load(t.Context(), defaults(t), "", []string{"CATENA_LLM_API_KEY=${CATENA_KEPT}", "CATENA_KEPT=k"}, nil); err != nil {
		t.Errorf("a variable that another refers to: %v", err)
	}
}

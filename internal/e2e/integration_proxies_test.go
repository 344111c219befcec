//go:build integration

package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/internal/e2e/e2etest"
)

// proxySettings are a proxy's program with its settings, which have PORT, TO and DIR for what is known later.
type proxySettings struct {
	program, settings string
	args              []string // SETTINGS stands for the file
	// silent says that the proxy adds nothing to a request: with a Host of this machine it cannot be told from one of its programs.
	silent bool
}

const haproxyFront = "global\n  log stderr format raw local0 err\ndefaults\n  mode http\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n"

// proxies are real proxies before the program, as they come and as their documentation has them forward addresses.
var proxies = map[string]proxySettings{
	"haproxy, plain": {program: "haproxy", args: []string{"-db", "-f", "SETTINGS"}, silent: true,
		settings: haproxyFront + "listen front\n  bind 127.0.0.1:PORT\n  server catena TO\n"},
	"haproxy, forwardfor": {program: "haproxy", args: []string{"-db", "-f", "SETTINGS"},
		settings: haproxyFront + "  option forwardfor\nlisten front\n  bind 127.0.0.1:PORT\n  server catena TO\n"},
	"haproxy, RFC 7239": {program: "haproxy", args: []string{"-db", "-f", "SETTINGS"},
		settings: haproxyFront + "listen front\n  bind 127.0.0.1:PORT\n  http-request add-header Forwarded for=%[src]\n  server catena TO\n"},
	"nginx, plain": {program: "nginx", args: []string{"-p", "DIR", "-c", "SETTINGS"},
		settings: nginx("proxy_pass http://TO;")},
	"nginx, forwarding": {program: "nginx", args: []string{"-p", "DIR", "-c", "SETTINGS"},
		settings: nginx("proxy_pass http://TO; proxy_http_version 1.1; proxy_set_header Host 127.0.0.1; proxy_set_header X-Real-IP $remote_addr; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;")},
	"nginx, the scheme alone": {program: "nginx", args: []string{"-p", "DIR", "-c", "SETTINGS"},
		settings: nginx("proxy_pass http://TO; proxy_http_version 1.1; proxy_set_header Host 127.0.0.1; proxy_set_header X-Forwarded-Proto $scheme;")},
	"nginx, the name alone": {program: "nginx", args: []string{"-p", "DIR", "-c", "SETTINGS"},
		settings: nginx(`proxy_pass http://TO; proxy_http_version 1.1; proxy_set_header Host chat.example.com; proxy_set_header Connection "";`)},
}

// nginx is a whole configuration with one location.
func nginx(location string) string {
	temp := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temp += fmt.Sprintf("  %s_temp_path DIR/%s;\n", kind, kind)
	}
	return "daemon off;\npid DIR/nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\n  access_log off;\n" + temp +
		"  server {\n    listen 127.0.0.1:PORT;\n    location / { " + location + " }\n  }\n}\n"
}

// TestIntegrationProxies: what comes through a real proxy is never this machine's user, whatever its client sends along.
func TestIntegrationProxies(t *testing.T) {
	const path = "/api/v1/tools"
	sent := map[string]map[string]string{
		"nothing": nil, "an empty X-Forwarded-For": {"X-Forwarded-For": ""}, "an empty Forwarded": {"Forwarded": ""}, "an empty Via": {"Via": ""},
		"an empty X-Real-IP": {"X-Real-Ip": ""}, "another's address": {"X-Forwarded-For": "127.0.0.1"}, "an underscore": {"X_Forwarded_For": ""},
		"an empty Origin": {"Origin": ""},
	}
	for name, settings := range proxies {
		t.Run(name, func(t *testing.T) {
			to := startLocal(t) // each its own: bad keys are counted by address
			if status := viaProxy(t, to, "127.0.0.1", path, nil); status != http.StatusOK {
				t.Fatalf("this machine's user: %d", status)
			}
			front := startProxy(t, settings, to)
			for what, headers := range sent {
				for _, host := range []string{"127.0.0.1", "chat.example.com"} {
					status := viaProxy(t, front, host, path, headers)
					refused := status == http.StatusUnauthorized || status == http.StatusForbidden
					if hidden := settings.silent && host == "127.0.0.1" && len(headers) == 0; refused == hidden {
						t.Errorf("%s for %s: %d", what, host, status)
					}
				}
			}
		})
	}
}

// startLocal starts the program for this machine's user, and gives its address.
func startLocal(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	p, url, err := startProgram(dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_LISTEN_ALLOWED_HOSTS=chat.example.com"}, "--store", filepath.Join(dir, "store"), "--demo", "off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	})
	return strings.TrimPrefix(url, "http://")
}

// startProxy starts a proxy before an address and gives the address that it listens on.
func startProxy(t *testing.T, settings proxySettings, to string) string {
	t.Helper()
	dir := t.TempDir()
	free, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	front := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(front)
	fill := strings.NewReplacer("PORT", port, "TO", to, "DIR", dir, "SETTINGS", filepath.Join(dir, "settings"))
	if err := os.WriteFile(filepath.Join(dir, "settings"), []byte(fill.Replace(settings.settings)), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath(settings.program)
	if err != nil {
		program = filepath.Join("/usr/sbin", settings.program) // where Debian puts it
	}
	var args []string
	for _, a := range settings.args {
		args = append(args, fill.Replace(a))
	}
	cmd := exec.Command(program, args...)
	var log e2etest.LogBuffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s cannot be started: %v; apt-get install haproxy nginx-light", settings.program, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
		}
	})
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", front)
		if err == nil {
			_ = conn.Close()
			return front
		}
		select {
		case err := <-ended:
			t.Fatalf("%s ended: %v\n%s", settings.program, err, log.String())
		default:
		}
	}
	t.Fatalf("%s does not listen:\n%s", settings.program, log.String())
	return ""
}

// viaProxy sends a request by hand, so that headers go as they are, and gives the status.
func viaProxy(t *testing.T, address, host, path string, headers map[string]string) int {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	text := "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
	for name, value := range headers {
		text += name + ": " + value + "\r\n"
	}
	if _, err := io.WriteString(conn, text+"\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(io.LimitReader(conn, 1<<20))
	if err != nil && len(answer) == 0 {
		t.Fatal(err)
	}
	var status int
	if _, err := fmt.Sscanf(string(answer), "HTTP/1.%d %d", new(int), &status); err != nil {
		t.Fatalf("%q: %v", answer[:min(len(answer), 100)], err)
	}
	return status
}

//go:build integration

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"catena/chat"
	"catena/internal/e2e/e2etest"
	"catena/internal/store/storetest"
)

// redisScripts are the scripts that are about what the store keeps: they must go the same way over Redis. Those in which a program dies
// with a run under way are not among them, as there the lease has to run out first: see TestIntegrationRedisTakeover.
var redisScripts = []string{
	"approval", "cancel", "followup_chain", "followup_place", "http_chat", "http_events", "http_openai", "http_sessions", "http_table_query",
	"http_upload", "mcp_chat", "mcp_http", "session", "unknown_session",
}

func TestIntegrationRedisScripts(t *testing.T) {
	server := storetest.StartRedis(t)
	var n atomic.Int64
	p := scriptParams(func(env *testscript.Env) {
		env.Setenv("CATENA_STORE_URL", fmt.Sprintf("redis://%s?prefix=script%d", server.Addr, n.Add(1)))
	})
	for _, name := range redisScripts {
		p.Files = append(p.Files, filepath.Join(e2etest.Testdata("script"), name+".txtar"))
	}
	testscript.Run(t, p)
}

// replica is one of several programs on one Redis, with a folder of its own.
type replica struct {
	t      *testing.T
	url    string
	served *served
}

func startReplica(t *testing.T, redis string, env ...string) *replica {
	t.Helper()
	return startAlone(t, append([]string{
		"CATENA_STORE_URL=redis://" + redis, "CATENA_STORE_REPLICAS=2", "CATENA_ACCESS_SIGNING_KEY=" + strings.Repeat("k", 32),
		"CATENA_MEMORY_ENABLED=false", "CATENA_PERSONA_ENABLED=false",
	}, env...)...)
}

// startAlone starts a program with a store of its own, on SQLite.
func startAlone(t *testing.T, env ...string) *replica {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sales.csv"), "region,amount\nNorth,10.50\nSouth,4.25\nNorth,8.00\n")
	env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_STORE_DIR=" + filepath.Join(dir, "own")}, env...)
	s, url, err := startProgram(dir, env, "--data", "sales.csv")
	if err != nil {
		t.Fatal(err)
	}
	return &replica{t: t, url: url, served: s}
}

func (r *replica) stop() {
	r.t.Helper()
	if err := r.served.stop(); err != nil {
		r.t.Error(err)
	}
}

// call sends a request and returns the whole answer.
func (r *replica) call(method, path, body, accept string) (status int, answer []byte) {
	r.t.Helper()
	r.read(method, path, body, accept, func(res *http.Response) {
		var err error
		if answer, err = io.ReadAll(res.Body); err != nil {
			r.t.Fatal(err)
		}
		status = res.StatusCode
	})
	return status, answer
}

// read sends a request and gives the answer to f while it comes.
func (r *replica) read(method, path, body, accept string, f func(res *http.Response)) {
	r.t.Helper()
	ctx, cancel := requestContext()
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	f(res)
}

// TestIntegrationRedisRestart sends a turn, stops the program, kills Redis, and reads all of it again through another program that has
// nothing but Redis.
func TestIntegrationRedisRestart(t *testing.T) {
	server := storetest.StartRedis(t, "--appendfsync", "always")
	first := startReplica(t, server.Addr)
	status, data := first.call(http.MethodPost, "/api/v1/chat", `{"message":"total amount by region"}`, "application/json")
	var resp chat.Response
	if err := json.Unmarshal(data, &resp); err != nil || status != http.StatusOK || resp.Outcome != chat.OutcomeAnswer {
		t.Fatalf("%d %v\n%s", status, err, data)
	}
	paths := []string{"/api/v1/runs/" + resp.RunID + "/events", "/api/v1/runs/" + resp.RunID, "/api/v1/sessions/" + resp.SessionID, resp.Tables[0].Links["csv"]}
	var before [][]byte
	for _, path := range paths {
		status, data := first.call(http.MethodGet, path, "", "*/*")
		if status != http.StatusOK || len(data) == 0 {
			t.Fatalf("%s: %d\n%s", path, status, data)
		}
		before = append(before, data)
	}
	first.stop()
	server.Stop()
	server.Start()
	second := startReplica(t, server.Addr)
	defer second.stop()
	for i, path := range paths {
		if status, data := second.call(http.MethodGet, path, "", "*/*"); status != http.StatusOK || !bytes.Equal(data, before[i]) {
			t.Errorf("%s: %d\n%s\nbefore:\n%s", path, status, data, before[i])
		}
	}
	status, data = second.call(http.MethodPost, "/api/v1/chat", fmt.Sprintf(`{"message":"only North","session_id":%q}`, resp.SessionID), "application/json")
	if status != http.StatusOK || !bytes.Contains(data, []byte("18.50")) {
		t.Errorf("the session goes on: %d\n%s", status, data)
	}
}

// TestIntegrationOneKey sends one message a hundred times at once, to one program and to two replicas: it is one run, and one session.
func TestIntegrationOneKey(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		alone := startAlone(t)
		defer alone.stop()
		oneKey(t, []*replica{alone, alone})
	})
	t.Run("redis", func(t *testing.T) {
		server := storetest.StartRedis(t)
		both := []*replica{startReplica(t, server.Addr), startReplica(t, server.Addr)}
		defer both[0].stop()
		defer both[1].stop()
		oneKey(t, both)
	})
}

func oneKey(t *testing.T, both []*replica) {
	t.Helper()
	send := func(r *replica, body string) (int, string) {
		ctx, cancel := requestContext()
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/api/v1/chat", strings.NewReader(body))
		if err != nil {
			return 0, err.Error()
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", "one")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, err.Error()
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil {
			return 0, err.Error()
		}
		return res.StatusCode, string(data)
	}
	const message = `{"message":"total amount by region"}`
	var wg sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for i := range 100 {
		wg.Go(func() {
			status, said := send(both[i%2], message)
			mu.Lock()
			defer mu.Unlock()
			switch status {
			case http.StatusOK:
				answers[said]++
			case http.StatusConflict: // it is under way
			default:
				t.Errorf("%d %s", status, said)
			}
		})
	}
	wg.Wait()
	_, first := send(both[0], message)
	_, second := send(both[1], message)
	if answers[first] == 0 || len(answers) != 1 || first != second {
		t.Errorf("%d answers, the stored ones:\n%s\n%s", len(answers), first, second)
	}
	if status, said := send(both[1], `{"message":"another"}`); status != http.StatusUnprocessableEntity {
		t.Errorf("the key of another message: %d %s", status, said)
	}
	if _, list := both[0].call(http.MethodGet, "/api/v1/sessions", "", "application/json"); bytes.Count(list, []byte(`"id":"ses_`)) != 1 || !bytes.Contains(list, []byte(`"turns":1`)) {
		t.Errorf("sessions: %s", list)
	}
}

// TestIntegrationRedisTakeover kills a replica in the middle of a run: another goes on with it within 20 s, in the same log, and a third
// one cancels it there.
func TestIntegrationRedisTakeover(t *testing.T) {
	server := storetest.StartRedis(t)
	m, err := e2etest.NewModelScript(`{"fault":"slow"}`, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	model := httptest.NewServer(m)
	defer model.Close()
	defer model.CloseClientConnections()
	env := []string{"CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=scripted", "CATENA_LLM_API_KEY=none", "CATENA_LLM_BASE_URL=" + model.URL + "/v1"}
	one, other := startReplica(t, server.Addr, env...), startReplica(t, server.Addr, env...)
	defer other.stop()
	got := one.until(http.MethodPost, "/api/v1/chat", `{"message":"total amount by region"}`, "STEP_STARTED")
	run := regexp.MustCompile(`run_[a-z0-9]+`).FindString(got)
	if err := one.served.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	<-one.served.done
	events := "/api/v1/runs/" + run + "/events"
	other.until(http.MethodGet, events, "", "catena.takeover")
	t.Logf("taken over after %v", time.Since(killed).Round(100*time.Millisecond))
	if took := time.Since(killed); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	third := startReplica(t, server.Addr)
	defer third.stop()
	asked := time.Now()
	if status, data := third.call(http.MethodPost, "/api/v1/runs/"+run+"/cancel", "", "application/json"); status != http.StatusOK {
		t.Fatalf("%d\n%s", status, data)
	}
	_, all := other.call(http.MethodGet, events, "", "text/event-stream")
	if took := time.Since(asked); took > 2*time.Second { // a second, and what a busy machine takes
		t.Errorf("the cancel took %v", took)
	}
	for _, r := range []*replica{other, third} {
		if _, data := r.call(http.MethodGet, events, "", "text/event-stream"); !bytes.Equal(data, all) {
			t.Errorf("the replicas tell different logs:\n%s\n%s", data, all)
		}
	}
	for i, id := range regexp.MustCompile(`(?m)^id: (\d+)$`).FindAllStringSubmatch(string(all), -1) {
		if id[1] != fmt.Sprint(i+1) {
			t.Fatalf("event %d has the number %s\n%s", i+1, id[1], all)
		}
	}
	if !strings.HasPrefix(string(all), got) || strings.Count(string(all), "RUN_ERROR") != 1 || strings.Count(string(all), `"RUN_STARTED"`) != 1 {
		t.Errorf("the log does not go on where it was:\n%s\nfirst:\n%s", all, got)
	}
}

// until reads an event stream until a text stands in it, and gives the whole events up to then.
func (r *replica) until(method, path, body, text string) string {
	r.t.Helper()
	var got bytes.Buffer
	r.read(method, path, body, "text/event-stream", func(res *http.Response) {
		for part := make([]byte, 4096); !strings.Contains(got.String(), text); {
			n, err := res.Body.Read(part)
			got.Write(part[:n])
			if err != nil {
				r.t.Fatalf("%v\n%s", err, got.String())
			}
		}
	})
	return got.String()[:strings.LastIndex(got.String(), "\n\n")+2]
}

// TestIntegrationReplicasAgree: doctor sees the replicas that run, and those that are set otherwise.
func TestIntegrationReplicasAgree(t *testing.T) {
	server := storetest.StartRedis(t)
	one := startReplica(t, server.Addr)
	other := startReplica(t, server.Addr, "CATENA_EXECUTOR_PARALLEL=3")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sales.csv"), "region,amount\nNorth,10.50\n")
	doctor := func() string {
		path, err := exec.LookPath("catena")
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(path, "doctor", "--data", "sales.csv")
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_STORE_DIR=" + filepath.Join(dir, "own"), "CATENA_STORE_URL=redis://" + server.Addr,
			"CATENA_STORE_REPLICAS=2", "CATENA_ACCESS_SIGNING_KEY=" + strings.Repeat("k", 32), "CATENA_MEMORY_ENABLED=false", "CATENA_PERSONA_ENABLED=false",
			"CATENA_LISTEN_ADDR=127.0.0.1:0"}
		out, _ := cmd.CombinedOutput() // it fails where something is wrong
		return string(out)
	}
	await := func(want string) {
		t.Helper()
		var out string
		for end := time.Now().Add(40 * time.Second); !strings.Contains(out, want); time.Sleep(100 * time.Millisecond) {
			if out = doctor(); time.Now().After(end) {
				t.Fatalf("doctor does not say %q:\n%s", want, out)
			}
		}
	}
	await("differs from these settings in executor;")
	other.stop()
	await("1 running, set like this one")
	one.stop()
}

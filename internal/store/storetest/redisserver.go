package storetest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// RedisServer is a real redis-server on 127.0.0.1, for one test.
type RedisServer struct {
	Addr string // host:port

	dir   string
	t     testing.TB
	args  []string
	log   string
	stdin io.Closer
	ended chan struct{}
}

// FreePort is a port of 127.0.0.1 that nothing listens on.
func FreePort(t testing.TB) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// StartRedis starts a server with a folder of its own and the given settings beside its address, as in "--maxmemory", "3mb". It writes
// its append-only file as redis-server does by default, each second. The server ends with the test, and with the test's process. That
// there is no redis-server is a failure.
func StartRedis(t testing.TB, settings ...string) *RedisServer {
	t.Helper()
	dir, port := t.TempDir(), FreePort(t)
	r := &RedisServer{t: t, Addr: net.JoinHostPort("127.0.0.1", port), dir: dir, log: filepath.Join(dir, "log")}
	r.args = append([]string{
		"--port", port, "--bind", "127.0.0.1", "--dir", dir, "--logfile", r.log, "--daemonize", "no", "--save", "", "--appendonly", "yes",
	}, settings...)
	t.Cleanup(r.Stop)
	r.Start()
	return r
}

// Start starts a server that was stopped, on the same port and with what its files hold.
func (r *RedisServer) Start() {
	r.t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		r.t.Fatalf("redis-server is needed (apt-get install redis-server): %v", err)
	}
	// The shell ends the server when its input ends, which happens with this process, however that ends.
	cmd := exec.CommandContext(context.Background(), "sh", append([]string{"-c", `"$@" </dev/null & echo $!; read -r _; kill -9 $! 2>/dev/null; wait`, "sh", path}, r.args...)...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if _, bad := strconv.Atoi(strings.TrimSpace(line)); err != nil || bad != nil {
		r.t.Fatalf("redis-server was not started: %q, %v", line, err)
	}
	r.stdin, r.ended = stdin, make(chan struct{})
	go func() {
		_ = cmd.Wait() // how the shell ended says nothing
		close(r.ended)
	}()
	r.await()
}

// await returns when the server answers.
func (r *RedisServer) await() {
	r.t.Helper()
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		answer, err := r.try("PING")
		if err == nil && strings.HasPrefix(answer, "+PONG") || strings.HasPrefix(answer, "-NOAUTH") {
			return
		}
		if time.Now().After(until) {
			r.t.Fatalf("redis-server at %s does not answer: %q, %v; its log is %s", r.Addr, answer, err, r.log)
		}
	}
}

// try sends an inline command and returns the first line of the answer.
func (r *RedisServer) try(command string) (string, error) {
	c, err := (&net.Dialer{Timeout: time.Second}).DialContext(context.Background(), "tcp", r.Addr)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(c, "%s\r\n", command); err != nil {
		return "", err
	}
	return bufio.NewReader(c).ReadString('\n')
}

// Do sends an inline command, and fails the test when the server refuses it.
func (r *RedisServer) Do(command string) string {
	r.t.Helper()
	answer, err := r.try(command)
	if err != nil || strings.HasPrefix(answer, "-") {
		r.t.Fatalf("%s: %q, %v", command, answer, err)
	}
	return strings.TrimSpace(answer)
}

// Stop kills the server. A second Stop does nothing.
func (r *RedisServer) Stop() {
	if r.stdin == nil {
		return
	}
	_ = r.stdin.Close() // the shell kills the server
	<-r.ended
	r.stdin = nil
}

// AppendOnlyFile is the path of the file that the server appends its writes to.
func (r *RedisServer) AppendOnlyFile() string {
	r.t.Helper()
	list, err := filepath.Glob(filepath.Join(r.dir, "appendonlydir", "*.incr.aof"))
	if err != nil || len(list) != 1 {
		r.t.Fatalf("append-only files: %v, %v", list, err)
	}
	return list[0]
}

// StartSentinel starts a Sentinel that looks after a master by itself, and returns its address. It gives a master up after a second.
func StartSentinel(t testing.TB, name, master string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	host, port, err := net.SplitHostPort(master)
	if err != nil {
		t.Fatal(err)
	}
	own := FreePort(t)
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor %s %s %s 1\nsentinel down-after-milliseconds %s 1000\nsentinel failover-timeout %s 5000\n",
		own, name, host, port, name, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &RedisServer{t: t, Addr: net.JoinHostPort("127.0.0.1", own), log: file, args: []string{file, "--sentinel"}}
	t.Cleanup(r.Stop)
	r.Start()
	r.awaitReplica(name)
	return r.Addr
}

// awaitReplica returns when a Sentinel has found a replica of its master.
func (r *RedisServer) awaitReplica(name string) {
	r.t.Helper()
	c := redis.NewSentinelClient(&redis.Options{Addr: r.Addr})
	defer c.Close()
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		list, err := c.Replicas(context.Background(), name).Result()
		if err == nil && len(list) > 0 && list[0]["master-link-status"] == "ok" {
			return
		}
	}
	r.t.Fatal("Sentinel found no replica")
}

// StartRedisCluster starts a cluster of nodes and gives them all slots, in equal parts. It returns when each node knows that the cluster
// is whole.
func StartRedisCluster(t testing.TB, nodes int) []*RedisServer {
	t.Helper()
	const slots = 16384
	list := make([]*RedisServer, nodes)
	for i := range list {
		list[i] = StartRedis(t, "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-port", FreePort(t), "--cluster-node-timeout", "2000")
		list[i].Do(fmt.Sprintf("CLUSTER ADDSLOTSRANGE %d %d", i*slots/nodes, (i+1)*slots/nodes-1))
		list[i].Do(fmt.Sprintf("CLUSTER SET-CONFIG-EPOCH %d", i+1))
	}
	first := list[0]
	host, port, err := net.SplitHostPort(first.Addr)
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range list[1:] {
		node.Do(fmt.Sprintf("CLUSTER MEET %s %s %s", host, port, first.setting("--cluster-port")))
	}
	for _, node := range list {
		node.awaitCluster(nodes)
	}
	return list
}

func (r *RedisServer) setting(name string) string {
	for i, a := range r.args {
		if a == name {
			return r.args[i+1]
		}
	}
	return ""
}

func (r *RedisServer) awaitCluster(nodes int) {
	r.t.Helper()
	c := redis.NewClient(&redis.Options{Addr: r.Addr})
	defer c.Close()
	var info string
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		info = c.ClusterInfo(context.Background()).Val()
		if strings.Contains(info, "cluster_state:ok") && strings.Contains(info, fmt.Sprintf("cluster_size:%d\r", nodes)) {
			return
		}
	}
	r.t.Fatalf("the cluster did not come together: %s", info)
}

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/redis/go-redis/v9"
)

// redisServer is a redis-server on 127.0.0.1, with the least that docs/store.md asks for.
type redisServer struct {
	*process
	address string
	args    []string
}

// freeAddress is an address of 127.0.0.1 where nothing listens.
func freeAddress(ctx context.Context) (address, port string, err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	_ = l.Close() // only its number was wanted
	_, port, err = net.SplitHostPort(l.Addr().String())
	return l.Addr().String(), port, err
}

// startRedis starts a server with its files in a folder, and further settings.
func startRedis(ctx context.Context, dir string, settings ...string) (*redisServer, error) {
	address, port, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	r := &redisServer{address: address, args: append([]string{
		"--port", port, "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "yes", "--maxmemory-policy", "noeviction",
	}, settings...)}
	return r, r.again(ctx)
}

// startSentinel starts a Sentinel that gives a master up after a second.
func startSentinel(ctx context.Context, dir string, master *redisServer) (*redisServer, error) {
	address, port, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	host, its, err := net.SplitHostPort(master.address)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor main %s %s 1\nsentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 5000\n", port, host, its)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	r := &redisServer{address: address, args: []string{file, "--sentinel"}}
	return r, r.again(ctx)
}

// again starts a server, also one that was killed: with what its files hold. It returns when that answers.
func (r *redisServer) again(ctx context.Context) error {
	p, out, err := start("redis-server", os.Environ(), r.args...)
	if err != nil {
		return fmt.Errorf("redis-server is needed: %w", err)
	}
	r.process = p
	go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the server
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until) && ctx.Err() == nil; {
		if _, err = r.do(ctx, "PING"); err == nil {
			return nil
		}
		wait(ctx, 20*time.Millisecond)
	}
	p.kill()
	return fmt.Errorf("redis-server does not answer: %w", err)
}

// do sends a command.
func (r *redisServer) do(ctx context.Context, command ...any) (any, error) {
	c := redis.NewClient(&redis.Options{Addr: r.address, MaxRetries: -1})
	defer c.Close()
	return c.Do(ctx, command...).Result()
}

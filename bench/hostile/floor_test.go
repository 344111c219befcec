package main

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// The server in place of the program refuses bodies, holds who asks for something, and ends.
func TestStandIn(t *testing.T) {
	in, stop := io.Pipe()
	lines, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serveStandIn(t.Context(), in, out) }()
	host, err := bufio.NewReader(lines).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + strings.TrimSpace(host)
	refused, err := http.Post(url+"/api/v1/chat", "application/json", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	defer refused.Body.Close()
	held, err := http.Get(url + "/sse")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Body.Close()
	if refused.StatusCode != http.StatusRequestEntityTooLarge || !refused.Close || held.StatusCode != http.StatusOK {
		t.Errorf("%s, closed %v; %s", refused.Status, refused.Close, held.Status)
	}
	if err := stop.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(held.Body); err == nil {
		t.Error("who was held was told that all had come")
	}
}

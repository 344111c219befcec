package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// honest is what became of honest messages, or downloads.
type honest struct {
	mu     sync.Mutex
	took   []time.Duration
	failed int
	busy   int   // answers of 429: the message was sent again
	first  error // why one failed first
}

// use is what honest clients do in the turns of one kind.
type use struct{ messages, downloads *honest }

func newUse() use { return use{&honest{}, &honest{}} }

// every so many messages one comes over a connection of its own, as those of new people do.
const fresh = 5

// at does something at a rate until ctx ends, and waits for what comes of it. None waits for the one before.
func (h *honest) at(ctx context.Context, rate float64, do func(ctx context.Context, client *http.Client) error) {
	keeping := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer keeping.CloseIdleConnections()
	once := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	between := time.Duration(float64(time.Second) / rate)
	var all sync.WaitGroup
	defer all.Wait()
	for n, due := 0, time.Now(); ctx.Err() == nil; n++ {
		due = due.Add(between)
		time.Sleep(time.Until(due))
		client := keeping
		if n%fresh == 0 {
			client = once
		}
		all.Go(func() {
			within, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
			defer cancel()
			err := do(within, client)
			for errors.Is(err, errBusy) && within.Err() == nil { // as a client does that reads Retry-After; its time counts
				h.again()
				time.Sleep(time.Second)
				err = do(within, client)
			}
			h.add(time.Since(due), err)
		})
	}
}

func (h *honest) add(took time.Duration, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.took = append(h.took, took)
	if err != nil {
		if h.failed++; h.first == nil {
			h.first = err
		}
	}
}

func (h *honest) again() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy++
}

func (h *honest) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.took)
}

// ms is a quantile in milliseconds.
func (h *honest) ms(q float64) float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.took) == 0 {
		return 0
	}
	slices.Sort(h.took)
	return float64(h.took[min(len(h.took)-1, int(q*float64(len(h.took))))].Microseconds()) / 1000
}

// errBusy is the error of a message that is to be sent again.
var errBusy = errors.New("as many messages as may be are being answered")

// ask sends a message that needs two tools.
func ask(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/v1/chat", strings.NewReader(`{"message":"top 5 clients in USA"}`))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode == http.StatusTooManyRequests {
		return errBusy
	}
	var answer struct {
		Outcome string `json:"outcome"`
	}
	if err := json.Unmarshal(data, &answer); err != nil || answer.Outcome != "answer" {
		return fmt.Errorf("%s: %.200s", res.Status, data)
	}
	return nil
}

// warm asks a few times, so that what is made at the first message does not count.
func warm(ctx context.Context, url string) error {
	for range 20 {
		if err := ask(ctx, http.DefaultClient, url); err != nil {
			return err
		}
	}
	return nil
}

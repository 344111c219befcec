package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools"
	"catena/tools/handle"
	"catena/tools/memory"
)

// house is the part of the program that is measured.
type house struct {
	store    *sqlite.Store
	tables   *handle.Tables
	kit      *memory.Toolkit
	registry *tools.Registry // as the program has it
	quick    *tools.Registry // without journal and stored tables, for filling
}

func openHouse(ctx context.Context, path string) (*house, error) {
	s, err := sqlite.Open(ctx, path, store.Options{})
	if err != nil {
		return nil, err
	}
	kit, err := memory.New(memory.Options{Store: s})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	tables := handle.New(handle.Options{Store: s, Log: log})
	h := &house{store: s, tables: tables, kit: kit,
		registry: tools.NewRegistry(tools.Options{Journal: s, Tables: tables, Log: log}), quick: tools.NewRegistry(tools.Options{Log: log})}
	if err := errors.Join(h.registry.Register(kit.Tools()...), h.quick.Register(kit.Tools()...)); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

func (h *house) close() error {
	h.tables.Close()
	return errors.Join(h.kit.Close(), h.store.Close())
}

// call calls a tool and reads its structured result into out.
func (h *house) call(ctx context.Context, by *tools.Registry, owner, tool string, args map[string]any, out any) error {
	res, err := by.Call(ctx, tools.Call{Caller: access.Caller{ID: owner}, Tool: tool, Args: args})
	if err != nil {
		return err
	}
	if res.IsError {
		return errors.New(res.Text)
	}
	b, err := json.Marshal(res.Structured)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, out)
}

// client is one of many at once.
type client struct {
	owner string
	text  *writer
	mu    sync.Mutex
	kept  []kept
}

// kept is a memory that was acknowledged.
type kept struct{ id, content string }

type load struct {
	house   *house
	opt     options
	clients []*client

	mu               sync.Mutex
	stores, searches []time.Duration
	hits, foreign    int
	errs             []error
}

func newLoad(h *house, opt options, one bool) *load {
	l := &load{house: h, opt: opt}
	v := newVocabulary(1)
	for i := range opt.clients {
		owner := fmt.Sprintf("owner%d", i)
		if one {
			owner = "owner0"
		}
		l.clients = append(l.clients, &client{owner: owner, text: newWriter(v, owner, i)})
	}
	return l
}

// fill stores n memories as fast as it goes, all clients at once.
func (l *load) fill(ctx context.Context) error {
	var wg sync.WaitGroup
	for i, c := range l.clients {
		share := l.opt.n / len(l.clients)
		if i < l.opt.n%len(l.clients) {
			share++
		}
		wg.Go(func() {
			for range share {
				if err := l.store(ctx, l.house.quick, c); err != nil {
					l.fail(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(l.errs...)
}

func (l *load) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, err)
}

func (l *load) store(ctx context.Context, by *tools.Registry, c *client) error {
	c.mu.Lock()
	content := c.text.sentence()
	c.mu.Unlock()
	var got struct {
		ID string `json:"memory_id"`
	}
	if err := l.house.call(ctx, by, c.owner, "store_memory", map[string]any{"content": content, "tags": []any{"bench"}}, &got); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = append(c.kept, kept{got.ID, content})
	return nil
}

// offer calls at a fixed rate, whatever the answers take, each call by the next client.
func (l *load) offer(ctx context.Context) {
	calls := int(l.opt.rate * float64(l.opt.seconds))
	begin := time.Now()
	var wg sync.WaitGroup
	for i := range calls {
		due := begin.Add(time.Duration(float64(i) / l.opt.rate * float64(time.Second)))
		time.Sleep(time.Until(due))
		c := l.clients[i/2%len(l.clients)]
		wg.Go(func() {
			if i%2 == 0 {
				err := l.store(ctx, l.house.registry, c)
				l.took(&l.stores, time.Since(due), err)
				return
			}
			err := l.search(ctx, c)
			l.took(&l.searches, time.Since(due), err)
		})
	}
	wg.Wait()
}

func (l *load) took(list *[]time.Duration, d time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*list = append(*list, d)
	if err != nil {
		l.errs = append(l.errs, err)
	}
}

func (l *load) search(ctx context.Context, c *client) error {
	c.mu.Lock()
	if len(c.kept) == 0 {
		c.mu.Unlock()
		return nil
	}
	want := c.kept[rand.IntN(len(c.kept))]
	query := c.text.query(want.content)
	c.mu.Unlock()
	var got struct {
		Results []struct {
			ID      string `json:"memory_id"`
			Content string `json:"content"`
		} `json:"results"`
	}
	if err := l.house.call(ctx, l.house.registry, c.owner, "search_memory", map[string]any{"query": query}, &got); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range got.Results {
		if r.ID == want.id {
			l.hits++
		}
		if !strings.HasSuffix(r.Content, c.text.mark) {
			l.foreign++
		}
	}
	return nil
}

func (l *load) acknowledged() int {
	n := 0
	for _, c := range l.clients {
		n += len(c.kept)
	}
	return n
}

// check reads all that an owner has from the store and compares it with what was acknowledged.
func (l *load) check(ctx context.Context, h *house) (lost, twice int, err error) {
	byOwner := map[string]map[string]string{}
	for _, c := range l.clients {
		if byOwner[c.owner] == nil {
			byOwner[c.owner] = map[string]string{}
		}
		for _, k := range c.kept {
			if _, ok := byOwner[c.owner][k.id]; ok {
				twice++ // two acknowledgements with one id
			}
			byOwner[c.owner][k.id] = k.content
		}
	}
	for owner, want := range byOwner {
		contents := map[string]bool{}
		for before := int64(0); ; {
			list, _, err := h.store.ListMemories(ctx, owner, "", before, 5000)
			if err != nil {
				return lost, twice, err
			}
			if len(list) == 0 {
				break
			}
			before = list[len(list)-1].Number
			for _, m := range list {
				if contents[m.Content] {
					twice++
				}
				contents[m.Content] = true
				if want[m.ID] == m.Content {
					delete(want, m.ID)
				}
			}
		}
		lost += len(want)
	}
	return lost, twice, nil
}

func quantiles(list []time.Duration) (p50, p95, p99 float64) {
	if len(list) == 0 {
		return 0, 0, 0
	}
	slices.Sort(list)
	at := func(q float64) float64 {
		return float64(list[min(len(list)-1, int(q*float64(len(list))))].Microseconds()) / 1000
	}
	return at(.5), at(.95), at(.99)
}

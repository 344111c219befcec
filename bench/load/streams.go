package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// memory is what the process has of its system, in bytes.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// readers read event streams, each over a connection of its own, and count what came.
type readers struct {
	host   string // and port
	active int64  // readers that get events all the time
	limit  time.Duration

	lag, steady                       times // steady once all active streams have begun
	open, events, gaps, ended, broken atomic.Int64
	begun                             atomic.Int64
	first                             chan string // the id of the run that an idle stream has begun
	all, ticking                      sync.WaitGroup
}

// read opens a stream by a request, and reads it to its end in the background.
func (r *readers) read(ctx context.Context, method, path, body string, active bool) {
	over := func() {}
	if active {
		r.ticking.Add(1)
		over = r.ticking.Done
	}
	r.all.Go(func() {
		defer over()
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", r.host)
		if err != nil {
			r.broken.Add(1)
			r.gaps.Add(1)
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(r.limit)) // a connection that is open takes one
		fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", method, path, len(body), body)
		r.open.Add(1)
		in, last, ticked := bufio.NewReaderSize(conn, 1<<10), int64(0), false
		for {
			line, err := in.ReadSlice('\n')
			if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
				r.gaps.Add(1) // it ends with its terminal event, below
				return
			}
			last = r.counted(line, last)
			if active && r.timed(line, !ticked) {
				ticked = true
			}
			if run, ok := bytes.CutPrefix(line, []byte("X-Run-Id: ")); ok && !active {
				select {
				case r.first <- strings.TrimSpace(string(run)):
				default:
				}
			}
			if bytes.Contains(line, []byte(`"type":"RUN_FINISHED"`)) {
				r.ended.Add(1)
				return
			}
		}
	})
}

// counted counts an event by the line with its number, after the last one's, and returns the last one's now.
func (r *readers) counted(line []byte, last int64) int64 {
	id, ok := bytes.CutPrefix(line, []byte("id: "))
	if !ok {
		return last
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(id)), 10, 64) // 0 is a gap
	if n != last+1 {
		r.gaps.Add(1)
	}
	r.events.Add(1)
	return n
}

// timed takes the lag of an event of progress, and reports whether the line is one.
func (r *readers) timed(line []byte, first bool) bool {
	if !bytes.Contains(line, []byte(`catena.progress`)) {
		return false
	}
	_, text, ok := bytes.Cut(line, []byte(`"timestamp":`))
	if !ok {
		return false
	}
	at, _ := strconv.ParseInt(string(text[:bytes.IndexAny(text, ",}")]), 10, 64)
	late := time.Since(time.UnixMilli(at))
	r.lag.add(late)
	if first {
		r.begun.Add(1)
	}
	if r.begun.Load() == r.active {
		r.steady.add(late)
	}
	return true
}

// streams opens event streams: most follow one run that waits until the end, the others a run of their own that tells its progress.
func streams(ctx context.Context, h *house, o options, f figures) error {
	before := memory()
	r := &readers{host: strings.TrimPrefix(h.url, "http://"), active: int64(o.active), limit: o.ticking + 3*time.Minute, first: make(chan string, 1)}
	r.read(ctx, http.MethodPost, "/api/v1/chat", `{"message":"idle"}`, false)
	others, told, err := newFollower(ctx, h.url+"/api/v1/runs/"+<-r.first+"/events", o.streams-o.active-1, r.limit)
	if err != nil {
		return err
	}
	each := float64(memory()-before+told.Heap) / float64(told.Open+1)
	used, came := cpuTime(), r.events.Load()
	for range o.active {
		r.read(ctx, http.MethodPost, "/api/v1/chat", `{"message":"tick"}`, true)
	}
	r.ticking.Wait()
	perEvent := float64((cpuTime() - used).Microseconds()) / float64(max(1, r.events.Load()-came))
	close(h.rested)
	r.all.Wait()
	if told, err = others.end(); err != nil {
		return err
	}
	open, lost := r.open.Load()+told.Open, r.gaps.Load()+told.Gaps
	fmt.Printf("streams: %d open, %d active; %d events, %d lost or out of order, %d whole; lag p50 %.0f ms, p99 %.0f ms, and p50 %.0f, p99 %.0f once all had begun; %.1f KiB each, both ends; processor time %.0f µs an event, both ends\n",
		open, o.active, r.events.Load()+told.Events, lost, r.ended.Load()+told.Ended, r.lag.ms(.5), r.lag.ms(.99), r.steady.ms(.5), r.steady.ms(.99), each/1024, perEvent)
	for name, v := range map[string]any{"streams": open, "streams_active": o.active, "streams_lost": lost, "lag_p50_ms": r.lag.ms(.5), "lag_p99_ms": r.lag.ms(.99), "steady_p50_ms": r.steady.ms(.5), "steady_p99_ms": r.steady.ms(.99), "stream_kib": each / 1024, "event_cpu_us": perEvent} {
		f[name] = v
	}
	return nil
}

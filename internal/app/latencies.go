package app

import (
	"context"
	"time"

	"catena/tools"
)

const (
	latenciesKey   = "tools/latencies" // in the store's cache
	latenciesEvery = time.Minute
)

// keepLatencies has the registry learn how long calls took in former processes, and keeps what it learns: every minute
// while there is something new, and at the end. What goes wrong costs only estimates.
func (ts *toolkits) keepLatencies(ctx context.Context) {
	data, known, err := ts.Store.Get(ctx, latenciesKey)
	if err == nil && known {
		err = ts.Registry.Learn(data)
	}
	if err != nil {
		ts.log.Warn("how long calls took before is not known", "error", err.Error())
	}
	save := func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		data, changed, err := ts.Registry.Learnt()
		if err == nil && changed {
			err = ts.Store.Put(ctx, latenciesKey, data, tools.LearntTTL)
		}
		if err != nil {
			ts.log.Warn("how long calls took could not be kept", "error", err.Error())
		}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(latenciesEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				save()
			case <-end:
				save()
				return
			}
		}
	}()
	ts.onClose(func() error {
		close(end)
		<-ended
		return nil
	})
}

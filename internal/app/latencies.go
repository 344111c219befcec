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

// keepLatencies has the registry learn how long calls took in former processes, and keeps what it learns: every minute while there is something
// new, and at the end. What goes wrong costs only estimates.
func (p *App) keepLatencies(ctx context.Context) {
	data, known, err := p.Store.Get(ctx, latenciesKey)
	if err == nil && known {
		err = p.Registry.Learn(data)
	}
	if err != nil {
		p.log.Warn("how long calls took before is not known", "error", err.Error())
	}
	save := func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		data, changed, err := p.Registry.Learnt()
		if err == nil && changed {
			err = p.Store.Put(ctx, latenciesKey, data, tools.LearntTTL)
		}
		if err != nil {
			p.log.Warn("how long calls took could not be kept", "error", err.Error())
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
	p.onClose(func() error {
		close(end)
		<-ended
		return nil
	})
}

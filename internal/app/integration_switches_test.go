//go:build integration

package app

import (
	"testing"

	"catena/internal/store/storetest"
)

// TestIntegrationSwitchedOff: replicas on Redis follow what is switched at one of them.
func TestIntegrationSwitchedOff(t *testing.T) {
	redis := storetest.StartRedis(t)
	settings := func() map[string][]string {
		return map[string][]string{"store.dir": {t.TempDir()}, "code.enabled": {"false"}, "store.url": {"redis://" + redis.Addr + "?prefix=switches"}}
	}
	one := newHouseWith(t, settings(), switchers...)
	other := newHouseWith(t, settings())
	other.keys = one.keys
	switchTools(t, one, other)
}

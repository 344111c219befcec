//go:build integration

package app

import (
	"testing"

	"catena/internal/store/storetest"
)

// TestIntegrationForeignRedis: what is said of owners over SQLite goes for Redis too.
func TestIntegrationForeignRedis(t *testing.T) {
	redis := storetest.StartRedis(t)
	on := func(t *testing.T, prefix string) *house {
		t.Helper()
		return newHouseWith(t, map[string][]string{"store.dir": {t.TempDir()}, "store.url": {"redis://" + redis.Addr + "?prefix=" + prefix}}, neighbours...)
	}
	t.Run("ids", func(t *testing.T) { foreignIDs(t, on(t, "ids")) })
	t.Run("names", func(t *testing.T) { chosenSessions(t, on(t, "names")) })
	t.Run("tasks", func(t *testing.T) { foreignTasks(t, on(t, "tasks")) })
	t.Run("references", func(t *testing.T) { foreignReferences(t, on(t, "references")) })
}

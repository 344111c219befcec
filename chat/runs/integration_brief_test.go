//go:build integration

package runs

import (
	"testing"

	"catena/internal/store"
	"catena/internal/store/redis"
	"catena/internal/store/storetest"
)

// TestIntegrationLargeAnswerRedis is TestLargeAnswer over Redis.
func TestIntegrationLargeAnswerRedis(t *testing.T) {
	server := storetest.StartRedis(t)
	st, err := redis.Open(t.Context(), "redis://"+server.Addr, "", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	testLargeAnswer(t, st)
	testMegabytes(t, st)
}

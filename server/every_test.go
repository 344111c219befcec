package server_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"catena/server"
)

// What is done at each interval is not begun once it was ended, or once it said that it is done.
func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const second = time.Second
		var calls atomic.Int32
		end := server.Every(second, func() bool { calls.Add(1); return true })
		time.Sleep(3*second + second/2)
		if n := calls.Load(); n != 3 {
			t.Errorf("%d calls in three seconds and a half", n)
		}
		end()
		time.Sleep(10 * second)
		if n := calls.Load(); n != 3 {
			t.Errorf("%d calls, after its end too", n)
		}
		once := 0
		end = server.Every(second, func() bool { once++; return false })
		time.Sleep(10 * second)
		if end(); once != 1 {
			t.Errorf("%d calls of what is done once", once)
		}
	})
}

// Its end waits for a call that is under way.
func TestEveryEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, proceed, done := make(chan struct{}), make(chan struct{}), false
		end := server.Every(time.Second, func() bool {
			close(begun)
			<-proceed
			done = true
			return true
		})
		<-begun
		go close(proceed)
		if end(); !done {
			t.Error("it ended before the call that was under way")
		}
	})
}

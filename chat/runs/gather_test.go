package runs

import (
	"testing"
	"testing/synctest"
	"time"

	"catena/chat/chattest"
)

// Events wait for company: long while nobody reads them and no tool is called, and no longer than their run takes.
func TestGather(t *testing.T) {
	ended := make(chan struct{})
	close(ended)
	for name, tt := range map[string]struct {
		before func(*liveRun)
		ended  chan struct{}
		takes  time.Duration
		over   bool
	}{
		"nobody reads":       {func(*liveRun) {}, nil, unreadTime, false},
		"somebody reads":     {(*liveRun).beRead, nil, gatherTime, false},
		"a reader comes":     {func(l *liveRun) { time.AfterFunc(10*time.Millisecond, l.beRead) }, nil, 10*time.Millisecond + gatherTime, false},
		"a tool is called":   {func(l *liveRun) { tell(l.calls) }, nil, gatherTime, false},
		"the run is over":    {func(*liveRun) {}, ended, 0, true},
		"and is read":        {(*liveRun).beRead, ended, 0, true},
		"two readers at all": {func(l *liveRun) { l.beRead(); l.beRead() }, nil, gatherTime, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLive("run_1", chattest.Ann, 1)
				tt.before(l)
				from := time.Now()
				if over := l.gather(tt.ended); over != tt.over || time.Since(from) != tt.takes {
					t.Errorf("over is %t after %v, want %t after %v", over, time.Since(from), tt.over, tt.takes)
				}
			})
		})
	}
}

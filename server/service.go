package server

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// Statuses of a Component and of the whole service.
const (
	Healthy  = "healthy"
	Degraded = "degraded"
	Down     = "down"
)

// health is what /health and /readyz answer.
type health struct {
	Status     string      `json:"status"`
	Service    string      `json:"service"`
	Version    string      `json:"version"`
	UptimeS    int64       `json:"uptime_s"`
	Components []Component `json:"components"`
	// Neo4jConnected is what clients of the persona graph look for: a Neo4j server is configured and answers. Without
	// one the embedded store serves them.
	Neo4jConnected bool `json:"neo4j_connected"`
}

// neo4jComponent is the name of the component that says whether a configured Neo4j server answers.
const neo4jComponent = "neo4j"

// checkHealth gathers the parts: what main reports, and the upstream servers that are down.
func (s *Core) checkHealth(ctx context.Context) (h health, ready bool) {
	h = health{Status: Healthy, Service: "catena", Version: s.opt.Version,
		UptimeS: int64(time.Since(s.started).Seconds()), Components: []Component{}}
	if s.opt.Health != nil {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		h.Components = append(h.Components, s.opt.Health(ctx)...)
	}
	why := s.opt.Tools.DownFor(CallerOf(ctx))
	for _, srv := range s.opt.Tools.Servers() {
		c := Component{Name: srv.Name, Status: Healthy}
		switch n := len(srv.Quarantined); {
		case !srv.Usable():
			c.Status, c.Detail = Down, why[srv.Name]
		case n > 0:
			c.Status, c.Detail = Degraded,
				fmt.Sprintf("%d of its tools are quarantined, since it describes them otherwise than when they were "+
					"approved; see catena tools review", n)
		}
		h.Components = append(h.Components, c)
	}
	if CallerOf(ctx).ID == "" { // a probe without a key needs no more than which part is not well
		for i := range h.Components {
			h.Components[i].Detail = ""
		}
	}
	ready = true
	for i := range h.Components {
		h.Components[i].Detail = s.opt.Hide(h.Components[i].Detail)
	}
	for _, c := range h.Components {
		if c.Status != Healthy {
			h.Status = Degraded
		} else if c.Name == neo4jComponent {
			h.Neo4jConnected = true
		}
		if c.Required && c.Status == Down {
			ready = false
		}
	}
	return h, ready
}

func (s *Core) getLive(c *gin.Context) {
	WriteJSON(c, http.StatusOK, map[string]string{"status": "alive"})
}

func (s *Core) getHealth(c *gin.Context) {
	h, _ := s.checkHealth(c.Request.Context())
	WriteJSON(c, http.StatusOK, h)
}

func (s *Core) getReady(c *gin.Context) {
	h, ready := s.checkHealth(c.Request.Context())
	status := http.StatusOK
	if !ready {
		status = http.StatusServiceUnavailable
	}
	WriteJSON(c, status, h)
}

func (s *Core) getOpenAPI(c *gin.Context) {
	c.Header("Content-Type", "application/json")
	_, _ = c.Writer.Write(s.api)
}

// getRoot gives the page, or service information to who asks for JSON.
func (s *Core) getRoot(c *gin.Context) {
	c.Header("Vary", "Accept")
	if !accepts(c.Request, "application/json") {
		s.sendPage(c)
		return
	}
	ctx := c.Request.Context()
	info := map[string]any{}
	if s.opt.Info != nil && CallerOf(ctx).ID != "" {
		maps.Copy(info, s.opt.Info())
	}
	if CallerOf(ctx).ID != "" {
		info["manages"] = CallerOf(ctx).May(NeedsManage)
		info["servers"] = servers(s.opt.Tools.ServersFor(CallerOf(ctx)))
	}
	names := []string{}
	for _, t := range s.opt.Tools.List(CallerOf(ctx)) {
		names = append(names, t.Def.Name)
	}
	info["service"], info["version"], info["tools"] = "catena", s.opt.Version, names
	info["endpoints"] = map[string]string{"chat": "/api/v1/chat", "mcp": "/mcp", "sse": "/sse", "openai": "/v1",
		"openapi": "/openapi.json", "health": "/health"}
	WriteJSON(c, http.StatusOK, info)
}

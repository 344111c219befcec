package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/server/servertest"
	"catena/tools"
)

// What other code holds is not changed by drawing it.
func TestWithPNG(t *testing.T) {
	charts := []tools.Chart{{SVG: servertest.BarsSVG()}, {SVG: "<svg/>"}, {PNG: []byte("j"), Media: "image/jpeg"}}
	out := withPNG(charts)
	if charts[0].PNG != nil || len(out[0].PNG) == 0 || out[0].Media != mediaPNG || out[0].SVG == "" {
		t.Errorf("%+v", out[0])
	}
	if diff := cmp.Diff(charts[1:], out[1:]); diff != "" {
		t.Error(diff)
	}
}

// A conversation is found again whether its client sends a picture back, keeps it elsewhere or leaves it out.
func TestHistoryWithPictures(t *testing.T) {
	key := func(answer string) threadKey {
		return historyKey("me", []Message{Said("user", "chart"), Said("assistant", answer)})
	}
	want := key("Here. Done.")
	for _, answer := range []string{"Here.\n\n![Bars](data:image/png;base64,iVBO)\n\nDone.", "Here. ![Bars](/api/files/1/content) Done."} {
		if key(answer) != want {
			t.Errorf("%q is another conversation", answer)
		}
	}
}

func TestChartLinks(t *testing.T) {
	_, h, _ := newTest(t)
	if _, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/chat", `{"message":"chart"}`); !strings.Contains(body, `"svg":`) {
		t.Fatal(body)
	}
	base := h.URL + "/api/v1/runs/run_1/charts/"
	for name, c := range map[string]struct {
		status int
		media  string
	}{
		"1": {200, "application/json"}, "1.svg": {200, mediaSVG}, "1.png": {200, mediaPNG}, "2.png": {200, mediaPNG},
		"2.svg": {404, ""}, "0.png": {404, ""}, "-1.png": {404, ""}, "3.png": {404, ""}, "x.png": {404, ""}, "1.pdf": {404, ""}, ".png": {404, ""},
	} {
		status, header, body := servertest.Ask(t, "GET", base+name, "")
		if status != c.status || c.media != "" && !strings.HasPrefix(header.Get("Content-Type"), c.media) {
			t.Errorf("%s: %d %s %.300s", name, status, header.Get("Content-Type"), body)
		}
	}
	_, header, body := servertest.Ask(t, "GET", base+"1.png", "")
	if img, err := png.Decode(strings.NewReader(body)); err != nil || img.Bounds().Dx() != 60 {
		t.Errorf("%v", err)
	}
	if got := header.Get("Content-Security-Policy"); !strings.Contains(got, "sandbox") {
		t.Errorf("policy %q", got)
	}
	if status, _, _ := servertest.Ask(t, "GET", h.URL+"/api/v1/runs/run_9/charts/1.png", ""); status != 404 {
		t.Errorf("a run that there is not: %d", status)
	}
}

// A direct call lists the PNG beside the SVG.
func TestExecuteGivesPNG(t *testing.T) {
	_, h, _ := newTest(t, func(o *Options) {
		reg, _ := o.Tools.(*tools.Registry)
		def := mcp.NewToolWithRawSchema("draw", "draw", []byte(`{"type":"object"}`))
		def.Annotations.ReadOnlyHint = servertest.Ptr(true)
		if err := reg.Register(tools.Tool{Def: def, Toolset: "demo", Handler: func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Text: "Bars.", Charts: []tools.Chart{{SVG: servertest.BarsSVG()}}}, nil
		}}); err != nil {
			t.Fatal(err)
		}
	})
	_, _, body := servertest.Ask(t, "POST", h.URL+"/execute", `{"tool_name":"draw","arguments":{}}`)
	var got struct{ Charts []tools.Chart }
	if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Charts) != 1 {
		t.Fatal(err, body)
	}
	if c := got.Charts[0]; c.SVG == "" || c.Media != mediaPNG || !strings.Contains(body, `"png":"`+base64.StdEncoding.EncodeToString(c.PNG)) {
		t.Errorf("%+v", c)
	}
	if _, err := png.Decode(bytes.NewReader(got.Charts[0].PNG)); err != nil {
		t.Error(err)
	}
}

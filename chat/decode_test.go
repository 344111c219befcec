package chat

import (
	"encoding/json"
	"testing"
)

func TestCount(t *testing.T) {
	for text, want := range map[string]Count{"20": 20, "20.0": 20, "2e1": 20, "-3": -3, "0": 0, "null": 0, "9007199254740992.0": 1 << 53} {
		var got Request
		if err := json.Unmarshal([]byte(`{"max_rows":`+text+`}`), &got); err != nil || got.MaxRows != want {
			t.Errorf("%s: %d, %v", text, got.MaxRows, err)
		}
	}
	for _, text := range []string{"20.5", `"20"`, "[]", "{}", "true", "1e300", "1e400", "99999999999999999999"} {
		var got Request
		if err := json.Unmarshal([]byte(`{"max_rows":`+text+`}`), &got); err == nil {
			t.Errorf("%s is taken as %d", text, got.MaxRows)
		}
	}
}

func TestFileData(t *testing.T) {
	for text, want := range map[string]string{`"YSxi"`: "a,b", `""`: "", "null": ""} {
		var got Attachment
		if err := json.Unmarshal([]byte(`{"data":`+text+`}`), &got); err != nil || string(got.Data) != want {
			t.Errorf("%s: %q, %v", text, got.Data, err)
		}
	}
	for _, text := range []string{"[]", "[1,2]", "[null]", "{}", "0", "true", `"a"`, `"!!!!"`} {
		var got Attachment
		if err := json.Unmarshal([]byte(`{"data":`+text+`}`), &got); err == nil {
			t.Errorf("%s is taken as %q", text, got.Data)
		}
	}
	if b, err := json.Marshal(Attachment{Data: []byte("a,b")}); err != nil || string(b) != `{"name":"","data":"YSxi"}` {
		t.Errorf("%s, %v", b, err)
	}
}

package code

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestSecretsOfImports: what an import or a reference to a text holds is as secret as the line that it stands in, wherever it is told.
func TestSecretsOfImports(t *testing.T) {
	const secret = "s3cr3tpassw0rd"
	k := cook(t, map[string]string{
		"m.js":   "import x from \"https://user:" + secret + "@host.example/m.js\"\nexport function pay() { return x(\"https://user:" + secret + "@host.example/\") }\n",
		"pay.py": "import os\n\ndef pay():\n    return connect(\"https://user:" + secret + "@host.example/\")\n",
		"go.go":  "package p\n\nimport _ \"https://user:" + secret + "@host.example/x\"\n",
	})
	if err := k.reg.RegisterResources(k.kit.Resources()...); err != nil {
		t.Fatal(err)
	}
	id := k.index()
	said := map[string]string{}
	for _, path := range []string{"m.js", "pay.py", "go.go"} {
		said[path] = everything(t, structured(t, k.call("get_files_context", `{"filepath":"`+path+`"}`)))
	}
	for _, name := range []string{"dependencies", "functions", "code_files"} {
		res, err := k.reg.OpenLive(t.Context(), ann, name)
		if err != nil {
			t.Fatal(err)
		}
		said[name] = fmt.Sprint(rows(res))
	}
	packed, err := read(t, k.reg, "ann", bundleURI(id))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range unpack(t, packed) {
		said[name] = text
	}
	for name, text := range said {
		if strings.Contains(text, secret) {
			t.Errorf("%s tells a secret: %.300s", name, text)
		}
	}
	if !strings.Contains(said["dependencies"], "https://user:***@host.example/m.js") {
		t.Errorf("what is no secret of an import stays: %s", said["dependencies"])
	}
}

func everything(t *testing.T, res any) string {
	t.Helper()
	b, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

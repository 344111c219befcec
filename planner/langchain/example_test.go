package langchain_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"catena/planner"
	"catena/planner/langchain"
)

// A local endpoint with OpenAI's chat completions needs no key.
func Example() {
	local := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"Good morning."}}]}`)
	}))
	defer local.Close()

	c, err := langchain.New(langchain.Config{Provider: "openai", BaseURL: local.URL + "/v1", Model: "llama3.2"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	done, err := c.Complete(context.Background(), planner.Prompt{Messages: []planner.Message{{Role: "user", Text: "Hello"}}})
	fmt.Println(done.Text, err)
	// Output: Good morning. <nil>
}

package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"catena/tools/upstream/oauth"
)

// Where nobody can be asked, a server that wants a token wants a login.
func Example() {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	client := oauth.New(oauth.Config{Resource: server.URL + "/mcp"}, nil, nil)
	token, err := client.Token(context.Background())
	fmt.Printf("%q %v\n", token, err)

	err = client.Refused(context.Background(), http.StatusUnauthorized, http.Header{}, token)
	var login *oauth.LoginError
	fmt.Println(errors.As(err, &login), err)
	// Output:
	// "" <nil>
	// true it needs a login
}

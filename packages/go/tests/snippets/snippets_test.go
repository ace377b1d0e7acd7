// Package snippets has the code blocks of docs/testing.md, as they are printed.
package snippets

import (
	"context"
	"testing"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
	"vaquita.org/go/vaquitatest"
)

func store(t *testing.T, zookeeper string) {
	client := gohbase.NewClient(zookeeper)
	defer client.Close()
	put, _ := hrpc.NewPutStr(context.Background(), "t", "r", map[string]map[string][]byte{"f": {"q": []byte("v")}})
	if _, err := client.Put(put); err != nil {
		t.Fatal(err)
	}
}

// snippet: go-three-lines

// snippet: go-fault

// snippet: readme-go

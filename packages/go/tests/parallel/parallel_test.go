// Package parallel has tests that run at the same time, each with a server of its own.
package parallel

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
	"vaquita.org/go/vaquitatest"
)

func put(t *testing.T, client gohbase.Client, table, row string) {
	t.Helper()
	request, err := hrpc.NewPutStr(context.Background(), table, row, map[string]map[string][]byte{"f": {"q": []byte("v")}})
	if err == nil {
		_, err = client.Put(request)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func rows(t *testing.T, client gohbase.Client, table string) (found []string) {
	t.Helper()
	scan, err := hrpc.NewScanStr(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	scanner := client.Scan(scan)
	for {
		result, err := scanner.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, string(result.Cells[0].Row))
	}
}

func TestParallel(t *testing.T) {
	for i := 0; i < 4; i++ {
		row := fmt.Sprint("r", i)
		t.Run(row, func(t *testing.T) {
			t.Parallel()
			hbase := vaquitatest.Start(t, vaquitatest.Table("t", "f"))
			client := gohbase.NewClient(hbase.ZooKeeper())
			defer client.Close()
			put(t, client, "t", row)
			if found := rows(t, client, "t"); len(found) != 1 || found[0] != row {
				t.Errorf("rows %v instead of %s alone", found, row)
			}
		})
	}
}

func TestFaultsAreRetried(t *testing.T) {
	t.Parallel()
	hbase := vaquitatest.Start(t, vaquitatest.Table("t", "f"))
	client := gohbase.NewClient(hbase.ZooKeeper())
	defer client.Close()
	fault, err := hbase.AddFault(vaquitatest.Fault{
		Methods: []string{"Mutate", "Multi"}, Table: "t", Times: 2, Exception: "RegionTooBusyException", Message: "as ordered",
	})
	if err != nil {
		t.Fatal(err)
	}
	put(t, client, "t", "r")
	if hits, err := hbase.FaultHits(fault); err != nil || hits != 2 {
		t.Errorf("%d hits, error %v", hits, err)
	}
	calls, err := hbase.Calls(0)
	if err != nil || len(calls) < 3 || calls[len(calls)-1].Result != "OK" {
		t.Errorf("calls %+v, error %v", calls, err)
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	hbase := vaquitatest.Start(t, vaquitatest.Seed("create 't', {NAME => 'f', TTL => 60}"))
	client := gohbase.NewClient(hbase.ZooKeeper())
	defer client.Close()
	put(t, client, "t", "r")
	if _, err := hbase.AdvanceTime(59 * time.Second); err != nil || len(rows(t, client, "t")) != 1 {
		t.Errorf("the row is gone too early; error %v", err)
	}
	if _, err := hbase.AdvanceTime(2 * time.Second); err != nil || len(rows(t, client, "t")) != 0 {
		t.Errorf("the row is still there; error %v", err)
	}
}

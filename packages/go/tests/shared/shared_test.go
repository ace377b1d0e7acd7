// Package shared has tests that share a server, which TestMain starts.
package shared

import (
	"context"
	"log"
	"os"
	"strings"
	"testing"

	"vaquita.org/go/vaquitatest"
)

var hbase *vaquitatest.Vaquita

func TestMain(m *testing.M) {
	ctx, stop := context.WithCancel(context.Background())
	var err error
	if hbase, err = vaquitatest.Run(ctx); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	stop()
	os.Exit(code)
}

func TestTablesOfThisTest(t *testing.T) {
	hbase.For(t, vaquitatest.Table("a", "f"), vaquitatest.Seed("put 'a', 'r', 'f:q', 'v'"))
	if found, err := hbase.Seed("scan 'a'"); err != nil || !strings.Contains(found, "value=v") {
		t.Errorf("%q, error %v", found, err)
	}
	if err := hbase.CreateTable("left", "f"); err != nil {
		t.Error(err)
	}
}

func TestTablesOfThatTest(t *testing.T) {
	hbase.For(t, vaquitatest.Table("b", "f", "g"))
	if found, err := hbase.Seed("list"); err != nil || strings.Contains(found, "left") || !strings.Contains(found, "b") {
		t.Errorf("%q, error %v", found, err)
	}
}

func TestSnapshotsSeed(t *testing.T) {
	hbase.For(t, vaquitatest.Table("a", "f"), vaquitatest.Seed("put 'a', 'r', 'f:q', 'v'\nsnapshot 'a', 's'"))
	if err := hbase.SeedSnapshot("s", "clone"); err != nil {
		t.Fatal(err)
	}
	if found, err := hbase.Seed("scan 'clone'"); err != nil || !strings.Contains(found, "value=v") {
		t.Errorf("%q, error %v", found, err)
	}
}

func TestStates(t *testing.T) {
	hbase.For(t)
	if n, err := hbase.SeedCSV("id,name\n1,Ann\n2,Ben\n", "people", "f", ""); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if err := hbase.Save("people"); err != nil {
		t.Fatal(err)
	}
	if _, err := hbase.Seed("deleteall 'people', '1'"); err != nil {
		t.Fatal(err)
	}
	if err := hbase.Restore("people"); err != nil {
		t.Fatal(err)
	}
	if found, err := hbase.Seed("scan 'people'"); err != nil || !strings.Contains(found, "Ann") {
		t.Errorf("%q, error %v", found, err)
	}
	if err := hbase.Restore("nothing"); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("error %v", err)
	}
}

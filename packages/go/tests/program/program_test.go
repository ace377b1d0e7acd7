// Package program has tests of where the server's program comes from, and what is said when it does not start.
package program

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"vaquita.org/go/vaquitatest"
)

func refused(t *testing.T, parts []string, options ...vaquitatest.Option) {
	t.Helper()
	v, err := vaquitatest.Run(context.Background(), options...)
	if err == nil {
		v.Stop()
		t.Fatal("it started")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in the error %v", part, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	refused(t, []string{"exit code", "many"}, vaquitatest.Property("hbase.regionserver.handler.count", "many"))
	refused(t, []string{"the table t needs a family"}, vaquitatest.Table("t"))
	t.Setenv("VAQUITA_BINARY", "/nothing/there")
	refused(t, []string{"VAQUITA_BINARY is /nothing/there"})
}

func TestAProgramThatIsEndedBySignal(t *testing.T) {
	program := filepath.Join(t.TempDir(), "vaquita")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nkill -ILL $$\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VAQUITA_BINARY", program)
	refused(t, []string{"it ended (signal: illegal instruction"})
}

// A process that does not wait for the end of its server, as TestMain with os.Exit, leaves nothing.
func TestNoLogIsLeft(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	hbase := vaquitatest.Start(t, vaquitatest.Property("no.such.property", "1"))
	logs, err := filepath.Glob(filepath.Join(folder, "vaquita-*.log"))
	if err != nil || len(logs) != 0 {
		t.Errorf("logs %v, error %v", logs, err)
	}
	hbase.Stop()
	if lines := hbase.LastLogLines(); !strings.Contains(lines, "no.such.property") {
		t.Errorf("the log is %s", lines)
	}
}

// Run by packages/go/test once more with a cache that cannot be written.
func TestStart(t *testing.T) {
	hbase := vaquitatest.Start(t, vaquitatest.Table("t", "f"))
	program, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(hbase.PID()), "exe"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("IN_MEMORY") != "" && !strings.HasPrefix(program, "/memfd:vaquita") {
		t.Errorf("the program is %s and not in memory", program)
	}
	if os.Getenv("IN_MEMORY") == "" && !strings.HasPrefix(program, os.Getenv("XDG_CACHE_HOME")+"/vaquita/") {
		t.Errorf("the program is %s and not in the cache", program)
	}
}

func TestTheContextEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	v, err := vaquitatest.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	proc := filepath.Join("/proc", strconv.Itoa(v.PID()))
	for end := time.Now().Add(10 * time.Second); ; {
		if _, err := os.Stat(proc); os.IsNotExist(err) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the server still runs")
		}
	}
	v.Stop()
}

// Package vaquitatest runs Vaquita, a small HBase in one process, for tests.
//
//	func TestWrites(t *testing.T) {
//		hbase := vaquitatest.Start(t, vaquitatest.Table("t", "f"))
//		client := gohbase.NewClient(hbase.ZooKeeper())
//
// The server takes free ports, keeps its data in a folder that goes with it, and ends with the test, or with the process, however that
// ends. A start takes some tens of milliseconds, so each test may have a server of its own, parallel tests too.
package vaquitatest

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// An Option says how a server is started, or what it has in it.
type Option func(*options)

type options struct {
	properties []string // name=value
	script     strings.Builder
	err        error
}

// Table makes a table with these families.
func Table(name string, families ...string) Option {
	return func(o *options) {
		if len(families) == 0 {
			o.err = fmt.Errorf("vaquitatest: the table %s needs a family", name)
			return
		}
		o.script.WriteString("create " + quoted(name))
		for _, family := range families {
			o.script.WriteString(", " + quoted(family))
		}
		o.script.WriteByte('\n')
	}
}

// Seed runs commands of HBase's shell, one a line.
func Seed(script string) Option {
	return func(o *options) { o.script.WriteString(script + "\n") }
}

// Property sets a property of the server as hbase-site.xml has it.
func Property(name, value string) Option {
	return func(o *options) { o.properties = append(o.properties, name+"="+value) }
}

func gather(given []Option) (*options, error) {
	o := new(options)
	for _, option := range given {
		option(o)
	}
	return o, o.err
}

func quoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// Start starts a server for a test, which ends when the test and its subtests are done. If the test has failed by then, the end of the
// server's log is in the test's. A server that does not start fails the test at once.
func Start(t testing.TB, given ...Option) *Vaquita {
	t.Helper()
	v, err := Run(context.Background(), given...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(v.LastLogLines())
		}
		v.Stop()
	})
	return v
}

// Run starts a server for TestMain. It ends with the context, by Stop, or with the process.
func Run(ctx context.Context, given ...Option) (*Vaquita, error) {
	o, err := gather(given)
	if err != nil {
		return nil, err
	}
	p, err := startProcess(ctx, o.properties)
	if err != nil {
		return nil, err
	}
	v := &Vaquita{process: p, properties: o.properties}
	if o.script.Len() > 0 {
		if _, err := v.Seed(o.script.String()); err != nil {
			v.Stop()
			return nil, err
		}
	}
	return v, nil
}

// Vaquita is a running server. Its methods may be called by any goroutine. An error of the server has its own message.
type Vaquita struct {
	process    *process
	properties []string
}

// ZooKeeper returns ZooKeeper's address, by which HBase's clients find the server: "127.0.0.1:port".
func (v *Vaquita) ZooKeeper() string { return v.process.ready.ZooKeeper }

// GRPC returns the address of Vaquita's own API.
func (v *Vaquita) GRPC() string { return v.process.ready.GRPC }

// HBaseSite returns an hbase-site.xml for clients of this server.
func (v *Vaquita) HBaseSite() string { return v.process.ready.HBaseSite }

// PID returns the server's process.
func (v *Vaquita) PID() int { return v.process.ready.PID }

// LastLogLines returns the last 50 lines of the server's log, under a heading.
func (v *Vaquita) LastLogLines() string { return v.process.lastLines() }

// Stop ends the server; it takes some milliseconds. Nothing happens if it has ended.
func (v *Vaquita) Stop() { v.process.stop() }

// For gives a server that several tests share, one after the other, the state that one of them wants: these tables and seeds, and
// nothing else. If the test has failed at its end, the end of the server's log is in the test's.
func (v *Vaquita) For(t testing.TB, given ...Option) {
	t.Helper()
	if err := v.prepare(given); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(v.LastLogLines())
		}
	})
}

func (v *Vaquita) prepare(given []Option) error {
	o, err := gather(given)
	if err == nil && len(o.properties) > 0 {
		err = fmt.Errorf("vaquitatest: %s: properties are for Start and Run, this server runs already", o.properties[0])
	}
	if err == nil {
		err = v.Reset()
	}
	if err == nil && o.script.Len() > 0 {
		_, err = v.Seed(o.script.String())
	}
	return err
}

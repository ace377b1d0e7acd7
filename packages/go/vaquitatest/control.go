package vaquitatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The server is on this machine, whatever proxy the environment names.
var client = &http.Client{Transport: &http.Transport{Proxy: nil}, Timeout: 10 * time.Minute}

// Control asks for any operation of docs/test-control.md, e.g. Control("POST", "balance", nil, nil). The request and the answer are
// what encoding/json takes; either may be nil.
func (v *Vaquita) Control(method, operation string, request, answer interface{}) error {
	var body io.Reader
	if request != nil {
		text, err := json.Marshal(request)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	call, err := http.NewRequest(method, v.process.ready.Control+"/"+operation, body)
	if err != nil {
		return err
	}
	response, err := client.Do(call)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 400 {
		var refusal struct{ Error string }
		if json.Unmarshal(text, &refusal) != nil || refusal.Error == "" {
			refusal.Error = response.Status + ": " + strings.TrimSpace(string(text))
		}
		return fmt.Errorf("vaquitatest: %s: %s", operation, refusal.Error)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

type fields map[string]interface{}

func (v *Vaquita) post(operation string, request, answer interface{}) error {
	return v.Control(http.MethodPost, operation, request, answer)
}

// Reset drops all tables, namespaces, snapshots and faults, forgets calls, and returns to the machine's time. Connections stay.
func (v *Vaquita) Reset() error { return v.post("reset", fields{}, nil) }

// CreateTable makes a table.
func (v *Vaquita) CreateTable(name string, families ...string) error {
	o, err := gather([]Option{Table(name, families...)})
	if err == nil {
		_, err = v.Seed(o.script.String())
	}
	return err
}

// Seed runs commands of HBase's shell, one a line, and returns what they print.
func (v *Vaquita) Seed(script string) (string, error) {
	var answer struct{ Output string }
	err := v.post("seed", fields{"script": script}, &answer)
	return answer.Output, err
}

// SeedCSV puts records into a table, which is made if it is missing, and returns how many there were. The CSV has a header; a column
// becomes a cell. The key is a column ("" is the first), or a design as in docs/lab.md, e.g. "reverse(id)".
func (v *Vaquita) SeedCSV(csv, table, family, key string) (int64, error) {
	var answer struct{ Rows int64 }
	err := v.post("seed", fields{"csv": csv, "table": table, "family": family, "key": key}, &answer)
	return answer.Rows, err
}

// SeedSnapshot makes a table, which must not be there, of a snapshot.
func (v *Vaquita) SeedSnapshot(snapshot, table string) error {
	return v.post("seed", fields{"snapshot": snapshot, "table": table}, nil)
}

// Save keeps the whole state under a name, for Restore.
func (v *Vaquita) Save(name string) error { return v.post("save", fields{"name": name}, nil) }

// Restore returns to a state that was saved. Connections stay.
func (v *Vaquita) Restore(name string) error { return v.post("restore", fields{"name": name}, nil) }

// FreezeTime makes the server's clock stand still at a time; the zero time: at its present one.
func (v *Vaquita) FreezeTime(at time.Time) (time.Time, error) {
	if at.IsZero() {
		return v.clock(fields{"freeze": true})
	}
	return v.clock(fields{"freezeMs": at.UnixMilli()})
}

// AdvanceTime moves the server's clock forward; what is due then (TTL, leases, chores) is done. It returns the clock's time.
func (v *Vaquita) AdvanceTime(by time.Duration) (time.Time, error) {
	return v.clock(fields{"advance": milliseconds(by)})
}

// RealTime gives the server the machine's clock again.
func (v *Vaquita) RealTime() (time.Time, error) { return v.clock(fields{"real": true}) }

func (v *Vaquita) clock(request fields) (time.Time, error) {
	var answer struct{ NowMs int64 }
	err := v.post("clock", request, &answer)
	return time.UnixMilli(answer.NowMs), err
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) + "ms" }

// A Fault is a failure on demand: which calls it is for, and what then happens to them.
type Fault struct {
	Methods      []string // HBase's names: "Get", "Mutate", "Multi", "Scan", "CreateTable"; none: all
	Table        string
	RowFrom      string // calls with a row in [RowFrom, RowTo)
	RowTo        string
	Region       string // an encoded name
	Client       string // a user, or an address
	Service      string // "ClientService", "MasterService", "AdminService"
	System       bool   // also calls on system tables
	Skip         int    // so many calls pass first
	Times        int    // so many get it; 0: all, until it is cleared
	Exception    string // the class that they are answered with; without a package: one of HBase's
	Message      string
	DoNotRetry   bool // clients are told to give up
	Delay        time.Duration
	Drop         string        // the connection closes "before" or "after" the call is done
	LoseAnswer   bool          // the call is done and never answered
	InTransition time.Duration // the call's region is in transition for so long
	ServerDead   time.Duration // the server takes no calls for so long
}

func (f Fault) request() fields {
	match := fields{}
	for name, value := range map[string]string{
		"table": f.Table, "rowFrom": f.RowFrom, "rowTo": f.RowTo, "region": f.Region, "client": f.Client, "service": f.Service,
	} {
		if value != "" {
			match[name] = value
		}
	}
	if len(f.Methods) > 0 {
		match["methods"] = f.Methods
	}
	if f.System {
		match["system"] = true
	}
	request := fields{"match": match, "skip": f.Skip, "times": f.Times}
	for name, value := range map[string]time.Duration{"delay": f.Delay, "inTransition": f.InTransition, "serverDead": f.ServerDead} {
		if value > 0 {
			request[name] = milliseconds(value)
		}
	}
	if f.Exception != "" {
		exception := fields{"class": f.Exception, "message": f.Message}
		if f.DoNotRetry {
			exception["doNotRetry"] = true
		}
		request["exception"] = exception
	}
	if f.Drop != "" {
		request["drop"] = f.Drop
	}
	if f.LoseAnswer {
		request["loseAnswer"] = true
	}
	return request
}

// AddFault adds a fault and returns its number.
func (v *Vaquita) AddFault(fault Fault) (int64, error) {
	var answer struct{ ID int64 }
	err := v.post("faults", fault.request(), &answer)
	return answer.ID, err
}

// FaultHits returns to how many calls a fault has applied.
func (v *Vaquita) FaultHits(id int64) (int64, error) {
	var answer struct{ Faults []struct{ ID, Hits int64 } }
	if err := v.Control(http.MethodGet, "faults", nil, &answer); err != nil {
		return 0, err
	}
	for _, fault := range answer.Faults {
		if fault.ID == id {
			return fault.Hits, nil
		}
	}
	return 0, fmt.Errorf("vaquitatest: unknown fault %d", id)
}

// ClearFaults removes all faults.
func (v *Vaquita) ClearFaults() error { return v.Control(http.MethodDelete, "faults", nil, nil) }

// A Call is a call that the server got.
type Call struct {
	Number       int64
	TimeMs       int64
	Protocol     string // "hbase" or "grpc"
	Service      string
	Method       string // HBase's name, e.g. "Multi"
	Table        string // the first, if there are several
	Rows         []string
	RowCount     int // the request's; for a scan the answer's
	RequestBytes int64
	AnswerBytes  int64
	Result       string // "OK", or the class of the exception that was answered
	Message      string
	Micros       int64
	Client       string
	User         string
	Fault        int64
}

// Calls returns the last 10,000 calls, or those of them from a number on, the oldest first.
func (v *Vaquita) Calls(since int64) ([]Call, error) {
	var answer struct{ Calls []Call }
	err := v.Control(http.MethodGet, "calls?since="+strconv.FormatInt(since, 10), nil, &answer)
	return answer.Calls, err
}

// NextCall returns the number that the next call will have, for Calls.
func (v *Vaquita) NextCall() (int64, error) {
	var answer struct{ Next int64 }
	err := v.Control(http.MethodGet, "calls?since="+strconv.FormatInt(math.MaxInt64, 10), nil, &answer)
	return answer.Next, err
}

// Flush writes a table's memstores to files.
func (v *Vaquita) Flush(table string) error { return v.post("flush", fields{"table": table}, nil) }

// Compact is a major compaction of a table.
func (v *Vaquita) Compact(table string) error { return v.post("compact", fields{"table": table}, nil) }

// Split splits a table's only region.
func (v *Vaquita) Split(table, splitRow string) error {
	return v.post("split", fields{"table": table, "splitRow": splitRow}, nil)
}

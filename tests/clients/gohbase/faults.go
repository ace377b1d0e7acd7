package main

import (
	"fmt"
	"io"
	"math/rand"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/tsuna/gohbase/hrpc"
)

// Writes and reads while a cluster's servers are killed and its regions move (tests/cluster_checker), and checks what it is told:
// acknowledged rows are there, scans have neither gaps nor duplicates, counters that nobody else increments and registers that nobody else
// sets are what their owner made them.

const faultsTable = "go"
const mostRows = 2000

// A row that is put once and deleted at most once: when that began and ended; zero: not yet.
type rowTimes struct {
	putEnds, deleteBegins, deleteEnds time.Time
}

type faultsRun struct {
	mutex    sync.Mutex
	rows     map[string]rowTimes
	counters map[string]bool
	number   int
	deadline time.Time
}

func clusterFaults(length time.Duration, seed int64) {
	createFaultsTable()
	run := &faultsRun{rows: map[string]rowTimes{}, counters: map[string]bool{}, deadline: time.Now().Add(length)}
	var threads sync.WaitGroup
	for i, work := range []func(*rand.Rand){run.write, run.scan, run.increment, run.checkAndPut} {
		threads.Add(1)
		go func(random *rand.Rand, work func(*rand.Rand)) {
			defer threads.Done()
			for time.Now().Before(run.deadline) {
				work(random)
			}
		}(rand.New(rand.NewSource(seed*100+int64(i))), work)
	}
	threads.Wait()
	run.scan(rand.New(rand.NewSource(seed)))
}

// The faults may have begun; this client does not wait for a master that is coming up.
func createFaultsTable() {
	for {
		err := admin.CreateTable(newTable(faultsTable, []string{"f"}, "40000000", "80000000", "c0000000"))
		if err == nil || strings.Contains(err.Error(), "TableExistsException") {
			return
		}
		if !strings.Contains(err.Error(), "PleaseHoldException") {
			mustDo(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (run *faultsRun) newRow(random *rand.Rand, counter bool) string {
	run.mutex.Lock()
	defer run.mutex.Unlock()
	run.number++
	row := fmt.Sprintf("%08x-%d", random.Uint32(), run.number)
	if counter {
		run.counters[row] = true
	} else {
		run.rows[row] = rowTimes{}
	}
	return row
}

func (run *faultsRun) change(row string, change func(*rowTimes)) {
	run.mutex.Lock()
	defer run.mutex.Unlock()
	times := run.rows[row]
	change(&times)
	run.rows[row] = times
}

// As long as there is time it writes rows, and deletes the oldest ones.
func (run *faultsRun) write(random *rand.Rand) {
	kept := []string{}
	for time.Now().Before(run.deadline) {
		row := run.newRow(random, false)
		put(faultsTable, row, one(row))
		run.change(row, func(times *rowTimes) { times.putEnds = time.Now() })
		kept = append(kept, row)
		equal("a row that was put", row+" f:q="+row, get(faultsTable, row))
		if len(kept) <= mostRows {
			continue
		}
		row, kept = kept[0], kept[1:]
		run.change(row, func(times *rowTimes) { times.deleteBegins = time.Now() })
		must(client.Delete(must(hrpc.NewDelStr(ctx, faultsTable, row, nil))))
		run.change(row, func(times *rowTimes) { times.deleteEnds = time.Now() })
		equal("a row that was deleted", "(none)", get(faultsTable, row))
	}
}

// The rows of a scan without the counters. This client does not go on with a scan whose scanner is gone: it is begun anew.
func (run *faultsRun) scanned(random *rand.Rand) (began time.Time, rows []string) {
	for {
		began, rows = time.Now(), []string{}
		scanner := client.Scan(must(hrpc.NewScanStr(ctx, faultsTable, hrpc.NumberOfRows(1+random.Uint32()%50))))
		for {
			result, err := scanner.Next()
			if err == io.EOF {
				return began, rows
			}
			if err != nil {
				break
			}
			row := string(result.Cells[0].Row)
			run.mutex.Lock()
			counter := run.counters[row]
			run.mutex.Unlock()
			if !counter {
				equal("value of "+row, row, string(result.Cells[0].Value))
				rows = append(rows, row)
			}
		}
	}
}

func (run *faultsRun) scan(random *rand.Rand) {
	began, seen := run.scanned(random)
	ended := time.Now()
	run.mutex.Lock()
	defer run.mutex.Unlock()
	equal("in order", true, sort.StringsAreSorted(seen))
	got := map[string]bool{}
	for _, row := range seen {
		equal(row+" once", false, got[row])
		got[row] = true
		times, known := run.rows[row]
		equal(row+" was put, and was not deleted before", true, known && (times.deleteEnds.IsZero() || times.deleteEnds.After(began)))
	}
	missing := []string{}
	for row, times := range run.rows {
		acknowledged := !times.putEnds.IsZero() && times.putEnds.Before(began)
		if acknowledged && (times.deleteBegins.IsZero() || times.deleteBegins.After(ended)) && !got[row] {
			missing = append(missing, row)
		}
	}
	equal("acknowledged rows that a scan did not give", "", strings.Join(missing, " "))
}

// A counter of its own. This client sends an increment again when it has lost the answer, without a nonce: it may be done twice, never not
// at all.
func (run *faultsRun) increment(random *rand.Rand) {
	row := run.newRow(random, true)
	value := int64(0)
	for i := 0; i < 50 && time.Now().Before(run.deadline); i++ {
		amount := 1 + random.Int63n(9)
		value += amount
		got := must(client.Increment(must(hrpc.NewIncStrSingle(ctx, faultsTable, row, "f", "q", amount))))
		again := (got - value) / amount
		equal(fmt.Sprintf("counter %s: %d, or more by some times %d: %d", row, value, amount, got), true,
			got >= value && got == value+again*amount)
		value = got
	}
}

// A register of its own. When it has lost an answer this client asks again, and may be told that the condition does not hold, because it did
// it itself.
func (run *faultsRun) checkAndPut(random *rand.Rand) {
	row := run.newRow(random, true)
	put(faultsTable, row, one("0"))
	for i := 1; i < 50 && time.Now().Before(run.deadline); i++ {
		old, next := fmt.Sprint(i-1), fmt.Sprint(i)
		set := func(expected, value string) bool {
			return must(client.CheckAndPut(must(hrpc.NewPutStr(ctx, faultsTable, row, one(value))), "f", "q", []byte(expected)))
		}
		equal("set if it is what it is not", false, set(next, "wrong"))
		set(old, next)
		equal("register", row+" f:q="+next, get(faultsTable, row))
	}
}

// github.com/tsuna/gohbase: the API that a program has.
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/sirupsen/logrus"
	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
)

type values = map[string]map[string][]byte

var (
	client gohbase.Client
	admin  gohbase.AdminClient
	ctx    = context.Background()
)

func main() {
	address := flag.String("address", "localhost:2181", "ZooKeeper's HOST:PORT")
	seconds := flag.Int("seconds", 0, "write and read so long while a cluster's servers die, instead of all else")
	seed := flag.Int64("seed", 1, "of what is random then")
	log := flag.String("log", os.DevNull, "file for what the client itself says")
	flag.Parse()
	logrus.SetOutput(must(os.Create(*log)))
	client = gohbase.NewClient(*address)
	admin = gohbase.NewAdminClient(*address)
	defer client.Close()
	if *seconds > 0 {
		begin("cluster faults", func() { clusterFaults(time.Duration(*seconds)*time.Second, *seed) })
		finish()
		return
	}

	begin("tables", tables)
	create("rows", []string{"f", "g"}, "m")
	begin("get and put", getAndPut)
	begin("delete", deletes)
	begin("increment and append", counters)
	begin("check and put", conditions)
	begin("batches", batches)
	begin("errors", errors)
	begin("scan", scans)
	begin("filters", filters)
	begin("locations that become old", locations)
	begin("snapshots", snapshots)
	begin("cluster", cluster)
	for _, table := range []string{"rows", "scans", "filters"} {
		drop(table)
	}
	finish()
}

// --- Tables.

func create(table string, families []string, splits ...string) {
	drop(table)
	mustDo(admin.CreateTable(newTable(table, families, splits...)))
}

func newTable(table string, families []string, splits ...string) *hrpc.CreateTable {
	options := map[string]map[string]string{}
	for _, family := range families {
		options[family] = map[string]string{"VERSIONS": "3"}
	}
	keys := [][]byte{}
	for _, split := range splits {
		keys = append(keys, []byte(split))
	}
	return hrpc.NewCreateTable(ctx, []byte(table), options, hrpc.SplitKeys(keys))
}

func drop(table string) {
	if !strings.Contains(" "+names("^"+table+"$")+" ", " "+table+" ") {
		return
	}
	_ = admin.DisableTable(hrpc.NewDisableTable(ctx, []byte(table))) // it may be already
	mustDo(admin.DeleteTable(hrpc.NewDeleteTable(ctx, []byte(table))))
}

func names(regex string) string {
	list := must(hrpc.NewListTableNames(ctx, hrpc.ListRegex(regex)))
	texts := []string{}
	for _, name := range must(admin.ListTableNames(list)) {
		texts = append(texts, string(name.GetQualifier()))
	}
	return strings.Join(texts, " ")
}

func tables() {
	create("made", []string{"f"}, "h", "q")
	equal("listed", "made", names("^ma.*"))
	again := hrpc.NewCreateTable(ctx, []byte("made"), map[string]map[string]string{"f": nil})
	refused("create again", "TableExistsException", admin.CreateTable(again))
	refused("delete while enabled", "TableNotDisabledException", admin.DeleteTable(hrpc.NewDeleteTable(ctx, []byte("made"))))
	mustDo(admin.DisableTable(hrpc.NewDisableTable(ctx, []byte("made"))))
	refused("disable again", "TableNotEnabledException", admin.DisableTable(hrpc.NewDisableTable(ctx, []byte("made"))))
	mustDo(admin.EnableTable(hrpc.NewEnableTable(ctx, []byte("made"))))
	refused("enable again", "TableNotDisabledException", admin.EnableTable(hrpc.NewEnableTable(ctx, []byte("made"))))
	drop("made")
	equal("dropped", "", names("^ma.*"))
	refused("disable what is not there", "TableNotFoundException", admin.DisableTable(hrpc.NewDisableTable(ctx, []byte("made"))))
	system := must(hrpc.NewListTableNames(ctx, hrpc.ListNamespace("hbase"), hrpc.ListSysTables(true)))
	equal("system tables", true, len(must(admin.ListTableNames(system))) >= 1)
}

// --- Rows.

func text(result *hrpc.Result) string {
	if result == nil || len(result.Cells) == 0 {
		return "(none)"
	}
	parts := []string{string(result.Cells[0].Row)}
	for _, cell := range result.Cells {
		parts = append(parts, fmt.Sprintf("%s:%s=%s", cell.Family, cell.Qualifier, cell.Value))
	}
	return strings.Join(parts, " ")
}

func put(table, row string, columns values, options ...func(hrpc.Call) error) {
	must(client.Put(must(hrpc.NewPutStr(ctx, table, row, columns, options...))))
}

func get(table, row string, options ...func(hrpc.Call) error) string {
	return text(must(client.Get(must(hrpc.NewGetStr(ctx, table, row, options...)))))
}

func one(value string) values { return values{"f": {"q": []byte(value)}} }

func getAndPut() {
	equal("no row", "(none)", get("rows", "nobody"))
	put("rows", "r", values{"f": {"a": []byte("1"), "b": []byte("2")}, "g": {"c": []byte("3")}})
	equal("whole row", "r f:a=1 f:b=2 g:c=3", get("rows", "r"))
	equal("family", "r g:c=3", get("rows", "r", hrpc.Families(map[string][]string{"g": nil})))
	equal("column", "r f:b=2", get("rows", "r", hrpc.Families(map[string][]string{"f": {"b"}})))
	put("rows", "z", one("in the other region"))
	equal("another region", "z f:q=in the other region", get("rows", "z"))
	for i := uint64(1); i <= 4; i++ {
		put("rows", "versions", one(fmt.Sprint("v", i)), hrpc.TimestampUint64(i))
	}
	equal("newest", "versions f:q=v4", get("rows", "versions"))
	equal("versions", "versions f:q=v4 f:q=v3 f:q=v2", get("rows", "versions", hrpc.MaxVersions(9)))
	equal("time range", "versions f:q=v3 f:q=v2", get("rows", "versions", hrpc.TimeRangeUint64(2, 4), hrpc.MaxVersions(9)))
	equal("columns of a family", "r f:b=2", get("rows", "r", hrpc.Families(map[string][]string{"f": nil}),
		hrpc.MaxResultsPerColumnFamily(1), hrpc.ResultOffset(1)))
	exists := must(hrpc.NewGetStr(ctx, "rows", "r"))
	exists.ExistsOnly()
	result := must(client.Get(exists))
	equal("exists", "true 0", fmt.Sprint(*result.Exists, " ", len(result.Cells)))
	large := strings.Repeat("x", 5<<20)
	put("rows", "large", one(large))
	equal("5 MiB", true, get("rows", "large") == "large f:q="+large)
	put("rows", "\x00\xff\x00", one("\x00\xff"))
	equal("bytes", "\x00\xff\x00 f:q=\x00\xff", get("rows", "\x00\xff\x00"))
	for _, durability := range []hrpc.DurabilityType{hrpc.UseDefault, hrpc.SkipWal, hrpc.AsyncWal, hrpc.SyncWal, hrpc.FsyncWal} {
		put("rows", "durable", one(fmt.Sprint(durability)), hrpc.Durability(durability))
		equal("durability", fmt.Sprint("durable f:q=", durability), get("rows", "durable"))
	}
	put("rows", "fleeting", one("v"), hrpc.TTL(100*time.Millisecond))
	deadline := time.Now().Add(30 * time.Second)
	for get("rows", "fleeting") != "(none)" && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	equal("TTL", "(none)", get("rows", "fleeting"))
}

func deletes() {
	del := func(row string, columns values, options ...func(hrpc.Call) error) string {
		for i := uint64(1); i <= 2; i++ {
			put("rows", row, values{"f": {"q": []byte(fmt.Sprint(i)), "r": []byte("r")}, "g": {"q": []byte("g")}}, hrpc.TimestampUint64(i))
		}
		must(client.Delete(must(hrpc.NewDelStr(ctx, "rows", row, columns, options...))))
		return get("rows", row)
	}
	equal("row", "(none)", del("d1", nil))
	equal("family", "d2 g:q=g", del("d2", values{"f": nil}))
	equal("column", "d3 f:r=r g:q=g", del("d3", values{"f": {"q": nil}}))
	equal("up to a time", "d4 f:q=2 f:r=r g:q=g", del("d4", values{"f": {"q": nil}}, hrpc.TimestampUint64(1)))
	equal("one version", "d5 f:q=1 f:r=r g:q=g", del("d5", values{"f": {"q": nil}}, hrpc.TimestampUint64(2), hrpc.DeleteOneVersion()))
}

func counters() {
	equal("increment", 5, must(client.Increment(must(hrpc.NewIncStrSingle(ctx, "rows", "counter", "f", "q", 5)))))
	equal("again", 3, must(client.Increment(must(hrpc.NewIncStrSingle(ctx, "rows", "counter", "f", "q", -2)))))
	stored := must(client.Get(must(hrpc.NewGetStr(ctx, "rows", "counter")))).Cells[0].Value
	equal("stored", 3, binary.BigEndian.Uint64(stored))
	equal("append", "text f:q=one", text(must(client.Append(must(hrpc.NewAppStr(ctx, "rows", "text", one("one")))))))
	equal("again", "text f:q=one, two", text(must(client.Append(must(hrpc.NewAppStr(ctx, "rows", "text", one(", two")))))))
	put("rows", "word", one("word"))
	_, err := client.Increment(must(hrpc.NewIncStrSingle(ctx, "rows", "word", "f", "q", 1)))
	refused("of what is no counter", "DoNotRetryIOException", err)
}

func conditions() {
	check := func(value string, expected []byte) bool {
		return must(client.CheckAndPut(must(hrpc.NewPutStr(ctx, "rows", "checked", one(value))), "f", "q", expected))
	}
	equal("nothing there", true, check("1", nil))
	equal("something there", false, check("2", nil))
	equal("another value", false, check("2", []byte("9")))
	equal("the value", true, check("2", []byte("1")))
	equal("stored", "checked f:q=2", get("rows", "checked"))
}

// gohbase sends what many goroutines ask for in one Multi.
func batches() {
	const count = 2000
	var all sync.WaitGroup
	var mutex sync.Mutex
	wrong := 0
	for i := 0; i < count; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			row := fmt.Sprintf("%c%04d", 'a'+i%26, i)
			family := "f"
			if i%100 == 99 {
				family = "nofamily"
			}
			rpc := must(hrpc.NewPutStr(ctx, "rows", row, values{family: {"batch": []byte(row)}}))
			_, err := client.Put(rpc)
			good := err == nil
			if good {
				result, err := client.Get(must(hrpc.NewGetStr(ctx, "rows", row)))
				good = err == nil && text(result) == row+" f:batch="+row
			}
			if good != (family == "f") {
				mutex.Lock()
				wrong++
				mutex.Unlock()
			}
		}(i)
	}
	all.Wait()
	equal("puts and gets of 2000 goroutines, some of them bad", 0, wrong)
	rows := scan("rows", "", "", hrpc.Families(map[string][]string{"f": {"batch"}}))
	equal("what is there", count-count/100, len(strings.Split(rows, " ")))
}

func errors() {
	_, err := client.Put(must(hrpc.NewPutStr(ctx, "rows", "r", values{"nofamily": {"q": nil}})))
	refused("put", "NoSuchColumnFamilyException", err)
	_, err = client.Get(must(hrpc.NewGetStr(ctx, "rows", "r", hrpc.Families(map[string][]string{"nofamily": nil}))))
	refused("get", "NoSuchColumnFamilyException", err)
	_, err = client.Get(must(hrpc.NewGetStr(ctx, "absent", "r")))
	equal("unknown table", true, err == gohbase.TableNotFound)
}

package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tsuna/gohbase/filter"
	"github.com/tsuna/gohbase/hrpc"
)

const all = "a b c d e f g h i j k l m n o p q r s t u v w x y z"

// scan returns the rows.
func scan(table, start, stop string, options ...func(hrpc.Call) error) string {
	scanner := client.Scan(must(hrpc.NewScanRangeStr(ctx, table, start, stop, options...)))
	rows := []string{}
	for {
		result, err := scanner.Next()
		if err == io.EOF {
			return strings.Join(rows, " ")
		}
		rows = append(rows, string(must(result, err).Cells[0].Row))
	}
}

func scans() {
	create("scans", []string{"f", "g"}, "h", "q")
	for _, row := range strings.Split(all, " ") {
		put("scans", row, values{"f": {"a": []byte(row), "b": []byte(row)}, "g": {"c": []byte(row)}})
	}
	equal("all", all, scan("scans", "", ""))
	equal("range over a border", "f g h i", scan("scans", "f", "j"))
	equal("start", "y z", scan("scans", "y", ""))
	equal("reversed", "r q p o", scan("scans", "r", "n", hrpc.Reversed()))
	equal("reversed from a row that is not there", "z y x", scan("scans", "zz", "w", hrpc.Reversed()))
	for _, rows := range []uint32{1, 3, 100} {
		equal(fmt.Sprint(rows, " rows a call"), all, scan("scans", "", "", hrpc.NumberOfRows(rows)))
	}
	equal("small answers", all, scan("scans", "", "", hrpc.MaxResultSize(1)))
	equal("families", all, scan("scans", "", "", hrpc.Families(map[string][]string{"g": nil})))
	equal("a time range with nothing in it", "", scan("scans", "", "", hrpc.TimeRangeUint64(1, 2)))

	wide := values{"f": {}}
	for i := 0; i < 200; i++ {
		wide["f"][fmt.Sprintf("%03d", i)] = make([]byte, 1000)
	}
	put("scans", "wide", wide)
	parts := client.Scan(must(hrpc.NewScanRangeStr(ctx, "scans", "wide", "x", hrpc.AllowPartialResults(), hrpc.MaxResultSize(10_000))))
	count, cells := 0, 0
	for {
		result, err := parts.Next()
		if err == io.EOF {
			break
		}
		cells += len(must(result, err).Cells)
		count++
	}
	equal("cells of the parts of a row", 200, cells)
	equal("parts", true, count > 5)
	whole := client.Scan(must(hrpc.NewScanRangeStr(ctx, "scans", "wide", "x", hrpc.MaxResultSize(10_000))))
	equal("the row as a whole", 200, len(must(whole.Next()).Cells))
	mustDo(whole.Close())
	must(client.Delete(must(hrpc.NewDelStr(ctx, "scans", "wide", nil))))

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err := client.Scan(must(hrpc.NewScanStr(cancelled, "scans"))).Next()
	equal("cancelled", true, err == context.Canceled)
	_, err = client.Scan(must(hrpc.NewScanStr(ctx, "scans", hrpc.Families(map[string][]string{"nofamily": nil})))).Next()
	refused("unknown family", "NoSuchColumnFamilyException", err)
}

func filters() {
	create("filters", []string{"f"}, "r3")
	for i := 1; i <= 4; i++ {
		put("filters", fmt.Sprint("r", i), values{"f": {"a": []byte(fmt.Sprint("v", i)), "b": []byte("same")}}, hrpc.TimestampUint64(uint64(i)))
	}
	put("filters", "s1", values{"f": {"c": []byte("other")}}, hrpc.TimestampUint64(9))
	keeps := func(what, rows string, f filter.Filter) {
		equal(what, rows, scan("filters", "", "", hrpc.Filters(f)))
	}
	bytes := func(text string) *filter.ByteArrayComparable { return filter.NewByteArrayComparable([]byte(text)) }
	row := func(op filter.CompareType, comparator filter.Comparator) *filter.RowFilter {
		return filter.NewRowFilter(filter.NewCompareFilter(op, comparator))
	}
	keeps("row =", "r2", row(filter.Equal, filter.NewBinaryComparator(bytes("r2"))))
	keeps("row <", "r1 r2", row(filter.Less, filter.NewBinaryComparator(bytes("r3"))))
	keeps("binary prefix", "r1 r2 r3 r4", row(filter.Equal, filter.NewBinaryPrefixComparator(bytes("r"))))
	keeps("substring", "r1 s1", row(filter.Equal, filter.NewSubstringComparator("1")))
	keeps("regular expression", "r1 s1", row(filter.Equal, filter.NewRegexStringComparator("^.1$", 0, "UTF-8", "JAVA")))
	keeps("bits", "r1 r3 s1", row(filter.Equal, filter.NewBitComparator(filter.BitComparatorAND, bytes("\x00\x01"))))
	keeps("prefix", "s1", filter.NewPrefixFilter([]byte("s")))
	keeps("inclusive stop", "r1 r2 r3", filter.NewInclusiveStopFilter([]byte("r3")))
	keeps("page", "r1 r3", filter.NewPageFilter(1))
	keeps("column prefix", "s1", filter.NewColumnPrefixFilter([]byte("c")))
	keeps("column prefixes", "r1 r2 r3 r4 s1", filter.NewMultipleColumnPrefixFilter([][]byte{[]byte("a"), []byte("c")}))
	keeps("column range", "s1", filter.NewColumnRangeFilter([]byte("b"), []byte("d"), false, true))
	keeps("column pagination", "r1 r2 r3 r4", filter.NewColumnPaginationFilter(1, 1, nil))
	keeps("qualifier", "s1", filter.NewQualifierFilter(filter.NewCompareFilter(filter.Greater, filter.NewBinaryComparator(bytes("b")))))
	keeps("family", "", filter.NewFamilyFilter(filter.NewCompareFilter(filter.NotEqual, filter.NewBinaryComparator(bytes("f")))))
	keeps("value", "r2", filter.NewValueFilter(filter.NewCompareFilter(filter.Equal, filter.NewBinaryComparator(bytes("v2")))))
	keeps("single column", "r3", filter.NewSingleColumnValueFilter([]byte("f"), []byte("a"), filter.Equal,
		filter.NewBinaryComparator(bytes("v3")), true, true))
	keeps("timestamps", "r2 s1", filter.NewTimestampsFilter([]int64{2, 9}))
	keeps("first key", "r1 r2 r3 r4 s1", filter.NewFirstKeyOnlyFilter())
	keeps("key only", "r1 r2 r3 r4 s1", filter.NewKeyOnlyFilter(true))
	keeps("random", "r1 r2 r3 r4 s1", filter.NewRandomRowFilter(2))
	keeps("fuzzy", "r1 s1", filter.NewFuzzyRowFilter([]*filter.BytesBytesPair{filter.NewBytesBytesPair([]byte("?1"), []byte{1, 0})}))
	keeps("row ranges", "r1 r2 s1", filter.NewMultiRowRangeFilter([]*filter.RowRange{
		filter.NewRowRange([]byte("r1"), []byte("r3"), true, false), filter.NewRowRange([]byte("s"), []byte("t"), true, true)}))
	keeps("all of a list", "r1", filter.NewList(filter.MustPassAll, filter.NewPrefixFilter([]byte("r")),
		row(filter.Equal, filter.NewSubstringComparator("1"))))
	keeps("one of a list", "r1 s1", filter.NewList(filter.MustPassOne, filter.NewPrefixFilter([]byte("s")),
		row(filter.Equal, filter.NewBinaryComparator(bytes("r1")))))
	keeps("skip", "s1", filter.NewSkipFilter(filter.NewValueFilter(
		filter.NewCompareFilter(filter.Equal, filter.NewBinaryComparator(bytes("other"))))))
	keeps("while", "r1", filter.NewWhileMatchFilter(row(filter.Equal, filter.NewBinaryComparator(bytes("r1")))))
}

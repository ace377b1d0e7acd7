// calcite-avatica-go against a query server: avatica-go --address HOST:PORT. Its last line has the number of checks that
// passed.
package main

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	_ "github.com/apache/calcite-avatica-go/v5"
	avatica "github.com/apache/calcite-avatica-go/v5/errors"
)

var passed, failed int

func equal(what string, expected, got any) {
	if reflect.DeepEqual(expected, got) {
		passed++
		return
	}
	failed++
	fmt.Printf("FAILED: %s\n  expected: %v\n  got:      %v\n", what, expected, got)
}

// done ends the program if a step that others need has failed.
func done(what string, err error) {
	if err != nil {
		fmt.Printf("FAILED: %s: %v\n", what, err)
		os.Exit(1)
	}
}

func run(db *sql.DB, text string, values ...any) int64 {
	result, err := db.Exec(text, values...)
	done(text, err)
	count, err := result.RowsAffected()
	done(text, err)
	return count
}

// rows returns a query's rows, each as its values with | between them.
func rows(db interface {
	Query(string, ...any) (*sql.Rows, error)
}, text string, values ...any) []string {
	answer, err := db.Query(text, values...)
	done(text, err)
	defer answer.Close()
	names, err := answer.Columns()
	done(text, err)
	found := []string{}
	for answer.Next() {
		row := make([]any, len(names))
		places := make([]any, len(names))
		for i := range row {
			places[i] = &row[i]
		}
		done(text, answer.Scan(places...))
		texts := make([]string, len(row))
		for i, value := range row {
			texts[i] = fmt.Sprint(value)
		}
		found = append(found, strings.Join(texts, "|"))
	}
	done(text, answer.Err())
	return found
}

func statements(db *sql.DB) {
	run(db, "DROP TABLE IF EXISTS GOTABLE")
	run(db, "CREATE TABLE GOTABLE (ID BIGINT PRIMARY KEY, NAME VARCHAR, D DOUBLE, B BOOLEAN, TS TIMESTAMP, V VARBINARY)")
	when := time.Date(2014, 6, 24, 12, 34, 56, 789_000_000, time.UTC)
	equal("a row", int64(1), run(db, "UPSERT INTO GOTABLE VALUES (?,?,?,?,?,?)", 1, "text \u00e4\u20ac", -2.25, true, when, []byte{0, 1, 255}))
	var name string
	var number float64
	var flag bool
	var moment time.Time
	var bytes []byte
	done("the row", db.QueryRow("SELECT NAME, D, B, TS, V FROM GOTABLE WHERE ID = ?", 1).Scan(&name, &number, &flag, &moment, &bytes))
	equal("its values", []any{"text \u00e4\u20ac", -2.25, true, when, []byte{0, 1, 255}}, []any{name, number, flag, moment.UTC(), bytes})

	insert, err := db.Prepare("UPSERT INTO GOTABLE (ID, NAME) VALUES (?, ?)")
	done("prepare", err)
	for i := 10; i < 310; i++ {
		_, err := insert.Exec(i, fmt.Sprint("name", i))
		done("a prepared row", err)
	}
	done("close", insert.Close())
	equal("more rows than a frame has", 300, len(rows(db, "SELECT ID FROM GOTABLE WHERE ID >= 10 ORDER BY ID")))
	equal("nulls", []string{"10|<nil>|<nil>"}, rows(db, "SELECT ID, D, TS FROM GOTABLE WHERE ID = 10"))
	equal("aggregates", []string{"301|310"}, rows(db, "SELECT COUNT(*), MAX(ID) + 1 FROM GOTABLE"))
	equal("a deletion", int64(1), run(db, "DELETE FROM GOTABLE WHERE ID = ?", 10))
}

func transactions(db *sql.DB) {
	for _, commits := range []bool{false, true} {
		tx, err := db.Begin()
		done("begin", err)
		_, err = tx.Exec("UPSERT INTO GOTABLE (ID) VALUES (1000)")
		done("a row", err)
		equal("before the end", []string{"0"}, rows(tx, "SELECT COUNT(*) FROM GOTABLE WHERE ID = 1000"))
		if commits {
			done("commit", tx.Commit())
		} else {
			done("rollback", tx.Rollback())
		}
		count := map[bool]string{false: "0", true: "1"}[commits]
		equal("after the end", []string{count}, rows(db, "SELECT COUNT(*) FROM GOTABLE WHERE ID = 1000"))
	}
}

func fails(db *sql.DB, text, part string) {
	_, err := db.Query(text)
	var answer avatica.ResponseError
	if !errors.As(err, &answer) {
		equal(text, part, fmt.Sprint(err))
		return
	}
	equal(text+": "+answer.ErrorMessage, true, strings.Contains(answer.ErrorMessage, part))
}

func main() {
	address := flag.String("address", "", "HOST:PORT of the query server")
	flag.Parse()
	db, err := sql.Open("avatica", "http://"+*address)
	done("open", err)
	statements(db)
	transactions(db)
	fails(db, "SELECT FROM GOTABLE", "ERROR 601 (42P00)")
	fails(db, "SELECT * FROM NOPE", "ERROR 1012 (42M03)")
	fails(db, "SELECT 1/0 FROM GOTABLE", "ERROR 202 (22012)")
	run(db, "DROP TABLE GOTABLE")
	fmt.Printf("%d checks passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

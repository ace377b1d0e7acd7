// Modules writes the Go modules of packages/go as a module proxy serves them (go help goproxy), so that a folder of files is one:
//
//	modules GO_FOLDER STAGED OUT
//
// GO_FOLDER is packages/go; STAGED has the programs, as packages/stage lays them out.
package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const version = "v0.1.0"

type file struct {
	name    string
	content []byte
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: modules GO_FOLDER STAGED OUT")
	}
	source, staged, out := os.Args[1], os.Args[2], os.Args[3]
	license := read(filepath.Join(source, "..", "..", "LICENSE"))
	files := []file{{"go.mod", read(filepath.Join(source, "go.mod"))}, {"LICENSE", license}, {"README.md", read(filepath.Join(source, "README.md"))}}
	check(filepath.WalkDir(filepath.Join(source, "vaquitatest"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, file{"vaquitatest/" + entry.Name(), read(path)})
		}
		return err
	}))
	write(out, "vaquita.org/go", files)
	container := filepath.Join(source, "vaquitacontainer") // a module of its own: it needs testcontainers-go
	write(out, "vaquita.org/go/vaquitacontainer", []file{
		{"go.mod", read(filepath.Join(container, "go.mod"))},
		{"LICENSE", license},
		{"vaquitacontainer.go", read(filepath.Join(container, "vaquitacontainer.go"))},
	})

	for _, platform := range []string{"linux-amd64", "linux-arm64"} {
		program := []byte{}
		hash := []byte{}
		if path := filepath.Join(staged, platform, "vaquita"); exists(path) {
			program = compressed(read(path))
			hash = read(path + ".sha256")
		}
		module := "vaquita.org/program/" + strings.ReplaceAll(platform, "-", "_")
		write(out, module, []file{
			{"go.mod", []byte("module " + module + "\n\ngo 1.19\n")},
			{"LICENSE", license},
			{"program.go", read(filepath.Join(source, "program", "program.go"))},
			{"vaquita.gz", program},
			{"vaquita.sha256", hash},
		})
	}
}

// write leaves a module's list of versions, what is known of this one, its go.mod and its files.
func write(out, module string, files []file) {
	folder := filepath.Join(out, module, "@v")
	check(os.MkdirAll(folder, 0o755))
	var archive bytes.Buffer
	zipped := zip.NewWriter(&archive)
	for _, each := range files {
		entry, err := zipped.Create(fmt.Sprintf("%s@%s/%s", module, version, each.name))
		check(err)
		_, err = entry.Write(each.content)
		check(err)
		if each.name == "go.mod" {
			check(os.WriteFile(filepath.Join(folder, version+".mod"), each.content, 0o644))
		}
	}
	check(zipped.Close())
	info, err := json.Marshal(map[string]string{"Version": version, "Time": time.Now().UTC().Format(time.RFC3339)})
	check(err)
	check(os.WriteFile(filepath.Join(folder, version+".zip"), archive.Bytes(), 0o644))
	check(os.WriteFile(filepath.Join(folder, version+".info"), info, 0o644))
	check(os.WriteFile(filepath.Join(folder, "list"), []byte(version+"\n"), 0o644))
}

func compressed(content []byte) []byte {
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	check(err)
	_, err = zip.Write(content)
	check(err)
	check(zip.Close())
	return out.Bytes()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func read(path string) []byte {
	content, err := os.ReadFile(path)
	check(err)
	return content
}

func check(err error) {
	if err != nil {
		log.Fatal("modules: ", err)
	}
}

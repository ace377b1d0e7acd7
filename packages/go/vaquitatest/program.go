package vaquitatest

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

var unpackedOnce struct {
	sync.Once
	path string
	err  error
}

// findProgram returns the server's program: VAQUITA_BINARY, else the one that is part of this test's binary.
func findProgram() (string, error) {
	if override := os.Getenv("VAQUITA_BINARY"); override != "" {
		if info, err := os.Stat(override); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return "", fmt.Errorf("vaquitatest: VAQUITA_BINARY is %s, which is not an executable file", override)
		}
		return filepath.Abs(override)
	}
	if embeddedGzip == "" {
		return "", missing(runtime.GOOS, runtime.GOARCH)
	}
	unpackedOnce.Do(func() { unpackedOnce.path, unpackedOnce.err = unpacked() })
	return unpackedOnce.path, unpackedOnce.err
}

func missing(os, arch string) error {
	return fmt.Errorf("vaquitatest: no program of Vaquita for %s-%s. Looked for: the environment variable VAQUITA_BINARY, which is not"+
		" set; the module vaquita.org/program/%s_%s. There are modules for linux_amd64 and linux_arm64; on other systems run the"+
		" container image and see docs/testing.md, Testcontainers", os, arch, os, arch)
}

// unpacked returns the program's file in the user's cache, by the program's hash: it is written there once, beside its name, and then
// renamed, so any number of processes may do so at once. Where that cannot be (a read-only home, a folder that programs do not run
// from), the program is a file in this process's memory.
func unpacked() (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil {
		var path string
		if path, err = inCache(filepath.Join(cache, "vaquita", strings.TrimSpace(embeddedHash))); err == nil {
			return path, nil
		}
	}
	path, memoryErr := inMemory()
	if memoryErr != nil {
		return "", fmt.Errorf("vaquitatest: the program can be unpacked neither to a file (%v) nor into memory (%w)", err, memoryErr)
	}
	return path, nil
}

func inCache(folder string) (string, error) {
	path := filepath.Join(folder, "vaquita")
	if executable(path) == nil {
		return path, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(folder, "vaquita*.part")
	if err != nil {
		return "", err
	}
	defer os.Remove(file.Name())
	err = unpackInto(file)
	if err == nil {
		err = file.Chmod(0o755)
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return "", err
	}
	return path, executable(path)
}

func unpackInto(file io.Writer) error {
	unzip, err := gzip.NewReader(strings.NewReader(embeddedGzip))
	if err != nil {
		return err
	}
	_, err = io.Copy(file, unzip)
	return err
}

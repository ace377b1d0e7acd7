package vaquitatest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startTime = 60 * time.Second
	stopTime  = 10 * time.Second
	lastLines = 50
	itEnded   = "it ended"
)

// readyLine is what a server says of itself when it serves.
type readyLine struct {
	PID       int    `json:"pid"`
	ZooKeeper string `json:"zookeeper"`
	GRPC      string `json:"grpc_address"`
	HBaseSite string `json:"hbase_site"`
	Control   string `json:"test_control"`
}

// process is a server's process. It ends with this one, however that ends: it reads the end of its standard input.
type process struct {
	command *exec.Cmd
	stdin   io.Closer
	log     *os.File // without a name, so that it goes with the last process that has it open
	ready   readyLine
	ended   chan struct{} // closed when the process has ended
	once    sync.Once
}

func startProcess(ctx context.Context, properties []string) (*process, error) {
	program, err := findProgram()
	if err != nil {
		return nil, err
	}
	arguments := []string{"standalone", "--ephemeral", "--free-ports", "--test-control", "--exit-with-stdin", "--ready-line"}
	for _, property := range properties {
		arguments = append(arguments, "-D", property)
	}
	log, err := os.CreateTemp("", "vaquita-*.log")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(log.Name())
	p := &process{log: log, ended: make(chan struct{})}
	stdout, err := p.launch(program, arguments)
	if err != nil {
		return nil, fmt.Errorf("vaquitatest: cannot run %s: %w", program, err)
	}
	line, problem := p.readyLine(ctx, stdout)
	go func() { // Wait closes the pipe, so all of it is read first
		_, _ = io.Copy(io.Discard, stdout)
		_ = p.command.Wait()
		close(p.ended)
	}()
	if problem == "" {
		if err := json.Unmarshal(line, &p.ready); err != nil {
			problem = fmt.Sprintf("its ready line is not JSON (%v): %s", err, line)
		}
	}
	if problem != "" {
		_ = p.command.Process.Kill()
		<-p.ended
		if code := p.command.ProcessState.ExitCode(); code >= 0 {
			problem += fmt.Sprintf(" with exit code %d", code)
		} else if problem == itEnded {
			problem += " (" + p.command.ProcessState.String() + ")"
		}
		err := fmt.Errorf("vaquitatest: Vaquita did not start: %s.\nCommand: %s %s\n%s", problem, program, strings.Join(arguments, " "), p.lastLines())
		p.stop()
		return nil, err
	}
	go func() {
		select {
		case <-ctx.Done():
			p.stop()
		case <-p.ended:
		}
	}()
	return p, nil
}

// launch starts the program and returns its standard output. A program that was just unpacked may be busy for as long as another
// goroutine is between fork and exec: it has a copy of the file that was written.
func (p *process) launch(program string, arguments []string) (*bufio.Reader, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		p.command = exec.Command(program, arguments...)
		p.command.Stderr = p.log
		for _, each := range os.Environ() {
			if !strings.HasPrefix(each, "VAQUITA_BINARY=") { // for this package, not for the server
				p.command.Env = append(p.command.Env, each)
			}
		}
		stdin, err := p.command.StdinPipe()
		if err != nil {
			return nil, err
		}
		stdout, err := p.command.StdoutPipe()
		if err != nil {
			return nil, err
		}
		p.stdin = stdin
		err = p.command.Start()
		if !errors.Is(err, syscall.ETXTBSY) || wait > time.Second {
			return bufio.NewReader(stdout), err
		}
		time.Sleep(wait)
	}
}

// readyLine returns the line, or in words why there is none.
func (p *process) readyLine(ctx context.Context, stdout *bufio.Reader) ([]byte, string) {
	type outcome struct {
		line []byte
		err  error
	}
	read := make(chan outcome, 1)
	go func() {
		line, err := stdout.ReadBytes('\n')
		read <- outcome{line, err}
	}()
	timer := time.NewTimer(startTime)
	defer timer.Stop()
	problem := ""
	select {
	case found := <-read:
		if found.err == nil {
			return found.line, ""
		}
		return nil, itEnded
	case <-ctx.Done():
		problem = ctx.Err().Error()
	case <-timer.C:
		problem = fmt.Sprintf("it was not ready after %v", startTime)
	}
	_ = p.command.Process.Kill() // so that the reader is done with its pipe
	<-read
	return nil, problem
}

func (p *process) lastLines() string {
	text, err := io.ReadAll(io.NewSectionReader(p.log, 0, math.MaxInt64))
	if err != nil {
		return "Its log cannot be read: " + err.Error()
	}
	lines := strings.Split(string(bytes.TrimRight(text, "\n")), "\n")
	if len(lines) > lastLines {
		lines = lines[len(lines)-lastLines:]
	}
	return "Last lines of Vaquita's log:\n" + strings.Join(lines, "\n")
}

func (p *process) stop() {
	p.once.Do(func() {
		_ = p.stdin.Close()
		timer := time.AfterFunc(stopTime, func() { _ = p.command.Process.Kill() })
		<-p.ended
		timer.Stop()
	})
}

// Package vaquitacontainer runs Vaquita in a container of testcontainers-go, for machines that the program does not run on.
//
//	hbase, err := vaquitacontainer.Run(ctx, "vaquita")
//	testcontainers.CleanupContainer(t, hbase)
//	client := gohbase.NewClient(hbase.ZooKeeper())
//
// HBase's clients are told the addresses of servers, so when the container runs the server is told which ports it was mapped to.
package vaquitacontainer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const infoPort = "16010/tcp"

// The container is near, whatever proxy the environment names.
var client = &http.Client{Transport: &http.Transport{Proxy: nil}}

// The names that the control has for the services, and the ports in the container.
var services = map[string]string{
	"zookeeper": "2181/tcp", "master": "16000/tcp", "regionServer": "16020/tcp",
	"grpc": "16040/tcp", "masterInfo": infoPort, "regionServerInfo": "16030/tcp",
}

// Container is a container in which Vaquita serves.
type Container struct {
	testcontainers.Container
	addresses map[string]string
}

// Run starts the image: "vaquita", as packages/docker builds it, or another. Like other modules' Run it returns the container also with
// an error, if there is one to be ended.
func Run(ctx context.Context, image string, options ...testcontainers.ContainerCustomizer) (*Container, error) {
	ports := make([]string, 0, len(services))
	for _, port := range services {
		ports = append(ports, port)
	}
	all := append([]testcontainers.ContainerCustomizer{
		testcontainers.WithExposedPorts(ports...),
		testcontainers.WithCmd("standalone", "--ephemeral", "--bind", "0.0.0.0", "--insecure", "--test-control=any"),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/health").WithPort(infoPort)),
	}, options...)
	started, err := testcontainers.Run(ctx, image, all...)
	if started == nil {
		return nil, err
	}
	if err != nil {
		return &Container{Container: started}, err
	}
	return Serving(ctx, started)
}

// Serving tells the server in a container that runs already, with its test control open to all, the ports that it was mapped to.
func Serving(ctx context.Context, started testcontainers.Container) (*Container, error) {
	c := &Container{started, map[string]string{}}
	host, err := started.Host(ctx)
	if err != nil {
		return c, err
	}
	for service, port := range services {
		mapped, err := started.MappedPort(ctx, port)
		if err != nil {
			return c, fmt.Errorf("vaquitacontainer: port %s: %w", port, err)
		}
		c.addresses[service] = net.JoinHostPort(host, mapped.Port())
	}
	return c, c.Control(ctx, http.MethodPost, "advertise", c.addresses, nil)
}

// ZooKeeper returns ZooKeeper's address, by which HBase's clients find the server.
func (c *Container) ZooKeeper() string { return c.addresses["zookeeper"] }

// GRPC returns the address of Vaquita's own API.
func (c *Container) GRPC() string { return c.addresses["grpc"] }

// Control asks for any operation of docs/test-control.md, e.g. Control(ctx, "POST", "reset", nil, nil). The request and the answer are
// what encoding/json takes; either may be nil.
func (c *Container) Control(ctx context.Context, method, operation string, request, answer any) error {
	var body bytes.Buffer
	if request != nil {
		if err := json.NewEncoder(&body).Encode(request); err != nil {
			return err
		}
	}
	call, err := http.NewRequestWithContext(ctx, method, "http://"+c.addresses["masterInfo"]+"/control/v1/"+operation, &body)
	if err != nil {
		return err
	}
	response, err := client.Do(call)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		refusal := struct{ Error string }{response.Status}
		_ = json.NewDecoder(response.Body).Decode(&refusal) // else it has the status
		return fmt.Errorf("vaquitacontainer: %s: %s", operation, refusal.Error)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// Package container has tests without a container engine: a process stands in for the container, and its ports for the mapped ones.
package container

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/moby/moby/api/types/network"
	"github.com/testcontainers/testcontainers-go"
	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
	"vaquita.org/go/vaquitacontainer"
	"vaquita.org/go/vaquitatest"
)

// The ports of the image, by the names of the control.
var inImage = map[string]string{
	"2181/tcp": "zookeeper", "16000/tcp": "master", "16020/tcp": "regionServer",
	"16040/tcp": "grpc", "16010/tcp": "masterInfo", "16030/tcp": "regionServerInfo",
}

// mapped is a container of which only the address and the ports are asked for.
type mapped struct {
	testcontainers.Container
	process map[string]string
}

func (m mapped) Host(context.Context) (string, error) { return "localhost", nil }

func (m mapped) MappedPort(_ context.Context, port string) (network.Port, error) {
	address, known := m.process[inImage[port]]
	if !known {
		return network.Port{}, fmt.Errorf("the image has no port %s", port)
	}
	return network.ParsePort(address[strings.LastIndex(address, ":")+1:])
}

func TestClientsAreToldTheMappedAddresses(t *testing.T) {
	process := vaquitatest.Start(t, vaquitatest.Table("t", "f"))
	addresses := map[string]string{}
	if err := process.Control("GET", "advertise", nil, &addresses); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	hbase, err := vaquitacontainer.Serving(ctx, mapped{nil, addresses})
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	if err := hbase.Control(ctx, "GET", "advertise", nil, &told); err != nil {
		t.Fatal(err)
	}
	for service, address := range told {
		if !strings.HasPrefix(address, "localhost:") {
			t.Errorf("%s is at %s", service, address)
		}
	}
	client := gohbase.NewClient(hbase.ZooKeeper())
	defer client.Close()
	put, _ := hrpc.NewPutStr(ctx, "t", "r", map[string]map[string][]byte{"f": {"q": []byte("v")}})
	if _, err := client.Put(put); err != nil {
		t.Fatal(err)
	}
	if err := hbase.Control(ctx, "POST", "restore", map[string]string{"name": "nothing"}, nil); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("error %v", err)
	}
}

// Run gets as far as an engine that is not there.
func TestAnEngineIsAskedFor(t *testing.T) {
	t.Setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
	if hbase, err := vaquitacontainer.Run(context.Background(), "vaquita"); err == nil || hbase != nil {
		t.Errorf("container %v, error %v", hbase, err)
	}
}

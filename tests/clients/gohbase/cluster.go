package main

import (
	"io"
	"strings"

	"github.com/tsuna/gohbase/hrpc"
)

// The client has cached where the regions are; then the table is another one, and then its regions are closed and opened.
func locations() {
	scanner := client.Scan(must(hrpc.NewScanStr(ctx, "scans", hrpc.NumberOfRows(1))))
	equal("a scan begun before", "a", string(must(scanner.Next()).Cells[0].Row))
	status := must(admin.ClusterStatus())
	for _, server := range status.GetLiveServers() {
		for _, region := range server.GetServerLoad().GetRegionLoads() {
			name := string(region.GetRegionSpecifier().GetValue())
			if strings.HasPrefix(name, "scans,") {
				encoded := strings.TrimSuffix(name[strings.LastIndex(strings.TrimSuffix(name, "."), ".")+1:], ".")
				mustDo(admin.MoveRegion(must(hrpc.NewMoveRegion(ctx, []byte(encoded)))))
			}
		}
	}
	rest := 0
	for {
		if _, err := scanner.Next(); err == io.EOF {
			break
		} else {
			mustDo(err)
		}
		rest++
	}
	equal("goes on over the moves", 25, rest)
	equal("all is there", all, scan("scans", "", ""))
	mustDo(admin.DisableTable(hrpc.NewDisableTable(ctx, []byte("scans"))))
	mustDo(admin.EnableTable(hrpc.NewEnableTable(ctx, []byte("scans"))))
	equal("after a reopening", all, scan("scans", "", ""))
	create("scans", []string{"f", "g"}, "b")
	equal("a new table of that name", "", scan("scans", "", ""))
	put("scans", "m", one("v"))
	equal("with other regions", "m f:q=v", get("scans", "m"))
}

func snapshots() {
	put("scans", "m", one("1"))
	snapshot := must(hrpc.NewSnapshot(ctx, "gosnapshot", "scans"))
	_ = admin.DeleteSnapshot(snapshot) // an earlier run may have left it
	mustDo(admin.CreateSnapshot(snapshot))
	list := must(admin.ListSnapshots(hrpc.NewListSnapshots(ctx)))
	equal("listed", "gosnapshot scans", list[len(list)-1].GetName()+" "+list[len(list)-1].GetTable())
	put("scans", "m", one("2"))
	mustDo(admin.DisableTable(hrpc.NewDisableTable(ctx, []byte("scans"))))
	mustDo(admin.RestoreSnapshot(snapshot))
	mustDo(admin.EnableTable(hrpc.NewEnableTable(ctx, []byte("scans"))))
	equal("restored", "m f:q=1", get("scans", "m"))
	mustDo(admin.DeleteSnapshot(snapshot))
	refused("delete again", "SnapshotDoesNotExistException", admin.DeleteSnapshot(snapshot))
}

func cluster() {
	status := must(admin.ClusterStatus())
	equal("servers", 1, len(status.GetLiveServers()))
	equal("master", true, status.GetMaster().GetPort() > 0)
	equal("id", true, len(status.GetClusterId().GetClusterId()) > 10)
	equal("balancer was on", true, must(admin.SetBalancer(must(hrpc.NewSetBalancer(ctx, false)))))
	equal("balancer was off", false, must(admin.SetBalancer(must(hrpc.NewSetBalancer(ctx, true)))))
	refused("move of an unknown region", "UnknownRegionException",
		admin.MoveRegion(must(hrpc.NewMoveRegion(ctx, []byte("0123456789abcdef0123456789abcdef")))))
}

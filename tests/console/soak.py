#!/usr/bin/python3
"""Runs a server with a heat map open in Chromium while rows are written, and fails if it grows.

usage: soak.py VAQUITA [--minutes 60] [--rate 200] [--folder FOLDER]

Every ten seconds it notes the server's resident memory, descriptors and threads, and the bytes that the page asked for.
The second quarter of the time is compared with the last: a median of more memory (5% and 4 MB), or a maximum of more
descriptors or threads (8), is growth. It writes FOLDER/soak.csv (a temporary folder unless told otherwise).
"""

import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import harness

SAMPLE_S = 10
# Memstores that are flushed every few minutes, few rows, and a small block cache, so that all reach their size in the
# first quarter. The cache keeps blocks of files that were compacted until it is full.
FLUSH_BYTES = 1 << 20
BLOCK_CACHE_BYTES = 4 << 20
ROWS = 20_000
REGIONS = 4


class Writer(threading.Thread):
    """Writes rows whose keys rise, `rate` a second, over and over the same ones."""

    def __init__(self, server, rate):
        super().__init__(daemon=True)
        self.rate = rate
        self.ended = threading.Event()
        self.shell = subprocess.Popen([harness.ARGUMENTS.vaquita, "shell", "--address", server.addresses["grpc_address"]],
                                      stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)

    def run(self):
        number, started = 0, time.monotonic()
        while not self.ended.is_set():
            due = int((time.monotonic() - started) * self.rate)
            for number in range(number, due):
                self.shell.stdin.write(f"put 'soak', '{number % ROWS:08d}', 'f:q', '{'v' * 100}'\n")
                if number % 10 == 0:
                    self.shell.stdin.write(f"get 'soak', '{number % ROWS:08d}'\n")
            number = due
            self.shell.stdin.flush()
            self.ended.wait(0.2)

    def stop(self):
        self.ended.set()
        self.join()
        self.shell.stdin.close()
        self.shell.wait(60)


def of_process(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        status = dict(line.split(":", 1) for line in file)
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return {"rss_kb": int(status["VmRSS"].split()[0]), "threads": int(status["Threads"]),
            "descriptors": descriptors(pid),
            "cpu_s": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")}


def descriptors(pid):
    """Counts them without store files, of which each store has some more until they are compacted."""
    count = 0
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            count += not os.readlink(f"/proc/{pid}/fd/{name}").endswith(".sst")
        except FileNotFoundError:  # closed meanwhile
            pass
    return count


def page_bytes(browser):
    """Returns the bytes that the page received since the last call."""
    return browser.execute_script("""
        const entries = performance.getEntriesByType("resource");
        performance.clearResourceTimings();
        performance.setResourceTimingBufferSize(10000);
        return entries.reduce((sum, entry) => sum + entry.transferSize, 0);""")


def run(server, browser, seconds):
    samples, started = [], time.monotonic()
    page_bytes(browser)
    while time.monotonic() - started < seconds:
        before = time.monotonic()
        time.sleep(min(SAMPLE_S, max(0.0, started + seconds - before)))
        sample = {"second": round(time.monotonic() - started), **of_process(server.process.pid)}
        sample["page_bytes_per_s"] = round(page_bytes(browser) / (time.monotonic() - before))
        samples.append(sample)
        if len(samples) % 30 == 1:
            print(sample, flush=True)
    return samples


def growth(samples):
    """Returns what grew, in words."""
    quarter = len(samples) // 4
    early, late = samples[quarter:2 * quarter], samples[-quarter:]
    grew = []
    before, after = (statistics.median(sample["rss_kb"] for sample in part) for part in (early, late))
    if after > before * 1.05 + 4096:
        grew.append(f"memory from {before:.0f} to {after:.0f} KB")
    for name in ("descriptors", "threads"):
        before, after = (max(sample[name] for sample in part) for part in (early, late))
        if after > before + 8:
            grew.append(f"{name} from {before} to {after}")
    return grew


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vaquita")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--folder")
    parser.set_defaults(screenshots=None)
    arguments = harness.ARGUMENTS = parser.parse_args()
    folder = arguments.folder or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    server = harness.Server("-D", f"vaquita.block.cache.bytes={BLOCK_CACHE_BYTES}")
    downloads = tempfile.TemporaryDirectory()
    browser = None
    try:
        splits = ", ".join(f"'{ROWS * region // REGIONS:08d}'" for region in range(1, REGIONS))
        server.shell(f"create 'soak', {{NAME => 'f'}}, {{MEMSTORE_FLUSHSIZE => '{FLUSH_BYTES}', SPLITS => [{splits}]}}\n")
        writer = Writer(server, arguments.rate)
        writer.start()
        browser = harness.open_browser(downloads.name)
        browser.get(f"{server.url}/console/?table=soak")
        samples = run(server, browser, arguments.minutes * 60)
        writer.stop()
    finally:
        if browser:
            browser.quit()
        server.stop()
        downloads.cleanup()
    with open(os.path.join(folder, "soak.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, samples[0].keys())
        writer.writeheader()
        writer.writerows(samples)
    print(f"{samples[0]}\n{samples[len(samples) // 2]}\n{samples[-1]}\nall samples: {folder}/soak.csv")
    late = samples[len(samples) // 4:]
    print(f"bytes a second to the page: median {statistics.median(sample['page_bytes_per_s'] for sample in late):.0f}")
    cpu = (samples[-1]["cpu_s"] - samples[0]["cpu_s"]) / max(1, samples[-1]["second"] - samples[0]["second"])
    print(f"CPU of the server: {100 * cpu:.1f}% of a core, for {arguments.rate} puts a second and a page")
    grew = growth(samples)
    if grew:
        sys.exit("grew: " + ", ".join(grew))
    print("nothing grew")


if __name__ == "__main__":
    main()

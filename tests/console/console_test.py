#!/usr/bin/python3
"""Opens the console in Chromium while tables are written, and compares the pixels of the map with the server's JSON.

usage: console_test.py VAQUITA [--screenshots FOLDER]
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

ARGUMENTS = None
REGIONS = 8
HOSTILE = "<img src=x onerror=document.title=1>"


def rising_key(number):
    return f"2026-11-22T{number:06d}"


def hashed_key(number):
    return f"{(number * 2654435761) % 2**32:08x}-{number}"


class Process:
    """A server process; `addresses` are those of its ready file."""

    def __init__(self, folder, name, *arguments):
        ready = os.path.join(folder, f"{name}.ready.json")
        self.process = subprocess.Popen([ARGUMENTS.vaquita, *arguments, "--free-ports", "--ready-file", ready],
                                        stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not os.path.exists(ready) or not os.path.getsize(ready):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server {name} did not start")
            time.sleep(0.01)
        with open(ready, encoding="utf-8") as file:
            self.addresses = json.load(file)

    def shell(self, script):
        subprocess.run([ARGUMENTS.vaquita, "shell", "--address", self.addresses["grpc_address"]], input=script,
                       text=True, stdout=subprocess.DEVNULL, check=True, timeout=120)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def get_json(url):
    with urllib.request.urlopen(url, timeout=30) as response:
        return json.load(response)


class Server(Process):
    """A standalone server with its data in a folder of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        super().__init__(self.folder.name, "standalone", "standalone", "--ephemeral")
        self.url = f"http://{self.addresses['region_server_info']}"

    def json(self, path):
        return get_json(self.url + path)

    def stop(self):
        super().stop()
        self.folder.cleanup()


class ConsoleTest(unittest.TestCase):
    """One server and one browser for all tests; tables are written again and again meanwhile."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        splits = ",".join(f"'2026-{month:02d}'" for month in range(1, REGIONS))
        hashed_splits = ",".join(f"'{region * 32:02x}'" for region in range(1, REGIONS))
        cls.server.shell(f"create 'rising', 'f', SPLITS => [{splits}]\n"
                         f"create 'hashed', 'f', SPLITS => [{hashed_splits}]\n"
                         f"create 'hostile', 'f'\n"
                         f"create 'eventful', 'f'\n"
                         f"create 'store', {{NAME => 'f', VERSIONS => 3}}, {{NAME => 'g', TTL => 86400}}\n"
                         f"put 'store', 'row-1', 'f:q', 'old', 1000\nput 'store', 'row-1', 'f:q', 'new', 2000\n"
                         f"put 'store', 'row-2', 'g:<b>n</b>', \"\\x00\\x00\\x01\\x8B\\xCF\\xE5\\x68\\x00\"\n"
                         f"flush 'store'\ndelete 'store', 'row-1', 'f:q', 2000\nput 'store', 'sow', 'f:q', 'v'\n"
                         f"flush 'store'\n")
        cls.stopping = threading.Event()
        cls.writer = threading.Thread(target=cls.write)
        cls.writer.start()
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,720"):
            options.add_argument(argument)
        cls.downloads = tempfile.TemporaryDirectory()
        options.add_experimental_option("prefs", {"download.default_directory": cls.downloads.name})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        cls.browser.set_window_size(1280, 720)
        cls.browser.set_script_timeout(30)

    @classmethod
    def tearDownClass(cls):
        cls.stopping.set()
        cls.writer.join()
        cls.browser.quit()
        cls.downloads.cleanup()
        cls.server.stop()

    @classmethod
    def write(cls):
        number = 0
        while not cls.stopping.is_set():
            lines = []
            for _ in range(300):
                lines.append(f"put 'rising', '{rising_key(number)}', 'f:q', 'v'")
                lines.append(f"put 'hashed', '{hashed_key(number)}', 'f:q', 'v'")
                if number % 5 == 0:
                    lines.append(f"put 'hostile', \"{HOSTILE}{number}\", 'f:q', 'v'")
                number += 1
            cls.server.shell("\n".join(lines) + "\n")

    def open(self, table):
        self.browser.get(f"{self.server.url}/console/?table={table}")
        # Ranges are divided from the first second on, so a picture with some of them has something to show.
        self.wait(lambda: self.script("const p = window.vaquita.picture;"
                                      f"return p && p.table === '{table}' && p.columns.length > 20"))

    def wait(self, condition):
        WebDriverWait(self.browser, 60, poll_frequency=0.05).until(lambda _: condition())

    def script(self, text):
        return self.browser.execute_script(text)

    def findings(self):
        return [item.text for item in self.browser.find_elements(By.CSS_SELECTOR, "#findings li")]

    def screenshot(self, name):
        if ARGUMENTS.screenshots:
            self.browser.save_screenshot(os.path.join(ARGUMENTS.screenshots, f"{name}.png"))

    def compare_pixels(self):
        """Every pixel has the colour of its count, and the background where nothing was counted."""
        wrong = self.browser.execute_async_script("""
            const done = arguments[0];
            Promise.all([import("/console/colors.js"), import("/console/heat_map.js")]).then(([colors, map]) => {
              const picture = window.vaquita.picture, canvas = document.getElementById("heat");
              const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
              const expected = new Map();
              let most = 0;
              for (const column of picture.columns) {
                for (let at = 1; at < column.cells.length; at += 2) most = Math.max(most, column.cells[at]);
              }
              const first = Math.ceil(picture.from / picture.column_ms) * picture.column_ms;
              for (const column of picture.columns) {
                const x = (column.start - first) / picture.column_ms;
                for (let at = 0; at < column.cells.length; at += 2) {
                  const share = Math.log1p(column.cells[at + 1]) / Math.log1p(most);
                  expected.set(column.cells[at] * canvas.width + x, [...colors.colorAt(most <= 1 ? 1 : share), 255]);
                }
              }
              const wrong = [];
              for (let pixel = 0; pixel < canvas.width * canvas.height; ++pixel) {
                const wanted = expected.get(pixel) || [0, 0, 0, 0];
                for (let channel = 0; channel < 4; ++channel) {
                  if (data[4 * pixel + channel] !== wanted[channel]) wrong.push([pixel, channel]);
                }
              }
              done({wrong: wrong.slice(0, 5), cells: expected.size, rows: canvas.height});
            }).catch((error) => done({wrong: String(error)}));""")
        self.assertEqual(wrong["wrong"], [])
        self.assertGreater(wrong["cells"], 20)

    def test_a_key_that_rises(self):
        self.open("rising")
        self.wait(lambda: any("of all writes go to the last of 8 regions" in text for text in self.findings()))
        self.wait(lambda: any("keys rise with time" in text for text in self.findings()))
        self.browser.find_element(By.ID, "pause").click()
        self.compare_pixels()
        picture = self.script("return window.vaquita.picture")
        self.assertEqual(len(picture["regions"]), REGIONS)
        self.assertGreater(len(picture["rows"]), REGIONS, "ranges are finer than regions")
        last = REGIONS - 1
        for column in picture["columns"]:
            for row, count in zip(column["cells"][::2], column["cells"][1::2]):
                self.assertEqual(picture["rows"][row]["region"], last, f"{count} writes outside the last region")
        self.screenshot("heat-rising")

    def test_a_key_that_is_hashed(self):
        self.open("hashed")
        self.wait(lambda: any("spread evenly" in text for text in self.findings()))
        self.browser.find_element(By.ID, "pause").click()
        self.compare_pixels()
        self.screenshot("heat-hashed")

    def test_counts_are_the_servers(self):
        self.browser.get("about:blank")
        picture = self.server.json("/console/v1/heat?table=rising&last=86400000")
        counted = sum(sum(column["cells"][1::2]) for column in picture["columns"])
        with urllib.request.urlopen(self.server.url + "/metrics/regions", timeout=30) as response:
            lines = response.read().decode().splitlines()
        written = sum(float(line.rsplit(" ", 1)[1]) for line in lines
                      if "write_requests" in line and 'table="rising"' in line and not line.startswith("#"))
        self.assertGreater(counted, 0)
        self.assertLessEqual(counted, written)

    def test_hover_zoom_and_pause(self):
        self.open("hashed")
        heat = self.browser.find_element(By.ID, "heat")
        self.wait(lambda: heat.size["width"] > 900)
        ActionChains(self.browser).move_to_element(heat).perform()
        tip = self.browser.find_element(By.ID, "tip")
        self.assertTrue(tip.is_displayed())
        for word in ("from key", "hex", "region", "server", "writes"):
            self.assertIn(word, tip.text)
        self.wait(lambda: self.script("return window.vaquita.picture.rows.length") >= 2 * REGIONS)
        rows = self.script("return window.vaquita.picture.rows.length")
        right = heat.size["width"] // 2 - 5  # the newest columns have counts for sure
        ActionChains(self.browser).move_to_element_with_offset(heat, right, -100).click_and_hold() \
            .move_by_offset(-300, 150).release().perform()
        self.wait(lambda: self.script("const {picture, zoom} = window.vaquita;"
                                      "return zoom && picture.from === zoom.from && picture.to === zoom.to"))
        self.assertLess(self.script("return window.vaquita.picture.rows.length"), rows)
        self.assertTrue(self.browser.find_element(By.ID, "whole").is_displayed())
        self.compare_pixels()
        self.browser.find_element(By.ID, "whole").click()
        self.wait(lambda: self.script("return window.vaquita.zoom === null"))
        self.browser.find_element(By.ID, "pause").click()
        before = self.script("return window.vaquita.picture.now")
        self.browser.execute_async_script("setTimeout(arguments[0], 1200)")
        self.assertEqual(self.script("return window.vaquita.picture.now"), before)

    def test_a_hostile_key_is_only_text(self):
        self.open("hostile")
        self.wait(lambda: "<img" in self.script("return JSON.stringify(window.vaquita.picture.rows)")
                  or "<img" in self.script("return document.getElementById('findings').innerText"))
        self.assertEqual(self.browser.title, "Vaquita console")
        self.assertEqual(self.browser.find_elements(By.TAG_NAME, "img"), [])

    def test_the_page_breaks_no_rule(self):
        self.open("hashed")
        errors = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(errors, [])

    def test_errors_name_the_parameter(self):
        for query, status, word in (("", 400, "table"), ("table=none", 404, "none"),
                                    ("table=hashed&rows=0", 400, "rows"), ("table=hashed&x=1", 400, '"x"')):
            with self.assertRaises(urllib.error.HTTPError) as raised:
                self.server.json(f"/console/v1/heat?{query}")
            self.assertEqual(raised.exception.code, status, query)
            self.assertIn(word, json.load(raised.exception)["error"])

    def page(self, path):
        self.browser.get(f"{self.server.url}/console/{path}")

    def text(self, selector):
        return self.script(f"const e = document.querySelector('{selector}'); return e ? e.innerText : ''")

    def test_the_tables(self):
        self.page("tables.html")
        self.wait(lambda: "rising" in self.text("#tables"))
        self.wait(lambda: re.search(r"rising\s+enabled\s+f\s+8\s+[1-9][0-9,]*/s", self.text("#tables")))
        self.screenshot("tables")
        self.browser.find_element(By.LINK_TEXT, "rising").click()
        self.wait(lambda: re.search(r"[0-9]+% of the requests go to the region that begins with 2026-07",
                                    self.text("#summary")))
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#regions tbody tr")), REGIONS)
        self.browser.find_element(By.CSS_SELECTOR, "#families summary").click()
        self.assertIn("BLOOMFILTER", self.text("#families"))
        self.browser.find_element(By.CSS_SELECTOR, "#families summary").click()
        self.screenshot("table")

    def test_a_table_of_many_regions_is_paged(self):
        table = self.server.json("/console/v1/table?table=rising&offset=5&limit=2")
        self.assertEqual(table["regions_total"], REGIONS)
        self.assertEqual([region["start"]["text"] for region in table["regions"]], ["2026-05", "2026-06"])

    def test_a_recording_is_saved_and_shown_again(self):
        self.open("rising")
        self.browser.find_element(By.ID, "save").click()
        files = lambda: [name for name in os.listdir(self.downloads.name) if name.endswith(".json")]
        self.wait(lambda: len(files()) == 1)
        path = os.path.join(self.downloads.name, files()[0])
        self.wait(lambda: os.path.getsize(path) > 0)
        with open(path, encoding="utf-8") as file:
            saved = json.load(file)
        self.open("hashed")
        self.browser.find_element(By.ID, "file").send_keys(path)
        self.wait(lambda: "A recording of table rising" in self.text("#message"))
        shown = self.script("return window.vaquita.picture")
        self.assertEqual(shown, saved["pictures"]["writes"])
        self.compare_pixels()
        self.browser.find_element(By.ID, "load").click()
        self.wait(lambda: self.script("return window.vaquita.picture.table") == "hashed")
        other = os.path.join(self.downloads.name, "other.txt")
        with open(other, "w", encoding="utf-8") as file:
            file.write("{}")
        self.browser.find_element(By.ID, "pause").click()
        self.browser.find_element(By.ID, "file").send_keys(other)
        self.wait(lambda: "other.txt is no recording" in self.text("#message"))
        for path in (path, other):
            os.remove(path)

    def test_events_are_marked(self):
        self.server.shell("".join(f"put 'eventful', 'k{key}', 'f:q', 'v'\n" for key in range(100)) +
                          "flush 'eventful'\nput 'eventful', 'k1', 'f:q', 'v'\nflush 'eventful'\n"
                          "major_compact 'eventful'\n")
        events = lambda: self.server.json("/console/v1/events?table=eventful")["events"]
        self.wait(lambda: "compaction" in [event["kind"] for event in events()])
        self.server.shell("split 'eventful', 'k5'\n")
        self.wait(lambda: "split" in [event["kind"] for event in events()])
        split = [event for event in events() if event["kind"] == "split"][0]
        self.assertEqual(split["key"]["text"], "k5")
        self.assertIn('split at "k5"', split["text"])
        flushed = [event for event in events() if event["kind"] == "flush"]
        self.assertGreaterEqual(sum(event["files_out"] for event in flushed), 2)
        compaction = [event for event in events() if event["kind"] == "compaction"][0]
        self.assertEqual((compaction["files_in"], compaction["files_out"]), (2, 1))
        self.assertGreater(compaction["bytes_in"], compaction["bytes_out"])
        self.server.shell("".join(f"put 'eventful', 'k{key}', 'f:q', 'v'\n" for key in range(100)))
        self.page("?table=eventful")
        self.wait(lambda: {"F", "C", "S"} <= set(self.text_content("#marks")))
        self.assertIn('was split at "k5"', self.text("#events"))
        self.screenshot("events")
        last = events()[-1]["id"]
        self.assertEqual(self.server.json(f"/console/v1/events?table=eventful&since={last}")["events"], [])

    def text_content(self, selector):
        return self.script(f"return document.querySelector('{selector}').textContent")

    def test_a_region_and_its_stores(self):
        region = self.server.json("/console/v1/table?table=store")["regions"][0]["name"]
        self.page(f"region.html?region={region}")
        self.wait(lambda: "Family g" in self.text("#stores"))
        stores = self.server.json(f"/console/v1/region?region={region}")["stores"]
        self.assertEqual([(store["family"], len(store["files"])) for store in stores], [("f", 2), ("g", 1)])
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".files li")), 3)
        self.assertIn("no compaction has run yet", self.text("#stores"))
        self.screenshot("region-before-compaction")
        self.server.shell("major_compact 'store'\n")
        self.wait(lambda: "1 compaction joined them" in self.text("#stores"))
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".files li")) == 2)
        self.screenshot("region")

    def test_the_servers(self):
        self.page("servers.html")
        regions = self.server.json("/console/v1/servers")["servers"][0]["open_regions"]
        self.assertGreater(regions, 2 * REGIONS)
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".boxes a")) == regions)
        self.wait(lambda: re.search(r"[1-9][0-9,]*/s", self.text(".server .bar")))
        self.browser.find_element(By.ID, "plan").click()
        self.wait(lambda: len(self.text("#plan-text")) > 3)
        self.assertIn("The balancer is on", self.text("#switch"))
        self.screenshot("servers")

    def test_the_data(self):
        self.page("data.html?table=store&prefix=row&versions=3")
        self.wait(lambda: "2 rows" in self.text("#summary"))
        self.assertIn("g:<b>n</b>", self.text("#rows"))
        self.browser.find_element(By.CSS_SELECTOR, "#form-of option[value=number]").click()
        self.assertIn("1700000000000", self.text("#rows"))
        self.browser.find_element(By.CSS_SELECTOR, "#form-of option[value=time]").click()
        self.assertIn("2023-11-14T22:13:20.000Z", self.text("#rows"))
        self.screenshot("data")
        rows = self.server.json("/console/v1/rows?table=hashed&limit=5")
        self.assertEqual(len(rows["rows"]), 5)
        more = self.server.json(f"/console/v1/rows?table=hashed&limit=5&start={rows['next']['text']}")
        self.assertGreater(more["rows"][0]["key"]["text"], rows["rows"][-1]["key"]["text"])
        over_regions = self.server.json("/console/v1/rows?table=hashed&limit=200&prefix=1&start=1f&end=21")
        self.assertTrue(all("1f" <= row["key"]["text"] < "2" for row in over_regions["rows"]))

    def test_delete_markers_are_seen_raw(self):
        self.server.shell("create 'marked', {NAME => 'f', VERSIONS => 3}\nput 'marked', 'r', 'f:q', 'v', 5\n"
                          "delete 'marked', 'r', 'f:q', 5\n")
        self.assertEqual(self.server.json("/console/v1/rows?table=marked")["rows"], [])
        raw = self.server.json("/console/v1/rows?table=marked&raw=1&versions=10")["rows"][0]["cells"]
        self.assertEqual([cell["type"] for cell in raw], ["Delete", "Put"])
        self.page("data.html?table=marked&raw=1&versions=10")
        self.wait(lambda: "Delete" in self.text("#rows"))

    def test_every_page_breaks_no_rule(self):
        region = self.server.json("/console/v1/table?table=hostile")["regions"][0]["name"]
        for path in ("", "tables.html", "table.html?table=%3Cimg%20src=x%3E", "table.html?table=hostile",
                     f"region.html?region={region}", "region.html?region=%3Cimg%20src=x%3E", "servers.html",
                     "data.html?table=hostile"):
            self.page(path)
            self.wait(lambda: self.text("main").strip())
            self.assertEqual(self.browser.find_elements(By.TAG_NAME, "img"), [], path)
            self.assertGreaterEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "nav a")), 4, path)
            errors = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"
                      and "/console/v1/" not in entry["message"]]
            self.assertEqual(errors, [], path)

    def test_other_sites_names_are_refused(self):
        port = self.server.url.rsplit(":", 1)[1]
        for path, host, status in (("/console/", "evil.example.org", 403), ("/", f"evil.example.org:{port}", 403),
                                   ("/console/v1/tables", "evil.example.org", 403), ("/console/", "localhost", 200),
                                   ("/health", "evil.example.org", 200)):
            request = urllib.request.Request(self.server.url + path, headers={"Host": host})
            try:
                with urllib.request.urlopen(request, timeout=30) as response:
                    self.assertEqual(response.status, status, f"{path} as {host}")
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, status, f"{path} as {host}")

    def test_a_phone(self):
        self.browser.set_window_size(400, 800)
        try:
            self.open("hashed")
            width = self.script("return document.documentElement.scrollWidth")
            self.assertLessEqual(width, self.script("return window.innerWidth"))
            self.screenshot("heat-phone")
            region = self.server.json("/console/v1/table?table=store")["regions"][0]["name"]
            for path in ("tables.html", f"region.html?region={region}", "servers.html", "data.html?table=store"):
                self.page(path)
                self.wait(lambda: self.text("main").strip())
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"),
                                     self.script("return window.innerWidth"), path)
        finally:
            self.browser.set_window_size(1280, 720)


class ClusterTest(unittest.TestCase):
    """A master and two region servers, each with a console; without a browser."""

    def test_the_masters_console_has_the_cluster_and_a_servers_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            processes = [Process(folder, "master", "master", "--data", data)]
            try:
                master = processes[0]
                for name in ("one", "two"):
                    processes.append(Process(folder, name, "regionserver", "--data", data))
                self.check(master, processes[1:])
            finally:
                for process in reversed(processes):
                    process.process.kill()
                    process.process.wait()

    def wait(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def check(self, master, servers):
        url = f"http://{info_address(master)}/console/v1"
        self.wait(lambda: len(get_json(f"{url}/servers")["servers"]) == 2)
        master.shell("create 't', 'f', SPLITS => ['b', 'c', 'd']\nput 't', 'a', 'f:q', 'v'\n")
        self.wait(lambda: sum(server["open_regions"] for server in get_json(f"{url}/servers")["servers"]) == 4)
        regions = get_json(f"{url}/table?table=t")["regions"]
        self.assertEqual([region["start"]["text"] for region in regions], ["", "b", "c", "d"])
        own = [get_json(f"http://{info_address(server)}/console/v1/cluster") for server in servers]
        self.assertEqual([cluster["whole_cluster"] for cluster in own], [False, False])
        self.assertEqual(sum(cluster["tables"][0]["open_regions"] for cluster in own if cluster["tables"]), 4)
        self.assertIn("moves", get_json(f"{url}/plan"))
        for path in ("heat?table=t", "rows?table=t"):
            with self.assertRaises(urllib.error.HTTPError) as raised:
                get_json(f"{url}/{path}")
            self.assertEqual(raised.exception.code, 503)
            self.assertIn("region server", json.load(raised.exception)["error"])
        servers[1].stop()
        self.wait(lambda: any("is gone" in event["text"] for event in get_json(f"{url}/events")["events"]))


def info_address(process):
    return next(value for name, value in process.addresses.items() if "info" in name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaquita")
    parser.add_argument("--screenshots")
    ARGUMENTS, rest = parser.parse_known_args()
    unittest.main(argv=["console_test", *rest], verbosity=2)

#!/usr/bin/python3
"""Opens the console in Chromium while tables are written, and compares the pixels of the map with the server's JSON.

usage: console_test.py VAQUITA [--screenshots FOLDER]
"""

import json
import os
import re
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import harness
from harness import Process, Server, get_json, info_address

REGIONS = 8
# Limits of time are for a machine that does nothing else; tests share theirs.
SLOWNESS = 10
HOSTILE = "<img src=x onerror=document.title=1>"


def rising_key(number):
    return f"2026-11-22T{number:06d}"


def hashed_key(number):
    return f"{(number * 2654435761) % 2**32:08x}-{number}"


class ConsoleTest(harness.BrowserTest):
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
        cls.downloads = tempfile.TemporaryDirectory()
        cls.browser = harness.open_browser(cls.downloads.name)

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

    def findings(self):
        return [item.text for item in self.browser.find_elements(By.CSS_SELECTOR, "#findings li")]

    def test_a_key_that_rises(self):
        self.open("rising")
        self.wait(lambda: any("The last of 8 regions takes" in text for text in self.findings()))
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
        if harness.ARGUMENTS.screenshots:  # a picture has its whole minute
            self.browser.find_element(By.ID, "pause").click()
            self.wait(lambda: self.script("const p = window.vaquita.picture; return p.columns[0].start - p.from < 1000"))
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

    HOLD_EVENTS = """
        window.held = [];
        window.holding = false;
        const real = window.fetch;
        window.fetch = async (path, options) => {
          const answer = await real(path, options);
          if (window.holding && String(path).includes("/console/v1/events")) {
            await new Promise((done) => { window.held.push(done); });
          }
          return answer;
        };"""

    def test_an_answer_that_comes_late_changes_nothing(self):
        """The answers about events, which the page asks for after the picture, are held and let go one by one."""
        hold = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": self.HOLD_EVENTS})
        try:
            self.open("hashed")
            self.check_late_answers()
        finally:
            self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", hold)

    def check_late_answers(self):
        held = lambda: self.script("return window.held.length")
        # Resolves when the page has done what it does with an answer.
        let_go = lambda place: self.browser.execute_async_script(
            "window.held[arguments[0]](); setTimeout(() => setTimeout(arguments[1]), 0)", place)
        now = lambda: self.script("return window.vaquita.picture.now")
        self.script("window.holding = true")
        self.wait(lambda: held() == 1)
        self.compare_pixels()
        self.browser.find_element(By.ID, "pause").click()
        before = now()
        let_go(0)
        self.assertEqual(now(), before, "paused")
        self.browser.find_element(By.ID, "pause").click()
        self.wait(lambda: held() == 2)
        heat = self.browser.find_element(By.ID, "heat")
        right = heat.size["width"] // 2 - 5
        ActionChains(self.browser).move_to_element_with_offset(heat, right, -100).click_and_hold() \
            .move_by_offset(-300, 150).release().perform()
        self.wait(lambda: held() == 3)
        let_go(2)
        zoomed = "const {picture, zoom} = window.vaquita; return zoom && picture.from === zoom.from && picture.to === zoom.to"
        self.assertTrue(self.script(zoomed))
        let_go(1)
        self.assertTrue(self.script(zoomed), "the answer to an earlier question")
        self.compare_pixels()
        self.script("window.holding = false")

    def test_a_page_asks_for_new_columns_only(self):
        """Columns of an answer to `since`, put behind those before, are what a whole answer has."""
        self.browser.get("about:blank")
        url = "/console/v1/heat?table=hashed&last=60000"

        def goes_on():
            first = self.server.json(url)
            self.wait(lambda: self.server.json(url)["columns"][-1]["start"] > first["columns"][-1]["start"] + 600)
            more = self.server.json(f"{url}&since={first['since']}")
            whole = self.server.json(url)
            if not more["goes_on"] or whole["rows"] != first["rows"]:
                return False  # ranges were divided meanwhile
            self.assertNotIn("rows", more)
            self.assertLess(len(json.dumps(more)), len(json.dumps(whole)) / 2)
            joined = {column["start"]: column["cells"] for column in first["columns"] if column["start"] < more["columns_from"]}
            joined |= {column["start"]: column["cells"] for column in more["columns"]}
            newest = more["columns"][-1]["start"]
            compared = [column for column in whole["columns"] if column["start"] < newest]
            self.assertGreater(len(compared), 10)
            for column in compared:
                self.assertEqual(joined[column["start"]], column["cells"])
            return True

        self.wait(goes_on)
        self.open("hashed")
        asked = lambda: self.script("return performance.getEntriesByType('resource').map((entry) => entry.name)"
                                    ".filter((name) => name.includes('/v1/heat?') && name.includes('since=')).length")
        self.wait(lambda: asked() >= 3)
        starts = self.script("return window.vaquita.picture.columns.map((column) => column.start)")
        self.assertEqual(starts, sorted(set(starts)))
        self.browser.find_element(By.ID, "pause").click()
        self.compare_pixels()

    def test_the_first_picture_comes_soon(self):
        """Time from the start of the navigation to the drawn map, on a server that has columns to show."""
        self.open("hashed")
        drawn = self.script("return performance.getEntriesByName('first picture')[0].startTime")
        self.assertGreater(drawn, 0)
        self.assertLess(drawn, 1000 * SLOWNESS)

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

    def test_the_tables(self):
        self.page("tables.html")
        self.wait(lambda: "rising" in self.text("#tables"))
        self.wait(lambda: re.search(r"rising\s+enabled\s+f\s+8\s+[1-9][0-9,]*/s", self.text("#tables")))
        self.screenshot("tables")
        self.click_link("rising")
        self.wait(lambda: re.search(r"The region that begins with 2026-07\S* gets [0-9.]+ x an even share of the "
                                    r"requests", self.text("#summary")))
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#regions tbody tr")), REGIONS)
        self.browser.find_element(By.CSS_SELECTOR, "#families summary").click()
        self.assertIn("BLOOMFILTER", self.text("#families"))
        self.browser.find_element(By.CSS_SELECTOR, "#families summary").click()
        self.screenshot("table")

    def test_a_table_of_many_regions_is_paged(self):
        table = self.server.json("/console/v1/table?table=rising&offset=5&limit=2")
        self.assertEqual(table["regions_total"], REGIONS)
        self.assertEqual([region["start"]["text"] for region in table["regions"]], ["2026-05", "2026-06"])

    def test_a_page_of_a_hundred_thousand_regions(self):
        """The answers are made up: JSON of so many regions is tested beside its code."""
        script = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            const real = window.fetch, regions = 100000;
            window.fetch = async (path, options) => {
              const url = new URL(path, location.href);
              if (url.pathname !== "/console/v1/table") return real(path, options);
              const offset = Number(url.searchParams.get("offset")), limit = Number(url.searchParams.get("limit"));
              const key = (number) => ({text: number ? String(number).padStart(8, "0") : "", hex: ""});
              const rows = Array.from({length: Math.max(0, Math.min(limit, regions - offset))}, (_, at) => ({
                name: `${offset + at}`, start: key(offset + at), end: key(offset + at + 1), state: "OPEN", server: "h,1,2",
                open_regions: 1, reads: 0, writes: 0, store_files: 1, store_file_bytes: 1, memstore_bytes: 0, compacting: false}));
              return new Response(JSON.stringify({version: 1, now: Date.now(), table: "many", state: "ENABLED", options: [],
                                                  families: [], regions_total: regions, offset, regions: rows}));
            };"""})
        try:
            self.page("table.html?table=many")
            self.wait(lambda: "1 to 50 of 100,000" in self.text("#pager"))
            self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#regions tbody tr")), 50)
            self.screenshot("table-of-100000-regions")
            self.click_link("last")
            self.wait(lambda: "99,951 to 100,000 of 100,000" in self.text("#pager"))
            self.assertIn("00099999", self.text("#regions"))
            self.click_link("before")
            self.wait(lambda: "99,901 to 99,950" in self.text("#pager"))
            shown = self.script("return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
            self.assertLess(shown, 5000)
        finally:
            self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def test_the_map_by_keyboard(self):
        self.open("hashed")
        self.wait(lambda: self.script("return window.vaquita.picture.rows.length") >= 2 * REGIONS)
        heat = self.browser.find_element(By.ID, "heat")
        self.browser.find_element(By.ID, "pause").click()
        rows = self.script("return window.vaquita.picture.rows.length")
        keys = lambda *typed: ActionChains(self.browser).send_keys(*typed).perform()
        # Tab goes on from the button over the others to the map.
        for _ in range(6):
            keys(Keys.TAB)
            if self.script("return document.activeElement.id") == "heat":
                break
        self.assertEqual(self.script("return document.activeElement.id"), "heat")
        keys(Keys.ARROW_UP)
        self.assertTrue(self.browser.find_element(By.ID, "cursor").is_displayed())
        first = self.text("#tip")
        self.assertIn("from key", first)
        keys(Keys.ARROW_UP)
        self.wait(lambda: self.text("#tip") != first)
        self.screenshot("heat-keyboard")
        keys(Keys.ENTER)
        self.assertTrue(self.browser.find_element(By.ID, "corner").is_displayed())
        keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ENTER)
        self.wait(lambda: self.script("const {picture, zoom} = window.vaquita; return zoom && picture.from === zoom.from"))
        self.assertLess(self.script("return window.vaquita.picture.rows.length"), rows)
        heat.send_keys(Keys.ESCAPE)
        self.wait(lambda: self.script("return window.vaquita.zoom === null"))

    def test_every_control_is_reached_by_tab(self):
        for path in ("", "tables.html", "table.html?table=hashed", "servers.html", "data.html?table=store",
                     "laboratory.html", "workshop.html", "shell.html"):
            self.page(path)
            self.wait(lambda: self.text("main").strip())
            missing = self.script("""
                const seen = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
                  .filter((element) => element.offsetParent !== null);
                return seen.filter((element) => element.tabIndex < 0 || (element.tagName !== "A" && element.tagName !== "SUMMARY"
                  && !(element.labels?.length || element.getAttribute("aria-label") || element.textContent.trim())))
                  .map((element) => element.outerHTML.slice(0, 100));""")
            self.assertEqual(missing, [], path)

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
        self.replay(saved)
        self.browser.find_element(By.ID, "save").click()
        self.wait(lambda: len(files()) == 2)
        copy = os.path.join(self.downloads.name, [name for name in files() if name != os.path.basename(path)][0])
        self.wait(lambda: os.path.getsize(copy) > 0)
        with open(copy, encoding="utf-8") as file:
            self.assertEqual(json.load(file), saved)
        self.browser.find_element(By.ID, "load").click()
        self.wait(lambda: self.script("return window.vaquita.picture.table") == "hashed")
        other = os.path.join(self.downloads.name, "other.txt")
        with open(other, "w", encoding="utf-8") as file:
            file.write("{}")
        self.browser.find_element(By.ID, "pause").click()
        self.browser.find_element(By.ID, "file").send_keys(other)
        self.wait(lambda: "other.txt is no recording" in self.text("#message"))
        for path in (path, copy, other):
            os.remove(path)

    def replay(self, saved):
        """A recording is played from its beginning, and any moment of it can be gone to."""
        columns = lambda: self.script("return window.vaquita.picture.columns.length")
        whole = len(saved["pictures"]["writes"]["columns"])
        self.script("const moment = document.getElementById('moment'); moment.value = 0;"
                    "moment.dispatchEvent(new Event('input'))")
        self.assertEqual(columns(), 0)
        self.screenshot("heat-replay")
        self.browser.find_element(By.CSS_SELECTOR, "#speed option[value='64']").click()
        self.browser.find_element(By.ID, "play").click()
        self.wait(lambda: columns() > 0)
        self.wait(lambda: columns() == whole and self.text("#play") == "Play")
        self.compare_pixels()

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
        self.assertIn("and dropped 1 old version", compaction["text"])
        self.server.shell("".join(f"put 'eventful', 'k{key}', 'f:q', 'v'\n" for key in range(100)))
        self.page("?table=eventful")
        self.wait(lambda: {"F", "C", "S"} <= set(self.text_content("#marks")))
        self.assertIn('was split at "k5"', self.text("#events"))
        self.screenshot("events")
        # A region's daughters may still be compacted: there may be later events, and no earlier ones.
        known = [event["id"] for event in events()]
        later = self.server.json(f"/console/v1/events?table=eventful&since={known[-2]}")["events"]
        self.assertEqual(later[0]["id"], known[-1])
        since_split = self.server.json(f"/console/v1/events?table=eventful&from={split['time']}")["events"]
        self.assertTrue(all(event["time"] >= split["time"] for event in since_split))
        self.assertIn(split["id"], [event["id"] for event in since_split])

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
        store = self.server.json(f"/console/v1/region?region={region}")["stores"][0]
        self.assertEqual(store["dropped"], {"markers": 1, "deleted": 1, "versions": 0, "expired": 0, "outside": 0, "skipped": 0})
        self.assertIn("1 delete marker, 1 deleted cell", self.text("#stores"))
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

    def test_the_data_of_a_table_that_the_list_does_not_have(self):
        script = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            const real = window.fetch;
            window.fetch = async (path, options) => {
              const answer = await real(path, options);
              if (new URL(path, location.href).pathname !== "/console/v1/cluster") return answer;
              const cluster = await answer.json();
              cluster.tables = cluster.tables.filter(({name}) => name !== "store");
              return new Response(JSON.stringify(cluster));
            };"""})
        try:
            self.page("data.html?table=store&prefix=row")
            self.wait(lambda: "2 rows" in self.text("#summary"))
            self.assertEqual(self.script("return document.getElementById('table').value"), "store")
        finally:
            self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

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
        for path in ("", "tables.html", "table.html?table=%3Cimg%20src=x%3E", "table.html?table=hostile", "shell.html",
                     "laboratory.html", "workshop.html", "workshop.html?exercise=1",
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
        harness.set_view(self.browser, 400, 800)
        self.assertEqual(self.script("return window.innerWidth"), 400)
        try:
            self.open("hashed")
            width = self.script("return document.documentElement.scrollWidth")
            self.assertLessEqual(width, self.script("return window.innerWidth"))
            self.screenshot("heat-phone")
            region = self.server.json("/console/v1/table?table=store")["regions"][0]["name"]
            for path in ("tables.html", f"region.html?region={region}", "servers.html", "data.html?table=store", "shell.html",
                         "laboratory.html", "workshop.html"):
                self.page(path)
                self.wait(lambda: self.text("main").strip())
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"),
                                     self.script("return window.innerWidth"), path)
        finally:
            harness.set_view(self.browser, 1280, 720)


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
        self.check_gathered(url, master)
        servers[1].stop()
        self.wait(lambda: any("is gone" in event["text"] for event in get_json(f"{url}/events")["events"]))

    def check_gathered(self, url, master):
        """The master shows what only the servers of the regions know."""
        master.shell("".join(f"put 't', '{key}{number}', 'f:q', 'v'\n" for key in "abcd" for number in range(20)) +
                     "flush 't'\n")
        def writes_by_region():
            try:
                heat = get_json(f"{url}/heat?table=t")
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, 404)
                return None  # a server counts an idle table once a second
            writes = [0] * len(heat["regions"])
            for column in heat["columns"]:
                for row, count in zip(column["cells"][::2], column["cells"][1::2]):
                    writes[heat["rows"][row]["region"]] += count
            return writes
        # A server answers for its regions from their first count on.
        self.wait(lambda: writes_by_region() == [21, 20, 20, 20])
        # On a busy machine a server may not answer in time, and is left out once.
        regions = lambda: get_json(f"{url}/heat?table=t")["regions"]
        self.wait(lambda: [region["start"]["text"] for region in regions()] == ["", "b", "c", "d"])
        self.wait(lambda: len({region["server"] for region in regions()}) == 2)
        self.assertEqual(get_json(f"{url}/tables")["tables"], ["t"])
        self.assertTrue(get_json(f"{url}/heat?table=t")["findings"])
        keys, start = [], ""
        while start is not None:
            rows = get_json(f"{url}/rows?table=t&limit=200&start={start}")
            keys += [row["key"]["text"] for row in rows["rows"]]
            start = rows["next"]["text"] if "next" in rows else None
        self.assertEqual(keys, sorted(["a"] + [f"{key}{number}" for key in "abcd" for number in range(20)]))
        for region in get_json(f"{url}/table?table=t")["regions"]:
            store = lambda: get_json(f"{url}/region?region={region['name']}")["stores"][0]
            self.wait(lambda: len(store().get("files", [])) == 1)
        self.wait(lambda: [event["kind"] for event in get_json(f"{url}/events?table=t")["events"]].count("flush") == 4)
        for path, code in (("heat?table=none", 404), ("rows?table=none", 404), ("heat?table=t&rows=0", 400)):
            with self.assertRaises(urllib.error.HTTPError) as raised:
                get_json(f"{url}/{path}")
            self.assertEqual(raised.exception.code, code, path)


if __name__ == "__main__":
    harness.main()

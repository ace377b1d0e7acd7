#!/usr/bin/python3
"""Changes tables by the console, over HTTP and in Chromium, and tries what must be refused.

usage: writing_test.py VAQUITA [--screenshots FOLDER]
"""

import os
import re
import tempfile
import time
import unittest

from selenium.webdriver.common.by import By

import harness
from harness import Process, Server, get_json, info_address, post

HOSTILE = "<img src=x onerror=document.title=1>'; drop 't'"


def command(url, name, *arguments, **headers):
    token = get_json(f"{url}/console/v1/session")["token"]
    return post(f"{url}/console/v1/command", {"command": name, "arguments": arguments},
                **({"X-Vaquita-Token": token} | headers))


class RefusedTest(unittest.TestCase):
    """What may not change anything; one server that may write, and one that may not."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("--console-write")

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def tables(self):
        return [table["name"] for table in self.server.json("/console/v1/cluster")["tables"]]

    def test_without_the_flag_nothing_is_written(self):
        server = Server()
        try:
            self.assertFalse(server.json("/console/v1/session")["may_write"])
            status, answer = command(server.url, "create", "t", {"NAME": "f"})
            self.assertEqual(status, 403)
            self.assertIn("--console-write", answer["error"])
            self.assertEqual(server.json("/console/v1/cluster")["tables_total"], 0)
        finally:
            server.stop()

    def test_another_sites_page_is_refused(self):
        host = self.server.url.removeprefix("http://")
        for headers in ({"Origin": "http://evil.example.org"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                        {"X-Vaquita-Token": None}, {"X-Vaquita-Token": "0" * 32}, {"Host": "evil.example.org"},
                        {"Origin": "http://localhost:1", "Host": host}):
            status, answer = command(self.server.url, "create", "refused", {"NAME": "f"}, **headers)
            self.assertEqual(status, 403, f"{headers}: {answer}")
        for kind in ("text/plain", "application/x-www-form-urlencoded"):
            status, answer = command(self.server.url, "create", "refused", {"NAME": "f"}, Content_Type=kind)
            self.assertEqual(status, 400, f"{kind}: {answer}")
        self.assertNotIn("refused", self.tables())
        status, answer = command(self.server.url, "create", "own", {"NAME": "f"}, Origin=f"http://{host}",
                                 Sec_Fetch_Site="same-origin")
        self.assertEqual((status, answer["output"].split()[:3]), (200, ["Created", "table", "own"]))

    def test_a_get_changes_nothing(self):
        with self.assertRaises(harness.urllib.error.HTTPError) as raised:
            self.server.json("/console/v1/command")
        self.assertEqual(raised.exception.code, 405)

    def test_errors_are_in_words(self):
        for name, arguments, words in (
                ("create", [HOSTILE, {"NAME": "f"}], "Illegal character"), ("drop", ["none"], "none"),
                ("create", ["t"], "at least one column family"), ("scan", ["t"], "unknown command"),
                ("flush", [], "0 arguments"), ("split", ["<b>"], "<b>"),
                ("create", ["t", [[[[[[[[[[1]]]]]]]]]]], "nested")):
            status, answer = command(self.server.url, name, *arguments)
            self.assertEqual(status, 400, answer)
            self.assertIn(words, answer["error"], name)
        token = self.server.json("/console/v1/session")["token"]
        for body, words in (("no object", "must be a JSON object"), ({}, "command is missing"),
                            ({"command": 1}, "must be text"), ({"command": "flush"}, "arguments")):
            status, answer = post(f"{self.server.url}/console/v1/command", body, X_Vaquita_Token=token)
            self.assertEqual(status, 400)
            self.assertIn(words, answer["error"])

    def test_keys_are_bytes(self):
        command(self.server.url, "create", "bytes", {"NAME": "f"}, {"SPLITS": ["b\\x00", "m"]})
        starts = lambda: [region["start"]["hex"] for region in
                          self.server.json("/console/v1/table?table=bytes")["regions"]]
        self.assertEqual(starts(), ["", "6200", "6d"])
        first = self.server.json("/console/v1/table?table=bytes")["regions"][0]["name"]
        self.server.shell("put 'bytes', 'a', 'f:q', 'v'\n")
        status, answer = command(self.server.url, "split", first, "a\\xFF")
        self.assertEqual(status, 200, answer)
        deadline = time.monotonic() + 60
        while starts() != ["", "61ff", "6200", "6d"]:
            self.assertLess(time.monotonic(), deadline, starts())
            time.sleep(0.05)


class PagesTest(harness.BrowserTest):
    """Tables are made, changed and dropped by clicks."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("--console-write")
        cls.downloads = tempfile.TemporaryDirectory()
        cls.browser = harness.open_browser(cls.downloads.name)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.downloads.cleanup()
        cls.server.stop()

    def type(self, selector, text):
        field = self.browser.find_element(By.CSS_SELECTOR, selector)
        field.clear()
        field.send_keys(text)

    def click(self, selector):
        self.wait(lambda: self.browser.find_element(By.CSS_SELECTOR, selector).is_enabled())
        self.browser.find_element(By.CSS_SELECTOR, selector).click()

    def done(self, text):
        self.wait(lambda: "…" not in self.text("#done") and re.search(text, self.text("#done")))

    def create(self, name, splits):
        self.page("tables.html")
        self.wait(lambda: self.browser.find_element(By.ID, "create").is_displayed())
        self.type("#create [name=table]", name)
        self.type("#create [name=splits]", splits)
        self.click("#create button")
        self.done(f"Created table {name}")

    def regions(self, table):
        return [region["start"]["text"] for region in self.server.json(f"/console/v1/table?table={table}")["regions"]]

    def test_a_tables_life(self):
        self.create("life", "g, m")
        self.assertIn("hbase> create 'life', {NAME => 'f', VERSIONS => 1}, {SPLITS => ['g', 'm']}", self.text("#done"))
        self.screenshot("tables-writing")
        self.assertEqual(self.regions("life"), ["", "g", "m"])
        self.server.shell("".join(f"put 'life', '{key}', 'f:q', 'v'\n" for key in "abcdefghijklmnop"))
        self.page("table.html?table=life")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#region option")) == 3)
        self.click("#change-table [value=flush]")
        self.done("flush 'life'\\nDone")
        self.wait(lambda: self.server.json("/console/v1/cluster")["tables"][0]["memstore_bytes"] == 0)
        self.type("#change-region [name=key]", "c")
        self.click("#change-region [value=split]")
        self.done("split '[0-9a-f]{32}', 'c'")
        self.wait(lambda: self.regions("life") == ["", "c", "g", "m"])
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#region option")) == 4)
        self.screenshot("table-writing")
        self.browser.find_element(By.CSS_SELECTOR, "#region option:last-child").click()
        self.click("#change-region [value=merge]")
        self.done("no next one")
        self.browser.find_elements(By.CSS_SELECTOR, "#region option")[2].click()
        self.click("#change-region [value=merge]")
        self.done("merge_region '[0-9a-f]{32}', '[0-9a-f]{32}'\\nDone")
        self.wait(lambda: self.regions("life") == ["", "c", "g"])
        self.type("#alter [name=family]", "f")
        self.type("#alter [name=option]", "versions")
        self.type("#alter [name=value]", "7")
        self.click("#alter [value=set]")
        self.done("alter 'life', {NAME => 'f', VERSIONS => '7'}")
        self.assertIn(["VERSIONS", "7"], self.server.json("/console/v1/table?table=life")["families"][0]["options"])
        for button, state in (("disable", "DISABLED"), ("enable", "ENABLED")):
            self.click(f"#change-table [value={button}]")
            self.done(f"{button} 'life'")
            self.assertEqual(self.server.json("/console/v1/table?table=life")["state"], state)
        self.type("#drop [name=name]", "another")
        self.click("#drop button")
        self.done('not "life"')
        self.type("#drop [name=name]", "life")
        self.click("#drop button")
        self.wait(lambda: "tables.html" in self.browser.current_url)
        self.assertEqual(self.server.json("/console/v1/cluster")["tables_total"], 0)

    def test_the_last_region_of_a_page_merges_with_the_first_of_the_next(self):
        self.create("pages", ", ".join(f"{number:02}" for number in range(1, 51)))
        self.page("table.html?table=pages")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#region option")) == 50)
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#regions tbody tr")), 50)
        self.browser.find_element(By.CSS_SELECTOR, "#region option:last-child").click()
        self.click("#change-region [value=merge]")
        self.done("merge_region '[0-9a-f]{32}', '[0-9a-f]{32}'\nDone")
        self.wait(lambda: self.server.json("/console/v1/table?table=pages")["regions_total"] == 50)
        self.server.shell("disable 'pages'\ndrop 'pages'\n")

    def test_an_error_is_shown_in_words(self):
        self.page("tables.html")
        self.wait(lambda: self.browser.find_element(By.ID, "create").is_displayed())
        self.type("#create [name=table]", HOSTILE)
        self.click("#create button")
        self.done("ERROR: .*Illegal character")
        self.assertEqual(self.browser.find_elements(By.TAG_NAME, "img"), [])
        self.assertEqual(self.browser.title, "Tables - Vaquita console")

    def test_the_balancer_is_switched(self):
        self.page("servers.html")
        self.wait(lambda: self.browser.find_element(By.ID, "off").is_displayed())
        self.click("#off")
        self.wait(lambda: "The balancer is off" in self.text("#switch"))
        self.click("#on")
        self.wait(lambda: "The balancer is on" in self.text("#switch"))
        self.click("#balance")
        self.done("hbase> balancer\\n(Balancer|Moves)")


class ClusterTest(unittest.TestCase):
    """The master of a cluster changes tables; a region server's console does not."""

    def test_a_region_is_moved_at_the_master(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            processes = [Process(folder, "master", "master", "--data", data, "--console-write")]
            try:
                for name in ("one", "two"):
                    processes.append(Process(folder, name, "regionserver", "--data", data))
                self.check(*[f"http://{info_address(process)}" for process in processes])
            finally:
                for process in reversed(processes):
                    process.process.kill()
                    process.process.wait()

    def wait(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def check(self, master, one, two):
        servers = lambda: [server["name"] for server in get_json(f"{master}/console/v1/servers")["servers"]]
        self.wait(lambda: len(servers()) == 2)
        self.assertEqual(command(master, "balance_switch", False)[0], 200)
        self.assertEqual(command(master, "create", "t", {"NAME": "f"})[0], 200)
        region = lambda: get_json(f"{master}/console/v1/table?table=t")["regions"][0]
        self.wait(lambda: region()["state"] == "OPEN")
        other = next(name for name in servers() if name != region()["server"])
        self.assertEqual(command(master, "move", region()["name"], other)[0], 200)
        self.wait(lambda: (region()["state"], region()["server"]) == ("OPEN", other))
        for url in (one, two):
            self.assertEqual(get_json(f"{url}/console/v1/session")["works"], [])
        self.check_reasons(master, other)

    def check_reasons(self, master, server):
        """The balancer's plan is an event, with its reasons."""
        self.assertEqual(command(master, "create", "many", {"NAME": "f"}, {"SPLITS": list("abcdefghijk")})[0], 200)
        regions = lambda: get_json(f"{master}/console/v1/table?table=many")["regions"]
        self.wait(lambda: all(one["state"] == "OPEN" for one in regions()))
        for one in regions():
            if one["server"] != server:
                self.assertEqual(command(master, "move", one["name"], server)[0], 200)
        self.assertEqual(command(master, "balance_switch", True)[0], 200)
        self.assertEqual(command(master, "balancer")[0], 200)
        texts = lambda: [event["text"] for event in get_json(f"{master}/console/v1/events")["events"]
                         if event["kind"] == "balance"]
        self.wait(texts)
        self.assertRegex(texts()[0], r"the balancer moved [0-9]+ regions?: .*move many,.* from .* to .*: ")


if __name__ == "__main__":
    harness.main()

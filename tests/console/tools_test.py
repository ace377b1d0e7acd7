#!/usr/bin/python3
"""The console's shell, laboratory and workshop, over HTTP and in Chromium.

usage: tools_test.py VAQUITA [--screenshots FOLDER]
"""

import os
import re
import tempfile
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import harness
from harness import Process, Server, get_json, info_address, post


def work(server, name, body):
    token = server.json("/console/v1/session")["token"]
    return post(f"{server.url}/console/v1/{name}", body, X_Vaquita_Token=token)


class ReadOnlyTest(unittest.TestCase):
    """A console that was started without --console-write."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.shell("create 'kept', 'f'\nput 'kept', 'r', 'f:q', 'v'\n")

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def shell(self, text, session="s"):
        status, answer = work(self.server, "shell", {"session": session, "text": text + "\n"})
        self.assertEqual(status, 200, answer)
        return answer["output"]

    def test_the_shell_reads(self):
        self.assertIn("value=v", self.shell("scan 'kept'"))
        self.assertIn("1 row(s)", self.shell("count 'kept'"))
        self.assertIn("kept", self.shell("list"))
        self.assertIn("VERSIONS => '1'", self.shell("describe 'kept'"))

    def test_the_shell_refuses_what_writes(self):
        for text in ("put 'kept', 'r2', 'f:q', 'v'", "drop 'kept'", "disable 'kept'", "create 'other', 'f'",
                     "t = get_table 'kept'; t.put 'r2', 'f:q', 'v'", "deleteall 'kept', 'r'", "incr 'kept', 'r', 'f:c'",
                     "balance_switch false", "truncate 'kept'", "alter 'kept', 'g'", "disable_all '.*'", "append 'kept', 'r', 'f:q', 'v'",
                     "snapshot 'kept', 's'", "create_namespace 'n'", "normalize", "split 'kept'", "major_compact 'kept'"):
            self.assertIn("--console-write", self.shell(text), text)
        self.assertIn("1 row(s)", self.shell("count 'kept'"))
        self.assertEqual(self.server.json("/console/v1/cluster")["tables_total"], 1)

    def test_runs_are_refused(self):
        for name in ("run", "run-stop"):
            status, answer = work(self.server, name, {})
            self.assertEqual(status, 403)
            self.assertIn("--console-write", answer["error"])

    def test_simulations_are_not(self):
        status, answer = work(self.server, "simulate", {"records": "id=sequence()", "rows": 1000, "designs": [
            {"name": "A", "expression": "pad(id, 8)"}]})
        self.assertEqual((status, answer["designs"][0]["records"]), (200, 1000))

    def test_sessions_keep_variables_apart(self):
        self.shell("t = get_table 'kept'", "one")
        self.assertIn("1 row(s)", self.shell("t.count", "one"))
        self.assertIn("undefined local variable", self.shell("t.count", "two"))

    def test_an_open_command_goes_on(self):
        answer = work(self.server, "shell", {"session": "open", "text": "scan 'kept', {\n"})[1]
        self.assertEqual((answer["incomplete"], answer["output"]), (True, ""))
        self.assertRegex(answer["prompt"], "hbase:002:1\\* ")

    def test_a_long_answer_ends(self):
        puts = "".join(f"put 'wide', 'row{row:05d}', 'f:q', '{'x' * 2000}'\n" for row in range(700))
        self.server.shell("create 'wide', 'f'\n" + puts)
        output = self.shell("scan 'wide'")
        self.assertLessEqual(len(output), (1 << 20) + 200)
        self.assertIn("the rest is not shown", output)
        self.assertGreater(len(output), 1 << 19)
        self.server.shell("disable 'wide'\ndrop 'wide'\n")

    def test_completion(self):
        complete = lambda text: work(self.server, "complete", {"text": text})[1]
        self.assertEqual(complete("descr")["insert"], "ibe")
        self.assertEqual(complete("scan 'ke")["insert"], "pt")
        self.assertIn("list_regions", complete("list")["choices"])


class FilesTest(unittest.TestCase):
    def test_no_file_of_the_machine_is_read(self):
        server = Server("--console-write")
        try:
            refused = "reads no files"
            self.assertIn(refused, work(server, "shell", {"session": "s", "text": "create 't', 'f', SPLITS_FILE => '/etc/passwd'\n"})[1]["output"])
            status, answer = work(server, "command", {"command": "create", "arguments": ["t", "f", {"SPLITS_FILE": "/etc/passwd"}]})
            self.assertEqual(status, 400)
            self.assertIn(refused, answer["error"])
            self.assertIn("tables", work(server, "shell", {"session": "s", "text": "disable_all 'x.*'\n"})[1]["output"])
        finally:
            server.stop()


class PagesTest(harness.BrowserTest):
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

    def no_rule_is_broken(self):
        errors = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"
                  and "/console/v1/" not in entry["message"]]
        self.assertEqual(errors, [])

    def test_the_shell(self):
        self.page("shell.html")
        line = self.browser.find_element(By.ID, "line")
        self.wait(lambda: self.script("return document.activeElement.id") == "line")
        ready = lambda: not self.script("return document.getElementById('line').readOnly")
        for text, words in (("create 'flights', 'f', SPLITS => ['m']", "Created table flights"),
                            ("put 'flights', '<b>r</b>', 'f:q', 'v'", "Took"), ("scan 'flights'", "value=v"),
                            ("scan 'none'", "ERROR")):
            line.send_keys(text, Keys.ENTER)
            self.wait(lambda: words in self.text("#output").split(text)[-1] and ready())
        self.assertIn("<b>r</b>", self.text("#output"))
        line.send_keys(Keys.ARROW_UP, Keys.ARROW_UP)
        self.assertEqual(line.get_attribute("value"), "scan 'flights'")
        line.clear()
        line.send_keys("descr", Keys.TAB)
        self.wait(lambda: line.get_attribute("value") == "describe")
        line.send_keys(" 'fl", Keys.TAB)
        self.wait(lambda: line.get_attribute("value") == "describe 'flights")
        line.send_keys("'", Keys.ENTER)
        self.wait(lambda: "BLOOMFILTER" in self.text("#output") and ready())
        line.send_keys("scan 'flights', {", Keys.ENTER)
        self.wait(lambda: re.search(r":1\* ?$", self.text("#prompt")))
        line.send_keys("LIMIT => 1}", Keys.ENTER)
        self.wait(lambda: "1 row(s)" in self.text("#output").split("LIMIT")[-1] and ready())
        self.script("document.getElementById('line').value = ''")
        line.send_keys("list_")
        line.send_keys(Keys.TAB)
        self.wait(lambda: "list_regions" in self.text("#choices"))
        self.screenshot("shell")
        self.no_rule_is_broken()

    def test_the_laboratory(self):
        self.page("laboratory.html")
        self.wait(lambda: "the last region has" in self.text("#predicted-A-text"))
        self.script("document.getElementById('rows').value = 6000; document.getElementById('rate').value = 3000;"
                    "document.getElementById('regions').value = 6; document.getElementById('splits').value = 'first'")
        fields = self.browser.find_elements(By.CSS_SELECTOR, "#designs input")
        self.assertEqual(len(fields), 2)
        fields[1].clear()
        fields[1].send_keys("hash_prefix(md5_hex(text(id)), 2) + pad(id, 10)")
        self.browser.find_element(By.CSS_SELECTOR, "#form [type=submit]").click()
        self.wait(lambda: "spread evenly" in self.text("#predicted-B-text"))
        self.screenshot("laboratory-predicted")
        self.browser.find_element(By.ID, "run").click()
        self.wait(lambda: "spread evenly" in self.text("#counted-B-text"))
        self.screenshot("laboratory")
        self.wait(lambda: "Wrote 6,000 of 6,000 rows to lab_A, lab_B" in self.text("#progress"))
        self.assertIn("the last region has", self.text("#counted-A-text"))
        regions = self.server.json("/console/v1/table?table=lab_A")["regions"]
        predicted = self.script("return window.vaquita.simulation.designs[0].writes.regions")
        self.assertEqual([region["start"]["text"] for region in regions], [region["start_key"] for region in predicted])
        self.assertEqual([region["writes"] for region in regions], [region["requests"] for region in predicted],
                         "the prediction was of these very rows")
        self.no_rule_is_broken()

    def test_the_laboratory_takes_a_csv_file(self):
        rows = "id,carrier\n" + "".join(f"{10000 + row},{'AA' if row % 3 else 'WN'}\n" for row in range(900))
        path = os.path.join(self.downloads.name, "flights.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(rows)
        self.page("laboratory.html")
        self.wait(lambda: self.text("#predicted-A-text"))
        self.browser.find_element(By.CSS_SELECTOR, "#source option[value=csv]").click()
        self.browser.find_element(By.ID, "csv-file").send_keys(path)
        self.wait(lambda: "flights.csv: " in self.text("#csv-text") and "fields id,carrier" in self.text("#csv-text"))
        designs = ("id", "carrier + '|' + id", "reverse(id)")
        self.browser.find_element(By.ID, "more").click()
        for field, design in zip(self.browser.find_elements(By.CSS_SELECTOR, "#designs input"), designs):
            field.clear()
            field.send_keys(design)
        self.script("document.getElementById('rate').value = 3000; document.getElementById('regions').value = 3;"
                    "document.getElementById('splits').value = 'design'")
        self.browser.find_element(By.CSS_SELECTOR, "#form [type=submit]").click()
        self.wait(lambda: self.script("return window.vaquita.simulation?.designs.length") == 3)
        self.assertEqual(self.script("return window.vaquita.simulation.designs.map((design) => design.error || design.records)"),
                         [900, 900, 900])
        self.browser.find_element(By.ID, "run").click()
        self.wait(lambda: "Wrote 900 of 900 rows to lab_A, lab_B, lab_C" in self.text("#progress"))
        self.screenshot("laboratory-csv")
        predicted = self.script("return window.vaquita.simulation.designs.map((design) => design.writes.regions.map("
                                "(region) => [region.start_key, region.requests]))")
        for name, regions in zip("ABC", predicted):
            counted = self.server.json(f"/console/v1/table?table=lab_{name}")["regions"]
            self.assertEqual([[region["start"]["text"], region["writes"]] for region in counted], regions, name)
        self.no_rule_is_broken()

    def test_a_csv_file_that_will_not_do_is_told(self):
        self.page("laboratory.html")
        self.wait(lambda: self.text("#predicted-A-text"))
        self.browser.find_element(By.CSS_SELECTOR, "#source option[value=csv]").click()
        simulate = self.browser.find_element(By.CSS_SELECTOR, "#form [type=submit]")
        simulate.click()
        self.wait(lambda: "no CSV rows yet" in self.text("#message"))
        path = os.path.join(self.downloads.name, "large.csv")
        for content, words in ((b"id\n" + b"1\n" * (2 << 20), "at most 4 MB"), (b"id\n\xff\xfe\n", "no UTF-8 text")):
            with open(path, "wb") as file:
                file.write(content)
            self.browser.find_element(By.ID, "csv-file").send_keys(path)
            self.wait(lambda: words in self.text("#message"))
        rows = self.browser.find_element(By.ID, "csv-rows")
        rows.send_keys("id,<b>name</b>\n1,2,3")
        simulate.click()
        self.wait(lambda: "csv:2: 3 values beginning with '1', but the header names 2" in self.text("#message"))

    def test_a_wrong_design_is_told(self):
        self.page("laboratory.html?example=time-stamps")
        self.wait(lambda: self.text("#predicted-A-text"))
        field = self.browser.find_element(By.CSS_SELECTOR, "#designs input")
        field.clear()
        field.send_keys("<img src=x> + nothing")
        self.browser.find_element(By.CSS_SELECTOR, "#form [type=submit]").click()
        self.wait(lambda: self.text("pre.failed"))
        self.assertEqual(self.browser.find_elements(By.TAG_NAME, "img"), [])

    def test_a_run_is_stopped_and_no_other_table_is_replaced(self):
        self.server.shell("create 'lab_mine', 'f'\n")
        run = {"records": "id=sequence()", "rows": 1000000, "rate": 100, "designs": [{"name": "mine", "expression": "pad(id, 8)"}]}
        status, answer = work(self.server, "run", run)
        self.assertEqual(status, 400)
        self.assertIn("did not make it", answer["error"])
        run["designs"][0]["name"] = "endless"
        self.assertEqual(work(self.server, "run", run)[0], 200)
        status, answer = work(self.server, "run", run)
        self.assertEqual(status, 503)
        self.wait(lambda: work(self.server, "run-status", {})[1]["designs"][0]["written"] > 0)
        answer = work(self.server, "run-stop", {})[1]
        self.assertFalse(answer["running"])
        self.assertLess(answer["designs"][0]["written"], 1000000)

    def test_the_workshop(self):
        self.page("workshop.html")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#exercises a")) == 11)
        self.screenshot("workshop")
        for number in range(1, 12):
            self.exercise(number)
        # The last one's table is not there yet, and with it the answer is right.
        said = lambda text: self.wait(lambda: text in self.text("#check-output"))
        self.browser.find_element(By.ID, "check").click()
        said("Not yet: ")
        self.server.shell("create 'copies', 'f', SPLITS => ['1', '2', '3']\n" +
                          "".join(f"put 'copies', '{copy}|flight', 'f:q', 'v'\n" for copy in range(4)) +
                          "".join(f"get 'copies', '{reader % 4}|flight'\n" for reader in range(240)))
        self.browser.find_element(By.ID, "check").click()
        said("Right: exercise 11 is done.")

    def exercise(self, number):
        self.click_through_exercise(number)
        self.no_rule_is_broken()


if __name__ == "__main__":
    harness.main()

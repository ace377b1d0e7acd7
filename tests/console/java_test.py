#!/usr/bin/python3
"""A hotspot and a hashed table are written by the Java client, and the heat map shows what it wrote.

usage: java_test.py VAQUITA COMMAND...    COMMAND --address HOST:PORT runs vaquita.clients.RowWriter
"""

import subprocess
import sys
import tempfile

import harness
from harness import Server

REGIONS = 8
COMMAND = []


class JavaTest(harness.BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.downloads = tempfile.TemporaryDirectory()
        cls.browser = harness.open_browser(cls.downloads.name)
        answer = subprocess.run([*COMMAND, "--address", cls.server.addresses["zookeeper"]], text=True, check=True, timeout=240,
                                stdout=subprocess.PIPE)
        cls.rows = int(answer.stdout.split()[-1])

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.downloads.cleanup()
        cls.server.stop()

    def by_region(self, table, metric):
        picture = self.server.json(f"/console/v1/heat?table={table}&metric={metric}&last=300000")
        counts = [0] * len(picture["regions"])
        for column in picture["columns"]:
            for row, count in zip(column["cells"][::2], column["cells"][1::2]):
                counts[picture["rows"][row]["region"]] += count
        return counts

    def test_every_request_is_counted_where_it_went(self):
        self.wait(lambda: sum(self.by_region("java_hashed", "reads")) == self.rows // 10)
        self.assertEqual(self.by_region("java_rising", "writes"), [0] * (REGIONS - 1) + [self.rows])
        hashed = self.by_region("java_hashed", "writes")
        self.assertEqual(sum(hashed), self.rows)
        self.assertLess(max(hashed), 1.2 * self.rows / REGIONS)
        self.assertEqual(sum(self.by_region("java_rising", "reads")), 0)

    def test_the_map_shows_it(self):
        for table, words in (("java_rising", "The last of 8 regions takes all writes (8.00 x an even share): keys rise with time"),
                             ("java_hashed", "The writes are spread evenly")):
            self.page(f"?table={table}")
            self.browser.find_element("css selector", "#span [value='300000']").click()
            self.wait(lambda: words in self.text("#findings"))
            self.browser.find_element("id", "pause").click()
            self.compare_pixels(cells=8)
            self.screenshot(f"heat-{table.replace('_', '-')}")


if __name__ == "__main__":
    COMMAND = sys.argv[2:]
    harness.main(sys.argv[1:2])

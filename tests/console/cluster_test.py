#!/usr/bin/python3
"""The console of a cluster's master in Chromium: a master and three region servers, a move, a kill, and the balancer.

usage: cluster_test.py VAQUITA [--screenshots FOLDER]
"""

import os
import re
import tempfile
import unittest

from selenium.webdriver.common.by import By

import harness
from harness import Process, get_json, info_address, post

SERVERS = 3


class ClusterPagesTest(harness.BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        data = os.path.join(cls.folder.name, "data")
        cls.server = Process(cls.folder.name, "master", "master", "--data", data, "--console-write")
        cls.server.url = f"http://{info_address(cls.server)}"
        cls.others = [Process(cls.folder.name, f"server{number}", "regionserver", "--data", data)
                      for number in range(SERVERS)]
        cls.browser = harness.open_browser(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        for process in [*cls.others, cls.server]:
            process.process.kill()
            process.process.wait()
        cls.folder.cleanup()

    def json(self, path):
        return get_json(f"{self.server.url}/console/v1/{path}")

    def setUp(self):
        self.wait(lambda: len(self.json("servers")["servers"]) == SERVERS)

    def command(self, name, *arguments):
        token = self.json("session")["token"]
        status, answer = post(f"{self.server.url}/console/v1/command", {"command": name, "arguments": arguments},
                              X_Vaquita_Token=token)
        self.assertEqual(status, 200, answer)

    def regions_of(self, table):
        return self.json(f"table?table={table}")["regions"]

    def create(self, table, splits):
        self.command("create", table, {"NAME": "f"}, {"SPLITS": list(splits)})
        self.wait(lambda: all(region["state"] == "OPEN" for region in self.regions_of(table)))

    def test_1_the_balancers_exercise(self):
        counts = {}

        def count(step):
            # The page says how many of the table's regions each server has.
            rows = re.findall(r": ([0-9]+) of ws8_flights", self.text(f"#steps section:nth-of-type({step})"))
            counts[step] = sorted(int(row) for row in rows)
            self.screenshot(f"workshop-8-step-{step}")

        self.click_through_exercise(8, count)
        self.assertEqual(counts, {1: [4, 4, 4], 2: [0, 0, 12], 3: [4, 4, 4]})

    def test_2_colours_by_server(self):
        self.create("colours", "bcdef")
        puts = "".join(f"put 'colours', '{key}{number}', 'f:q', 'v'\n" for key in "abcdef" for number in range(30))
        # A picture has some time to show.
        for _ in range(40 if harness.ARGUMENTS.screenshots else 1):
            self.server.shell(puts)
        self.page("?table=colours")
        servers = lambda: self.script("const p = window.vaquita.picture;"
                                      "return p ? new Set(p.regions.map((region) => region.server)).size : 0")
        self.wait(lambda: servers() == SERVERS)
        self.browser.find_element(By.ID, "pause").click()
        self.browser.find_element(By.CSS_SELECTOR, "#colors [value=server]").click()
        legend = [item.text for item in self.browser.find_elements(By.CSS_SELECTOR, "#servers-of li")]
        self.assertEqual([text[0] for text in legend], ["A", "B", "C"])
        found = self.browser.execute_async_script("""
            const done = arguments[0];
            import("/console/server_colors.js").then((colors) => {
              const {picture} = window.vaquita, canvas = document.getElementById("heat");
              const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
              const wanted = colors.rowColors(picture), wrong = [];
              let cells = 0;
              for (const column of picture.columns) {
                const x = (column.start - Math.ceil(picture.from / picture.column_ms) * picture.column_ms) / picture.column_ms;
                for (let at = 0; at < column.cells.length; at += 2) {
                  const row = column.cells[at], place = 4 * (row * canvas.width + x);
                  ++cells;
                  // A canvas keeps colours multiplied by their opacity, which rounds them.
                  if ([0, 1, 2].some((channel) => Math.abs(data[place + channel] - wanted[row][channel]) > 3)) wrong.push([row, x]);
                  if (data[place + 3] < 90) wrong.push(["pale", row, x]);
                }
              }
              const strip = [...document.querySelectorAll("#keys .letter-of")].map((text) => text.textContent);
              const ofServers = new Map(picture.rows.map((row, at) => [picture.regions[row.region].server, wanted[at]]));
              done({wrong: wrong.slice(0, 5), cells, strip, used: [...ofServers.values()], colors: colors.COLORS});
            }).catch((error) => done({wrong: String(error)}));""")
        self.assertEqual(found["wrong"], [])
        self.assertGreaterEqual(found["cells"], 6)
        self.assertEqual(set(found["strip"]), {"A", "B", "C"}, "each server's letter stands beside its rows")
        self.assertEqual(len({tuple(color) for color in found["used"]}), SERVERS)
        for at, one in enumerate(found["colors"]):
            for other in found["colors"][at + 1:]:
                self.assertGreater(without_red_and_green(one, other), 60, f"{one} and {other} are told apart")
        self.screenshot("heat-servers")

    def test_3_a_move_and_a_kill_are_seen(self):
        self.command("balance_switch", False)
        self.create("moved", "bcd")
        self.server.shell("".join(f"put 'moved', '{key}', 'f:q', 'v'\n" for key in "abcd"))
        self.page("servers.html")
        boxes = lambda: {section.find_element(By.TAG_NAME, "h3").text: len(section.find_elements(By.CSS_SELECTOR, ".boxes a"))
                         for section in self.browser.find_elements(By.CSS_SELECTOR, ".server:not(.dead)")}
        self.wait(lambda: self.script("return document.querySelectorAll('.server').length") == SERVERS)
        region = self.regions_of("moved")[0]
        to = next(server["name"] for server in self.json("servers")["servers"] if server["name"] != region["server"])
        events = lambda: self.json("events?table=moved")["events"]
        seen = lambda kind, server: any(event["kind"] == kind and event["server"] == server for event in events())
        short = lambda server: ":".join(server.split(",")[:2])
        boxed = lambda server, css: self.script(f"""return [...document.querySelectorAll('.server')].some((server) =>
            server.querySelector('h3').textContent === '{short(server)}' &&
            server.querySelector("{css}[href$='{region['name']}']"))""")
        # A server's events and the page see what is there now and then, so the move waits until both have seen the region.
        self.wait(lambda: seen("open", region["server"]) and boxed(region["server"], "a"))
        self.command("move", region["name"], to)
        self.wait(lambda: boxed(to, "a.moved"))
        self.screenshot("servers-move")
        self.wait(lambda: seen("close", region["server"]) and seen("open", to))

        victim = next(process for process in self.others if process.addresses["server_name"] == to)
        victim.process.kill()
        self.wait(lambda: short(to) in self.text(".server.dead"))
        self.screenshot("servers-kill")
        self.wait(lambda: len(boxes()) == SERVERS - 1 and short(to) not in boxes())
        self.wait(lambda: all(one["state"] == "OPEN" and one["server"] != to for one in self.regions_of("moved")))
        self.wait(lambda: "the others have its regions" in self.text(".server.dead"))
        self.wait(lambda: any(event["kind"] == "server" and "is gone" in event["text"] for event in events()))
        self.server.shell("".join(f"put 'moved', '{key}2', 'f:q', 'v'\n" for key in "abcd"))
        self.page("?table=moved")
        self.wait(lambda: {"X", "O", "!"} <= set(self.script("return document.querySelector('#marks').textContent")))
        self.screenshot("heat-move-and-kill")


def without_red_and_green(one, other):
    """Returns how far two colours are apart for the commonest kinds of colour blindness, the lesser of both.

    Source: Machado, Oliveira and Fernandes (2009), severity 1, in linear light.
    """
    kinds = (((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
             ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)))

    def seen(color, matrix):
        linear = [(channel / 255) ** 2.2 for channel in color]
        mixed = [max(0, min(1, sum(part * value for part, value in zip(row, linear)))) for row in matrix]
        return [255 * value ** (1 / 2.2) for value in mixed]

    return min(sum((a - b) ** 2 for a, b in zip(seen(one, kind), seen(other, kind))) ** 0.5 for kind in kinds)


if __name__ == "__main__":
    harness.main()

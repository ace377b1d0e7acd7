"""Servers, a browser and requests for the tests of the console."""

import argparse
import json
import os
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ARGUMENTS = None


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


def info_address(process):
    return next(value for name, value in process.addresses.items() if "info" in name)


def post(url, body, **headers):
    """Returns the status and the answer of a POST with the fields that are given; None leaves one out."""
    fields = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST",
                                     headers={name: value for name, value in fields.items() if value is not None})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        return error.code, json.loads(text) if text.startswith("{") else text


def open_browser(downloads):
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,720"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": downloads})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_script_timeout(30)
    set_view(browser, 1280, 720)
    return browser


def set_view(browser, width, height):
    """Gives the page exactly this size: a window has a frame, and is not as narrow as a phone."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


class BrowserTest(unittest.TestCase):
    """A test class sets `server` and `browser`."""

    server = None
    browser = None

    def wait(self, condition):
        WebDriverWait(self.browser, 60, poll_frequency=0.05).until(lambda _: condition())

    def script(self, text):
        return self.browser.execute_script(text)

    def click_link(self, text):
        """Finds the link and clicks it in one step, because the page may draw it anew at any moment."""
        self.wait(lambda: self.browser.execute_script("""
            const link = [...document.links].find(link => link.innerText === arguments[0]);
            if (link) link.click();
            return Boolean(link);""", text))

    def page(self, path):
        self.browser.get(f"{self.server.url}/console/{path}")

    def text(self, selector):
        return self.script(f"const e = document.querySelector('{selector}'); return e ? e.innerText : ''")

    def compare_pixels(self, cells=20):
        """Every pixel has the colour of its count, and the background where nothing was counted; there are more cells."""
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
        self.assertGreater(wrong["cells"], cells)

    def click_through_exercise(self, number, after_step=lambda step: None):
        """Does every step of an exercise of the workshop, and answers every question with the first answer.

        Calls `after_step` with the number of each step, from 1, when it was done.
        """
        self.page(f"workshop.html?exercise={number}")
        step = 0
        while True:
            self.wait(lambda: self.script("return document.querySelector('#end') !== null ||"
                                          "document.querySelector('.go:enabled') !== null ||"
                                          "document.querySelector('.ask button:enabled') !== null"))
            self.assertEqual(self.text("#message"), "", f"exercise {number}")
            if self.browser.find_elements(By.ID, "end"):
                break
            answers = self.browser.find_elements(By.CSS_SELECTOR, ".ask button:enabled")
            if answers:
                self.screenshot(f"workshop-{number}")
                answers[0].click()
                continue
            steps = lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".step"))
            before = steps()
            self.browser.find_element(By.CSS_SELECTOR, ".go:enabled").click()
            # A step may be done before it is looked at: its end is the next step, a question, or the exercise's end.
            self.wait(lambda: steps() > before or self.text("#message") or self.browser.find_elements(By.ID, "end")
                      or self.browser.find_elements(By.CSS_SELECTOR, ".ask button:enabled"))
            step += 1
            after_step(step)
        self.assertNotIn("ERROR", self.text("#steps"), f"exercise {number}")

    def screenshot(self, name):
        """Takes a picture in light and, as NAME-dark, in dark."""
        if not ARGUMENTS.screenshots:
            return
        for theme, suffix in (("dark", "-dark"), ("light", "")):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": theme}]})
            self.browser.save_screenshot(os.path.join(ARGUMENTS.screenshots, f"{name}{suffix}.png"))


def main(arguments=None):
    """Runs the tests of the main module; `arguments` are the command's, unless told otherwise."""
    global ARGUMENTS
    parser = argparse.ArgumentParser()
    parser.add_argument("vaquita")
    parser.add_argument("--screenshots", help="a folder for pictures of the pages")
    ARGUMENTS, rest = parser.parse_known_args(arguments)
    unittest.main(argv=["console", *rest], verbosity=2)


class Server(Process):
    """A standalone server with its data in a folder of its own."""

    def __init__(self, *arguments):
        self.folder = tempfile.TemporaryDirectory()
        super().__init__(self.folder.name, "standalone", "standalone", "--ephemeral", *arguments)
        self.url = f"http://{self.addresses['region_server_info']}"

    def json(self, path):
        return get_json(self.url + path)

    def stop(self):
        super().stop()
        self.folder.cleanup()

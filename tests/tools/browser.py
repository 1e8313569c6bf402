# SPDX-License-Identifier: Apache-2.0
# Drives a headless Chromium by its debugging protocol over pipes: pages from files, mouse, keyboard, screenshots; and gathers what it
# complains about and what it asks the network for.
import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

KEYS = {"Enter": 13, "Escape": 27, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "F3": 114, "Backspace": 8,
        "Tab": 9}
CONTROL, SHIFT = 2, 8


class Browser:
    def __init__(self, width=1220, height=800):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            print("no chromium on this machine")
            sys.exit(77)
        self.profile = tempfile.mkdtemp(prefix="browser.", dir=".")
        # The browser reads from descriptor 3 and writes to 4: the pipes must not have these numbers themselves.
        to_read, self.to_write, self.from_read, from_write = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)
                                                              for end in os.pipe() + os.pipe()]

        def place():
            os.dup2(to_read, 3)
            os.dup2(from_write, 4)
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1",
             "--user-data-dir=" + os.path.abspath(self.profile), "--window-size=%d,%d" % (width, height), "--remote-debugging-pipe"],
            preexec_fn=place, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.from_read, 1 << 20)
            if not piece:
                raise OSError("the browser has ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to_write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def open(self, path, link=""):
        """Loads a file; `link` is what follows its name."""
        self.events = [event for event in self.events if event.get("method") != "Page.loadEventFired"]
        self.call("Page.navigate", url="about:blank")
        self.wait("Page.loadEventFired")
        self.events = [event for event in self.events if event.get("method") != "Page.loadEventFired"]
        self.call("Page.navigate", url="file://" + os.path.abspath(path) + link)
        self.wait("Page.loadEventFired")

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError("%s: %s" % (expression, result["exceptionDetails"]))
        return result["result"].get("value")

    def until(self, expression, wanted=True, seconds=10):
        """Waits until an expression has a value; returns the last one it had."""
        end = time.monotonic() + seconds
        while True:
            value = self.js(expression)
            if value == wanted or time.monotonic() > end:
                return value
            time.sleep(0.02)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind="", **features):
        """media("print"), media(prefers_color_scheme="dark")."""
        self.call("Emulation.setEmulatedMedia", media=kind,
                  features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def mouse(self, what, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=what, x=x, y=y, **more)

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y):
        self.move(x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def drag(self, x, y, to_x, to_y):
        self.move(x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseMoved", to_x, to_y, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)

    def key(self, key, modifiers=0):
        parameters = {"key": key, "modifiers": modifiers, "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper())), "code": key}
        text = "\r" if key == "Enter" else key if len(key) == 1 and not modifiers & CONTROL else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path):
        with open(path, "wb") as stream:
            stream.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def nameless(self):
        """What a screen reader meets that has no name: the page, and all that can be used."""
        roles = ("RootWebArea", "SvgRoot", "application", "button", "checkbox", "combobox", "columnheader", "link", "searchbox", "table", "textbox")
        nodes = [(node.get("role", {}).get("value"), node.get("name", {}).get("value")) for node in self.call("Accessibility.getFullAXTree")["nodes"]]
        return [role for role, name in nodes if role in roles and not (name or "").strip()]

    def complaints(self):
        """Errors on the console, exceptions, requests to anything but files and what is inside the page."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"]))
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(json.dumps(parameters["args"]))
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "data:", "blob:", "about:")):
                    found.append("asks for " + url)
        return found

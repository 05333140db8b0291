"""The files that CHANNELS_GRAPH, CHANNELS_TRACE and CHANNELS_STATS name: whole, or as they were."""

import json
import os
import resource
import signal
import stat
import subprocess
import threading
import time
import unittest

from observed import PROGRAM, ObservedTest

SETTINGS = {"GRAPH": "{}", "TRACE": "{}", "STATS": "json:{}"}


class OutputFiles(ObservedTest):
    def each(self, name):
        """Each setting with a file of its own, which the program `fib` writes."""
        for setting, value in SETTINGS.items():
            path = self.path(f"{name}.{setting}")
            yield setting, path, value.format(path)

    def check_whole(self, setting, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if setting == "GRAPH":
            self.assertTrue(text.startswith("digraph") and text.endswith("}\n"), text[-80:])
        else:
            json.loads(text)

    def put(self, path, text="old\n"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def text(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def nothing_else_is_left(self, *paths):
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(os.path.basename(p) for p in paths))

    def test_keep_their_mode_and_leave_nothing_beside_them(self):
        written = []
        for setting, path, value in self.each("mode"):
            written.append(path)
            self.put(path)
            os.chmod(path, 0o640)
            self.run_program("fib", 10, **{setting: value})
            self.check_whole(setting, path)
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)
        self.nothing_else_is_left(*written)

    def test_behind_a_symbolic_link_are_written_to_and_the_link_stays(self):
        for setting, path, value in self.each("link"):
            target = self.path(f"target.{setting}")
            self.put(target, "old " * 100_000)
            inode = os.stat(target).st_ino
            os.symlink(target, path)
            self.run_program("fib", 10, **{setting: value})
            self.assertTrue(os.path.islink(path))
            self.check_whole(setting, target)
            self.assertEqual(os.stat(target).st_ino, inode)

    def test_may_be_devices_which_stay_devices(self):
        for setting, value in SETTINGS.items():
            null = self.path(f"null.{setting}")
            try:
                os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
                open(null, "wb").close()
            except OSError as error:
                self.skipTest(f"no devices can be made here: {error}")
            self.run_program("fib", 10, **{setting: value.format(null)})
            self.assertTrue(stat.S_ISCHR(os.stat(null).st_mode))

    def test_tell_of_a_full_device(self):
        for setting, value in SETTINGS.items():
            done = self.run_program("fib", 10, **{setting: value.format("/dev/full")})
            self.assertIn(f"CHANNELS_{setting}=/dev/full: cannot write that file: No space left on device", done.stderr)

    def test_of_which_there_is_no_room_are_as_they_were(self):
        kept = []
        for setting, path, value in self.each("large"):
            kept.append(path)
            for link in (False, True):
                self.put(path)
                if link:
                    kept.append(path + ".target")
                    os.rename(path, path + ".target")
                    os.symlink(path + ".target", path)
                # A limit in the place of a full disk: the signal of the limit must not end the program either.
                done = subprocess.run(
                    [PROGRAM, "fib", "10"], env=self.environment(**{setting: value}), capture_output=True, text=True,
                    check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"CHANNELS_{setting}={path}: cannot write that file: File too large", done.stderr)
                self.assertEqual(self.text(path), "old\n")
        self.nothing_else_is_left(*kept)

    def test_may_be_pipes(self):
        for setting, path, value in self.each("pipe"):
            os.mkfifo(path)
            texts = []
            reader = threading.Thread(target=lambda path=path, texts=texts: texts.append(self.text(path)))
            reader.start()
            self.run_program("fib", 10, **{setting: value})
            reader.join(timeout=60)
            self.assertTrue(stat.S_ISFIFO(os.stat(path).st_mode))
            copy = self.path("copy")
            self.put(copy, texts[0])
            self.check_whole(setting, copy)

    def test_that_are_pipes_without_a_reader_end_in_a_message(self):
        for setting, path, value in self.each("alone"):
            os.mkfifo(path)
            begin = time.monotonic()
            done = self.run_program("fib", 10, **{setting: value})
            self.assertIn(f"CHANNELS_{setting}={path}: cannot write that file: No such device or address", done.stderr)
            self.assertLess(time.monotonic() - begin, 20)

    def test_may_be_where_the_output_goes(self):
        for setting, value in SETTINGS.items():
            with open(self.path("out"), "w", encoding="utf-8") as output:
                subprocess.run([PROGRAM, "fib", "10"], env=self.environment(**{setting: value.format("/dev/stdout")}),
                               stdout=output, check=True)
            answer, text = self.text(self.path("out")).split("\n", 1)
            if setting == "GRAPH":  # written when the run ends, before the answer
                text, answer = (answer + "\n" + text).rsplit("}\n", 1)
                self.assertTrue(text.startswith("digraph"))
            else:
                json.loads(text)
            self.assertEqual(answer.strip(), "55")


class Signals(ObservedTest):
    def end_by(self, number, what, how_much, **settings):
        files = {name: self.path(name.lower()) for name in SETTINGS}
        for name, path in files.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write("old")
        running = subprocess.Popen(
            [PROGRAM, what, str(how_much)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=self.environment(**{s: SETTINGS[s].format(p) for s, p in files.items()}, **settings))
        time.sleep(0.3)
        for path in files.values():
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "old", "not before there is something to write")
        running.send_signal(number)
        _, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, -number, errors)
        return files, self.read(files["STATS"]), self.read(files["TRACE"])

    def test_leave_what_there_is_of_a_run(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            files, document, trace = self.end_by(number, "slow", 500, CUS=1)
            self.assertEqual(document["error"], f"ended by {number.name}")
            self.assertGreater(document["tasks"], 3)
            self.assertGreater(len(trace["traceEvents"]), 10)
            with open(files["GRAPH"], encoding="utf-8") as file:
                self.assertIn("elements in", file.read())
            self.assertEqual(sorted(os.listdir(self.folder)), sorted(os.path.basename(p) for p in files.values()))

    def test_leave_what_there_is_of_host_code(self):
        _, document, trace = self.end_by(signal.SIGTERM, "host", 60, CUS=2, GIVE="always", TRACE_EVENTS=64)
        self.assertEqual(document["error"], "ended by SIGTERM")
        self.assertGreater(document["host_code"]["given"], 0)
        self.assertGreater(len(trace["traceEvents"]), 10)

    def test_that_are_ignored_stay_ignored(self):
        done = subprocess.run(
            ["sh", "-c", 'trap "" TERM; "$0" slow 20 & sleep 0.1; kill -TERM $!; wait $!; echo $?', PROGRAM],
            env=self.environment(CUS=1, STATS="json:" + self.path("s")), capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split()[-1], "0", done.stderr)
        self.assertNotIn("error", self.read(self.path("s")))


if __name__ == "__main__":
    unittest.main()

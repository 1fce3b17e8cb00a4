"""Compares the results of the job with those of one process of utf8, which is on PATH."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import pyarrow.parquet

import utf8_spark

FOLDER = os.path.dirname(os.path.abspath(__file__))
LOCAL = {"PYSPARK_SUBMIT_ARGS": "--master local[2,4] --conf spark.ui.enabled=false pyspark-shell",
         "PYSPARK_PYTHON": sys.executable}
WORDS = ["a", "é", "語", "😀", " ", "text ", "\n", "\r\n"]
FAULTS = [b"\xff", b"\xc0\xaf", b"\xe2\x82", b"\xed\xa0\x80"]


def text(rng, size, faults, words=WORDS):
    out = bytearray()
    while len(out) < size:
        out += rng.choice(words).encode()
        if rng.random() < faults:
            out += rng.choice(FAULTS)
    return bytes(out[:size])


def utf8(*args, **options):
    return subprocess.run(["utf8", *args], capture_output=True, **options)


class Job(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.input = os.path.join(cls.folder.name, "in put")
        rng = random.Random(1)
        os.makedirs(os.path.join(cls.input, "é"))
        cls.write("dirty", text(rng, 3_000_000, .001))
        cls.write("one line", text(rng, 1_000_000, .0005, WORDS[:6]))
        cls.write("clean", text(rng, 500_000, 0).decode(errors="ignore").encode())
        cls.write("empty", b"")
        cls.write("not compressed.gz", b"text \xff\n")
        for number in range(2000):
            cls.write(f"é/{number}", text(rng, rng.randrange(200), .02))
        files = [os.path.join(folder, name) for folder, _, names in os.walk(cls.input) for name in names]
        cls.files = sorted(files, key=os.fsencode)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def write(cls, name, content):
        with open(os.path.join(cls.input, name), "wb") as file:
            file.write(content)

    def run_job(self, command, *args):
        """Returns the output folder and the exit status."""
        output = os.path.join(self.folder.name, "-".join([command, *args]).replace("/", ""))
        job = [sys.executable, os.path.join(FOLDER, "utf8_spark.py"), command, self.input, output,
               "--range", "200000", "--batch", "100000", *args]
        run = subprocess.run(job, env={**os.environ, **LOCAL}, capture_output=True)
        self.assertLess(run.returncode, 2, run.stderr.decode()[-3000:])
        return output, run.returncode

    def test_reports_and_findings_are_those_of_one_process(self):
        output, status = self.run_job("validate")
        listed = "\0".join(self.files).encode()
        whole = utf8("validate", "--format", "json", "-0", "--files-from", "-", input=listed)
        self.assertEqual(status, whole.returncode)
        with open(os.path.join(output, "report.json"), "rb") as report:
            self.assertEqual(report.read(), whole.stdout)
        rows = map(json.loads, whole.stdout.splitlines())
        fields = ["path", "offset", "kind", "hex", "line", "column_bytes", "column_chars"]
        expected = [[row[field] for field in fields] for row in rows if row["type"] == "finding"]
        found = pyarrow.parquet.read_table(os.path.join(output, "findings")).to_pylist()
        self.assertEqual(sorted(expected), sorted([row[field] for field in fields] for row in found))
        self.assertGreater(len(expected), 1000)
        rows = pyarrow.parquet.read_table(os.path.join(output, "rows")).to_pylist()
        faulty = {row["path"] for row in rows if row["status"] == 1}
        self.assertEqual(faulty, {path for path, *_ in expected})

    def joined(self, output, path):
        """Returns the parts of a file, one behind the other."""
        folder = os.path.join(output, "parts", os.path.relpath(path, self.input))
        joined = b""
        for part in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            with open(os.path.join(folder, part), "rb") as file:
                joined += file.read()
        return joined

    def check_parts(self, output, *command):
        for path in self.files:
            self.assertEqual(self.joined(output, path), utf8(*command, path).stdout, path)

    def test_parts_are_the_whole_conversion(self):
        options = ["-t", "utf-16le", "--on-error", "replace"]
        output, status = self.run_job("convert", "--", *options)
        self.assertEqual(status, 0)
        self.check_parts(output, "decode", *options)

    def test_parts_are_the_whole_repair(self):
        options = ["--newlines", "lf"]
        output, status = self.run_job("repair", "--", *options)
        self.assertEqual(status, 0)
        self.check_parts(output, "repair", *options)

    def test_a_strict_conversion_tells_which_files_are_ill_formed(self):
        output, status = self.run_job("convert", "--", "-t", "utf-32be")
        self.assertEqual(status, 1)
        table = pyarrow.parquet.read_table(os.path.join(output, "rows")).to_pylist()
        faulty = {row["path"] for row in table if row["status"] == 1}
        self.assertEqual(faulty, {path for path in self.files if utf8("validate", "-q", path).returncode})
        for path in self.files:
            whole, joined = utf8("decode", "-t", "utf-32be", path), self.joined(output, path)
            if whole.returncode == 0:
                self.assertEqual(joined, whole.stdout, path)
            else:  # the faulty ranges have no part
                self.assertLess(len(joined), 4 * os.path.getsize(path))

    def test_encodings_are_those_of_one_process(self):
        output, _ = self.run_job("detect")
        rows = pyarrow.parquet.read_table(os.path.join(output, "rows")).to_pylist()
        listed = "\0".join(self.files).encode()
        whole = utf8("detect", "--format", "json", "-0", "--files-from", "-", input=listed)
        answers = lambda lines: {row["path"]: row["encoding"] for row in map(json.loads, lines)}
        self.assertEqual(answers(row["row"] for row in rows), answers(whole.stdout.splitlines()))

    def test_a_missing_file_is_a_row_of_trouble(self):
        system, _ = utf8_spark.file_system(self.input)
        missing = utf8_spark.Piece(os.path.join(self.input, "missing"), 0, 10, 100, "0")
        command = utf8_spark.COMMANDS["validate"]
        (_, start, status, row), = utf8_spark.report_range("utf8", system, missing, command)
        self.assertEqual((start, status, json.loads(row)["type"]), (0, 2, "trouble"))
        (_, _, status, row), = utf8_spark.report_files("utf8", system, [missing], command)
        self.assertEqual((status, json.loads(row)["type"]), (2, "trouble"))

    def test_files_that_change_or_that_the_tool_fails_on_are_rows_of_trouble(self):
        system, _ = utf8_spark.file_system(self.input)
        info = system.get_file_info(os.path.join(self.input, "clean"))
        piece = utf8_spark.Piece(info.path, 0, info.size, info.size, str(info.mtime_ns))
        longer = piece._replace(length=info.size + 1000, size=info.size + 1000)
        command = utf8_spark.COMMANDS["validate"]
        for rows in (utf8_spark.report_range("utf8", system, longer, command),
                     utf8_spark.report_files("utf8", system, [longer], command),
                     utf8_spark.report_range("utf8", system, piece, [*command, "--bogus"]),
                     utf8_spark.report_files("utf8", system, [piece], [*command, "--bogus"])):
            (path, _, status, row), = rows
            self.assertEqual((path, status), (info.path, 2))
            self.assertTrue(json.loads(row)["message"])

    def test_a_range_that_failed_leaves_no_line_to_guess(self):
        spark = utf8_spark.SparkSession.builder.master("local[1]").getOrCreate()
        summary = {"type": "summary", "size": 10, "line_ends": 1, "open_bytes": 0, "open_chars": 0}
        finding = {"type": "finding", "kind": "k", "hex": "FF", "line": 1, "column_bytes": 1, "column_chars": 1}
        rows = []
        for start in (0, 10, 30):  # that of 20 is missing
            rows.append(("p", start, 1, json.dumps({**finding, "offset": start})))
            rows.append(("p", start, 1, json.dumps(summary)))
        report = spark.createDataFrame(rows, utf8_spark.REPORT)
        lines = {row.offset: row.line for row in utf8_spark.locate(report).collect()}
        self.assertEqual(lines, {0: 1, 10: 2, 30: None})
        spark.stop()

    def test_names_of_utf_16_keep_files_whole(self):
        for name in ("utf-16", "UTF-16", "utf16", "gb18030", "utf-7"):
            self.assertFalse(utf8_spark.may_be_cut("utf8", name), name)
        for name in ("utf-8", "UTF-16LE", "latin1"):
            self.assertTrue(utf8_spark.may_be_cut("utf8", name), name)
        with self.assertRaises(utf8_spark.Failure):
            utf8_spark.may_be_cut("utf8", "bogus")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Each rule of tidy.py, broken on purpose in a small tree."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tidy  # noqa: E402

ARCHITECTURE = """# Map
<!-- layers:begin -->
| Folder | May include | Never |
| --- | --- | --- |
| `include/mizan` | `std` | |
| `src/base` | `include/mizan`, `fmt`, `posix` | |
| `src/domain` | `include/mizan`, `src/base` | `<thread>` |
| `prover` | `include/mizan` | |
| `prover/naive` | `include/mizan`, `sqlite3` | |
| `tests/unit` | `everything`, `gtest` | |
<!-- layers:end -->
"""
CLEAN = {
    "VERSION": "1.2.3\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2.3 (unreleased)\n",
    "docs/architecture.md": ARCHITECTURE,
    "include/mizan/money.hpp": "#pragma once\n#include <string>\n",
    "src/base/CMakeLists.txt": "mizan_module(base)\n",
    "src/base/README.md": "# base\n",
    "src/domain/CMakeLists.txt": "mizan_module(domain)\n",
    "src/domain/README.md": "# domain\n",
    "src/domain/decide.cpp": '#include "mizan/money.hpp"\n\n#include <vector>\n\nint x;\n',
    "prover/CMakeLists.txt": "mizan_tool_module(prover)\n",
    "prover/naive/unsafe.cpp": '#include <sqlite3.h>\nconst char* q = "SELECT 1";\n',
    "tests/CMakeLists.txt": "\n",
    "tests/unit/a_test.cpp": '#include <gtest/gtest.h>\nconst char* q = "SELECT 1";\n',
}


class TidyTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.before = os.getcwd()

    def tearDown(self):
        os.chdir(self.before)
        self.directory.cleanup()

    def findings(self, changes=None, executable=()):
        for name, text in {**CLEAN, **(changes or {})}.items():
            path = Path(self.directory.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755 if name in executable else 0o644)
        return tidy.Tidy(self.directory.name).run()

    def assert_found(self, rule, name, line, changes, message="", executable=()):
        found = self.findings(changes, executable)
        self.assertEqual([(n, l, r) for n, l, r, _ in found], [(name, line, rule)], found)
        self.assertIn(message, found[0][3])

    def assert_clean(self, changes):
        self.assertEqual(self.findings(changes), [])

    def in_domain(self, code):
        return {"src/domain/decide.cpp": code}

    def test_a_clean_tree_has_no_findings(self):
        self.assert_clean({})

    def test_a_layer_may_not_reach_sideways(self):
        self.assert_found("layer", "src/base/a.cpp", 2,
                          {"src/base/a.cpp": '\n#include "domain/decide.cpp"\n'},
                          "src/base may not include src/domain")

    def test_a_library_needs_permission(self):
        self.assert_clean({"src/base/a.cpp": "#include <fmt/format.h>\n#include <unistd.h>\n"})
        self.assert_found("layer", "src/domain/decide.cpp", 1,
                          self.in_domain("#include <fmt/format.h>\n"), "may not include fmt")

    def test_public_headers_see_the_standard_library_only(self):
        self.assert_found("layer", "include/mizan/money.hpp", 1,
                          {"include/mizan/money.hpp": "#include <sys/time.h>\n"}, "posix")

    def test_a_forbidden_standard_header(self):
        self.assert_found("layer", "src/domain/decide.cpp", 1,
                          self.in_domain("#include <thread>\n"), "never include <thread>")

    def test_an_unknown_header(self):
        self.assert_found("layer", "src/domain/decide.cpp", 1,
                          self.in_domain("#include <folly/Range.h>\n"), "no known library")

    def test_only_the_naive_programs_of_the_prover_see_the_database(self):
        self.assert_found("layer", "prover/run.cpp", 1,
                          {"prover/run.cpp": "#include <sqlite3.h>\n"}, "sqlite3")

    def test_a_missing_table(self):
        found = self.findings({"docs/architecture.md": "# Map\n"})
        self.assertIn(("docs/architecture.md", 1, "layer", "the layer table is missing"), found)

    def test_banned_calls_name_their_replacement(self):
        for call, word in (("auto t = std::chrono::system_clock::now();", "Clock"),
                           ("int r = rand();", "random"), ("std::random_device d;", "random"),
                           ("auto p = std::getenv(name);", "options"),
                           ("std::this_thread::sleep_for(t);", "condition"),
                           ("usleep(1);", "condition"), ("std::system(c);", "shell")):
            with self.subTest(call):
                self.assert_found("banned", "src/domain/decide.cpp", 1,
                                  self.in_domain(call + "\n"), word)

    def test_ports_and_the_exempt_folders_may_call_them(self):
        self.assert_clean(self.in_domain("auto t = clock.now();\nclock.sleep_until(t);\n"))
        self.assert_clean({"src/base/a.cpp": "auto t = std::chrono::steady_clock::now();\n"})

    def test_comments_and_literals_are_not_code(self):
        self.assert_clean(self.in_domain(
            '// rand()\n/* getenv(x)\n account */\nconst char* s = "rand() \\" account";\n'
            'const char* r = R"x(rand() ")" account)x";\nint n = 1\'000\'000;\n'))

    def test_a_long_function(self):
        body = "  int a;\n" * 59
        self.assert_clean(self.in_domain(f"#define A(x) \\\n  x {{\n\nint f() {{\n{body[:-9]}}}\n"))
        self.assert_found("function-size", "src/domain/decide.cpp", 3,
                          self.in_domain(f"\n\nint f() {{\n{body}}}\n"), "61 lines")

    def test_a_long_class_is_not_a_long_function(self):
        body = "  int f() { return 1; }\n" * 80
        self.assert_clean(self.in_domain(f"template <class T>\nclass A {{\n{body}}};\n"))

    def test_a_long_method_is_found_inside_its_class(self):
        body = "    int a;\n" * 70
        self.assert_found("function-size", "src/domain/decide.cpp", 2,
                          self.in_domain(f"class A {{\n  int f() {{\n{body}  }}\n}};\n"))

    def test_long_files(self):
        self.assert_found("file-size", "src/domain/decide.cpp", 501,
                          self.in_domain("int a;\n" * 501))
        self.assert_clean({**self.in_domain(""), "tests/unit/a_test.cpp": "int a;\n" * 900})

    def test_long_lines(self):
        self.assert_found("column", "src/domain/decide.cpp", 1, self.in_domain("a" * 101 + ";\n"))

    def test_a_second_word_for_a_concept(self):
        for identifier in ("account", "find_account", "AccountId", "begin_txn"):
            with self.subTest(identifier):
                self.assert_found("synonym", "src/domain/decide.cpp", 1,
                                  self.in_domain(f"int {identifier};\n"), identifier)
        self.assert_clean(self.in_domain("int accountable;\n"))

    def test_sql_in_code(self):
        self.assert_found("sql", "src/domain/decide.cpp", 2,
                          self.in_domain('\nauto q = "SELECT 1";\n'))
        self.assert_found("sql", "src/domain/decide.cpp", 1,
                          self.in_domain('auto q = R"(\n  INSERT INTO a)";\n'))
        self.assert_clean(self.in_domain('auto q = "SELECTED";\n'))

    def test_the_form_of_a_todo(self):
        self.assert_found("todo", "src/domain/decide.cpp", 1, self.in_domain("// TODO: more\n"))
        self.assert_found("todo", "src/domain/decide.cpp", 1, self.in_domain("// FIXME(#1)\n"))
        self.assert_clean(self.in_domain("// TODO(#12) more\n"))

    def test_hosts(self):
        self.assert_found("host", "docs/a.md", 1, {"docs/a.md": "https://packages.invalid.net/x\n"})
        self.assert_clean({"docs/a.md": "http://localhost:8080 https://api.example.com/v1\n"})

    def test_trailing_space(self):
        self.assert_found("space", "docs/a.md", 1, {"docs/a.md": "a \n"})

    def test_a_folder_without_a_readme(self):
        self.assert_found("readme", "src/base/CMakeLists.txt", 1, {"src/base/README.md": ""})

    def test_a_long_folder_readme(self):
        self.assert_found("readme", "src/base/README.md", 11, {"src/base/README.md": "a\n" * 11})

    def test_dead_links(self):
        self.assert_found("link", "docs/a.md", 1, {"docs/a.md": "[a](gone.md)\n"})
        self.assert_found("link", "docs/a.md", 1, {"docs/a.md": "see `src/gone/a.cpp`\n"})
        self.assert_clean({"docs/a.md": "[a](architecture.md#map) `src/base/` `src/<x>/a.cpp`\n"})

    def test_the_version_is_the_top_of_the_changelog(self):
        self.assert_found("version", "CHANGELOG.md", 1, {"VERSION": "1.2.4\n"}, "1.2.3")

    def test_executable_bits(self):
        script = {"tools/a.sh": "#!/bin/sh\n"}
        self.assert_found("executable", "tools/a.sh", 1, script)
        self.assertEqual(self.findings(script, executable=("tools/a.sh",)), [])
        self.assert_found("executable", "VERSION", 1, script, executable=("tools/a.sh", "VERSION"))

    def test_blobs(self):
        self.assert_found("blob", "docs/a.txt", 1, {"docs/a.txt": "a\n" * 200_000})

    def test_orphans(self):
        self.assert_found("orphan", "src/domain/dead.hpp", 1, {"src/domain/dead.hpp": "int a;\n"})
        self.assert_found("orphan", "extra/a.cpp", 1,
                          {"extra/a.cpp": "int a;\n", "src/domain/dead.hpp": "",
                           **self.in_domain('#include "domain/dead.hpp"\n')})


if __name__ == "__main__":
    unittest.main()

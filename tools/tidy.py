#!/usr/bin/env python3
"""The rules of the house that no compiler checks; CONTRIBUTING.md explains each rule id.

Prints `file:line: [rule] message` for each finding and exits 1 when there is any. The layer rule
reads its table out of docs/architecture.md, so that the document cannot go stale.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

FILE_LINES_MAX = 500
TEST_FILE_LINES_MAX = 900
APP_FILE_LINES_MAX = 150
FUNCTION_LINES_MAX = 60
COLUMNS_MAX = 100
README_LINES_MAX = 10
BLOB_BYTES_MAX = 256 * 1024
CPP = (".cpp", ".hpp")
COLUMN_CHECKED = CPP + (".py", ".sh", ".sql", ".lua", ".cmake", "CMakeLists.txt")

# Words that would be a second name for one concept (docs/glossary.md); checked in identifiers.
SYNONYMS = {
    "account": "wallet", "accounts": "wallets", "posting": "entry", "postings": "entries",
    "txn": "transaction", "txns": "transactions", "trx": "transaction",
    "payment": "operation", "payments": "operations", "reservation": "hold",
}
# What may be named in the second column of the layer table besides folders -> its headers.
LIBRARIES = {
    "fmt": r"fmt/", "sodium": r"sodium(\.h|/)", "sqlite3": r"sqlite3\.h", "libpq": r"libpq-fe\.h",
    "libmariadb": r"(mysql|errmsg|ma_pvio|mysqld_error)\.h",
    "CLI11": r"CLI/", "nlohmann_json": r"nlohmann/", "gtest": r"g(test|mock)/",
    "rapidcheck": r"rapidcheck(\.h|/)", "hiredis": r"hiredis/", "openssl": r"openssl/",
    "libcurl": r"curl/", "boost": r"boost/",
    "posix": r"([a-z0-9_]+|(sys|netinet|arpa|linux)/[a-z0-9_]+)\.h",
}
STANDARD = re.compile(r"[a-z0-9_]+")
BANNED_EXEMPT = ("src/base/", "apps/", "prover/", "bench/", "tests/")
BANNED = [
    (r"\b(system|steady|high_resolution)_clock\s*::\s*now\s*\(", "take a mizan::Clock&"),
    (r"\b(gettimeofday|clock_gettime)\s*\(|\bstd::time\s*\(", "take a mizan::Clock&"),
    (r"\bs?rand\s*\(|\brandom_device\b", "take the random source of src/base"),
    (r"\b(secure_)?getenv\s*\(", "pass an options struct; apps/ reads the environment"),
    (r"\bthis_thread\s*::\s*sleep_\w+|(?<![\w:.>])u?sleep\s*\(",
     "wait on a condition with a deadline, or use the Clock's sleep"),
    (r"(?<![\w:.>])(std::)?system\s*\(", "use no shell"),
]
SQL_EXEMPT = ("prover/naive/", "prover/servers/", "bench/baseline/", "tests/", "examples/")
SQL_TEXT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA)\s")
NAMING_FREE = ("prover/naive/",)
# Any other host is either a place to fetch from or a link that will rot.
HOST = re.compile(r"\bhttps?://([A-Za-z0-9.-]+)")
HOSTS_ALLOWED = re.compile(
    r"(localhost|127\.0\.0\.1|0\.0\.0\.0|([a-z0-9-]+\.)*(example|test|invalid|example\.(com|org))"
    r"|www\.apache\.org|www\.rfc-editor\.org|www\.sqlite\.org|spec\.openapis\.org"
    r"|json-schema\.org|semver\.org)\.?")
DOC_PATH = re.compile(
    r"`((?:include|src|apps|prover|bench|tests|examples|cmake|tools|docs)/[\w./-]+)`")
DOC_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


class Source:
    """A C++ file with comments and literals taken apart (line numbers are kept)."""

    TOKEN = re.compile(
        r'//[^\n]*|/\*.*?\*/|(?:u8|[uUL])?R"(?P<d>[^()\s\\]{0,16})\(.*?\)(?P=d)"'
        r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'', re.S)

    def __init__(self, text):
        self.literals = []  # (line, text after its opening)
        pieces, end = [], 0
        for match in self.TOKEN.finditer(text):
            token = match.group()
            pieces.append(text[end:match.start()])
            end = match.end()
            blank = "\n" * token.count("\n")
            if token.startswith("/"):
                pieces.append(blank or " ")
                continue
            if self._is_include(text, match.start()):
                pieces.append(token)
                continue
            line = text.count("\n", 0, match.start()) + 1
            opening = "(" if 'R"' in token[:4] else token[-1]
            self.literals.append((line, token[token.index(opening) + 1:]))
            pieces.append('""' + blank)
        pieces.append(text[end:])
        self.code = "".join(pieces)

    @staticmethod
    def _is_include(text, position):
        start = text.rfind("\n", 0, position) + 1
        return re.match(r"\s*#\s*include\b", text[start:position]) is not None


class Layers:
    """The table between the markers of docs/architecture.md: what each folder may include."""

    def __init__(self, text):
        self.rows = {}  # folder -> (set of allowed names, set of forbidden headers)
        table = re.search(r"<!-- layers:begin -->(.*?)<!-- layers:end -->", text, re.S)
        for line in (table.group(1) if table else "").splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) < 3 or not cells[0].startswith("`"):
                continue
            allowed = {word.strip(" `") for word in cells[1].split(",")}
            never = set(re.findall(r"`<([^>]+)>`", cells[2]))
            for folder in cells[0].split(","):
                self.rows[folder.strip(" `")] = (allowed, never)

    def folder_of(self, path):
        parts = path.split("/")
        for count in range(len(parts) - 1, 0, -1):
            folder = "/".join(parts[:count])
            if folder in self.rows:
                return folder
        return None

    def target_of(self, name, path):
        """What an include names: a folder of the table, a library, `std`, or None."""
        for candidate in (f"include/{name}", f"src/{name}", name):
            if "/" in name and (folder := self.folder_of(candidate)):
                return folder
        if "/" not in name and Path(path).parent.joinpath(name).exists():
            return self.folder_of(path)
        for library, pattern in LIBRARIES.items():
            if library != "posix" and re.match(pattern, name):
                return library
        if STANDARD.fullmatch(name):
            return "std"
        return "posix" if re.fullmatch(LIBRARIES["posix"], name) else None

    def problem(self, path, name):
        folder = self.folder_of(path)
        if folder is None:
            return f"{path} is in no folder of the layer table of docs/architecture.md"
        allowed, never = self.rows[folder]
        target = self.target_of(name, path)
        if name in never:
            return f"{folder} must never include <{name}>"
        if target is None:
            return f"no known library or file of the project: {name}"
        if target in ("std", folder) or target in allowed or "everything" in allowed:
            return None
        # A subfolder with a row of its own still belongs to its parent.
        if folder.startswith(target + "/") or target.startswith(folder + "/"):
            return None
        return f"{folder} may not include {target} (allowed: {', '.join(sorted(allowed))})"


TYPE_HEAD = re.compile(r"(^|[>\s])(namespace|class|struct|enum|union)\s[^()]*$")


def functions(code):
    """Yields (first line, last line) of each outermost function body."""
    stack, header, line, header_line = [], "", 1, 1
    directive = re.compile(r"(?m)^[ \t]*#(?:\\\n|[^\n])*")
    for char in directive.sub(lambda match: "\n" * match.group().count("\n"), code):
        if char == "{":
            head = header.strip()
            is_function = "(" in head and not TYPE_HEAD.search(head)
            inside = any(kind for kind, _ in stack)
            stack.append((is_function and not inside, header_line))
            header = ""
        elif char == "}":
            if stack:
                is_function, first = stack.pop()
                if is_function:
                    yield first, line
            header = ""
        elif char == ";":
            header = ""
        else:
            if not header.strip():
                header_line = line
            header += char
        if char == "\n":
            line += 1


class Tidy:
    def __init__(self, root):
        self.root = Path(root)
        self.findings = []
        self.files = self._list_files()
        self.texts = {}
        for name in self.files:
            data = (self.root / name).read_bytes()
            if len(data) > BLOB_BYTES_MAX:
                self.report(name, 1, "blob", f"{len(data)} bytes, limit {BLOB_BYTES_MAX}")
            elif b"\0" not in data:
                self.texts[name] = data.decode("utf-8", errors="replace")
        self.layers = Layers(self.texts.get("docs/architecture.md", ""))

    def report(self, name, line, rule, message):
        self.findings.append((name, line, rule, message))

    def _list_files(self):
        command = ["git", "-C", str(self.root), "ls-files", "-z", "-co", "--exclude-standard"]
        listed = subprocess.run(command, capture_output=True, check=False)
        if listed.returncode == 0:
            names = listed.stdout.decode().split("\0")
        else:
            found = (str(path.relative_to(self.root)) for path in self.root.rglob("*"))
            names = [name for name in found if not name.startswith((".git/", "build/"))]
        return sorted({n for n in names if n and (self.root / n).is_file()})

    def run(self):
        os.chdir(self.root)
        for name, text in self.texts.items():
            self.check_text(name, text)
            if name.endswith(CPP):
                self.check_cpp(name, text)
            if name == "README.md" or (name.startswith("docs/") and name.endswith(".md")):
                self.check_links(name, text)
        self.check_folders()
        self.check_orphans()
        self.check_version()
        return sorted(set(self.findings))

    def check_text(self, name, text):
        lines = text.splitlines()
        if name != "LICENSE":
            self.check_lines(name, lines)
        first = lines[0] if lines else ""
        executable = os.access(name, os.X_OK)
        if executable != first.startswith("#!"):
            what = "has no #! line but is" if executable else "starts with #! but is not"
            self.report(name, 1, "executable", f"{what} executable")

    def check_lines(self, name, lines):
        own = name in ("tools/tidy.py", "tools/tidy_test.py")
        for number, line in enumerate(lines, 1):
            if line != line.rstrip():
                self.report(name, number, "space", "trailing white space")
            if name.endswith(COLUMN_CHECKED) and len(line) > COLUMNS_MAX:
                self.report(name, number, "column", f"{len(line)} columns, limit {COLUMNS_MAX}")
            if own:
                continue
            if re.search(r"\bTODO\b(?!\(#\d+\))", line) or re.search(r"\bFIXME\b", line):
                self.report(name, number, "todo", "write TODO(#123) with an issue's number")
            for host in [] if name.endswith("package-lock.json") else HOST.findall(line):
                if not HOSTS_ALLOWED.fullmatch(host):
                    self.report(name, number, "host",
                                f"{host}: cite by name, or argue for it in HOSTS_ALLOWED")

    def check_cpp(self, name, text):
        source = Source(text)
        lines = source.code.splitlines()
        self.check_sizes(name, source, len(lines))
        for number, line in enumerate(lines, 1):
            self.check_code_line(name, number, line)
        if name.endswith(".cpp") and not name.startswith(SQL_EXEMPT):
            for number, literal in source.literals:
                if SQL_TEXT.match(literal):
                    self.report(name, number, "sql", "SQL belongs in a .sql file of the store")

    def check_sizes(self, name, source, count):
        limit = FILE_LINES_MAX
        if name.startswith("tests/"):
            limit = TEST_FILE_LINES_MAX
        elif name.startswith("apps/"):
            limit = APP_FILE_LINES_MAX
        if count > limit:
            self.report(name, count, "file-size", f"{count} lines, limit {limit}")
        for first, last in functions(source.code):
            if last - first + 1 > FUNCTION_LINES_MAX:
                size = last - first + 1
                self.report(name, first, "function-size",
                            f"{size} lines, limit {FUNCTION_LINES_MAX}")

    def check_code_line(self, name, number, line):
        include = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if include:
            if problem := self.layers.problem(name, include.group(1)):
                self.report(name, number, "layer", problem)
            return
        if not name.startswith(BANNED_EXEMPT):
            for pattern, instead in BANNED:
                if found := re.search(pattern, line):
                    self.report(name, number, "banned", f"{found.group().strip()}: {instead}")
        if name.startswith(("include/", "src/", "prover/", "bench/", "apps/")) and not (
                name.startswith(NAMING_FREE)):
            for identifier in re.findall(r"[A-Za-z_]\w*", line):
                for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier):
                    if better := SYNONYMS.get(word.lower()):
                        self.report(name, number, "synonym",
                                    f"{identifier}: the word is '{better}'")

    def check_links(self, name, text):
        folder = Path(name).parent
        for number, line in enumerate(text.splitlines(), 1):
            for target in DOC_LINK.findall(line):
                if "://" not in target and not (folder / target).exists():
                    self.report(name, number, "link", f"{target} does not exist")
            for path in DOC_PATH.findall(line):
                if "NNNN" not in path and not Path(path.rstrip("/")).exists():
                    self.report(name, number, "link", f"{path} does not exist")

    def check_folders(self):
        for name in self.files:
            folder, _, file = name.rpartition("/")
            if file != "CMakeLists.txt" or not folder.startswith("src/"):
                continue
            readme = f"{folder}/README.md"
            count = len(self.texts.get(readme, "").splitlines())
            if count == 0:
                self.report(name, 1, "readme", f"{readme} is missing")
            elif count > README_LINES_MAX:
                self.report(readme, count, "readme", f"{count} lines, limit {README_LINES_MAX}")
        for folder in self.layers.rows:
            if not Path(folder).is_dir():
                self.report("docs/architecture.md", 1, "layer", f"{folder}/ does not exist")
        if not self.layers.rows:
            self.report("docs/architecture.md", 1, "layer", "the layer table is missing")

    def check_orphans(self):
        included = set()
        for name, text in self.texts.items():
            if name.endswith(CPP):
                included |= {os.path.basename(path) for path in
                             re.findall(r'#\s*include\s*[<"]([^>"]+)[>"]', text)}
        for name in self.files:
            if name.endswith(".hpp") and not name.startswith("include/"):
                if os.path.basename(name) not in included:
                    self.report(name, 1, "orphan", "no file includes this header")
            if name.endswith(".cpp") and not any(
                    str(parent / "CMakeLists.txt") in self.texts
                    for parent in Path(name).parents if str(parent) != "."):
                self.report(name, 1, "orphan", "no CMakeLists.txt builds this file")

    def check_version(self):
        version = self.texts.get("VERSION", "").strip()
        top = re.search(r"(?m)^## \[?(\d+\.\d+\.\d+)", self.texts.get("CHANGELOG.md", ""))
        if not top or top.group(1) != version:
            found = top.group(1) if top else "none"
            self.report("CHANGELOG.md", 1, "version",
                        f"the top entry is {found}, VERSION says {version or 'nothing'}")


def main(arguments):
    root = arguments[0] if arguments else Path(__file__).resolve().parent.parent
    findings = Tidy(root).run()
    for name, line, rule, message in findings:
        print(f"{name}:{line}: [{rule}] {message}")
    print(f"tidy: {len(findings)} findings in {root}" if findings else "tidy: no findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

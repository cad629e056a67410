"""What in a command runs another program or writes elsewhere: no `*` in an allow rule covers it.

A rule has to spell it out: `bash(git *)` does not allow `git -c x=y status`, `bash(git -c *)` does.
Source: docs/permissions.md#what-a-rule-has-to-spell-out.
"""

import re
from collections.abc import Iterator, Mapping

from octochat.permissions.programs import called, git_parts, inner, opaque, operands
from octochat.permissions.scripts import plain_awk, plain_sed

_OPTIONS: Mapping[str, str] = {
    "git add": "-e --edit",
    "git archive": "-o -u --remote",
    "git checkout-index": "--prefix",
    "git clone": "-u -c --config --template --separate-git-dir",
    "git difftool": "-x --extcmd -t --tool",
    "git format-patch": "-o",
    "git grep": "-O",
    "git init": "--template --separate-git-dir",
    "git ls-remote": "-u",
    "git rebase": "-x",
    "find": "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from",
    "fd": "-x -X --exec --exec-batch",
    "tar": "-I -F -C -P --checkpoint-action --to-command --use-compress-program --info-script "
    "--new-volume-script --rmt-command --rsh-command --absolute-names --directory",
    "rg": "--pre --hostname-bin",
    "sort": "-o -T --output --temporary-directory --compress-program --files0-from",
    "tree": "-o -R",
    "date": "-s --set",
    "printf": "-v",
    "curl": "-o -O -K -T -D -c -F --output --output-dir --remote-name --remote-name-all --config "
    "--upload-file --dump-header --cookie-jar --trace --trace-ascii --stderr --libcurl --form",
    "wget": "-O -P -o -a -e -i --output-document --directory-prefix --output-file --config "
    "--append-output --execute --use-askpass --post-file --body-file --input-file",
    "man": "-P -H -C --pager --html --browser",
    "less": "-o -O -k -+o --lesskey-file --log-file",
    "rsync": "-e --rsh --rsync-path --log-file --backup-dir --temp-dir --write-batch",
    "scp": "-S -o -F",
    "make": "-f -C -I -E --file --makefile --directory --include-dir --eval",
    "npm": "-C -c --prefix --script-shell --node-options --userconfig --globalconfig --call --git "
    "--init-module --editor --viewer --browser --shell --cache --logs-dir",
    "bun": "-e -p -r --eval --print --preload --require --import --cwd --config",
    "pnpm": "-C -c --dir --shell-mode --script-shell --node-options",
    "yarn": "--cwd --use-yarnrc --script-shell",
    "pytest": "-c -p -o --rootdir --confcutdir --override-ini --basetemp --junitxml --junit-xml "
    "--log-file --pastebin --report-log --html --pdbcls --config-file --cov-report --cov-config "
    "--debug --resultlog --result-log --json-report-file --benchmark-json --benchmark-storage "
    "--benchmark-histogram --alluredir --durations-path --inifile --tx --px --rsyncdir",
    "cargo": "-C -Z --config --manifest-path --target-dir --out-dir --artifact-dir --root "
    "--logfile",
    "go": "-C -o -exec -toolexec -overlay -vettool -modfile -ldflags -gcflags -asmflags -pkgdir "
    "-coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -outputdir -trace "
    "-fuzzcachedir -test.trace -test.fuzzcachedir",
    "ruff": "-o --config --output-file --cache-dir",
    "black": "--config",
    "mypy": "--config-file --python-executable --install-types --html-report --txt-report "
    "--xml-report --junit-xml --custom-typeshed-dir --cache-dir --any-exprs-report "
    "--cobertura-xml-report --linecount-report --linecoverage-report --lineprecision-report "
    "--xslt-html-report --xslt-txt-report --memory-xml-report --line-checking-stats "
    "--timing-stats --shadow-file --quickstart-file",
    "pyright": "-p --project --pythonpath --createstub",
    "eslint": "-c -o -f --config --output-file --rulesdir --plugin --parser --format "
    "--resolve-plugins-relative-to --cache-location",
    "prettier": "--config --plugin",
    "tsc": "-p -b --project --build --outDir --outFile --declarationDir",
    "jest": "-c --config --globalSetup --globalTeardown --outputFile --rootDir --reporters "
    "--testRunner --coverageDirectory",
    "vitest": "-c -r --config --root --outputFile --reporter --globalSetup",
    "pip": "-t -i -f -e --target --prefix --root --index-url --extra-index-url --find-links "
    "--python --log --cache-dir --report --src",
    "uv": "-p --directory --project --python --index --index-url --config-file --env-file "
    "--cache-dir --target --with",
    "poetry": "-C -P --directory --project",
    "gcc": "-B -o -wrapper -fplugin -specs",
    "zip": "-T -TT -O --unzip-command --out",
    "unzip": "-d",
    "patch": "-o -d -e -r --output --directory --ed --reject-file",
    "dd": "",
    "psql": "-c -f -o -L --command --file --output --log-file",
    "mysql": "-e --execute --tee --pager --plugin-dir",
    "terraform": "-chdir",
    "kubectl": "--kubeconfig",
}
"""By program, or by git's subcommand."""
_GIT_ANYWHERE = (
    "--exec-path --config-env --git-dir --work-tree --output --no-index --ext-diff --textconv "
    "--open-files-in-pager --upload-pack --receive-pack --exec --unsafe-paths --extcmd"
)
_GIT_RUNNING = re.compile(
    r"config|bisect|submodule|filter-branch|difftool|mergetool|hook|gui|send-email|daemon|"
    r"remote-ext|remote-fd|subtree|lfs|svn|instaweb|credential"
)
"""Subcommands that run programs, or decide which ones git runs."""
_SAME: Mapping[str, str] = {
    "bsdtar": "tar", "gtar": "tar", "gsed": "sed", "gmake": "make", "fdfind": "fd",
    "npx": "npm", "pnpx": "npm", "py.test": "pytest", "pip3": "pip", "basedpyright": "pyright",
    "g++": "gcc", "cc": "gcc", "c++": "gcc", "clang": "gcc", "clang++": "gcc", "gfind": "find",
    "more": "less", "gsort": "sort", "gawk": "awk", "mawk": "awk", "nawk": "awk",
}  # fmt: skip
_INTERPRETER = re.compile(
    r"(?:python|pypy|node|nodejs|deno|ruby|perl|php|lua|luajit|Rscript|tclsh|osascript|"
    r"vim|vi|nvim|view|ex|ed|emacs|sqlite3|gdb|irb|ipython)[\d.]*"
)
_HARMLESS_FOR_PYTHON = re.compile(r"-[uBOEsSIvq]+")
_SETS_VARIABLE = re.compile(r"%[-+ #0'*.\d]*[hjlLtz]*n")
"""`printf '%n' PATH` sets PATH."""
_SHOWS_ITSELF = ("--version", "-V", "--help", "-h")
_RUNS_NEXT: Mapping[str, tuple[str, ...]] = {
    "uv": ("run", "x"), "poetry": ("run",), "pipenv": ("run",), "hatch": ("run",), "pdm": ("run",),
    "bundle": ("exec",), "npm": ("exec", "x"), "pnpm": ("exec", "dlx"), "yarn": ("exec", "dlx"),
    "rye": ("run",), "pixi": ("run", "exec"), "conda": ("run",), "mamba": ("run",),
    "mise": ("exec", "x"), "direnv": ("exec",), "bun": ("x",), "rustup": ("run",),
    "coverage": ("run",),
}  # fmt: skip
_RUNS_FIRST = ("npx", "pnpx", "bunx", "uvx", "dotenv", "xvfb-run", "strace")
_WHATEVER = "\0"
"""What no pattern begins with."""


def risks(words: tuple[str, ...]) -> tuple[str, ...]:
    """How the words begin that an allow rule has to spell out."""
    return tuple(_risks(words))


def _risks(words: tuple[str, ...]) -> Iterator[str]:
    name = _SAME.get(called(words), called(words))
    if within := inner(words):
        yield within[0]
        yield from _risks(within)
    elif opaque(words) and name not in ("find", "fd"):
        yield from _first_words(words)
    elif name == "git" or name.startswith("git-"):
        yield from _git_risks(words)
    elif name == "sed" and not plain_sed(words):
        yield from _listed(words, "-i -f -s --in-place --file") or (_WHATEVER,)
    elif name == "awk" and not plain_awk(words):
        yield _WHATEVER
    elif _INTERPRETER.fullmatch(name):
        yield from _script_risks(words)
    else:
        yield from _program_risks(name, words)


def programs(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The command, and those that it runs as `python -m`, `uv run` or `timeout` do."""
    yield words
    if within := inner(words):
        yield from programs(within)
    if _INTERPRETER.fullmatch(called(words)) and words[1:2] == ("-m",) and words[2:]:
        yield words[2:]
    for program in _run_next(words):
        yield from programs(program)


def runs_code(words: tuple[str, ...]) -> bool:
    """Whether the words may hold a program, in whatever language."""
    return opaque(words) or _INTERPRETER.fullmatch(called(words)) is not None


def _program_risks(name: str, words: tuple[str, ...]) -> Iterator[str]:
    first = next(iter(words[1:]), "")
    yield from _listed(words, _OPTIONS.get(name, ""))
    if name == "tar" and re.match(r"[a-zA-Z]*[IFCP]", first):
        yield first
    if name in ("uniq", "xxd") and len(operands(words)) > 1:
        yield _WHATEVER
    if name == "printf" and any(map(_SETS_VARIABLE.search, words[1:])):
        yield _WHATEVER
    if name == "make":
        yield from (word for word in words[1:] if re.match(r"\w+[:+?!]*=", word))
    if name == "dd":
        yield from ("of=" for word in words if word.startswith("of="))
    if name in ("pytest", "mypy", "gcc", "javac"):
        yield from (word for word in words[1:] if word.startswith("@"))  # a file of options
    if name == "cargo" and first.startswith("+"):
        yield first
    for program in _run_next(words):
        yield from _risks(program)


def _run_next(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """What `uv run` and the like may run: a word behind an option may be its value, or not."""
    subcommands = _RUNS_NEXT.get(called(words), ())
    at = next((at for at, word in enumerate(words) if at and word in subcommands), len(words)) + 1
    if called(words) in _RUNS_FIRST:
        at = 1
    maybe_value = True
    while maybe_value:
        maybe_value = False
        while at < len(words) and words[at].startswith("-"):
            if words[at] in ("-", "-m", "--module"):
                yield ("python", words[at].replace("--module", "-m"), *words[at + 1 :])
            maybe_value = "=" not in words[at] and words[at] != "--"
            at += 1
        if at < len(words):
            yield words[at:]
            at += 1


def _first_words(words: tuple[str, ...]) -> Iterator[str]:
    """The options and the first word that is none; all of it where there is none."""
    for word in words[1:]:
        yield word
        if not word.startswith("-"):
            return
    yield _WHATEVER


def _script_risks(words: tuple[str, ...]) -> Iterator[str]:
    for place, word in enumerate(words[1:], 1):
        if word == "-m" and place + 1 < len(words):
            yield word
            yield from _risks(words[place + 1 :])
            return
        if not word.startswith(("-", "+")):
            return
        harmless = _HARMLESS_FOR_PYTHON.fullmatch(word) and called(words).startswith("py")
        if not harmless and word not in _SHOWS_ITSELF:
            yield word
            return
    if words[-1] not in _SHOWS_ITSELF:
        yield _WHATEVER  # the program comes from standard input


def _git_risks(words: tuple[str, ...]) -> Iterator[str]:
    if called(words) != "git":
        yield words[0]
        return
    options, rest = git_parts(words)
    for option in options:
        if option.startswith("-") and option not in ("--no-pager", "-P", "--no-optional-locks"):
            yield option.partition("=")[0][:2] if option[1:2] in "cC" else option.partition("=")[0]
    if not rest:
        return
    if _GIT_RUNNING.fullmatch(rest[0]):
        yield rest[0]
    if rest[0] == "remote":
        yield from (word for word in rest[1:2] if word in ("add", "set-url"))
    yield from _listed(rest, f"{_GIT_ANYWHERE} {_OPTIONS.get(f'git {rest[0]}', '')}")
    yield from (word for word in rest[1:] if re.match(r"\w+::", word))


def _listed(words: tuple[str, ...], options: str) -> list[str]:
    """Which words are one of the options, alone or among others, shortened or with a value."""
    found: list[str] = []
    for option in options.split():
        for word in words[1:]:
            given = word.partition("=")[0]
            if option.startswith("--"):
                hit = len(given) > len("--") and given.startswith("--") and option.startswith(given)
            elif len(option) > len("-x"):
                hit = given.removeprefix("-") in (option, option[1:])
                given = option
            else:
                hit = re.match(rf"-[^-]*{re.escape(option[1])}", word) is not None
                given = word[: word.find(option[1], 1) + 1]
            if hit:
                found.append(given)
    return found

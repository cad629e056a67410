import asyncio
import re
from pathlib import Path

import pytest

from octochat.context.session.tool_marks import unmarked
from octochat.tools.limits import Limits
from octochat.tools.shell import environment
from tests.tools.toolbox import toolbox


def running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


async def test_directory_and_variables_last_from_call_to_call(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    assert await box.prints("mkdir a; cd a; x=5; f() { echo f$x; }") == ""
    assert await box.prints("pwd; f") == f"{box.folder}/a\nf5"
    await box.close()


async def test_every_result_ends_with_exit_status_and_duration(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    output = await box.output("bash", command="echo out; echo err >&2; false")
    assert output.failed
    ended = re.compile(r"a\nb\n\[exit 7 in \d+\.\d s\]")
    assert ended.fullmatch(await box.text("bash", command="echo a; echo b >&2; (exit 7)"))
    silent = await box.text("bash", command="true")
    assert re.fullmatch(r"\[exit 0 in \d+\.\d s; no output\]", silent)
    assert unmarked("bash", silent) == ""
    await box.close()


async def test_the_folder_above_a_link_is_that_of_what_it_leads_to(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    made = "mkdir -p there/below a; ln -s ../there/below a/link"
    assert await box.prints(f"{made}; cd a/link/..; pwd") == f"{box.folder}/there"
    await box.close()


async def test_a_folder_that_moved_is_said_once(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    moved = await box.text("bash", command="mkdir -p 'a b/c'; cd 'a b/c'")
    assert moved.endswith("; no output; bash is now in a b/c, the other tools are not]")
    assert "bash is now" not in await box.text("bash", command="true")
    assert "bash is now in /, the" in await box.text("bash", command="cd /")
    assert "bash is back in the working folder" in (
        await box.text("bash", command=f"cd {box.folder}")
    )
    await box.close()


async def test_what_is_printed_is_shown_while_it_runs(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    go = box.folder / "go"
    running_call = asyncio.create_task(
        box.output("bash", command="echo first; until [ -e go ]; do sleep 0.02; done; echo second")
    )
    await box.hears("first\n")
    assert box.printed == "first\n"
    go.touch()
    await running_call
    assert box.printed == "first\nsecond\n"
    await box.close()


@pytest.mark.parametrize(
    "command",
    ["echo 'unclosed", "if true; then", "exec >file; echo x", "exec 9>&-", "echo )", "cat <<X\nx"],
)
async def test_no_command_puts_the_shell_out_of_step(tmp_path: Path, command: str) -> None:
    box = toolbox(tmp_path)
    await box.output("bash", command=command)
    assert await box.prints("echo still here") == "still here"
    await box.close()


async def test_standard_input_is_empty_and_there_is_no_terminal(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    assert await box.prints("cat; read x || echo none; echo $TERM; tty") == "none\ndumb\nnot a tty"
    await box.close()


async def test_commands_do_not_see_the_credentials_of_octochat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sesame")
    monkeypatch.setenv("KEPT", "kept")
    box = toolbox(tmp_path)
    assert await box.prints("echo $ANTHROPIC_API_KEY$KEPT") == "kept"
    assert "OCTOCHAT_API_KEY" not in environment({"OCTOCHAT_API_KEY": "x", "BASH_ENV": "y"})
    await box.close()


def test_commands_do_not_see_what_changes_the_meaning_of_a_line() -> None:
    given = {"RIPGREP_CONFIG_PATH": "/home/x/.rg", "CDPATH": "/", "BASHOPTS": "nocaseglob",
             "SHELLOPTS": "noglob", "GLOBIGNORE": "*", "BASH_ENV": "x", "PATH": "/bin"}  # fmt: skip
    assert [name for name in given if name in environment(given)] == ["PATH"]


def test_commands_do_not_see_what_looks_like_a_secret_unless_it_is_passed() -> None:
    given = {"PATH": "/bin", "VIRTUAL_ENV": "/v", "SSH_AUTH_SOCK": "/s", "NPM_TOKEN": "1"}
    given |= {"GITHUB_TOKEN": "2", "DEPLOY": f"ghp_{'a1' * 20}", "ANTHROPIC_BASE_URL": "x"}
    kept = environment(given)
    assert [name for name in given if name in kept] == ["PATH", "VIRTUAL_ENV", "SSH_AUTH_SOCK"]
    passed = environment(given, ("GITHUB_TOKEN", "NPM_*"))
    assert (passed["GITHUB_TOKEN"], passed["NPM_TOKEN"], "DEPLOY" in passed) == ("2", "1", False)


async def test_a_timeout_kills_all_that_was_started_and_the_shell_is_usable(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path)
    command = "(trap '' TERM; sleep 60 & echo $!; wait) & timeout 60 sleep 60; wait"
    pid, told = (await box.failure("bash", command=command, timeout_ms=400)).split("\n")
    assert re.match(r"\[timed out after \d+\.\d s; it was killed with all that it started; ", told)
    assert "in the background with its output in a file, or give a longer timeout_ms (600,0" in told
    assert "; a new shell is in" in told
    assert not running(int(pid))
    assert await box.prints("echo alive") == "alive"
    await box.close()


async def test_where_no_longer_timeout_can_be_had_none_is_offered(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(command_timeout_most="0.2s"))
    told = await box.failure("bash", command="sleep 60", timeout_ms=400)
    assert "in the background with its output in a file; a new shell" in told
    await box.close()


async def test_an_interrupt_kills_grandchildren_and_tells_what_came_until_then(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path)
    inner = "echo $$; sleep 60 & echo $!; setsid sleep 60 & echo $!; echo end; wait"
    call = asyncio.create_task(box.failure("bash", command=f"timeout 60 bash -c '{inner}'"))
    await box.hears("end\n")
    call.cancel()
    *pids, end, told = (await call).split("\n")
    assert (len(pids), end) == (3, "end")
    assert not any(running(int(pid)) for pid in pids)
    assert told.startswith("[interrupted by the person after ")
    assert "; a new shell is in" in told
    assert await box.prints("echo alive") == "alive"
    await box.close()


async def test_background_processes_last_until_the_session_ends(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    pid = int(await box.prints("sleep 60 & echo $!"))
    await box.text("bash", command="true")
    assert running(pid)
    await box.close()
    assert not running(pid)


async def test_a_shell_that_ended_is_replaced_and_that_is_said(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    command = "timeout 60 sleep 60 & echo $!; exit 3"  # timeout makes a process group of its own
    text = await box.text("bash", command=command)
    assert re.search(r"\n\[exit 3 in \d+\.\d s; a new shell is in", text)
    assert not running(int(text.split()[0]))
    assert await box.prints("echo alive") == "alive"
    await box.close()


async def test_a_restart_begins_anew_without_asking(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    await box.text("bash", command="x=1")
    assert box.access("bash", restart=True).kind == "none"
    assert "a new shell is in" in await box.text("bash", restart=True)
    assert await box.prints("echo x$x") == "x"
    await box.close()


async def test_long_output_keeps_head_and_tail_and_the_whole_can_be_read_on(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path, Limits(output_chars=300))
    text = await box.text("bash", command="seq 1 100000")
    assert text.startswith("1\n2\n3\n")
    assert re.search(r"\n100000\n\[exit 0 in \d+\.\d s; 588,\d+ characters left out\]$", text)
    gap = text[text.index("[...") : text.index("...]")]
    path = gap.split(" is in ")[1].split(": read")[0]
    first, last = (int(word.strip(");")) for word in gap.split("lines ")[1].split()[:3:2])
    assert text.split("\n[...")[0].endswith(f"\n{first - 1}")
    assert text.split("...]\n")[1].startswith(f"{last + 1}\n")
    access = box.access("read", file_path=path)
    assert access.inside
    read = await box.text("read", file_path=path, ranges=[[5_000, 5_001]])
    assert read == "5000\t5000\n5001\t5001\n[lines 5000 to 5001 of 100000]"
    assert await box.prints(f"stat -c %a {path}") == "600"
    assert not box.access("write", file_path=path, content="").inside
    await box.close()


async def test_endless_output_is_bounded_in_memory_and_on_disk(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(output_chars=1_000, spill_bytes=50_000))
    text = await box.text("bash", command="yes | head -c 3000000; echo end")
    assert len(text) < 1_500
    assert "[only the first 50,000 bytes are in the file]" in text
    assert unmarked("bash", text).endswith("\nend")
    assert sum(path.stat().st_size for path in (tmp_path / "spill").iterdir()) <= 50_000
    await box.close()


async def test_where_the_rest_cannot_be_kept_the_result_says_so(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(output_chars=300))
    (tmp_path / "spill").touch()
    text = await box.text("bash", command="seq 1 1000")
    assert "they are lost:" in text
    assert unmarked("bash", text).endswith("1000")
    await box.close()


async def test_nothing_printed_drives_the_terminal(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    command = r"printf '\033[31mred\033[0m\033]0;title\007\n'; printf '10%%\r20%%'"
    assert await box.prints(command) == "red\n20%"
    assert box.printed == "red\n"
    await box.close()


async def test_a_command_must_be_there(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    assert "command is missing" in await box.failure("bash")
    assert "command is empty" in await box.failure("bash", command=" ")
    assert "null character" in await box.failure("bash", command="a\0b")
    assert "half a character" in await box.failure("bash", command="a\ud800")
    assert "from 0 up" in await box.failure("bash", command="ls", timeout_ms=-1)


TOKEN = f"ghp_{'a1B2' * 9}"
KEY = "-----BEGIN PRIVATE KEY-----", *("MIIEvQIBADANBg",) * 40, "-----END PRIVATE KEY-----"


async def test_keys_are_masked_while_they_are_printed_and_in_the_file_of_the_rest(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path, Limits(output_chars=300))
    (box.folder / "out").write_text("\n".join(("x" * 400, TOKEN, *KEY, "the end", "y" * 400, "")))
    text = await box.text("bash", command="while read line; do echo $line; done < out")
    assert "characters left out" in text
    (kept,) = (path.read_text() for path in (tmp_path / "spill").iterdir())
    for told in (box.printed, kept):
        assert "[ghp_... masked]" in told
        assert "[private key masked]" in told
        assert "\nthe end\n" in told
        assert "MIIE" not in told
        assert TOKEN not in told
    await box.close()

"""The wheel, installed in an empty environment: a strategy of one's own works there."""

import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.home import Home, home
from tests.root import ROOT

RECORDING = ROOT / "tests" / "storage" / "golden" / "session-v1.jsonl"


@dataclass(frozen=True)
class Installed:
    """The wheel in an environment of its own, and a person who uses it."""

    python: Path
    person: Home

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Its Python, which sees neither the source tree nor what is installed beside it."""
        environment = {k: v for k, v in self.person.environment.items() if k != "PYTHONPATH"}
        return subprocess.run(
            [str(self.python), *arguments],
            env=environment,
            cwd=self.person.project,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel that hatchling builds; the libraries that it needs are those of the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("octochat-*.whl")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    python = folder / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)]
    subprocess.run([*pip, *offline], check=True, capture_output=True, timeout=120)
    (packages,) = (folder / "env" / "lib").glob("python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    return Installed(python, home(folder / "someone"))


def test_the_code_comes_from_the_wheel(installed: Installed) -> None:
    said = installed.run("-c", "import octochat; print(octochat.__file__)")
    assert Path(said.stdout).is_relative_to(installed.python.parent.parent)


def test_the_strategy_of_the_docs_runs_from_a_file_of_its_own(installed: Installed) -> None:
    text = (ROOT / "docs/strategies.md").read_text(encoding="utf-8")
    code = text.split("<!-- own strategy -->\n```python\n")[1].split("```")[0]
    (installed.person.project / "my_module.py").write_text(code)
    name = "my_module:DropFailures"
    listed = installed.run("-m", "octochat", "strategies", name)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "[context.drop_failures]\n    keep = 2" in listed.stdout
    who = f"{name}{{keep=1}}"
    played = installed.run("-m", "octochat", "replay", str(RECORDING), "--strategies", who)
    assert (played.returncode, played.stderr) == (0, "")
    assert any(line.startswith(who) for line in played.stdout.splitlines())
    assert "it failed" not in played.stdout

"""The Debian packages that setup.sh installs, with stand-ins for what would change the machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOBODY = 65534


def test_without_root_setup_prints_the_apt_line_and_stops(place: Path) -> None:
    script = (ROOT / "setup.sh").read_text()
    assert "librocksdb-dev" in script
    copy = place / "setup.sh"
    copy.write_text(script.replace(" librocksdb-dev", " no-such-package"))
    os.chown(place, NOBODY, -1)
    done = subprocess.run(
        [*_as_nobody(), "sh", str(copy)],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": _path_without_sudo(place)},
    )
    assert done.returncode == 1
    assert "apt-get install -y --no-install-recommends no-such-package" in done.stderr
    assert not (place / ".venv").exists()


@pytest.mark.parametrize(("package", "missing"), [("dpkg", False), ("no-such-package", True)])
def test_packages_that_are_named_are_set_up_and_nothing_else(
    place: Path, package: str, missing: bool
) -> None:
    """As tests/vm/run does with those that only it takes."""
    copy = Path(shutil.copy(ROOT / "setup.sh", place))
    done = subprocess.run(
        [*_as_nobody(), "sh", str(copy), "apt", package],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": _path_without_sudo(place)},
    )
    assert done.returncode == (1 if missing else 0), done.stderr
    line = "apt-get install -y --no-install-recommends no-such-package\n"
    assert done.stderr.endswith(line) if missing else done.stderr == ""
    assert {path.name for path in place.iterdir()} == {"setup.sh", "bin"}


def _as_nobody() -> list[str]:
    setpriv = shutil.which("setpriv")
    assert setpriv
    return [setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def _path_without_sudo(folder: Path) -> str:
    tools = folder / "bin"
    tools.mkdir()
    for name in ("sh", "id", "dirname", "dpkg-query", "cat"):
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    return str(tools)


def _install(
    folder: Path,
    *,
    apt_works: bool,
    found: str = "exit 1",
    update: str = "true",
    env: Mapping[str, str] | None = None,
    wanted: Iterable[str] = (),
) -> subprocess.CompletedProcess[str]:
    """Runs the step of the packages as root, with stand-ins for what would change the machine.

    `found` is what dpkg-query does, `update` what update-rc.d does besides being written down.
    """
    tools = folder / "bin"
    _path_without_sudo(folder)
    for name in ("mktemp", "stat", "rm", "mv", "tee", "chmod", "env", "tail", "sed"):
        path = shutil.which(name)
        assert path
        (tools / name).symlink_to(path)
    policy = folder / "policy-rc.d"
    result = "exit 0" if apt_works else "exit 100"
    for name, script in {
        "id": "echo 0",
        "dpkg-query": found,
        "apt-get": f'echo "$1" >>{folder}/said; {policy} mariadb start; '
        f"echo may start: $? >>{folder}/said; {result}",
        "update-rc.d": f'echo "$@" >>{folder}/said; {update}',
    }.items():
        (tools / name).unlink(missing_ok=True)
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    script, packages, _ = (ROOT / "setup.sh").read_text().partition("\npackages\n")
    (folder / "setup.sh").write_text(script + packages)
    release = folder / "os-release"
    if not release.exists():
        release.write_text("ID=debian\nVERSION_ID=12\n")
    return subprocess.run(
        ["/bin/sh", str(folder / "setup.sh"), *wanted],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": str(tools), "POLICY": str(policy), "OS_RELEASE": str(release), **(env or {})},
    )


@pytest.mark.parametrize("apt_works", [True, False])
def test_installing_the_server_starts_none_and_leaves_no_policy(
    place: Path, apt_works: bool
) -> None:
    _install(place, apt_works=apt_works)
    said = (place / "said").read_text().splitlines()
    assert "may start: 101" in said
    assert "may start: 0" not in said
    assert ("mariadb disable" in said) == apt_works
    assert not (place / "policy-rc.d").exists()


def test_the_servers_of_tests_start_neither_now_nor_at_boot(place: Path) -> None:
    _install(place, apt_works=True, wanted=("curl", "etcd-client", "etcd-server", "postgresql"))
    said = (place / "said").read_text().splitlines()
    assert "may start: 0" not in said
    assert said[-2:] == ["etcd disable", "postgresql disable"]


@pytest.mark.parametrize("apt_works", [True, False])
def test_what_was_installed_is_written_down_for_its_removal(place: Path, apt_works: bool) -> None:
    _install(place, apt_works=apt_works)
    listed = place / ".installed-packages"
    assert listed.exists() == apt_works
    if apt_works:
        assert {"fio", "mariadb-server"} <= set(listed.read_text().splitlines())


def test_a_policy_that_is_there_decides_and_stays(place: Path) -> None:
    policy = place / "policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 104\n")
    policy.chmod(0o755)
    _install(place, apt_works=True)
    assert "may start: 104" in (place / "said").read_text()
    assert policy.read_text() == "#!/bin/sh\nexit 104\n"


OURS = "#!/bin/sh\n# of waltax: while it installs mariadb-server\nexit 101\n"


def _all_found() -> str:
    """What dpkg-query answers where nothing is missing."""
    return "; ".join(f"echo {name}=installed" for name in _packages())


@pytest.mark.parametrize("mode", [0o755, 0o644])
def test_a_policy_that_a_killed_set_up_left_is_taken_over_and_goes(place: Path, mode: int) -> None:
    policy = place / "policy-rc.d"
    policy.write_text(OURS)
    policy.chmod(mode)
    assert _install(place, apt_works=True).returncode == 0
    said = (place / "said").read_text().splitlines()
    assert "may start: 101" in said
    assert "mariadb disable" in said
    assert not policy.exists()


def test_a_policy_that_was_left_goes_where_nothing_else_is_to_be_done(place: Path) -> None:
    policy = place / "policy-rc.d"
    policy.write_text(OURS)
    (place / ".installed-packages").write_text("fio\nmariadb-server\n")
    assert _install(place, apt_works=True, found=_all_found()).returncode == 0
    assert (place / "said").read_text().splitlines() == ["mariadb disable"]
    assert not policy.exists()


def test_an_administrators_policy_stays_where_nothing_is_to_be_done(place: Path) -> None:
    policy = place / "policy-rc.d"
    policy.write_text(OURS + "# and mine\n")
    assert _install(place, apt_works=True, found=_all_found()).returncode == 0
    assert not (place / "said").exists()
    assert policy.read_text() == OURS + "# and mine\n"


def test_a_set_up_that_is_killed_at_its_end_is_finished_by_the_next(place: Path) -> None:
    """The server must not start at each boot: the policy goes after that is seen to."""
    done = _install(place, apt_works=True, update="kill -9 $PPID")
    assert done.returncode == -9
    assert (place / "policy-rc.d").read_text() == OURS
    shutil.rmtree(place / "bin")
    assert _install(place, apt_works=True, found=_all_found()).returncode == 0
    assert not (place / "policy-rc.d").exists()


@pytest.mark.parametrize(
    ("release", "taken"),
    [
        ('ID=debian\nVERSION_ID="12"\n', True),
        ('ID=debian\nVERSION_ID="13"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n', True),
        ('ID=debian\nVERSION_ID="11"\nPRETTY_NAME="Debian GNU/Linux 11 (bullseye)"\n', False),
        ('PRETTY_NAME="Debian GNU/Linux forky/sid"\nID=debian\n', False),
        ('ID=ubuntu\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04.1 LTS"\n', False),
        ("", False),
    ],
)
def test_a_system_that_was_never_tried_is_named_before_anything_is_installed(
    place: Path, release: str, taken: bool
) -> None:
    (place / "os-release").write_text(release)
    done = _install(place, apt_works=True)
    assert (done.returncode, (place / "said").exists()) == ((0, True) if taken else (2, False))
    if not taken:
        name = (re.findall('PRETTY_NAME="(.*)"', release) or ["a system without a name"])[0]
        assert f"found {name}; waltax is set up on Debian 12 and 13" in done.stderr
        assert "Nothing was installed." in done.stderr
        assert " librocksdb-dev " in done.stderr


def test_what_was_never_tried_is_tried_where_that_is_asked_for(place: Path) -> None:
    (place / "os-release").write_text("ID=ubuntu\n")
    assert _install(place, apt_works=True, env={"ANY_RELEASE": "yes"}).returncode == 0
    assert (place / "said").exists()


# What CMake and the set-up take from the machine, and what Python names in another way.
_BESIDE = ("c++", "cc", "cmake", "fio", "ninja", "pkg-config", "python3", "setsid", "update-rc.d")
# Brought by whoever clones.
_THERE = ("git", "make")
_STARTS = re.compile(
    r'(?:proc\.run|proc\.launch|launched_group|Popen|subprocess\.run|which)\(\s*\[?\s*"([a-z][\w.+-]*)"'
)
# Maven's user is told to install it; waltax itself lies in .venv.
_OTHERS = {"mvn", "waltax"}


def test_every_program_that_waltax_starts_comes_with_the_set_up() -> None:
    """In an empty Debian there is nothing but what the packages bring, which depend on others.

    Programs of receipts in QEMU and the like are installed by name when they are wanted.
    """
    listed = ["git", "-C", str(ROOT), "ls-files", "*.py", ":(exclude)tests"]
    files = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    names = {name for file in files for name in _STARTS.findall((ROOT / file).read_text())}
    assert names >= {"fio", "cp"}, "the pattern finds no program any more"
    comes = _with_what_they_need(_packages())
    packages = _packages_of({*names, *_BESIDE} - _OTHERS)
    assert {name: package for name, package in packages.items() if package not in comes} == {}


def _packages() -> list[str]:
    listed = (ROOT / "setup.sh").read_text().partition('PACKAGES=${*:-"')[2].partition('"}')[0]
    return listed.split()


def _packages_of(programs: Iterable[str]) -> dict[str, str]:
    """The Debian package whose file each program is, through the links that lead to it."""
    files: dict[str, str] = {}
    for program in programs:
        found = shutil.which(program, path="/usr/bin:/usr/sbin:/bin:/sbin")
        assert found, f"{program}: not on this machine"
        for path in (found, str(Path(found).resolve())):
            files |= dict.fromkeys((path, path.removeprefix("/usr")), program)
    asked = ["dpkg", "-S", *files]  # ends with 1, since only one path of each is in its list
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    lines = (line.partition(": ") for line in said.splitlines())
    owners = {files[path]: names.partition(":")[0] for names, _, path in lines if path in files}
    return dict.fromkeys(programs, "none") | owners


def _with_what_they_need(packages: Iterable[str]) -> set[str]:
    """The packages, what Debian cannot be without, and whatever is installed for these."""
    fields = "${Package}\t${Essential}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
    query = ["dpkg-query", "-W", f"-f={fields}"]
    needs: dict[str, set[str]] = {}
    wanted = {*packages, *_THERE, "apt"}
    for line in subprocess.run(
        query, capture_output=True, text=True, check=True
    ).stdout.splitlines():
        name, essential, depends, provides = line.split("\t")
        for each in (name, *_NAMES.findall(provides)):
            needs.setdefault(each, set()).update(_NAMES.findall(depends), {name})
        if essential == "yes":
            wanted.add(name)
    found: set[str] = set()
    while new := wanted - found:
        found |= new
        wanted = {need for name in new for need in needs.get(name, ())}
    return found


_NAMES = re.compile(r"(?:^|[,|]) *([a-z0-9][a-z0-9.+-]*)")

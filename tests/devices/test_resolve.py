from __future__ import annotations

from pathlib import Path

import pytest
import recorded
from recorded import Recorded
from waltax.base.errors import UsageError, WaltaxError
from waltax.base.kernel import Kernel
from waltax.devices import load
from waltax.devices.catalog import user_config_path, user_paths
from waltax.devices.resolve import resolve


@pytest.fixture(autouse=True)
def _devices_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in a folder of the test."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def nvme_at(directory: Path, tmp_path: Path) -> Kernel:
    """Return a machine on which `directory`, which exists, is an xfs on an NVMe disk."""
    machine = Recorded(tmp_path / "root")
    recorded.nvme(machine)
    machine.mount(str(directory), "xfs", "/dev/nvme0n1p1", "259:1")
    return machine.kernel


@pytest.fixture
def wal(tmp_path: Path) -> Path:
    (tmp_path / "wal").mkdir()
    return tmp_path / "wal"


def with_config(tmp_path: Path, text: str) -> Kernel:
    config = user_config_path()
    config.parent.mkdir(parents=True)
    config.write_text(text, encoding="utf-8")
    return nvme_at(tmp_path / "wal", tmp_path)


def emulating(tmp_path: Path, fs_type: str = "tmpfs") -> Kernel:
    machine = Recorded(tmp_path / "root")
    machine.mount("/dev/shm", fs_type, fs_type)
    return machine.kernel


def test_off_resolves_to_nothing() -> None:
    placement = resolve(load("off"))
    assert (placement.kind, placement.wal_root, placement.device_kind) == ("off", None, "none")


def test_a_directory_makes_a_device_real(tmp_path: Path, wal: Path) -> None:
    placement = resolve(load("nvme", wal), kernel=nvme_at(wal, tmp_path))
    assert (placement.kind, placement.wal_root, placement.model) == ("real", wal.resolve(), None)
    assert (placement.device_kind, placement.emulated) == ("real", False)
    assert (placement.warnings, placement.mismatch) == ((), None)


def test_without_a_directory_a_device_is_emulated_over_memory(tmp_path: Path) -> None:
    placement = resolve(load("nvme"), kernel=emulating(tmp_path))
    assert (placement.kind, placement.wal_root) == ("emulated", Path("/dev/shm"))
    assert placement.model == load("nvme").model.tap_model()  # type: ignore[union-attr]
    assert placement.emulated
    assert placement.device_kind == "class-proxy"
    assert "nothing is durable" in placement.warnings[0]


def test_emulation_needs_memory_at_dev_shm(tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match="/dev/shm is on ext4, want a tmpfs"):
        resolve(load("nvme"), kernel=emulating(tmp_path, fs_type="ext4"))


def test_where_to_give_a_directory_is_said_by_files_that_every_command_reads(
    tmp_path: Path,
) -> None:
    mine = load("nvme").model_copy(update={"name": "mine"})
    for device, where in ((load("nvme"), "path under [nvme] in /"), (mine, "path in its TOML")):
        assert device.model is not None
        (row, *_) = device.model.sync
        fast = row.model_copy(update={"quantiles_us": {"p50": 0.1}})
        model = device.model.model_copy(update={"sync": (fast,)})
        with pytest.raises(WaltaxError) as caught:
            resolve(device.model_copy(update={"model": model}), kernel=emulating(tmp_path))
        assert f"give a directory on it: {where}" in str(caught.value)
        assert "--" not in str(caught.value)


def test_a_directory_of_another_class_is_refused(tmp_path: Path, wal: Path) -> None:
    with pytest.raises(UsageError, match="should be on sata, but is on nvme") as caught:
        resolve(load("ssd", wal), kernel=nvme_at(wal, tmp_path))
    assert "--allow-mismatch, where" in str(caught.value)


def test_an_nvme_that_is_tmpfs_is_refused() -> None:
    with pytest.raises(UsageError, match="should be on nvme, but is on ram"):
        resolve(load("nvme", "/dev/shm"))


def test_an_allowed_mismatch_stays_in_the_warnings() -> None:
    placement = resolve(load("nvme", "/dev/shm"), allow_mismatch=True)
    assert placement.kind == "real"
    assert placement.mismatch is not None
    assert f"label not proven: {placement.mismatch}" in placement.warnings


def test_a_missing_wal_directory_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"WAL directory .*absent does not exist"):
        resolve(load("nvme", tmp_path / "absent"))


def test_sharing_a_device_with_the_data_is_warned_of(tmp_path: Path, wal: Path) -> None:
    placement = resolve(
        load("nvme", wal), data_dir=Path("/wal/data"), kernel=nvme_at(wal, tmp_path)
    )
    assert any("shares nvme0n1" in warning for warning in placement.warnings)


def test_the_user_s_file_makes_a_device_real(tmp_path: Path, wal: Path) -> None:
    kernel = with_config(tmp_path, f'[nvme]\npath = "{wal}"\n')
    assert resolve(load("nvme"), kernel=kernel).wal_root == wal.resolve()


def test_a_given_directory_wins_over_the_user_s_file(tmp_path: Path, wal: Path) -> None:
    kernel = with_config(tmp_path, '[nvme]\npath = "/nowhere"\n')
    assert resolve(load("nvme", wal), kernel=kernel).wal_root == wal.resolve()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[nvem]\npath = "/x"\n', 'unknown device "nvem"; valid names are'),
        ('[nvme]\npaht = "/x"\n', "nvme.paht: unknown key; accepted: path"),
        ("[nvme]\npath = 3\n", "nvme.path: found 3, want a string"),
        ('[nvme]\npath = "x"\n', 'nvme.path: found "x", want an absolute directory'),
        ("nvme = 3\n", "nvme: found 3, want a table"),
        ("[nvme\n", "not TOML"),
    ],
)
def test_a_bad_user_file_is_refused_with_file_and_key(
    tmp_path: Path, text: str, message: str
) -> None:
    kernel = with_config(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        resolve(load("nvme"), kernel=kernel)
    assert f"{user_config_path()}: " in str(caught.value)
    assert message in str(caught.value)


def test_without_a_user_file_no_device_is_real() -> None:
    assert user_paths() == {}


def test_the_user_file_follows_xdg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/xdg")
    assert user_config_path() == Path("/xdg/waltax/devices.toml")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", "/home/u")
    assert user_config_path() == Path("/home/u/.config/waltax/devices.toml")


def test_a_device_without_a_model_asks_for_a_directory(tmp_path: Path) -> None:
    device = load("nvme").model_copy(update={"model": None, "kind": "none"})
    with pytest.raises(UsageError, match="has no \\[model\\] to emulate it by"):
        resolve(device, kernel=emulating(tmp_path))


def test_the_log_beside_the_data_is_real_and_is_judged_by_the_data_s_disk(
    tmp_path: Path, wal: Path
) -> None:
    placement = resolve(load("with-data"), data_dir=wal, kernel=nvme_at(wal, tmp_path))
    assert (placement.kind, placement.wal_root, placement.with_data) == ("real", None, True)
    assert (placement.device_kind, placement.emulated, placement.warnings) == ("real", False, ())
    assert placement.identity is not None
    assert not resolve(load("off")).with_data


def test_a_log_beside_data_that_memory_holds_is_not_durable(tmp_path: Path, wal: Path) -> None:
    machine = Recorded(tmp_path / "root")
    machine.mount(str(wal), "tmpfs", "tmpfs")
    placement = resolve(load("with-data"), data_dir=wal, kernel=machine.kernel)
    assert any(text.startswith("not durable: ") for text in placement.warnings)


def test_without_data_there_is_no_place_beside_them() -> None:
    with pytest.raises(UsageError, match="with-data is beside the data, but nothing here has data"):
        resolve(load("with-data"))

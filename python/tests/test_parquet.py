# SPDX-License-Identifier: MIT
"""Parquet tables of `moorea ensemble`, which are written by the pyarrow of python3: equal to the archive of arrays."""
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

parquet = pytest.importorskip("pyarrow.parquet")

COMMAND = pathlib.Path(__file__).parents[2] / os.environ.get("MOOREA_COMMAND", "build/ci/bin/moorea")
pytestmark = pytest.mark.skipif(not COMMAND.exists(), reason=f"there is no {COMMAND}: ./test release builds it, MOOREA_COMMAND names another")


def table(path, *options, **variables):
    environment = {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", **variables}
    command = [COMMAND, "ensemble", "--worlds", "3000", "--size", "20x12", "--random", "0.37", "-g", "60", *options, "-o", path]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("options", [("--record", "seed,population,hash,changed,box"), ("-r", "Life", "-r", "HighLife", "--record", "hash")])
def test_equals_the_archive(tmp_path, options):
    for ending in "parquet", "npz":
        result = table(tmp_path / f"a.{ending}", *options)
        assert result.returncode == 0, result.stderr
    assert sorted(os.listdir(tmp_path)) == ["a.npz", "a.parquet"]
    archive, made = np.load(tmp_path / "a.npz"), parquet.read_table(tmp_path / "a.parquet")
    assert made.column_names == [name for name in archive if name != "rules"]
    for name in made.column_names:
        column = made[name].to_numpy()
        assert column.dtype == (np.int64 if name in "xy" else np.uint64)
        np.testing.assert_array_equal(column, archive[name].astype(column.dtype), err_msg=name)
    rules = (made.schema.metadata or {}).get(b"rules")
    assert (rules is not None) == ("rules" in archive)
    if rules:
        assert json.loads(rules) == [rule.decode() for rule in archive["rules"]]


def test_a_failure_keeps_the_rows(tmp_path):
    path = tmp_path / "a.parquet"
    assert table(path).returncode == 0
    good = path.read_bytes()
    refused = table(path)
    assert refused.returncode == 2 and "exists: add --resume" in refused.stderr
    path.unlink()
    # Modules that exist, as far as can be seen before the survey, and fail afterwards
    broken = tmp_path / "broken" / "pyarrow"
    broken.mkdir(parents=True)
    for name in "__init__", "csv", "parquet":
        (broken / f"{name}.py").write_text("")
    result = table(path, PYTHONPATH=str(broken.parent))
    assert result.returncode == 1
    assert f"the rows are in {path}.rows" in result.stderr and "AttributeError" in result.stderr
    assert not path.exists()
    assert table(path, "--resume").returncode == 0
    assert path.read_bytes() == good
    assert not os.path.exists(f"{path}.rows")

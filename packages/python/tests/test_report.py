"""What pytest prints when a test fails."""

import subprocess
import sys
from pathlib import Path


def test_the_log_is_in_the_report():
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(Path(__file__).parent / "failing" / "failing.py")]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    assert result.returncode == 1, result.stdout
    assert result.stdout.count("Vaquita, process") == 3, result.stdout
    assert "pytest.mark.vaquita(table=...): it takes tables=... and seed=..." in result.stdout
    assert "unknown property no.such.property" in result.stdout


def test_the_command_is_the_program():
    program = Path(sys.executable).parent / "vaquita"
    result = subprocess.run([program, "version"], stdout=subprocess.PIPE, text=True, check=True)
    assert "0.1.0" in result.stdout

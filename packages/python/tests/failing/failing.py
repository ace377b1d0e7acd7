"""Run by test_report.py: it fails, so that the log is in the report."""

import pytest


def test_fails(vaquita_factory):
    vaquita_factory(properties={"no.such.property": "1"})
    assert False


def test_fails_with_the_sessions_server(vaquita_server):
    assert False


@pytest.mark.vaquita(table={"t": ["f"]})
def test_has_a_mark_with_a_mistake(vaquita):
    pass

"""Run by test_report.py: it fails, so that the log is in the report."""


def test_fails(vaquita_factory):
    vaquita_factory(properties={"no.such.property": "1"})
    assert False

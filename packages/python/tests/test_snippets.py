"""The code blocks of docs/testing.md, as they are printed."""

from datetime import timedelta

import pytest

# snippet: python-three-lines


# snippet: python-fault


# snippet: python-power-cut


# snippet: python-time


# snippet: python-seed


test_writes_of_the_page = test_writes  # noqa: F821, README.md has one of the same name


# snippet: readme-python

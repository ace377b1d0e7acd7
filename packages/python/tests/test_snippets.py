"""The code blocks of docs/testing.md, as they are printed."""

from datetime import timedelta

import pytest

# snippet: python-three-lines


# snippet: python-fault


# snippet: python-time


# snippet: python-seed

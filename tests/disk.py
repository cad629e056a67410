"""A disk that is full, by the system's own limit on the size of files."""

import resource
import signal
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def disk_of(size: int) -> Generator[None]:
    """Files may have so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)

"""`python -m tests.server --port 0`: the server as a process; the first line is its URL."""

import argparse
import asyncio
import sys
import time

from tests.server.server import ClaudeServer


async def run(port: int, api_key: str) -> None:
    """Serve until the process is interrupted, on a clock that runs."""
    server = ClaudeServer(clock=time.monotonic, api_key=api_key)
    await server.start(port)
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one (default)")
    parser.add_argument("--key", default="test-key", help="the API key that is right")
    options = parser.parse_args()
    try:
        asyncio.run(run(options.port, options.key))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()

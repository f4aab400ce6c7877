"""The command ``carom``."""

from __future__ import annotations

import signal
import sys

from . import _carom


def main() -> int:
    """Runs the command with the arguments of this process."""
    # The command listens to Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _carom.command(["carom", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

"""``python -m carom`` is the command ``carom``."""

import sys

from ._command import main

sys.exit(main())

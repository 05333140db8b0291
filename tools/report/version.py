"""The version of channels that these commands are a part of."""

import os
import re

HERE = os.path.dirname(os.path.realpath(__file__))


def version():
    """From the file that CMake installs beside this one, or from the source tree's CMakeLists.txt."""
    for path, pattern in (
        (os.path.join(HERE, "VERSION"), r"([\d.]+)"),
        (os.path.join(HERE, "..", "..", "CMakeLists.txt"), r"project\(channels VERSION ([\d.]+)"),
    ):
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return re.search(pattern, file.read())[1]
    return "unknown"

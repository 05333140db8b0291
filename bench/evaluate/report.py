"""The part of docs/results.md that scripts/evaluate owns, between two markers a device."""

import report_cuda
import report_host

EMPTY_PAGE = "# Results\n"


def markers(device):
    return (f"<!-- scripts/evaluate --device {device}: begin; what is written here is overwritten -->\n",
            f"<!-- scripts/evaluate --device {device}: end -->\n")


def into_page(text, device, part):
    """The page with `part` between the device's markers, or at its end if it has none yet."""
    begin, end = markers(device)
    if begin in text and end in text:
        before, rest = text.split(begin, 1)
        return before + begin + part + end + rest.split(end, 1)[1]
    return text.rstrip("\n") + "\n\n" + begin + part + end


def page_of(device, measured):
    return (report_host if device == "host" else report_cuda).page(measured)

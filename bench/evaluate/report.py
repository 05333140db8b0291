"""The pages that scripts/evaluate writes: docs/evaluation/<device>.md, and its part of docs/results.md, between two
markers for each device."""

import markdown
import report_cuda
import report_host
import report_net
import report_results

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


def evaluation_of(device, measured):
    """docs/evaluation/<device>.md, with the paper's figures beside ours."""
    page = markdown.wrapped({"host": report_host, "cuda": report_cuda, "net": report_net}[device].page(measured))
    return page.rstrip("\n") + "\n"


def results_of(device, measured):
    """The device's part of docs/results.md: times beside what a user would choose instead."""
    return markdown.wrapped((report_results.host if device == "host" else report_results.cuda)(measured))

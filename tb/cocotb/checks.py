"""What the tests have in common: checks that name what they saw, and the two ends of the wire as register values."""


class Wrong(AssertionError):
    """What was seen is not what was to be seen; `what` names the check."""

    def __init__(self, what, found, expected):
        super().__init__(f"{what}: found {found}, expected {expected}")
        self.what = what


def same(what, found, expected):
    if found != expected:
        raise Wrong(what, found, expected)


def same_bytes(what, found, expected):
    """As `same`, but names the first byte."""
    same(f"{what}, length", len(found), len(expected))
    for at, (one, other) in enumerate(zip(found, expected)):
        if one != other:
            raise Wrong(what, f"0x{one:02x} at byte {at}", f"0x{other:02x}")


def mac(end):
    return int(end.mac.replace(":", ""), 16)


def ip(end):
    return int.from_bytes(bytes(int(part) for part in end.ip.split(".")), "big")

"""Frames of one operation, and what the control packets say. Headers of the standards are scapy's; what follows the BTH is written from the wire format."""

import logging
import struct
from dataclasses import dataclass

# Nothing is sent to a network: what scapy has to say about this machine's is of no interest.
logging.getLogger("scapy").setLevel(logging.ERROR)

from scapy.contrib.roce import BTH  # noqa: E402
from scapy.layers.inet import IP, UDP  # noqa: E402
from scapy.layers.l2 import Ether  # noqa: E402
from scapy.packet import Raw  # noqa: E402

ROCE_PORT = 4791
WRITE_ONLY, WRITE_ONLY_IMMEDIATE = 0x0A, 0x0B
ACKNOWLEDGE = 0x11
FEEDBACK, REMOTE_COMPLETION, OP_ACK, NOTIFICATION, RANGE = 0xC0, 0xC1, 0xC3, 0xC4, 0xC5
PSNS = 1 << 24
BODY, START = 0, 1
# Bytes of a start without an immediate up to its payload: Ethernet, IPv4, UDP, BTH, RETH, OpETH.
END = 14 + 20 + 8 + 12 + 16 + 8
# Where the opcode is.
OPCODE = 14 + 20 + 8


@dataclass(frozen=True)
class End:
    """One end of the wire: its addresses and its queue pair."""

    mac: str
    ip: str
    qp: int


@dataclass(frozen=True)
class Operation:
    """One write of `data` to `base`, in packets of `packet_size` bytes, the last one with an immediate. `first` is the packet sequence number of the first."""

    source: int
    number: int
    base: int
    data: bytes
    packet_size: int
    immediate: int
    key: int = 0
    first: int = 0

    @property
    def count(self):
        return -(-len(self.data) // self.packet_size)

    def payload(self, index):
        return self.data[index * self.packet_size :][: self.packet_size]

    def operation(self, index, payload):
        """What RETH says is the length, and OpETH."""
        start = index == 0
        header = struct.pack(">IHH", (START if start else BODY) << 24 | self.number, self.count if start else 0, self.source)
        return len(self.data) if start else len(payload), header

    def frame(self, sender, receiver, index, payload=None, icrc=None, again=False):
        """Bytes of packet `index`, ICRC included, or `icrc` instead; `payload`, of the same length, stands for another one than its own. `again`: it was sent before."""
        payload = self.payload(index) if payload is None else payload
        last = index == self.count - 1
        length, headers = self.operation(index, payload)
        headers = struct.pack(">I", self.immediate) * last + headers
        headers = struct.pack(">QII", self.base + index * self.packet_size, self.key, length) + headers
        pad = -len(payload) % 4
        opcode, psn = WRITE_ONLY_IMMEDIATE if last else WRITE_ONLY, (self.first + index) % PSNS
        bth = BTH(opcode=opcode, padcount=pad, pkey=0xFFFF, dqpn=receiver.qp, psn=psn, resv6=again)
        ip = IP(src=sender.ip, dst=receiver.ip, flags="DF", id=0)
        udp = UDP(sport=0xC000, dport=ROCE_PORT, chksum=0)
        frame = bytes(Ether(src=sender.mac, dst=receiver.mac) / ip / udp / bth / Raw(headers + payload + bytes(pad)))
        return frame if icrc is None else frame[:-4] + icrc


class Write(Operation):
    """The same for a receiver that knows of no operations: each packet is a message of its own."""

    def operation(self, index, payload):
        return len(payload), b""


def answer(sender, receiver, opcode, body, psn=0):
    """A control packet."""
    bth = BTH(opcode=opcode, pkey=0xFFFF, dqpn=receiver.qp, psn=psn)
    ip = IP(src=sender.ip, dst=receiver.ip, flags="DF", id=0)
    udp = UDP(sport=0xC000, dport=ROCE_PORT, chksum=0)
    return bytes(Ether(src=sender.mac, dst=receiver.mac) / ip / udp / bth / Raw(body))


def acknowledge(sender, receiver, op, packets):
    """Memory has the packets whose bits are set."""
    return answer(sender, receiver, OP_ACK, struct.pack(">IH2xQ", op << 8, 0, packets))


def complete(sender, receiver, op, status, packets):
    """The operation is over at the receiver."""
    return answer(sender, receiver, REMOTE_COMPLETION, struct.pack(">II", op << 8 | status, packets))


def arrived(sender, receiver, psn):
    """Everything up to a packet sequence number has arrived."""
    return answer(sender, receiver, ACKNOWLEDGE, struct.pack(">BxH", 31, 0), psn)


def missing(sender, receiver, start, edge):
    """The packet `start` is missing, `edge` is the last one that has arrived."""
    return answer(sender, receiver, FEEDBACK, struct.pack(">IIIIIBBHBxH", start, 1, edge, start, 0, 0, 0, 0, 0, 0))


@dataclass(frozen=True)
class Arrived:
    """Everything up to this packet sequence number has, so many messages."""

    psn: int
    messages: int


@dataclass(frozen=True)
class Missing:
    """Packets that have not: where they begin, how many, the highest that has, the first that has not, and why it is told."""

    start: int
    length: int
    edge: int
    base: int
    status: int


@dataclass(frozen=True)
class Above:
    """Packets that have arrived although one before them has not: the first that has not, where they begin, how many."""

    base: int
    start: int
    length: int


@dataclass(frozen=True)
class Completed:
    """The sender's operation is over."""

    op: int
    status: int
    packets: int


@dataclass(frozen=True)
class Acknowledged:
    """Packets of an operation that memory has, by index."""

    op: int
    status: int
    packets: frozenset


def control(data, sender, receiver):
    """The message in a control packet from `sender` to `receiver`. ValueError if its headers are not as they should be."""
    packet = Ether(data)
    # Left away, lengths and checksum are computed anew: they must come out as they were.
    again = IP(bytes(packet[IP]))
    del again.len, again.chksum, again[UDP].len
    again = IP(bytes(again))
    found = {
        "MAC": (packet.dst, packet.src),
        "IP": (packet[IP].dst, packet[IP].src),
        "IP length and checksum": (packet[IP].len, packet[IP].chksum),
        "UDP port and length": (packet[UDP].dport, packet[UDP].len),
        "queue pair and PSN": (packet[BTH].dqpn, packet[BTH].psn * (packet[BTH].opcode != ACKNOWLEDGE)),
        "ICRC, which is the MAC side's to write": data[-4:],
    }
    expected = {
        "MAC": (receiver.mac, sender.mac),
        "IP": (receiver.ip, sender.ip),
        "IP length and checksum": (again.len, again.chksum),
        "UDP port and length": (ROCE_PORT, again[UDP].len),
        "queue pair and PSN": (receiver.qp, 0),
        "ICRC, which is the MAC side's to write": bytes(4),
    }
    for what, value in expected.items():
        if found[what] != value:
            raise ValueError(f"control packet: {what}: {found[what]}, expected {value}")
    body = bytes(packet[BTH].payload)
    if packet[BTH].opcode == REMOTE_COMPLETION and len(body) == 8:
        named, packets = struct.unpack(">II", body)
        return Completed(named >> 8, named & 0xFF, packets)
    if packet[BTH].opcode == OP_ACK and len(body) == 16:
        named, first, mask = struct.unpack(">IH2xQ", body)
        return Acknowledged(named >> 8, named & 0xFF, frozenset(first + bit for bit in range(64) if mask >> bit & 1))
    if packet[BTH].opcode == ACKNOWLEDGE and len(body) == 4 and body[0] >> 5 == 0:
        return Arrived(packet[BTH].psn, int.from_bytes(body[1:], "big"))
    if packet[BTH].opcode == FEEDBACK and len(body) == 28:
        start, length, edge, base, status = struct.unpack(">IIII5xB6x", body)
        return Missing(start, length, edge, base, status)
    if packet[BTH].opcode == RANGE and len(body) == 12:
        return Above(*struct.unpack(">III", body))
    raise ValueError(f"control packet with opcode 0x{packet[BTH].opcode:02x} and {len(body)} bytes")

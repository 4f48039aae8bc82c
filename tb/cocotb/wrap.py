"""A module around the emitted one, with the AXI IDs that cocotbext-axi wants at every AXI4 port, also where the design has none: an answer has the ID of its request.

Requests of a port without IDs are answered in order, so a FIFO of one ID is enough as long as one burst at a time is under way, as in these tests.
"""

import re

PORT = re.compile(r"^ {4}(input|output) +(?:wire|reg) +(\[\d+:0\])? *(\w+)[,\s]", re.MULTILINE)


def wrap(text, top, name):
    """The text of module `name` around `top`, whose text is given; nothing if every AXI4 port of it has IDs."""
    header = text[text.index(f"module {top} (") :]
    ports = PORT.findall(header[: header.index(");")])
    names = {port for _, _, port in ports}
    declared = [f"    {way} wire {width} {port}" for way, width, port in ports]
    connected = [f".{port}({port})" for port in names]
    kept, assigned = [], []
    for request, answer, channel in (("aw", "b", "b"), ("ar", "r", "r")):
        for prefix in sorted(port.removesuffix(f"{request}len") for port in names if port.endswith(f"_{request}len")):
            if f"{prefix}{request}id" in names:
                continue
            ours = f"{prefix}{request}addr" in {port for way, _, port in ports if way == "output"}
            if ours:
                declared += [f"    output wire [3:0] {prefix}{request}id", f"    input wire [3:0] {prefix}{answer}id"]
                assigned.append(f"    assign {prefix}{request}id = 4'd0;")
            else:
                declared += [f"    input wire [3:0] {prefix}{request}id", f"    output reg [3:0] {prefix}{answer}id"]
                fires = f"{prefix}{request}valid && {prefix}{request}ready"
                kept.append(f"    always @(posedge aclk) if ({fires}) {prefix}{channel}id <= {prefix}{request}id;")
    if not assigned and not kept:
        return ""
    lines = [f"module {name} (", ",\n".join(declared), ");", *assigned, *kept]
    lines += [f"    {top} dut (", "        " + ",\n        ".join(sorted(connected)), "    );", "endmodule", ""]
    return "\n".join(lines)

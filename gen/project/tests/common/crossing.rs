//! Modules between clocks, as the emitter writes them, with what their constraints name and no more.

pub const SYNCHRONIZER: &str = "module synchronizer_width4_stages2 (\n    input  wire       clk,\n    input  wire [3:0] d,\n    (* async_reg = \"true\" *)\n    output reg  [3:0] q\n);\n\n    (* async_reg = \"true\" *)\n    reg  [3:0] stage_0;\n\n    always @(posedge clk) begin\n        stage_0 <= d;\n        q <= stage_0;\n    end\n\nendmodule\n";
pub const MEMORY: &str = "module lut_ram_width8_address_bits3 (\n    input  wire       clk,\n    input  wire [7:0] write_data,\n    output wire [7:0] read_data\n);\n\n    (* ram_style = \"distributed\" *)\n    reg [7:0] words [0:7];\n\n    always @(posedge clk) begin\n        if (write_data[0])\n            words[0] <= write_data;\n    end\n\n    assign read_data = words[0];\n\nendmodule\n";
pub const FIFO: &str = "module fifo_async_width8_address_bits3_count_bits4_stages2 (\n    input  wire       write_clk,\n    input  wire [7:0] in_data,\n    input  wire       read_clk,\n    output reg  [7:0] out_data\n);\n\n    reg  [3:0] write_gray;\n    reg  [3:0] read_gray;\n    wire [7:0] read_data;\n    wire [3:0] seen_a;\n    wire [3:0] seen_b;\n\n    lut_ram_width8_address_bits3 memory (\n        .clk        (write_clk),\n        .write_data (in_data),\n        .read_data  (read_data)\n    );\n\n    synchronizer_width4_stages2 read_seen (\n        .clk (write_clk),\n        .d   (read_gray),\n        .q   (seen_a)\n    );\n\n    synchronizer_width4_stages2 write_seen (\n        .clk (read_clk),\n        .d   (write_gray),\n        .q   (seen_b)\n    );\n\n    always @(posedge write_clk) begin\n        write_gray <= write_gray ^ seen_a;\n    end\n\n    always @(posedge read_clk) begin\n        read_gray <= read_gray ^ seen_b;\n        out_data <= read_data;\n    end\n\nendmodule\n";
pub const LEVEL: &str = "module synchronizer_width1_stages3 (\n    input  wire clk,\n    input  wire d,\n    (* async_reg = \"true\" *)\n    output reg  q\n);\n\n    (* async_reg = \"true\" *)\n    reg  stage_0;\n    (* async_reg = \"true\" *)\n    reg  stage_1;\n\n    always @(posedge clk) begin\n        stage_0 <= d;\n        stage_1 <= stage_0;\n        q <= stage_1;\n    end\n\nendmodule\n";

/// Between an endpoint of `data_width` bits and a MAC of `mac_width`: two clocks, and a crossing of each kind.
pub fn bridge(data_width: usize, mac_width: usize) -> Vec<(String, String)> {
    let mut text = String::from(
        "module line_mac_bridge (\n    (* X_INTERFACE_INFO = \"xilinx.com:signal:clock:1.0 aclk CLK\" *)\n    (* X_INTERFACE_PARAMETER = \"ASSOCIATED_BUSIF s_axis_tx:m_axis_rx, ASSOCIATED_RESET aresetn\" *)\n    input  wire aclk,\n    (* X_INTERFACE_INFO = \"xilinx.com:signal:reset:1.0 aresetn RST\" *)\n    (* X_INTERFACE_PARAMETER = \"POLARITY ACTIVE_LOW\" *)\n    input  wire aresetn,\n    (* X_INTERFACE_INFO = \"xilinx.com:signal:clock:1.0 mac_aclk CLK\" *)\n    (* X_INTERFACE_PARAMETER = \"ASSOCIATED_BUSIF s_axis_mac:m_axis_mac, ASSOCIATED_RESET mac_aresetn\" *)\n    input  wire mac_aclk,\n    (* X_INTERFACE_INFO = \"xilinx.com:signal:reset:1.0 mac_aresetn RST\" *)\n    (* X_INTERFACE_PARAMETER = \"POLARITY ACTIVE_LOW\" *)\n    input  wire mac_aresetn,\n",
    );
    for (bus, width, user, ready) in [
        ("s_axis_tx", data_width, 0, true),
        ("m_axis_rx", data_width, 2, true),
        ("m_axis_mac", mac_width, 0, true),
        ("s_axis_mac", mac_width, 1, false),
    ] {
        let signals =
            [("tvalid", 1), ("tready", usize::from(ready)), ("tdata", width), ("tkeep", width / 8), ("tlast", 1), ("tuser", user)];
        for (signal, width) in signals.into_iter().filter(|(_, width)| *width > 0) {
            let out = bus.starts_with('m') != (signal == "tready");
            let range = if width > 1 { format!("[{}:0] ", width - 1) } else { String::new() };
            let direction = if out { "output" } else { "input " };
            text += &format!(
                "    (* X_INTERFACE_INFO = \"xilinx.com:interface:axis:1.0 {bus} {}\" *)\n    {direction} wire {range}{bus}_{signal},\n",
                signal.to_uppercase()
            );
        }
    }
    text += "    input  wire line_up,\n    output wire tx_enable,\n    output wire tx_send_rfi,\n    output wire [31:0] receive_lost,\n    output wire [31:0] status\n);\n\n    line_fifo_async words (\n        .write_clk (aclk),\n        .in_data   (s_axis_tx_tdata[7:0]),\n        .read_clk  (mac_aclk),\n        .out_data  (status[7:0])\n    );\n\n    line_level level (\n        .clk (aclk),\n        .d   (line_up),\n        .q   (tx_enable)\n    );\n\nendmodule\n";
    let named = |text: &str| {
        let names = [
            ("fifo_async_width8_address_bits3_count_bits4_stages2", "line_fifo_async"),
            ("lut_ram_width8_address_bits3", "line_lut_ram"),
            ("synchronizer_width4_stages2", "line_synchronizer"),
            ("synchronizer_width1_stages3", "line_level"),
        ];
        names.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to))
    };
    let mut files: Vec<(String, String)> = [SYNCHRONIZER, MEMORY, FIFO, LEVEL]
        .map(named)
        .into_iter()
        .chain([text])
        .map(|text| (format!("{}.v", text.split_whitespace().nth(1).unwrap()), text))
        .collect();
    let list = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    files.push(("line_mac_bridge.f".into(), list));
    files
}

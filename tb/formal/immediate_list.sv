// ImmediateList: what enters leaves once, by number. No word that is pushed into the queue is refused; the number of immediates inside is that of those that
// came less those that were told or forgotten, and what is told leaves. That each is told with its value and in its time is the bench's.
//
// For the covers the solver picks a queue pair (`k`), of which a shadow knows what was opened and acknowledged, and one of its immediates. Of the path around
// it is assumed: a packet is taken only if there is room, and something comes of it, or nothing, once.
module proof (
    input clk, input rst, input reserve, input lost, input in_valid, input [1:0] in_qp, input [23:0] in_psn, input [31:0] in_imm,
    input [63:0] in_addr, input [15:0] in_bytes, input open_valid, input open_open, input [1:0] open_qp, input [23:0] open_psn,
    input told_valid, input [1:0] told_qp, input [23:0] told_psn, input out_ready, input pick
);
    wire room, out_valid, idle, leaves, waiting, push, pushes;
    wire [1:0] out_qp;
    wire [31:0] out_imm;
    wire [63:0] out_addr;
    wire [15:0] out_bytes;
    wire [4:0] reserved, read, write;
    wire [5:0] count;
    wire [137:0] words [0:31];
    wire [24:0] beginnings [0:3];
    wire [23:0] edges [0:3];
    wire [3:0] moved;
    (* anyconst *) wire [1:0] k;
    immediate_list dut (
        .clk(clk), .rst(rst), .room(room), .reserve(reserve), .lost(lost), .in_valid(in_valid), .in_qp(in_qp), .in_psn(in_psn),
        .in_imm(in_imm), .in_addr(in_addr), .in_bytes(in_bytes), .open_valid(open_valid), .open_open(open_open), .open_qp(open_qp),
        .open_psn(open_psn), .told_valid(told_valid), .told_qp(told_qp), .told_psn(told_psn), .out_valid(out_valid),
        .out_ready(out_ready), .out_qp(out_qp), .out_imm(out_imm), .out_addr(out_addr), .out_bytes(out_bytes), .idle(idle),
        .reserved(reserved), .leaves(leaves), .waiting_count(count), .waiting_out_valid(waiting), .\waiting.read (read),
        .\waiting.write (write), .\waiting.push (push), .waiting_in_valid(pushes),
        .\waiting.memory.words[0] (words[0]), .\waiting.memory.words[1] (words[1]), .\waiting.memory.words[2] (words[2]), .\waiting.memory.words[3] (words[3]),
        .\waiting.memory.words[4] (words[4]), .\waiting.memory.words[5] (words[5]), .\waiting.memory.words[6] (words[6]), .\waiting.memory.words[7] (words[7]),
        .\waiting.memory.words[8] (words[8]), .\waiting.memory.words[9] (words[9]), .\waiting.memory.words[10] (words[10]), .\waiting.memory.words[11] (words[11]),
        .\waiting.memory.words[12] (words[12]), .\waiting.memory.words[13] (words[13]), .\waiting.memory.words[14] (words[14]), .\waiting.memory.words[15] (words[15]),
        .\waiting.memory.words[16] (words[16]), .\waiting.memory.words[17] (words[17]), .\waiting.memory.words[18] (words[18]), .\waiting.memory.words[19] (words[19]),
        .\waiting.memory.words[20] (words[20]), .\waiting.memory.words[21] (words[21]), .\waiting.memory.words[22] (words[22]), .\waiting.memory.words[23] (words[23]),
        .\waiting.memory.words[24] (words[24]), .\waiting.memory.words[25] (words[25]), .\waiting.memory.words[26] (words[26]), .\waiting.memory.words[27] (words[27]),
        .\waiting.memory.words[28] (words[28]), .\waiting.memory.words[29] (words[29]), .\waiting.memory.words[30] (words[30]), .\waiting.memory.words[31] (words[31]),
        .\edges.words[0] (edges[0]), .\edges.words[1] (edges[1]), .\edges.words[2] (edges[2]), .\edges.words[3] (edges[3]),
        .\beginnings.words[0] (beginnings[0]), .\beginnings.words[1] (beginnings[1]), .\beginnings.words[2] (beginnings[2]),
        .\beginnings.words[3] (beginnings[3]), .\each[0].moved (moved[0]), .\each[1].moved (moved[1]), .\each[2].moved (moved[2]), .\each[3].moved (moved[3])
    );

    reg past = 0;
    reg [4:0] coming = 0, inside = 0;
    // The one that was picked, and how many are before it.
    reg held = 0;
    reg [4:0] ahead;
    reg [137:0] its;
    // What is known of `k`, since it was opened or closed for the first time.
    reg known = 0, is_open;
    reg [23:0] edge_psn;
    // For the covers.
    reg round = 0, had_some = 0;

    wire told = out_valid && out_ready;
    wire [137:0] new_one = {in_bytes, in_addr, in_imm, in_psn, in_qp};
    wire [23:0] behind = edge_psn - its[25:2];
    wire mine = held && ahead == 0;
    wire pops = leaves || (waiting && pushes && !in_valid);

    initial assume (rst);
    always @* begin
        if (reserve) assume (room);
        assume (!(in_valid && lost));
        if (in_valid || lost) assume (coming != 0);
    end

    always @(posedge clk) begin
        past <= 1;
        coming <= coming + reserve - (in_valid || lost);
        inside <= inside + in_valid - leaves;
        if (held && pops) begin
            ahead <= ahead - 1;
            if (ahead == 0) begin
                ahead <= inside - 1;
                held <= !leaves;
                if (!leaves) round <= 1;
            end
        end
        if (in_valid && pick && !held && in_qp == k) begin
            held <= 1;
            ahead <= inside - leaves;
            its <= new_one;
            round <= 0;
        end
        if (open_valid && open_qp == k) {known, is_open, edge_psn} <= {1'b1, open_open, open_psn - 24'd1};
        else if (told_valid && told_qp == k) edge_psn <= told_psn;
        had_some <= (had_some || inside == 3) && !rst;
        if (rst) {coming, inside, held, round} <= 0;
    end

    always @* if (past) begin
        // The property.
        if (pushes) assert (push);
        assert (inside == count && inside + coming <= 16);
        if (told) assert (leaves);
        assert (idle == (inside + coming == 0) && room == (inside + coming < 16));
        // What holds inside, for the induction.
        assert (reserved == inside + coming);
        assert (waiting == (count != 0) && write == ((read + count) & 6'd31));
        // Not vacuous: several wait and each goes round, then one is told; one is forgotten. That all sixteen do is the bench's.
        cover (mine && leaves && !told && known && round);
        cover (inside == 4 && pushes && !in_valid);
        cover (had_some && idle);
        cover (mine && told && known && round && moved[k]);
    end
endmodule

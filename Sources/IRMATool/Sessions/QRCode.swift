import CQRCode

/// A QR code, as text for a terminal.
struct QRCode {
    /// The rows, light border included; true is dark.
    private let rows: [[Bool]]

    /// Encodes a text; nil where it is too long for a QR code.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let border = 2
        var rows = [[Bool]](repeating: [Bool](repeating: false, count: width + 2 * border), count: width + 2 * border)
        for y in 0..<width {
            for x in 0..<width { rows[y + border][x + border] = code.pointee.data[y * width + x] & 1 == 1 }
        }
        self.rows = rows
    }

    /// Two rows of the code to a line of half blocks, dark on light.
    var lines: [String] {
        stride(from: 0, to: rows.count, by: 2).map { y in
            let lower = y + 1 < rows.count ? rows[y + 1] : [Bool](repeating: false, count: rows[y].count)
            let blocks = zip(rows[y], lower).map { upper, lower in
                switch (upper, lower) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            return blocks.joined()
        }
    }
}

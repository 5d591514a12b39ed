import CQRCode

/// A QR code: text for a terminal, or SVG for a page.
public struct QRCode: Sendable {
    /// The rows, light border included; true is dark.
    private let rows: [[Bool]]

    /// Encodes a text.
    ///
    /// - Parameters:
    ///   - text: The text: at most 2,953 bytes of UTF-8, without the character NUL.
    ///   - border: The width of the light border in modules; the standard wants 4.
    /// - Returns: `nil` for a text that no QR code holds.
    public init?(_ text: String, border: Int = 2) {
        guard border >= 0, border <= 64, !text.utf8.contains(0) else { return nil }
        guard let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { unsafe QRcode_free(code) }
        let width = unsafe Int(code.pointee.width)
        let empty = [Bool](repeating: false, count: width + 2 * border)
        var rows = [[Bool]](repeating: empty, count: width + 2 * border)
        for y in 0..<width {
            for x in 0..<width {
                rows[y + border][x + border] = unsafe code.pointee.data[y * width + x] & 1 == 1
            }
        }
        self.rows = rows
    }

    /// Two rows of the code to a line of half blocks, dark on light.
    public var lines: [String] {
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

    /// The code as an SVG image, dark on light, one unit to a module.
    public var svg: String {
        let size = rows.count
        let path = rows.enumerated().flatMap { y, row in
            Self.runs(row).map { run in "M\(run.lowerBound) \(y)h\(run.count)v1h-\(run.count)z" }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)H0z"/><path d="\(path.joined())"/></svg>
            """
    }

    /// The runs of dark modules in a row.
    private static func runs(_ row: [Bool]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (x, isDark) in row.enumerated() where isDark {
            if let last = runs.last, last.upperBound == x {
                runs[runs.count - 1] = last.lowerBound..<x + 1
            } else {
                runs.append(x..<x + 1)
            }
        }
        return runs
    }
}

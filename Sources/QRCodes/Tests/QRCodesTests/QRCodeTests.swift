import QRCodes
import Testing

struct QRCodeTests {
    /// The smallest code has 21 modules on a side, and a finder pattern in its corner (ISO/IEC 18004, 6.3.3).
    @Test func drawsHalfBlocks() throws {
        let lines = try #require(QRCode("IRMA", border: 0)).lines
        #expect(lines.count == 11)
        #expect(lines.allSatisfy { $0.count == 21 })
        #expect(lines[0].hasPrefix(" ▄▄▄▄▄ "))
        #expect(try #require(QRCode("IRMA")).lines.allSatisfy { $0.count == 25 })
    }

    @Test func drawsTheSameModulesAsSVG() throws {
        let code = try #require(QRCode("https://shop.example/?a=1&b=2", border: 4))
        let svg = code.svg
        let size = try #require(code.lines.first).count
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size) \(size)\""))
        let dark = svg.matches(of: /h(\d+)v1h-/).compactMap { Int($0.1) }.reduce(0, +)
        let drawn = code.lines.joined().reduce(into: 0) { sum, block in
            sum += ["█": 0, "▀": 1, "▄": 1][block] ?? 2
        }
        // The last line stands for one row alone where the size is odd; the border makes it light.
        #expect(dark == drawn)
        #expect(svg.contains("M4 4h7v1h-7z"))
    }

    @Test func refusesTextsThatNoCodeHolds() {
        #expect(QRCode(String(repeating: "a", count: 2953)) != nil)
        #expect(QRCode(String(repeating: "a", count: 2954)) == nil)
        #expect(QRCode("a\0b") == nil)
        #expect(QRCode("a", border: -1) == nil)
    }
}

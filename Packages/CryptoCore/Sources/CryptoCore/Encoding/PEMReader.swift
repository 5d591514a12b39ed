/// Goes through a text line by line and finds the structures between boundary lines.
struct PEMReader {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func next() throws(CryptoError) -> PEM? {
        while position < text.count {
            let start = position
            guard let label = Self.label(of: nextLine(), after: Self.begin) else { continue }
            return PEM(label: label, bytes: try readBody(label: label, begin: start))
        }
        return nil
    }

    private mutating func readBody(label: String, begin: Int) throws(CryptoError) -> [UInt8] {
        var decoder = Base64.Decoder()
        while position < text.count {
            let start = position
            let line = nextLine()
            guard line.starts(with: Self.dashes) else {
                guard decoder.decode(line) else {
                    throw CryptoError(.invalidPEM, "the line is not base64", offset: start)
                }
                continue
            }
            guard Self.label(of: line, after: Self.end) == label else {
                throw CryptoError(.invalidPEM, "the boundary does not end \(label)", offset: start)
            }
            guard let bytes = decoder.finish() else {
                throw CryptoError(.invalidPEM, "the base64 text ends in the middle", offset: start)
            }
            return bytes
        }
        throw CryptoError(.invalidPEM, "the end of \(label) is missing", offset: begin)
    }

    /// The next line without its end and without blanks after it.
    private mutating func nextLine() -> ArraySlice<UInt8> {
        var end = position
        while end < text.count, text[end] != UInt8(ascii: "\n"), text[end] != UInt8(ascii: "\r") { end += 1 }
        var line = text[position..<end]
        while let last = line.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { line.removeLast() }
        position = min(text.count, end + 1)
        return line
    }

    /// The label of a boundary line, or nil for any other line.
    private static func label(of line: ArraySlice<UInt8>, after prefix: [UInt8]) -> String? {
        guard line.starts(with: prefix), line.count >= prefix.count + dashes.count,
            line.suffix(dashes.count).elementsEqual(dashes)
        else { return nil }
        let label = line.dropFirst(prefix.count).dropLast(dashes.count)
        let isPrintable = label.allSatisfy { (0x20...0x7e).contains($0) }
        return isPrintable && !label.isEmpty ? String(decoding: label, as: UTF8.self) : nil
    }
}

import IdemixCore
import JSONKit

/// Reads a proof from JSON that comes in pieces.
///
/// The reader knows what it expects: objects with given members in any order, arrays of given lengths and numbers of given
/// sizes. Nothing is kept of the text but the piece that is being read, and anything unexpected ends the reading at once.
struct ProofReader: ~Copyable {
    private let source: () throws -> [UInt8]
    private var piece: [UInt8] = []
    private var position = 0
    private var piecesBefore = 0

    /// Starts with a source of pieces, of which an empty one is the end.
    init(_ source: @escaping () throws -> [UInt8]) {
        self.source = source
    }

    /// Reads an object that has each of the members once and no other; `read` reads the value of the member at an index.
    mutating func object(
        _ names: [String],
        _ read: (inout ProofReader, Int) throws(IdemixError) -> Void
    ) throws(IdemixError) {
        try expect(UInt8(ascii: "{"))
        let longest = names.reduce(0) { max($0, $1.utf8.count) }
        var missing = Set(names.indices)
        while !missing.isEmpty {
            if missing.count < names.count { try expect(UInt8(ascii: ",")) }
            let name = try string(maximum: longest)
            guard let index = missing.first(where: { names[$0].utf8.elementsEqual(name) }) else {
                throw malformed("an unknown or repeated member \(String(decoding: name.prefix(64), as: UTF8.self))")
            }
            missing.remove(index)
            try expect(UInt8(ascii: ":"))
            do throws(IdemixError) { try read(&self, index) } catch { throw error.inside(names[index]) }
        }
        try expect(UInt8(ascii: "}"))
    }

    /// Reads an array of exactly so many elements.
    mutating func array<Element>(
        count: Int,
        _ read: (inout ProofReader, Int) throws(IdemixError) -> Element
    ) throws(IdemixError) -> [Element] {
        try expect(UInt8(ascii: "["))
        var elements: [Element] = []
        for index in 0..<count {
            if index > 0 { try expect(UInt8(ascii: ",")) }
            do throws(IdemixError) {
                elements.append(try read(&self, index))
            } catch {
                throw error.inside("[\(index)]")
            }
        }
        try expect(UInt8(ascii: "]"))
        return elements
    }

    /// Reads an array of numbers.
    mutating func numbers(count: Int, bits: Int) throws(IdemixError) -> [BigInteger] {
        try array(count: count) { reader, _ throws(IdemixError) in try reader.number(bits: bits) }
    }

    /// Reads a row of numbers.
    mutating func row(count: Int, bits: Int) throws(IdemixError) -> NumberRow {
        NumberRow(try numbers(count: count, bits: bits).map { LimbBuffer($0, bits: bits) }, bits: bits)
    }

    /// Reads an object with nothing but a response.
    mutating func result(bits: Int) throws(IdemixError) -> BigInteger {
        var number = BigInteger.zero
        try object(["Result"]) { reader, _ throws(IdemixError) in number = try reader.number(bits: bits) }
        return number
    }

    /// Reads a number of at most so many bits: base64 of its big-endian bytes.
    mutating func number(bits: Int) throws(IdemixError) -> BigInteger {
        let text = try string(maximum: ((bits + 7) / 8 + 2) / 3 * 4)
        let number: BigInteger
        do {
            number = BigInteger(bytes: try JSONBase64.base64.decode(text))
        } catch {
            throw IdemixError(.invalidNumber, "a number is base64 with padding", offset: offset, cause: error)
        }
        guard number.bitCount <= bits else {
            throw IdemixError(.outOfRange, "a number of more than \(bits) bits", offset: offset)
        }
        return number
    }

    /// Reads the end: nothing but white space follows.
    mutating func end() throws(IdemixError) {
        if try nextVisible() != nil { throw malformed("something follows the proof") }
    }

    /// Reads a string without escapes, of at most so many bytes.
    private mutating func string(maximum: Int) throws(IdemixError) -> [UInt8] {
        try expect(UInt8(ascii: "\""))
        var text: [UInt8] = []
        while true {
            let end = piece[position...].firstIndex { $0 == UInt8(ascii: "\"") } ?? piece.endIndex
            guard text.count + (end - position) <= maximum else {
                throw IdemixError(.limitExceeded, "a text of more than \(maximum) bytes", offset: offset)
            }
            text += piece[position..<end]
            position = end
            if end < piece.endIndex { break }
            guard try refill() else { throw malformed("the text ends within a string") }
        }
        position += 1
        guard text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\\") }) else {
            throw malformed("a string with an escape or a control character")
        }
        return text
    }

    private mutating func expect(_ byte: UInt8) throws(IdemixError) {
        guard let next = try nextVisible() else { throw malformed("the text ends early") }
        guard next == byte else {
            throw malformed("\(Character(UnicodeScalar(byte))) was expected")
        }
        position += 1
    }

    /// The next byte that is no white space, which is not passed over, or nil at the end.
    private mutating func nextVisible() throws(IdemixError) -> UInt8? {
        while true {
            if position == piece.endIndex {
                guard try refill() else { return nil }
            }
            switch piece[position] {
            case 0x20, 0x09, 0x0a, 0x0d: position += 1
            default: return piece[position]
            }
        }
    }

    private mutating func refill() throws(IdemixError) -> Bool {
        piecesBefore += piece.count
        position = 0
        do {
            piece = try source()
        } catch {
            piece = []
            throw IdemixError(.sourceFailed, "the source of the proof's text has failed", cause: error)
        }
        return !piece.isEmpty
    }

    private var offset: Int { piecesBefore + position }

    private func malformed(_ message: String) -> IdemixError {
        IdemixError(.malformedJSON, message, offset: offset)
    }
}

import IdemixCore
import JSONKit

/// Writes a proof as JSON, a piece at a time, with the names and the order of the reference.
struct ProofWriter<Failure: Error>: ~Copyable {
    private static var pieceSize: Int { 1 << 16 }
    private let sink: (_ piece: [UInt8]) throws(Failure) -> Void
    private var piece: [UInt8] = []
    private var isFirst = true

    init(_ sink: @escaping (_ piece: [UInt8]) throws(Failure) -> Void) {
        self.sink = sink
        piece.reserveCapacity(2 * Self.pieceSize)
    }

    /// Writes an object.
    mutating func object(_ members: (inout ProofWriter) throws(Failure) -> Void) throws(Failure) {
        try nested(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Writes an array with one element for each of the elements.
    mutating func array<Element>(
        _ elements: [Element],
        _ write: (inout ProofWriter, Int, Element) throws(Failure) -> Void
    ) throws(Failure) {
        try nested(UInt8(ascii: "["), UInt8(ascii: "]")) { writer throws(Failure) in
            for (position, element) in elements.enumerated() {
                try writer.separate()
                try write(&writer, position, element)
            }
        }
    }

    /// Writes a member's name, whose value has to follow.
    mutating func name(_ name: String) throws(Failure) {
        try separate()
        append(text: name)
        piece.append(UInt8(ascii: ":"))
    }

    /// Writes a member that is a number.
    mutating func member(_ name: String, _ number: BigInteger) throws(Failure) {
        try self.name(name)
        self.number(number)
    }

    /// Writes a member that is an array of numbers.
    mutating func member(_ name: String, _ numbers: [BigInteger]) throws(Failure) {
        try self.name(name)
        try array(numbers) { writer, _, number throws(Failure) in writer.number(number) }
    }

    /// Writes a member that is an object with nothing but a response.
    mutating func result(_ name: String, _ number: BigInteger) throws(Failure) {
        try self.name(name)
        try object { writer throws(Failure) in try writer.member("Result", number) }
    }

    /// Ends the text with a line break, and hands out the last piece.
    mutating func end() throws(Failure) {
        piece.append(UInt8(ascii: "\n"))
        try flush()
    }

    private mutating func number(_ number: BigInteger) {
        append(text: JSONBase64.base64.encode(number.bytes))
    }

    /// Neither names nor numbers have characters that need an escape.
    private mutating func append(text: String) {
        piece.append(UInt8(ascii: "\""))
        piece += text.utf8
        piece.append(UInt8(ascii: "\""))
    }

    private mutating func separate() throws(Failure) {
        if !isFirst { piece.append(UInt8(ascii: ",")) }
        isFirst = false
        if piece.count >= Self.pieceSize { try flush() }
    }

    private mutating func nested(
        _ opening: UInt8,
        _ closing: UInt8,
        _ content: (inout ProofWriter) throws(Failure) -> Void
    ) throws(Failure) {
        piece.append(opening)
        isFirst = true
        try content(&self)
        piece.append(closing)
        isFirst = false
    }

    private mutating func flush() throws(Failure) {
        try sink(piece)
        piece.removeAll(keepingCapacity: true)
    }
}

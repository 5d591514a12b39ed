import MdocKit

/// Reads the fields of a binary structure one after the other, and never past its end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>
    private let structure: String
    private let code: MdocError.Code

    /// Starts at the first byte.
    ///
    /// - Parameters:
    ///   - bytes: The structure.
    ///   - structure: The name of the structure, for messages.
    ///   - code: The code of the errors.
    init(_ bytes: some Collection<UInt8>, of structure: String, refusing code: MdocError.Code) {
        rest = ArraySlice(bytes)
        self.structure = structure
        self.code = code
    }

    /// The number of unread bytes.
    var count: Int { rest.count }

    /// The next bytes.
    mutating func bytes(_ count: Int, _ field: String) throws(MdocError) -> [UInt8] {
        guard count <= rest.count else {
            throw MdocError(code, "\(structure) ends within its \(field): \(rest.count) bytes are left of \(count)")
        }
        let bytes = [UInt8](rest.prefix(count))
        rest = rest.dropFirst(count)
        return bytes
    }

    /// The next bytes as a number, the highest first; at most seven of them.
    mutating func integer(_ byteCount: Int, _ field: String) throws(MdocError) -> Int {
        try bytes(byteCount, field).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next byte.
    mutating func byte(_ field: String) throws(MdocError) -> UInt8 {
        try bytes(1, field)[0]
    }

    /// A byte with a length, then as many bytes.
    mutating func counted(_ field: String) throws(MdocError) -> [UInt8] {
        try bytes(integer(1, "length of its \(field)"), field)
    }

    /// Takes the unread bytes.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return [UInt8](rest)
    }

    /// Refuses unread bytes.
    func requireEnd() throws(MdocError) {
        guard rest.isEmpty else { throw MdocError(code, "\(rest.count) bytes follow \(structure)") }
    }
}

extension [UInt8] {
    /// The big-endian bytes of a number that fits into two.
    static func bigEndian(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}

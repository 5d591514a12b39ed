public import MdocKit

/// A command to a card (ISO/IEC 7816-4, 5.2 and 5.3), in any of its four cases with short or extended length fields.
public struct CommandAPDU: Hashable, Sendable {
    /// The class byte; bit 5 says that more commands of a chain follow.
    public let cla: UInt8
    /// The instruction.
    public let ins: UInt8
    /// The first parameter.
    public let p1: UInt8
    /// The second parameter.
    public let p2: UInt8
    /// The command data field, at most 65,535 bytes; empty if it is absent.
    public let data: [UInt8]
    /// Le: how many bytes the response may have at most, 1 to 65,536; nil if none are expected.
    public let expectedLength: Int?

    /// Creates a command.
    ///
    /// - Throws: `MdocError` with code `malformedAPDU` if a length is out of its range.
    public init(
        cla: UInt8 = 0,
        ins: UInt8,
        p1: UInt8 = 0,
        p2: UInt8 = 0,
        data: [UInt8] = [],
        expectedLength: Int? = nil
    ) throws(MdocError) {
        guard data.count <= 0xffff, (1...0x10000).contains(expectedLength ?? 1) else {
            throw MdocError(.malformedAPDU, "the lengths of a command APDU are out of range")
        }
        self.init(unchecked: cla, ins, p1, p2, data, expectedLength)
    }

    private init(unchecked cla: UInt8, _ ins: UInt8, _ p1: UInt8, _ p2: UInt8, _ data: [UInt8], _ length: Int?) {
        self.cla = cla
        self.ins = ins
        self.p1 = p1
        self.p2 = p2
        self.data = data
        expectedLength = length
    }

    /// Reads a command.
    ///
    /// - Throws: `MdocError` with code `malformedAPDU` if the length fields do not go with the length.
    public init(decoding bytes: some Collection<UInt8>) throws(MdocError) {
        let bytes = Array(bytes)
        guard bytes.count >= 4 else {
            throw MdocError(.malformedAPDU, "a command APDU has at least 4 bytes, not \(bytes.count)")
        }
        let (data, length) = try Self.body(bytes[4...])
        self.init(unchecked: bytes[0], bytes[1], bytes[2], bytes[3], data, length)
    }

    /// Data field and Le after the header.
    private static func body(_ body: ArraySlice<UInt8>) throws(MdocError) -> (data: [UInt8], expectedLength: Int?) {
        guard let first = body.first else { return ([], nil) }
        if body.count == 1 { return ([], first == 0 ? 256 : Int(first)) }
        let lengthFieldSize = first == 0 ? 3 : 1
        var reader = ByteReader(body, of: "a command APDU", refusing: .malformedAPDU)
        let length = try reader.integer(lengthFieldSize, "length field")
        if reader.count == 0 { return ([], length == 0 ? 0x10000 : length) }
        guard length > 0 else { throw MdocError(.malformedAPDU, "a command APDU with Lc 0") }
        let data = try reader.bytes(length, "data field")
        guard reader.count > 0 else { return (data, nil) }
        let expected = try reader.integer(lengthFieldSize == 3 ? 2 : 1, "field Le")
        try reader.requireEnd()
        return (data, expected != 0 ? expected : lengthFieldSize == 3 ? 0x10000 : 256)
    }

    /// The command as it travels.
    ///
    /// - Parameter extended: Indicates that extended length fields are used where short ones would do.
    public func encoded(extended: Bool = false) -> [UInt8] {
        let isExtended = extended || data.count > 255 || (expectedLength ?? 1) > 256
        var bytes = [cla, ins, p1, p2]
        if !data.isEmpty {
            if isExtended { bytes.append(0) }
            bytes += Self.field(data.count, isExtended) + data
        }
        if let expectedLength {
            if isExtended, data.isEmpty { bytes.append(0) }
            bytes += Self.field(expectedLength, isExtended)
        }
        return bytes
    }

    /// One byte or two; the length that they cannot hold is zero.
    private static func field(_ length: Int, _ isExtended: Bool) -> [UInt8] {
        isExtended ? .bigEndian(UInt16(truncatingIfNeeded: length)) : [UInt8(truncatingIfNeeded: length)]
    }
}

extension CommandAPDU {
    /// The instructions that handover and data transfer use.
    enum Instruction {
        static let select: UInt8 = 0xa4
        static let readBinary: UInt8 = 0xb0
        static let updateBinary: UInt8 = 0xd6
        static let getResponse: UInt8 = 0xc0
        static let envelope: UInt8 = 0xc3
    }
}

import MdocKit

extension NDEFRecord {
    /// The bits of a record's first byte beside its type name format.
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let messageBegin = Flags(rawValue: 0x80)
        static let messageEnd = Flags(rawValue: 0x40)
        static let chunk = Flags(rawValue: 0x20)
        static let shortRecord = Flags(rawValue: 0x10)
        static let idLength = Flags(rawValue: 0x08)
    }

    /// Reads one record; tells whether it says that it is the first or the last of its message.
    init(_ reader: inout ByteReader, _ flags: inout Flags) throws(MdocError) {
        let head = try reader.byte("record head")
        flags = Flags(rawValue: head & 0xf8)
        guard !flags.contains(.chunk), head & 7 != 6 else {
            throw MdocError(.chunkedNDEFRecord, "an NDEF record comes in chunks")
        }
        guard let format = TypeNameFormat(rawValue: head & 7) else {
            throw MdocError(.malformedNDEF, "an NDEF record has no format \(head & 7)")
        }
        let typeLength = try reader.integer(1, "type length")
        let payloadLength = try reader.integer(flags.contains(.shortRecord) ? 1 : 4, "payload length")
        let idLength = flags.contains(.idLength) ? try reader.integer(1, "id length") : 0
        try self.init(
            format,
            type: try reader.bytes(typeLength, "type"),
            id: try reader.bytes(idLength, "id"),
            payload: try reader.bytes(payloadLength, "payload")
        )
    }

    /// Appends the record, in the short form where that can hold it.
    func encode(to bytes: inout [UInt8], isFirst: Bool, isLast: Bool) {
        var flags: Flags = []
        if isFirst { flags.insert(.messageBegin) }
        if isLast { flags.insert(.messageEnd) }
        if payload.count <= 255 { flags.insert(.shortRecord) }
        if !id.isEmpty { flags.insert(.idLength) }
        bytes.append(flags.rawValue | typeNameFormat.rawValue)
        bytes.append(UInt8(truncatingIfNeeded: type.count))
        for shift in flags.contains(.shortRecord) ? [0] : [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
        }
        if !id.isEmpty { bytes.append(UInt8(truncatingIfNeeded: id.count)) }
        bytes += type + id + payload
    }
}

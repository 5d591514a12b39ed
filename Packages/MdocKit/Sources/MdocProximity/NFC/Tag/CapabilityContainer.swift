public import MdocKit

/// The description of a Type 4 tag and its NDEF file: the file E103 (NFC Forum, Type 4 Tag, 5.1).
public struct CapabilityContainer: Hashable, Sendable {
    /// The application of Type 4 tags.
    static let applicationID: [UInt8] = [0xd2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    /// The file that holds the container.
    static let fileID: UInt16 = 0xe103
    /// The length of a container with one file.
    static let size = 15

    /// The most bytes that one READ BINARY command reads: 15 to 65,535.
    public let maximumReadLength: Int
    /// The most bytes that one UPDATE BINARY command writes: 1 to 65,535.
    public let maximumWriteLength: Int
    /// The identifier of the NDEF file.
    public let ndefFileID: UInt16
    /// The size of the NDEF file with the two bytes of its length: 5 to 32,767, what commands with an offset reach.
    public let maximumFileSize: Int
    /// Indicates that the NDEF file may be written; negotiated handover writes it.
    public let isWritable: Bool

    /// Creates a container.
    ///
    /// - Throws: `MdocError` with code `invalidValue` if a number is out of its range.
    public init(
        maximumReadLength: Int = 0x7fff,
        maximumWriteLength: Int = 0x7fff,
        ndefFileID: UInt16 = 0xe104,
        maximumFileSize: Int = 0x7fff,
        isWritable: Bool
    ) throws(MdocError) {
        guard (0x0f...0xffff).contains(maximumReadLength), (1...0xffff).contains(maximumWriteLength),
            (5...0x7fff).contains(maximumFileSize), ![0, Self.fileID, 0x3f00, 0x3fff, 0xffff].contains(ndefFileID)
        else { throw MdocError(.invalidValue, "a capability container with a number out of its range") }
        self.maximumReadLength = maximumReadLength
        self.maximumWriteLength = maximumWriteLength
        self.ndefFileID = ndefFileID
        self.maximumFileSize = maximumFileSize
        self.isWritable = isWritable
    }

    /// Reads the first 15 bytes of the file.
    ///
    /// - Throws: `MdocError` with code `unsupportedVersion` if it is not of mapping version 2 or 3, or `invalidValue`
    ///   if it is not a container or the NDEF file may not be read.
    public init(decoding bytes: some Collection<UInt8>) throws(MdocError) {
        let bytes = Array(bytes)
        var reader = ByteReader(bytes, of: "a capability container", refusing: .invalidValue)
        let size = try reader.integer(2, "length")
        let version = try reader.byte("mapping version")
        guard (2...3).contains(version >> 4) else {
            throw MdocError(.unsupportedVersion, "a Type 4 tag of mapping version \(version >> 4) is not supported")
        }
        let readLength = try reader.integer(2, "read length")
        let writeLength = try reader.integer(2, "write length")
        let tag = try reader.byte("file tag")
        let tagLength = try reader.byte("file tag's length")
        let fileID = UInt16(truncatingIfNeeded: try reader.integer(2, "file identifier"))
        let fileSize = try reader.integer(2, "file size")
        let readAccess = try reader.byte("read access")
        let writeAccess = try reader.byte("write access")
        try reader.requireEnd()
        guard size >= Self.size, tag == 0x04, tagLength == 0x06, readAccess == 0 else {
            throw MdocError(.invalidValue, "a capability container without an NDEF file that may be read")
        }
        try self.init(
            maximumReadLength: readLength,
            maximumWriteLength: writeLength,
            ndefFileID: fileID,
            // More than an offset reaches is of no use.
            maximumFileSize: min(fileSize, 0x7fff),
            isWritable: writeAccess == 0
        )
    }

    /// The file's content, of mapping version 2.0.
    public var encodedBytes: [UInt8] {
        [0x00, UInt8(Self.size), 0x20] + Self.number(maximumReadLength) + Self.number(maximumWriteLength)
            + [0x04, 0x06] + .bigEndian(ndefFileID) + Self.number(maximumFileSize) + [0x00, isWritable ? 0x00 : 0xff]
    }

    private static func number(_ value: Int) -> [UInt8] {
        .bigEndian(UInt16(truncatingIfNeeded: value))
    }
}

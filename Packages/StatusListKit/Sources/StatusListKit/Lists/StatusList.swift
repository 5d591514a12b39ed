/// The statuses of many credentials, each in one, two, four or eight bits (Token Status List, section 4).
///
/// Looking up or setting a status takes constant time.
///
/// ```swift
/// var list = try StatusList(count: 1_000_000, bits: .one)
/// try list.set(.invalid, at: 4711)
/// try list.status(at: 4711)   // INVALID
/// ```
public struct StatusList: Hashable, Sendable {
    /// The number of bits of an entry.
    public enum Bits: Int, Hashable, Sendable, CaseIterable {
        /// Valid or invalid.
        case one = 1
        /// Suspended, too, and one status of the application.
        case two = 2
        /// 16 statuses.
        case four = 4
        /// 256 statuses.
        case eight = 8

        /// The number of entries in a byte.
        public var entriesPerByte: Int { 8 / rawValue }

        /// The largest status that fits.
        public var largestStatus: StatusType { StatusType(rawValue: mask) }

        var mask: UInt8 { 0xff >> UInt8(8 - rawValue) }

        /// The binary logarithm of the entries in a byte.
        var shift: Int { entriesPerByte.trailingZeroBitCount }
    }

    /// The number of bits of an entry.
    public let bits: Bits

    /// The entries, packed: the first one in the lowest bits of the first byte.
    public private(set) var bytes: [UInt8]

    /// The largest number of bytes that a list is made of.
    private static let maximumSize = Int(Int32.max)

    /// A list whose entries are all valid.
    ///
    /// - Parameters:
    ///   - count: The least number of entries; as many more as fill the last byte.
    ///   - bits: The number of bits of an entry.
    /// - Throws: ``StatusListError/Code/limitExceeded`` for a negative number, and one that needs 2 GiB or more.
    public init(count: Int, bits: Bits) throws(StatusListError) {
        let size = count >> bits.shift + (count & (bits.entriesPerByte - 1) == 0 ? 0 : 1)
        guard count >= 0, size <= Self.maximumSize else {
            throw StatusListError(.limitExceeded, "a list cannot have \(count) entries", path: ["status_list"])
        }
        self.init(bytes: [UInt8](repeating: 0, count: size), bits: bits)
    }

    /// A list of entries that are packed already.
    public init(bytes: [UInt8], bits: Bits) {
        self.bytes = bytes
        self.bits = bits
    }

    /// The number of entries, those included that only fill the last byte.
    public var count: Int { bytes.count << bits.shift }

    /// The status at an index, counted from 0.
    ///
    /// - Throws: ``StatusListError/Code/indexOutOfRange``.
    public func status(at index: Int) throws(StatusListError) -> StatusType {
        let (byte, shift) = try place(of: index)
        return StatusType(rawValue: bytes[byte] >> shift & bits.mask)
    }

    /// Sets the status at an index, counted from 0.
    ///
    /// - Throws: ``StatusListError/Code/indexOutOfRange``, ``StatusListError/Code/statusTooLarge``.
    public mutating func set(_ status: StatusType, at index: Int) throws(StatusListError) {
        let (byte, shift) = try place(of: index)
        guard status.rawValue <= bits.mask else {
            throw StatusListError(.statusTooLarge, "\(status) does not fit into \(bits.rawValue) bits")
        }
        bytes[byte] = bytes[byte] & ~(bits.mask << shift) | status.rawValue << shift
    }

    private func place(of index: Int) throws(StatusListError) -> (byte: Int, shift: UInt8) {
        guard index >= 0, index < count else {
            throw StatusListError(.indexOutOfRange, "there is no index \(index) among \(count)", path: ["status_list"])
        }
        let inByte = index & (bits.entriesPerByte - 1)
        return (index >> bits.shift, UInt8(inByte * bits.rawValue))
    }
}

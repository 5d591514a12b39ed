@_spi(Layers) import JOSEKit
import JSONKit

/// The statuses of many credentials in one string of bits, the first one in the highest bit of the first byte
/// (Bitstring Status List 1.0; Status List 2021).
///
/// Looking up or setting a status takes constant time.
///
/// ```swift
/// var list = try BitstringStatusList()
/// try list.set(1, at: 94_567)
/// let text = try list.encodedList()   // uH4sI…
/// ```
public struct BitstringStatusList: Hashable, Sendable {
    /// The smallest number of entries, for the holders' privacy.
    public static let minimumCount = 131_072
    /// The largest number of bits of an entry.
    public static let maximumEntrySize = 32

    /// The number of bits of an entry.
    public let entrySize: Int
    /// The entries, packed.
    public private(set) var bytes: [UInt8]

    /// A list whose entries are all 0.
    ///
    /// - Parameters:
    ///   - count: The number of entries, at least ``minimumCount``; as many more as fill the last byte.
    ///   - entrySize: The number of bits of an entry.
    /// - Throws: ``StatusListError/Code/malformed`` for fewer entries, ``StatusListError/Code/unsupportedBits``,
    ///   ``StatusListError/Code/limitExceeded`` for a list of 2 GiB or more.
    public init(count: Int = minimumCount, entrySize: Int = 1) throws(StatusListError) {
        try Self.require(entrySize: entrySize)
        guard count >= Self.minimumCount else { throw Self.tooShort }
        let (bits, overflow) = count.multipliedReportingOverflow(by: entrySize)
        guard !overflow, bits >> 3 < Int(Int32.max) else {
            throw StatusListError(.limitExceeded, "a list cannot have \(count) entries", path: ["encodedList"])
        }
        self.entrySize = entrySize
        bytes = [UInt8](repeating: 0, count: (bits + 7) >> 3)
    }

    /// The number of entries, those included that only fill the last byte.
    public var count: Int { bytes.count * 8 / entrySize }

    /// The status at an index, counted from 0.
    ///
    /// - Throws: ``StatusListError/Code/indexOutOfRange``.
    public func status(at index: Int) throws(StatusListError) -> UInt64 {
        try status(at: index, entrySize: entrySize)
    }

    /// The status at an index of the same bits with entries of another size.
    ///
    /// - Throws: As for the list's own size; ``StatusListError/Code/malformed`` if it has fewer entries of the size
    ///   than
    ///   ``minimumCount``.
    func status(at index: Int, entrySize: Int) throws(StatusListError) -> UInt64 {
        try Self.require(entrySize: entrySize)
        guard bytes.count * 8 / entrySize >= Self.minimumCount else { throw Self.tooShort }
        let start = try firstBit(of: index, entrySize: entrySize)
        return (start..<start + entrySize).reduce(0) { status, bit in
            status << 1 | UInt64(bytes[bit >> 3] >> UInt8(7 - bit & 7) & 1)
        }
    }

    /// Sets the status at an index, counted from 0.
    ///
    /// - Throws: ``StatusListError/Code/indexOutOfRange``, ``StatusListError/Code/statusTooLarge``.
    public mutating func set(_ status: UInt64, at index: Int) throws(StatusListError) {
        let start = try firstBit(of: index, entrySize: entrySize)
        guard status >> UInt64(entrySize) == 0 else {
            throw StatusListError(.statusTooLarge, "\(status) does not fit into \(entrySize) bits")
        }
        for place in 0..<entrySize {
            let bit = start + place
            let mask = UInt8(0x80) >> UInt8(bit & 7)
            let isSet = status >> UInt64(entrySize - 1 - place) & 1 == 1
            bytes[bit >> 3] = isSet ? bytes[bit >> 3] | mask : bytes[bit >> 3] & ~mask
        }
    }

    private func firstBit(of index: Int, entrySize: Int) throws(StatusListError) -> Int {
        let count = bytes.count * 8 / entrySize
        guard index >= 0, index < count else {
            throw StatusListError(.indexOutOfRange, "there is no index \(index) among \(count)", path: ["encodedList"])
        }
        return index * entrySize
    }

    static func require(entrySize: Int) throws(StatusListError) {
        guard (1...maximumEntrySize).contains(entrySize) else {
            throw StatusListError(
                .unsupportedBits,
                "an entry cannot have \(entrySize) bits",
                path: ["statusSize"]
            )
        }
    }

    private static var tooShort: StatusListError {
        StatusListError(.malformed, "a list has at least \(minimumCount) entries", path: ["encodedList"])
    }
}

extension BitstringStatusList {
    /// The forms of a list in text.
    public enum Form: Hashable, Sendable {
        /// Bitstring Status List 1.0: gzip in base64url, with the prefix of multibase.
        case bitstring
        /// Status List 2021: gzip in base64 or base64url.
        case statusList2021
    }

    /// Reads a list (`encodedList`).
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - form: The form.
    ///   - entrySize: The number of bits of an entry.
    ///   - limits: The limits for the size of the list.
    /// - Throws: ``StatusListError/Code/malformed`` for another encoding and for fewer entries than ``minimumCount``,
    ///   ``StatusListError/Code/invalidCompression``, ``StatusListError/Code/limitExceeded``,
    ///   ``StatusListError/Code/unsupportedBits``.
    public init(
        decoding text: String,
        form: Form,
        entrySize: Int = 1,
        limits: StatusListLimits = .default
    ) throws(StatusListError) {
        try Self.require(entrySize: entrySize)
        guard text.utf8.count <= limits.tokenSize else {
            throw StatusListError(.limitExceeded, "the list is too long", path: ["encodedList"])
        }
        let compressed = try Self.compressedBytes(text, form)
        do throws(JOSEError) {
            bytes = try Deflate.decompress(compressed, format: .gzip, maximumSize: limits.inflatedSize)
        } catch {
            let code = error.code == .limitExceeded ? StatusListError.Code.limitExceeded : .invalidCompression
            throw StatusListError(code, error.message, path: ["encodedList"], cause: error)
        }
        self.entrySize = entrySize
        guard count >= Self.minimumCount else { throw Self.tooShort }
    }

    /// The list as text (`encodedList`).
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - level: The time to spend on size.
    /// - Throws: ``StatusListError/Code/limitExceeded`` for a list that zlib cannot take.
    public func encodedList(
        form: Form = .bitstring,
        level: StatusListCompression = .smallest
    ) throws(StatusListError) -> String {
        do throws(JOSEError) {
            let text = Base64URL.encode(try Deflate.compress(bytes, format: .gzip, level: level.level))
            return form == .bitstring ? "u" + text : text
        } catch {
            throw StatusListError(.limitExceeded, error.message, path: ["encodedList"], cause: error)
        }
    }

    private static func compressedBytes(_ text: String, _ form: Form) throws(StatusListError) -> [UInt8] {
        var text = Substring(text)
        if form == .bitstring {
            guard text.utf8.first == UInt8(ascii: "u") else {
                throw StatusListError(.malformed, "the list is not in base64url of multibase", path: ["encodedList"])
            }
            text = Substring(text.utf8.dropFirst())
        }
        let isStandard = form == .statusList2021 && text.utf8.contains { "+/=".utf8.contains($0) }
        let bytes = isStandard ? try? JSONBase64.base64.decode(String(text)) : try? Base64URL.decode(text)
        guard let bytes else {
            throw StatusListError(.malformed, "the list is not in base64url", path: ["encodedList"])
        }
        return bytes
    }
}

/// The names of a structure's members: text keys that ``CBORView/members(_:)`` finds in one pass over a map.
///
/// ```swift
/// static let names = CBORMemberNames("signed", "validFrom", "validUntil", optional: "expectedUpdate")
/// ```
///
/// Kept in a static constant, it costs a reader nothing: it has no storage that readers on several threads would share
/// and count references to.
public struct CBORMemberNames: Sendable {
    /// The largest number of names.
    public static let maximumCount = 8

    /// The addresses of the names' UTF-8 bytes, which are part of the program.
    private let addresses: SIMD8<UInt>
    /// The number of bytes of each name.
    private let sizes: SIMD8<UInt64>
    private let count: Int
    /// The number of names, from the first, that are required.
    let requiredCount: Int

    /// Lists the names; the numbers of members follow this order, those of optional members after those of required
    /// ones.
    ///
    /// - Parameters:
    ///   - required: The required members.
    ///   - optional: The members that may be missing.
    /// - Precondition: There are at most ``maximumCount``.
    public init(_ required: StaticString..., optional: StaticString...) {
        let names = required + optional
        precondition(names.count <= Self.maximumCount, "a structure of more members than are looked for in one pass")
        var addresses = SIMD8<UInt>()
        var sizes = SIMD8<UInt64>()
        for (index, name) in names.enumerated() {
            unsafe addresses[index] = UInt(bitPattern: name.utf8Start)
            sizes[index] = UInt64(name.utf8CodeUnitCount)
        }
        self.addresses = addresses
        self.sizes = sizes
        count = names.count
        requiredCount = required.count
    }

    /// The name with a number.
    func name(_ index: Int) -> String {
        unsafe String(decoding: utf8(index), as: UTF8.self)
    }

    private func utf8(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: UnsafePointer(bitPattern: addresses[index]), count: Int(sizes[index]))
    }

    /// Returns `true` if a key is a name whose size is in the first byte, as it is in the keys of most structures.
    @inline(__always)
    private func isShortName(_ index: Int, _ key: Int, in contents: TapeContents) -> Bool {
        let size = sizes[index]
        guard size < 24, let base = unsafe contents.bytes.baseAddress,
            let name = unsafe UnsafeRawPointer(bitPattern: addresses[index])
        else { return false }
        let start = unsafe base + contents.offset(of: key)
        // A text of that size follows the first byte; the pass over the input has made sure of that.
        guard unsafe start.load(as: UInt8.self) == 0x60 + UInt8(truncatingIfNeeded: size) else { return false }
        return unsafe ByteComparison.areEqual(start + 1, name, count: Int(truncatingIfNeeded: size))
    }

    /// The number of the name that a key is, or nil; tries the expected one first.
    @inline(__always)
    func index(of key: Int, in contents: TapeContents, expecting expected: Int) -> Int? {
        if expected < count, isShortName(expected, key, in: contents) { return expected }
        let head = contents.head(of: key)
        guard head.major == 3, let base = unsafe contents.bytes.baseAddress else { return nil }
        let text = unsafe base + contents.offset(of: key) + head.byteCount
        for step in 0..<count {
            let index = expected &+ step < count ? expected &+ step : expected &+ step &- count
            let name = unsafe utf8(index)
            if head.isIndefinite {
                if unsafe contents.isText(key, equalTo: name) { return index }
            } else if head.argument == sizes[index], let start = name.baseAddress,
                unsafe ByteComparison.areEqual(text, UnsafeRawPointer(start), count: name.count)
            {
                return index
            }
        }
        return nil
    }
}

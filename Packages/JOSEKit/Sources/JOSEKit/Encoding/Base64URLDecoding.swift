/// The loop of decoding base64url, over memory.
enum Base64URLDecoding {
    /// Why a text is refused.
    enum Fault {
        case length
        case character
        case unusedBits

        var error: JOSEError {
            switch self {
            case .length: JOSEError(.invalidBase64URL, "no base64url text has this length")
            case .character: JOSEError(.invalidBase64URL, "a character is not in the alphabet of base64url")
            case .unusedBits: JOSEError(.invalidBase64URL, "the unused bits of the last character are not zero")
            }
        }
    }

    /// The number of bytes that a text of some length holds.
    static func decodedCount(_ count: Int) -> Int {
        count / 4 * 3 + [0, 0, 1, 2][count % 4]
    }

    /// What stands in `values` for a character outside the alphabet: a bit that no value has.
    private static let invalid: UInt8 = 0x80

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Writes the bytes of a text into memory of ``decodedCount(_:)`` bytes; gives the fault where there is one.
    static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableRawBufferPointer
    ) -> Fault? {
        guard text.count % 4 != 1 else { return .length }
        return unsafe values.withUnsafeBufferPointer { unsafe decode(text, into: bytes, $0) }
    }

    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableRawBufferPointer,
        _ values: UnsafeBufferPointer<UInt8>
    ) -> Fault? {
        var (source, target) = (0, 0)
        var seen: UInt8 = 0
        while source + 4 <= text.count {
            let a = unsafe values[Int(text[source])]
            let b = unsafe values[Int(text[source + 1])]
            let c = unsafe values[Int(text[source + 2])]
            let d = unsafe values[Int(text[source + 3])]
            seen |= a | b | c | d
            unsafe bytes[target] = a << 2 | b >> 4
            unsafe bytes[target + 1] = b << 4 | c >> 2
            unsafe bytes[target + 2] = c << 6 | d
            source += 4
            target += 3
        }
        guard seen & invalid == 0 else { return .character }
        guard source < text.count else { return nil }
        return unsafe decodeRest(UnsafeBufferPointer(rebasing: text[source...]), into: bytes, at: target, values)
    }

    /// The last two or three characters.
    private static func decodeRest(
        _ text: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableRawBufferPointer,
        at target: Int,
        _ values: UnsafeBufferPointer<UInt8>
    ) -> Fault? {
        let a = unsafe values[Int(text[0])]
        let b = unsafe values[Int(text[1])]
        let c = unsafe text.count == 3 ? values[Int(text[2])] : 0
        guard (a | b | c) & invalid == 0 else { return .character }
        unsafe bytes[target] = a << 2 | b >> 4
        guard text.count == 3 else { return b & 0x0f == 0 ? nil : .unusedBits }
        unsafe bytes[target + 1] = b << 4 | c >> 2
        return c & 0x03 == 0 ? nil : .unusedBits
    }
}

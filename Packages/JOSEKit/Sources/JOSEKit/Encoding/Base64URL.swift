import CryptoCore

/// The base64url encoding of JOSE (RFC 7515, section 2; RFC 4648, section 5): without padding, one text for each sequence
/// of bytes.
public enum Base64URL {
    /// The text of some bytes.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encodedBytes(bytes), as: UTF8.self)
    }

    /// The text of some bytes, in ASCII.
    public static func encodedBytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
        if let text = bytes.withContiguousStorageIfAvailable({ unsafe text(of: $0) }) { return text }
        return unsafe Array(bytes).withUnsafeBufferPointer { unsafe text(of: $0) }
    }

    /// The bytes of a text in ASCII.
    ///
    /// - Throws: ``JOSEError/Code/invalidBase64URL`` for a character outside the alphabet, padding and white space
    ///   included, for an impossible length, and if the unused bits of the last character are not zero.
    public static func decode(_ text: some Collection<UInt8>) throws(JOSEError) -> [UInt8] {
        let result: Result<[UInt8], JOSEError> =
            if let result = text.withContiguousStorageIfAvailable({ unsafe bytes(of: $0) }) {
                result
            } else {
                unsafe Array(text).withUnsafeBufferPointer { unsafe bytes(of: $0) }
            }
        return try result.get()
    }

    /// Writes the bytes of a text in ASCII over those of an array.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - bytes: The array.
    ///   - start: The index of the first byte; there must be room for ``decodedCount(_:)`` bytes.
    /// - Returns: `true` for valid base64url with room for its bytes; otherwise the written bytes are meaningless.
    public static func decode(_ text: Span<UInt8>, into bytes: inout [UInt8], at start: Int = 0) -> Bool {
        let count = Base64URLDecoding.decodedCount(text.count)
        guard 0...bytes.count ~= start, count <= bytes.count - start else { return false }
        // Decoding works on memory: the part of the array's that the text has room in.
        return unsafe text.withUnsafeBufferPointer { text in
            unsafe bytes.withUnsafeMutableBytes { bytes in
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + count])
                return unsafe Base64URLDecoding.decode(text, into: part) == nil
            }
        }
    }

    /// Writes the bytes of a text over those of an array.
    ///
    /// - Returns: As for a text in ASCII.
    public static func decode(_ text: String, into bytes: inout [UInt8], at start: Int = 0) -> Bool {
        var text = text
        return text.withUTF8 { text in unsafe decode(Span(_unsafeElements: text), into: &bytes, at: start) }
    }

    /// The number of bytes that a text of some length in ASCII stands for.
    public static func decodedCount(_ count: Int) -> Int { Base64URLDecoding.decodedCount(count) }

    /// The bytes of a text.
    ///
    /// - Throws: As for a text in ASCII.
    public static func decode(_ text: some StringProtocol) throws(JOSEError) -> [UInt8] {
        try decode(text.utf8)
    }

    /// The bytes of a text that are secret, in wiped storage.
    static func decodeSecret(_ text: some StringProtocol) throws(JOSEError) -> SecretBytes {
        var characters = Array(text.utf8)
        defer { wipe(&characters) }
        return try unsafe SecretBytes(count: Base64URLDecoding.decodedCount(characters.count)) {
            (secret) throws(JOSEError) in
            let fault = unsafe characters.withUnsafeBufferPointer { text in
                unsafe Base64URLDecoding.decode(text, into: secret)
            }
            if let fault { throw fault.error }
        }
    }

    /// The text of secret bytes.
    static func encode(secret: SecretBytes) -> String {
        unsafe secret.withUnsafeBytes { secret in
            var characters = unsafe text(of: secret.bindMemory(to: UInt8.self))
            defer { wipe(&characters) }
            return String(decoding: characters, as: UTF8.self)
        }
    }

    private static func bytes(of text: UnsafeBufferPointer<UInt8>) -> Result<[UInt8], JOSEError> {
        // Zeros cost less than the standard library's way to an array without them.
        var bytes = [UInt8](repeating: 0, count: Base64URLDecoding.decodedCount(text.count))
        let fault = unsafe bytes.withUnsafeMutableBytes { unsafe Base64URLDecoding.decode(text, into: $0) }
        if let fault { return .failure(fault.error) }
        return .success(bytes)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The length of the text of some number of bytes.
    private static func encodedCount(_ count: Int) -> Int {
        (count * 4 + 2) / 3
    }

    private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: encodedCount(bytes.count))
        unsafe text.withUnsafeMutableBufferPointer { text in
            unsafe alphabet.withUnsafeBufferPointer { unsafe write(bytes, to: text, $0) }
        }
        return text
    }

    private static func write(
        _ bytes: UnsafeBufferPointer<UInt8>,
        to text: UnsafeMutableBufferPointer<UInt8>,
        _ alphabet: UnsafeBufferPointer<UInt8>
    ) {
        var (source, target) = (0, 0)
        while source + 3 <= bytes.count {
            let bits = unsafe Int(bytes[source]) << 16 | Int(bytes[source + 1]) << 8 | Int(bytes[source + 2])
            unsafe text[target] = alphabet[bits >> 18]
            unsafe text[target + 1] = alphabet[bits >> 12 & 63]
            unsafe text[target + 2] = alphabet[bits >> 6 & 63]
            unsafe text[target + 3] = alphabet[bits & 63]
            source += 3
            target += 4
        }
        let rest = bytes.count - source
        guard rest > 0 else { return }
        let bits = unsafe Int(bytes[source]) << 16 | (rest == 2 ? Int(bytes[source + 1]) << 8 : 0)
        unsafe text[target] = alphabet[bits >> 18]
        unsafe text[target + 1] = alphabet[bits >> 12 & 63]
        if rest == 2 { unsafe text[target + 2] = alphabet[bits >> 6 & 63] }
    }
}

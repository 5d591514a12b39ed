/// The text form of a payload in a JWS: base64url, or unencoded if `b64` is false (RFC 7797).
enum PayloadText {
    /// The payload of the compact serialization.
    static func decode(_ text: ArraySlice<UInt8>, isEncoded: Bool) throws(JOSEError) -> [UInt8] {
        guard !isEncoded else { return try Base64URL.decode(text) }
        try requireCompact(text)
        return Array(text)
    }

    /// The text that stands for a payload.
    static func encode(_ payload: [UInt8], isEncoded: Bool) -> ArraySlice<UInt8> {
        isEncoded ? Base64URL.encodedBytes(payload)[...] : payload[...]
    }

    /// Refuses what the compact serialization cannot carry unencoded (RFC 7797, section 5.2).
    static func requireCompact(_ payload: ArraySlice<UInt8>) throws(JOSEError) {
        let period = UInt8(ascii: ".")
        guard payload.allSatisfy({ (0x20...0x7e).contains($0) && $0 != period }) else {
            throw JOSEError(
                .notSerializable,
                "an unencoded payload in the compact serialization is printable ASCII without periods",
                path: ["payload"]
            )
        }
    }
}

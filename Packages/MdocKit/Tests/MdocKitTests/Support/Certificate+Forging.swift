import CryptoCore
import Testing

/// Certificates that no builder would make.
extension Certificate {
    /// The certificate with a part of what is signed replaced, signed by an authority on P-256.
    func replacing(
        _ old: [UInt8],
        with new: [UInt8],
        signedBy authority: CertificateAuthority
    ) async throws -> Certificate {
        let signed = try Self.contents(Self.contents(derBytes[...])[...])
        var contents = Array(signed)
        let place = try #require(contents.firstRange(of: old)?.lowerBound)
        contents.replaceSubrange(place..<place + old.count, with: new)
        let tbs = Self.sequence(contents)
        let signature = try await authority.signer.signature(for: tbs)
        let half = signature.count / 2
        let value = Self.sequence(Self.integer(signature.prefix(half)) + Self.integer(signature.suffix(half)))
        let ecdsaWithSHA256: [UInt8] = [0x30, 0x0a, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]
        let bits = [3, UInt8(value.count + 1), 0] + value
        return try Certificate(der: Self.sequence(tbs + ecdsaWithSHA256 + bits))
    }

    /// The contents of the first element, whatever it is.
    private static func contents(_ bytes: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        let bytes = Array(bytes)
        let count = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7f)
        let length = count == 0 ? Int(bytes[1]) : bytes[2..<2 + count].reduce(0) { $0 << 8 | Int($1) }
        return bytes[(2 + count)..<(2 + count + length)]
    }

    private static func sequence(_ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
            }
        return [0x30] + length + contents
    }

    private static func integer(_ magnitude: some Collection<UInt8>) -> [UInt8] {
        var octets = Array(magnitude.drop { $0 == 0 })
        if octets.first.map({ $0 >= 0x80 }) ?? true { octets.insert(0, at: 0) }
        return [2, UInt8(octets.count)] + octets
    }
}

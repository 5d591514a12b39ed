import CryptoCore
import JSONKit

/// Recognizes the encodings of public keys and certificates where a secret is expected.
///
/// A public key as the secret of a MAC lets anyone make valid MACs: the known confusion of `HS256` with `RS256`. The
/// bare coordinate of an X25519 or Ed25519 key cannot be distinguished from random bytes.
enum PublicKeyEncodings {
    /// The length in bytes of the shortest encoding: a compressed point.
    private static let shortest = 33
    /// The largest number of nested texts, such as the base64 text of a file in PEM.
    private static let layers = 3

    /// Refuses a secret that consists of a public key or certificate.
    ///
    /// It recognizes DER, an encoded point with or without its prefix, an RSA modulus, OpenSSH's form, PEM with or
    /// without its boundaries, JSON, and the text of any of these in base64, base64url or base16, also with white space
    /// or a byte order mark around it.
    static func refuse(_ secret: SecretBytes, at name: String) throws(JOSEError) {
        guard contains(secret) else { return }
        throw refusal(at: name)
    }

    /// The error for such a secret.
    static func refusal(at name: String) -> JOSEError {
        JOSEError(.publicKeyAsSecret, "the symmetric key is the encoding of a public key", path: [name])
    }

    /// Returns `true` for a secret that consists of a public key or certificate.
    static func contains(_ secret: SecretBytes) -> Bool {
        guard unsafe secret.withUnsafeBytes({ unsafe mayBeEncoding($0) }) else { return false }
        var bytes = unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
        defer { wipe(&bytes) }
        return isEncoding(bytes, layers: layers)
    }

    /// Decides by the start and the length alone whether to look further, so that a random key of usual length costs no
    /// more.
    private static func mayBeEncoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= shortest, let first = unsafe bytes.first, let last = unsafe bytes.last else {
            return false
        }
        if first == 0x30 || PublicKeyText.isBlank(first) || PublicKeyText.isBlank(last) { return true }
        if PointEncoding.isLength(bytes.count, first: first) || ModulusEncoding.isLength(bytes.count) { return true }
        return unsafe PublicKeyText.mayBeText(bytes.prefix(16)) || bytes.starts(with: OpenSSHEncoding.start)
    }

    private static func isEncoding(_ bytes: [UInt8], layers: Int) -> Bool {
        guard bytes.count >= shortest else { return false }
        if isBinary(bytes) { return true }
        var plain = PublicKeyText.trimmed(bytes)
        defer { wipe(&plain) }
        // A binary form may itself end in a blank byte: removes one line end, then all.
        for lineEnd in [[0x0a], [0x0d, 0x0a]] as [[UInt8]] where bytes.suffix(lineEnd.count).elementsEqual(lineEnd) {
            var line = Array(bytes.dropLast(lineEnd.count))
            defer { wipe(&line) }
            if isBinary(line) { return true }
        }
        if plain.count < bytes.count, isBinary(plain) { return true }
        if PublicKeyText.isMarked(plain) { return true }
        guard layers > 0 else { return false }
        for decode in [PublicKeyText.base16, PublicKeyText.base64] {
            guard var decoded = decode(plain) else { continue }
            defer { wipe(&decoded) }
            if isEncoding(decoded, layers: layers - 1) { return true }
        }
        return false
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        isDER(bytes) || PointEncoding.matches(bytes) || ModulusEncoding.matches(bytes)
            || OpenSSHEncoding.matches(bytes)
    }

    private static func isDER(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x30 else { return false }
        return isReadable { try PublicKey(subjectPublicKeyInfo: bytes, options: .insecureShortRSA) }
            || isReadable { try PublicKey(pkcs1: bytes, options: .insecureShortRSA) }
            || isReadable { try Certificate(der: bytes) }
    }
}

/// A public key in the binary form of OpenSSH (RFC 4253, section 6.6): the length of a name, and the name.
private enum OpenSSHEncoding {
    static let start: [UInt8] = [0, 0, 0]
    private static let names = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"]

    static func matches(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: start) else { return false }
        return names.contains { bytes.dropFirst(4).starts(with: $0.utf8) }
    }
}

/// A point of a Weierstrass curve: compressed, uncompressed, hybrid, or both coordinates alone.
private enum PointEncoding {
    private static let curves = EllipticCurve.all.filter { $0.family == .weierstrass && $0.isSupported }
    private static let sizes = Set(curves.map(\.coordinateSize))

    static func isLength(_ count: Int, first: UInt8) -> Bool {
        switch first {
        case 0x02, 0x03: sizes.contains(count - 1) || isLength(count)
        case 0x04, 0x06, 0x07: count % 2 == 1 && sizes.contains(count / 2) || isLength(count)
        default: isLength(count)
        }
    }

    private static func isLength(_ count: Int) -> Bool { count % 2 == 0 && sizes.contains(count / 2) }

    static func matches(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, isLength(bytes.count, first: first) else { return false }
        return curves.contains { curve in
            let size = curve.coordinateSize
            var point: [UInt8]
            switch (first, bytes.count) {
            case (0x02...0x03, size + 1): point = bytes
            case (0x04, 2 * size + 1), (0x06...0x07, 2 * size + 1): point = [0x04] + bytes.dropFirst()
            case (_, 2 * size): point = [0x04] + bytes
            default: return false
            }
            defer { wipe(&point) }
            return isReadable { try PublicKey(curve: curve, x963Representation: point) }
        }
    }
}

/// The bare modulus of an RSA key of 1536 bits or more.
///
/// About one random key in twenty-five of such a length passes for a modulus. Keys longer than the block of the hash,
/// 128 bytes at most, add nothing to a MAC.
private enum ModulusEncoding {
    /// The primes below 1000, which divide no modulus.
    private static let primes: [UInt32] = (2..<1000).filter { number in
        !(2..<number).prefix { $0 * $0 <= number }.contains { number.isMultiple(of: $0) }
    }

    /// From 1536 to 16,384 bits: longer keys are not read either.
    static func isLength(_ count: Int) -> Bool { (192...2049).contains(count) && count % 64 <= 1 }

    static func matches(_ bytes: [UInt8]) -> Bool {
        // A signed number has a zero byte before the modulus.
        let modulus = bytes.count % 64 == 1 && bytes.first == 0 ? bytes.dropFirst() : bytes[...]
        guard modulus.count >= 192, modulus.count % 64 == 0, modulus.first.map({ $0 >= 0x80 }) == true else {
            return false
        }
        return primes.allSatisfy { prime in modulus.reduce(0) { ($0 << 8 | UInt32($1)) % prime } != 0 }
    }
}

/// Returns `true` if `read` succeeds.
///
/// The reason of a failure does not matter: most secrets are random bytes.
private func isReadable<Value>(_ read: () throws -> Value) -> Bool {
    do {
        _ = try read()
        return true
    } catch {
        return false
    }
}

import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A private key in OpenSSH's own format, version 1 (`PROTOCOL.key` of OpenSSH), sealed with a passphrase.
///
/// Only keys on P-256, P-384 and P-521, sealed with AES-256 in counter mode under a key of bcrypt: what OpenSSH writes for them.
extension PrivateKey {
    private static let openSSHMark = Array("openssh-key-v1\u{0}".utf8)
    private static let openSSHCipher = "aes256-ctr"
    private static let openSSHDerivation = "bcrypt"
    private static let cipherBlockSize = 16

    /// The number of rounds of bcrypt where none is given, as OpenSSH has it.
    public static let defaultOpenSSHRounds = 16

    /// Opens a sealed key.
    ///
    /// - Parameters:
    ///   - bytes: The structure, as it stands between the boundary lines of PEM.
    ///   - passphrase: The passphrase.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for another structure, ``CryptoError/Code/unsupported`` for a key that is
    ///   not sealed, another cipher, and another kind of key; ``CryptoError/Code/limitExceeded`` for too many rounds;
    ///   ``CryptoError/Code/authenticationFailure`` for another passphrase; ``CryptoError/Code/keyPairMismatch``.
    public init(openSSH bytes: some ContiguousBytes, passphrase: some ContiguousBytes) throws(CryptoError) {
        let bytes = bytes.copied()
        do throws(CryptoError) {
            var reader = OpenSSHReader(bytes[...])
            guard try reader.bytes(Self.openSSHMark.count).elementsEqual(Self.openSSHMark) else {
                throw CryptoError(.invalidParameter, "the first bytes are of another format")
            }
            let (cipher, derivation) = (try reader.text(), try reader.text())
            guard cipher == Self.openSSHCipher, derivation == Self.openSSHDerivation else {
                throw CryptoError(.unsupported, "only keys sealed with \(Self.openSSHCipher) can be read")
            }
            var options = OpenSSHReader(try reader.string())
            let (salt, rounds) = (try options.string(), try options.number())
            try options.requireEnd()
            guard try reader.number() == 1 else { throw CryptoError(.unsupported, "more than one key") }
            let publicKey = try reader.string()
            let sealed = try reader.string()
            try reader.requireEnd()
            guard !sealed.isEmpty, sealed.count % Self.cipherBlockSize == 0 else {
                throw CryptoError(.invalidParameter, "the sealed part is no number of blocks")
            }
            var opened = try Self.openSSHCrypted(Array(sealed), passphrase, salt: Array(salt), rounds: Int(rounds))
            defer { wipe(&opened) }
            self = try Self.openSSHKey(opened[...], publicKey: publicKey)
        } catch {
            throw error.inside("OpenSSH private key")
        }
    }

    /// Seals the key with a passphrase.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase, at least 1 byte.
    ///   - rounds: The number of rounds of bcrypt.
    ///   - random: The source of the salt.
    /// - Throws: ``CryptoError/Code/unsupported`` for a key on another curve, and the errors of ``BcryptPBKDF``.
    /// - Returns: The structure, which belongs into PEM under the label `OPENSSH PRIVATE KEY`.
    public func openSSH(
        passphrase: some ContiguousBytes,
        rounds: Int = defaultOpenSSHRounds,
        using random: some RandomSource = .system
    ) throws(CryptoError) -> [UInt8] {
        guard let curve = publicKey.curve, let name = Self.openSSHName(curve), let scalar = rawRepresentation,
            let point = publicKey.x963Representation
        else { throw CryptoError(.unsupported, "only keys on P-256, P-384 and P-521 have this form") }
        let check = random.bytes(4)
        var inner = OpenSSHWriter()
        inner.bytes += check + check
        inner.write("ecdsa-sha2-\(name)".utf8)
        inner.write(name.utf8)
        inner.write(point)
        var number = Array(scalar.copied().drop { $0 == 0 })
        if number.first.map({ $0 >= 0x80 }) == true { number.insert(0, at: 0) }
        inner.write(number)
        inner.write("".utf8)
        wipe(&number)
        let padding = (Self.cipherBlockSize - inner.bytes.count % Self.cipherBlockSize) % Self.cipherBlockSize
        inner.bytes += (0..<padding).map { UInt8($0 + 1) }
        defer { wipe(&inner.bytes) }
        let salt = random.bytes(16)
        let sealed = try Self.openSSHCrypted(inner.bytes, passphrase, salt: salt, rounds: rounds)
        var options = OpenSSHWriter()
        options.write(salt)
        options.write(number: UInt32(clamping: rounds))
        var key = OpenSSHWriter()
        key.write("ecdsa-sha2-\(name)".utf8)
        key.write(name.utf8)
        key.write(point)
        var whole = OpenSSHWriter()
        whole.bytes = Self.openSSHMark
        whole.write(Self.openSSHCipher.utf8)
        whole.write(Self.openSSHDerivation.utf8)
        whole.write(options.bytes)
        whole.write(number: 1)
        whole.write(key.bytes)
        whole.write(sealed)
        return whole.bytes
    }

    /// The key of the opened part.
    private static func openSSHKey(
        _ opened: ArraySlice<UInt8>,
        publicKey: ArraySlice<UInt8>
    ) throws(CryptoError) -> PrivateKey {
        var reader = OpenSSHReader(opened)
        guard try reader.number() == reader.number() else {
            throw CryptoError(.authenticationFailure, "the passphrase is another one")
        }
        let (kind, name) = (try reader.text(), try reader.text())
        guard let curve = [EllipticCurve.p256, .p384, .p521].first(where: { openSSHName($0) == name }),
            kind == "ecdsa-sha2-\(name)"
        else { throw CryptoError(.unsupported, "only keys on P-256, P-384 and P-521 can be read") }
        let point = try reader.string()
        var number = Array(try reader.string().drop { $0 == 0 })
        defer { wipe(&number) }
        _ = try reader.string()
        guard number.count <= curve.coordinateSize, reader.rest.count < cipherBlockSize,
            reader.rest.elementsEqual((0..<reader.rest.count).map { UInt8($0 + 1) })
        else { throw CryptoError(.invalidParameter, "the number or the padding is malformed") }
        var scalar = [UInt8](repeating: 0, count: curve.coordinateSize - number.count) + number
        defer { wipe(&scalar) }
        let key = try PrivateKey(curve: curve, rawRepresentation: scalar)
        var outer = OpenSSHReader(publicKey)
        guard try outer.text() == kind, try outer.text() == name, try outer.string() == point,
            key.publicKey.x963Representation.map({ $0.elementsEqual(point) }) == true
        else { throw CryptoError(.keyPairMismatch, "the public key belongs to another private key") }
        try outer.requireEnd()
        return key
    }

    private static func openSSHName(_ curve: EllipticCurve) -> String? {
        switch curve {
        case .p256: "nistp256"
        case .p384: "nistp384"
        case .p521: "nistp521"
        default: nil
        }
    }

    /// Seals or opens: AES-256 in counter mode, with key and counter of bcrypt.
    private static func openSSHCrypted(
        _ bytes: [UInt8],
        _ passphrase: some ContiguousBytes,
        salt: [UInt8],
        rounds: Int
    ) throws(CryptoError) -> [UInt8] {
        let derived = try BcryptPBKDF.deriveKey(password: passphrase, salt: salt, rounds: rounds, length: 48)
        var material = derived.copied()
        defer { wipe(&material) }
        do {
            return try Array(
                AES._CTR.encrypt(
                    bytes,
                    using: SymmetricKey(data: material[..<32]),
                    nonce: AES._CTR.Nonce(nonceBytes: material[32...])
                )
            )
        } catch {
            throw CryptoError(.engineFailure, "the engine refused AES in counter mode", cause: error)
        }
    }
}

/// Reads strings with a length before them (RFC 4251, section 5).
private struct OpenSSHReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func bytes(_ count: Int) throws(CryptoError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw CryptoError(.invalidParameter, "the structure ends too soon") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number() throws(CryptoError) -> UInt32 { try bytes(4).reduce(0) { $0 << 8 | UInt32($1) } }

    mutating func string() throws(CryptoError) -> ArraySlice<UInt8> {
        let count = try number()
        return try bytes(Int(count))
    }

    mutating func text() throws(CryptoError) -> String { String(decoding: try string(), as: UTF8.self) }

    func requireEnd() throws(CryptoError) {
        guard rest.isEmpty else { throw CryptoError(.invalidParameter, "\(rest.count) bytes are left over") }
    }
}

/// Writes strings with a length before them (RFC 4251, section 5).
private struct OpenSSHWriter {
    var bytes: [UInt8] = []

    mutating func write(number: UInt32) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }

    mutating func write(_ string: some Collection<UInt8>) {
        write(number: UInt32(clamping: string.count))
        bytes += string
    }
}
